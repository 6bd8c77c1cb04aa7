import type { Locale, TextLine, Word } from '@millrace/document-model';
import { textOf } from './columns.ts';
import { takeFactorsAhead, takePence } from './factors.ts';
import type { Row } from './header.ts';
import type { Item } from './items.ts';
import { takeCountsAhead, takeMarksBehind } from './lead-columns.ts';
import { agree } from './roles.ts';
import { type CellNumber, numberOf, type Piece, placedCount, placedNumber } from './values.ts';
import { isTotalLabel, namesDiscount } from './vocabulary.ts';

/** A printed row taken apart: text at the left, numbers at the right. */
interface PricedRow {
  readonly page: number;
  readonly top: number;
  readonly bottom: number;
  readonly words: readonly Word[];
  readonly text: readonly Word[];
  readonly numbers: readonly { readonly number: CellNumber; readonly words: readonly Word[] }[];
}

const rowLimit = 5000;
const connecting =
  /^(?:[x×X*@=]|(?:EUR|€|E|\$|£|USD)?\/(?:kg|[l1I]b|[l1I]|L|Stk|pc|ea)|[Ee]ach|EACH|[Qq][Tt][Yy]:?|[Nn][Ee][Tt]|[Rr][Mm]|à|a|EA|PCS?|PC|UNITS?|NOS?|KGS?|ST|Stk\.?|St\.?|[Ss]zt\.?|UDS?\.?|UN(?:I?D)?\.?|pz|P[ak]\.?|un|€|\$|£|EUR|USD|MYR|CHF|GBP)$/u;
/** Units that stand between quantity and price, but also in an article's name. */
const measures = /^(?:L|l|lt|ltr|gal|kg|Kg|[l1I]b|oz|g|kWh|m)$/;
/** Codes of tax rates and marks that tills print behind an amount. */
const trailing = /^(?:\p{Lu}{1,3}|[A-Z]?\*+|\(?[A-Z]{1,2}\)?|#|%)$/u;

/** Titles and labels, which stand above the items and are no part of the first. */
const titlePattern =
  /invoice|receipt|bill|[:：]|(?<!\p{L})(?:producto|art[íi]culo|descripci[óo]n|concepto|prodotto|descrizione|descri[çc][ãa]o|produit|libell[ée]|artikel|omschrijving)(?!\p{L})|facture|rechnung|quittung|beleg|ticket|fattura|scontrino|recibo|fatura|bon\b|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|cash|tel\b|table|cashier|reg\b|gst|description|item|bezeichnung|désignation|(?<!\p{L})(?:menge|preis|qty|price|amount|qté|prix|cant|precio|importe|prezzo|aantal|prijs|bedrag)(?!\p{L})/iu;
const labelPattern = /invoice|receipt|[:：]|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/iu;
const descriptionRowLimit = 3;

/**
 * Reads items that stand in no captioned columns, as tills print them: a text and its amount in one row, or a text and
 * above or below it quantity, unit price and amount. Ends at the first sum.
 */
export function readPricedLines(rows: readonly Row[], locale: Locale): Item[] {
  const items: Item[] = [];
  const texts: { readonly above: readonly PricedRow[]; readonly below: PricedRow[] }[] = [];
  let pending: PricedRow[] = [];
  let ahead: PricedRow | null = null;
  const lastSubtotal = rows.slice(0, rowLimit).findLastIndex((row) => subtotal.test(row[0]!.text));
  for (const [at, row] of rows.slice(0, rowLimit).entries()) {
    const priced = takeApart(row, locale);
    const whole = textOf(priced.words);
    const label = textOf(priced.text) || whole;
    const last = items.at(-1) ?? null;
    if (
      driven.test(label) ||
      formerPrice.test(label) ||
      (bottleDeposit.test(label) && priced.numbers.at(-1)?.number.value === 0)
    )
      continue;
    const isDeposit = bottleDeposit.test(label) && at < lastSubtotal;
    if ((isTotalLabel(label) && !isDeposit) || isTaxLabel(label)) {
      const sum = priced.numbers.at(-1)?.number;
      // Letters say first what was paid, and then for what.
      const isAhead = items.length === 0 && at < lastSubtotal - 1 && !subtotal.test(label);
      if (sum && (sum.decimals === 2 || sum.currency) && !isAhead) break;
      pending = [];
      continue;
    }
    if (last && (completes(last, priced) || completesMeasure(last, priced))) continue;
    const amount = priced.numbers.at(-1);
    if (amount && [factorsAhead, weighedAhead].some((pattern) => pattern.test(whole.replace(/^[A-Z] (?=\d)/, '')))) {
      ahead = priced;
      continue;
    }
    if (!amount || (amount.number.decimals !== 2 && !amount.number.currency)) {
      if (!/\p{L}{2}/u.test(whole)) continue;
      pending.push(priced);
      texts.at(-1)?.below.push(priced);
      continue;
    }
    // Clubs of shoppers print the numbers of the coupon and of the article alone.
    const isUnnamed = amount.number.value < 0 && !/\p{L}/u.test(label);
    if (last && (isUnnamed || ((amount.number.value < 0 || namesDiscount(label)) && namesDiscount(whole)))) {
      const number = { ...amount.number, value: Math.abs(amount.number.value), percent: false };
      last.numbers.set('discount_amount', placedNumber(number, priced.page, amount.words));
      continue;
    }
    const item = itemOf(priced, locale);
    if (ahead && completes(item, ahead)) item.top = Math.min(item.top, ahead.top);
    items.push(item);
    ahead = null;
    texts.push({ above: pending, below: [] });
    pending = [];
  }
  describe(items, texts);
  for (const item of items) takeFactorsAhead(item, locale);
  takeMarksBehind(items);
  takeCountsAhead(items);
  return withoutGroupSums(items).filter((item) => item.texts.has('description') || item.numbers.size > 1);
}

/** What an item cost before, on a line of its own below it. */
const formerPrice =
  /^(?:reg(?:ular|\.)?|was|orig(?:inal|\.)?|list|comp(?:arable|\.)?)(?: retail)? (?:price|value)(?!\p{L})/iu;

/** What is paid for a bottle among what was bought, and no sum that was paid before. */
const bottleDeposit =
  /^(?:\d+ ?)?(?:\/ ?)?(?:(?:bottle|btl|can|crv|ca) )?(?:deposit|redemp\p{L}*(?: val\p{L}*)?|crv|pfand|consigne|statiegeld)(?!\p{L})/iu;

/** What names the sum of all items. */
const subtotal = /^(?:(?:purchase |order )?sub ?-?total|zwischensumme|sous[- ]?total|subtotaa?l|subtotale)(?!\p{L})/iu;

/** How many of the next item at which price, on a line of its own: `2 @ $6.20`. */
const factorsAhead = /^\d{1,3} ?[@xX×] ?[$€£]?\d{1,4}[.,]\d{2}(?: ?(?:ea|each)\.?)?$/u;

/** What the next row's amount was weighed for, on a line of its own: `0,486 kg x 2,99 EUR/kg`. */
const weighedAhead =
  /^\d{1,3}[.,]\d{1,3} ?(?:kg|lbs?|oz|g|l)\.? ?(?:net )?[@xX×*] ?[$€£]?\d{1,4}[.,]\d{2} ?(?:eur|[$€£])? ?(?:\/ ?(?:kg|lb|oz|100 ?g|l))?$/iu;

/** How far a taxi drove, which it prints like what it charges. */
const driven = /^(?:miles?|distance|distanz|distanza|distancia|strecke|km|kilom\p{L}+)(?!\p{L})/iu;

/** Sums of groups of items, such as `Food` and `Drinks`. */
const mostGroups = 5;

/** The items without those at their end that come to the same as all before: restaurants add up what they sell by kind. */
function withoutGroupSums(items: readonly Item[]): readonly Item[] {
  const amounts = items.map((item) => Math.round(100 * (item.numbers.get('amount')?.number.value ?? 0)));
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  let above = 0;
  for (const [at, amount] of amounts.entries()) {
    above += amount;
    const rest = items.slice(at + 1);
    const isSummed = 2 * above === total && above > 0 && rest.length >= 2 && rest.length <= Math.min(mostGroups, at);
    if (isSummed && rest.every(({ numbers }) => numbers.size === 1)) return items.slice(0, at + 1);
  }
  return items;
}

/** Departments of a shop, which stand above the items in them, perhaps with a number. */
const department =
  /^(?:\d{1,2}[ -])?(?:grocery|groceries|produce|deli|dairy|meat|seafood|bakery|frozen(?: foods?)?|household|home|beverages?|drinks|food|health(?: & beauty)?|alimentari|alimentation|lebensmittel|obst(?: ?(?:&|und) ?gemüse)?|getränke|drogerie|fruits? et légumes|boucherie|charcuterie|crémerie|épicerie)$/iu;

const taxPattern = /(?<!\p{L})(?:gst|vat|tax|mwst|ust|tva|iva|btw)(?!\p{L})/iu;
const taxAtStart = new RegExp(`^\\P{L}*${taxPattern.source}`, 'iu');

/** Whether a row's label is that of a tax, and no work that has to do with one: `Submission of the corporation tax return`. */
function isTaxLabel(label: string): boolean {
  return taxPattern.test(label) && (label.split(' ').length <= 5 || /%/.test(label) || taxAtStart.test(label));
}

/** Gives items without a text of their own the rows above them, or those below where texts stand below their numbers. */
function describe(
  items: readonly Item[],
  texts: readonly { readonly above: readonly PricedRow[]; readonly below: readonly PricedRow[] }[],
): void {
  const [first] = texts;
  const isBelow =
    first !== undefined &&
    adjoining(items[0] as Item, fromTitles(first.above)).length === 0 &&
    texts.every(({ below }) => below.length > 0);
  items.forEach((item, at) => {
    const around = texts[at];
    if (!around) return;
    const own = item.texts.get('description');
    if (own) {
      const [rest] = isUnfinished(own) ? around.below : [];
      if (rest && rest.page === item.page && rest.top - item.bottom < 0.8 * (rest.bottom - rest.top))
        item.texts.set('description', [...own, { page: rest.page, words: rest.words }]);
      return;
    }
    const found = isBelow
      ? around.below.slice(0, 1)
      : adjoining(item, at === 0 ? fromTitles(around.above) : around.above).slice(-descriptionRowLimit);
    const pieces = found
      .filter((row) => !department.test(textOf(row.words)) && !/^(?:>>|--|==|\*\*)/.test(textOf(row.words)))
      .map((row): Piece => ({ page: row.page, words: withoutCode(item, row) }))
      .filter((piece) => piece.words.length > 0);
    if (pieces.length > 0) item.texts.set('description', pieces);
  });
}

/** Whether a text breaks off within a date or at a joining word: `for the year ended 31`. */
function isUnfinished(description: readonly Piece[]): boolean {
  const words = description.flatMap((piece) => piece.words);
  return (
    words.length >= sentenceWords &&
    /^(?:\d{1,2}|and|of|the|for|with|und|der|die|das|für|mit|et|de|du|pour|avec|y|del|para|con|e|di|per)$/iu.test(
      words.at(-1)!.text,
    )
  );
}

/** The words of a text row but for an article's number at its beginning, which becomes the item's code. */
function withoutCode(item: Item, row: PricedRow): readonly Word[] {
  const words = withoutBarcode(item, withoutMark(row.words));
  const [code] = words;
  if (!code || words.length < 2 || item.texts.has('product_code') || !/^\d{5,}$/.test(code.text)) return words;
  item.texts.set('product_code', [{ page: row.page, words: [code] }]);
  return words.slice(1);
}

/** A mark of the tax rate at the end of a text row, as tills print it. */
function withoutMark(words: readonly Word[]): readonly Word[] {
  return words.length > 1 && /^\*[A-Z]?$|^#$/.test((words.at(-1) as Word).text) ? words.slice(0, -1) : words;
}

/** The rows after the last that belongs to the receipt's head. */
function fromTitles(rows: readonly PricedRow[]): readonly PricedRow[] {
  const last = rows.at(-1);
  if (last && !labelPattern.test(textOf(last.words)) && titlePattern.test(textOf(last.words))) return [last];
  return rows.slice(rows.findLastIndex((row) => titlePattern.test(textOf(row.words))) + 1);
}

/** The rows right above an item, with no gap between them. */
function adjoining(item: Item, rows: readonly PricedRow[]): readonly PricedRow[] {
  let top = item.top;
  let from = rows.length;
  while (from > 0) {
    const row = rows[from - 1] as PricedRow;
    if (row.page !== item.page || top - row.bottom > 1.2 * (row.bottom - row.top)) break;
    top = row.top;
    from--;
  }
  return rows.slice(from);
}

/** How many of what stand at which price, as tills print it in one word: `2x3,45`, `1*18,99=`, `0,842kg*24,95kr/kg`. */
const factorsInWord =
  /^(\d{1,4}(?:[.,]\d{1,3})?)(?:kg|st|stk|szt|pcs|pz|ud|[lL])?\.?([x×X*@])(\d{1,5}[.,]\d{2,3})(?:kr|zł|€|EUR)?(?:\/(?:kg|st|stk|szt|l))?=?$/u;

/** The words of a row, those with two factors in two, unless they make another amount than the row's: `PILS 6X0,33`. */
function withFactorsApart(words: readonly Word[], locale: Locale): readonly Word[] {
  return words.flatMap((word, at) => {
    const [, quantity, sign, price] = factorsInWord.exec(word.text) ?? [];
    if (!quantity || !price) return [word];
    const amounts = words.slice(at + 1).filter(({ text }) => /^\d+[.,]\d{2}$/.test(text));
    const made = [quantity, price].map((text) => numberOf([{ ...word, text }], locale)?.value ?? 0);
    const isOther = amounts.every((each) => !agree(made[0]! * made[1]!, numberOf([each], locale)?.value ?? 0));
    if (amounts.length > 0 && isOther) return [word];
    const middle = word.box.x0 + ((word.box.x1 - word.box.x0) * quantity.length) / word.text.length;
    return [
      { ...word, text: quantity, box: { ...word.box, x1: middle } },
      { ...word, text: `${sign}${price}`, box: { ...word.box, x0: middle } },
    ];
  });
}

/** Parts a row from the right: marks behind the amount, then numbers with what connects them, then text. */
function takeApart(row: Row, locale: Locale): PricedRow {
  const words = withFactorsApart(
    row.flatMap((line) => line.words),
    locale,
  );
  const numbers: { number: CellNumber; words: readonly Word[] }[] = [];
  let at = words.length;
  while (at > 0 && at > words.length - 3 && trailing.test((words[at - 1] as Word).text)) at--;
  // Tills number their tax rates as well.
  if (at > 1 && /^\d$/.test(words[at - 1]!.text) && /\d[.,]\d{2}€?$/.test(words[at - 2]!.text)) at--;
  const marked = at;
  while (at > 0 && numbers.length < 6) {
    const word = words[at - 1] as Word;
    const after = words[at]?.text ?? '';
    // A dollar sign that stands apart is easily read as a letter.
    if (/^[sS]$/.test(word.text) && numbers.length === 1 && row.some(({ text }) => text === word.text)) {
      at--;
      continue;
    }
    if (connecting.test(word.text) || (measures.test(word.text) && (/^[@x×X*]/u.test(after) || numbers.length > 1))) {
      at--;
      continue;
    }
    // A small l reads like a one: `32,18 l x 1,689`.
    if (/^[1I|]$/.test(word.text) && /^[@x×X*]$/u.test(after) && /^\d+[.,]\d/.test(words[at - 2]?.text ?? '')) {
      at--;
      continue;
    }
    // How much is in a pack ends its name: `DORITOS 9.25OZ`.
    if (/^\d+[.,]\d{1,3}(?:[O0]Z|FT|CT|PK|GAL|QT)\.?$/i.test(word.text)) break;
    // An integer of many digits is an article's number, and `1L` or `500ML` a part of a name.
    if (/^\d{5,}$|^\d+(?:[.,]\d)?(?!PCS?$|EA$|ST$|UN$|[xX]$)\p{L}/u.test(word.text)) break;
    // `2x`, `@1.50` and `5PCS` are a number and what connects it.
    const bare = word.text
      .replace(/\/(?:kg|[l1I]b|l|ea|each|pc|Stk|100g)$/iu, '')
      .replace(/(?<=\d-)[A-Z]$/u, '')
      .replace(/^[x×X*@]|(?:[x×X@*]|PCS?|EA|ST|UN)$/gu, '');
    // Tills print the mark of the tax behind the sign of what is taken off: `4.00-A`.
    const number = bare === '' ? null : numberOf(bare === word.text ? [word] : [{ ...word, text: bare }], locale);
    // A column of its own has the rate of the tax.
    if (number?.percent && numbers.length === 1 && row.some(({ words: [first] }) => first === word)) {
      at--;
      continue;
    }
    if (!number || number.percent || /\p{L}{3}/u.test(number.rest) || isNote(words, at - 1)) break;
    numbers.unshift({ number, words: [word] });
    at--;
  }
  if (numbers.length === 0) at = marked;
  const first = row[0] as TextLine;
  return {
    page: first.page,
    top: Math.min(...row.map((line) => line.box.y0)),
    bottom: Math.max(...row.map((line) => line.box.y1)),
    words,
    text: words.slice(0, at),
    numbers,
  };
}

/** Whether an amount in brackets goes on with the text before it, as what an addition to an item costs: `Extra Shot ($1.00)`. */
function isNote(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]!];
  if (!before || !/^\(\+?[$€£]?\d{1,3}[.,]\d{2}\)$/.test(word.text) || !/\p{L}/u.test(before.text)) return false;
  return word.box.x0 - before.box.x1 < word.box.y1 - word.box.y0;
}

/** Takes a row of quantity and unit price whose product is the amount of the item above. */
function completes(item: Item, row: PricedRow): boolean {
  const amount = item.numbers.get('amount')?.number.value;
  if (
    amount === undefined ||
    item.numbers.has('price_unit') ||
    row.page !== item.page ||
    row.text.some((word) => /\p{L}{3}/u.test(word.text))
  )
    return false;
  if (row.top - item.bottom > 1.5 * (row.bottom - row.top)) return false;
  const [first, second] = row.numbers;
  if (!first || !second || row.numbers.length > 3) return false;
  if (!agree(first.number.value * second.number.value, amount)) return false;
  item.numbers.set('quantity', placedNumber(first.number, row.page, first.words));
  item.numbers.set('price_unit', placedNumber(second.number, row.page, second.words));
  item.bottom = Math.max(item.bottom, row.bottom);
  return true;
}

/** `0,5l` as OCR reads it: an amount, but for its last figure, which is the unit. */
const measurePattern = /^(\d[.,]\d)[1lI|]$/;

/**
 * Takes a row of quantity, unit price and their product for that of the item above, whose own amount then is the measure
 * at the end of its name.
 */
function completesMeasure(item: Item, row: PricedRow): boolean {
  const above = item.numbers.get('amount');
  const [word] = above?.piece.words ?? [];
  const description = item.texts.get('description');
  const measure = measurePattern.exec(word?.text ?? '');
  if (!above || !word || !description || !measure || item.numbers.size > 1 || row.text.length > 0) return false;
  if (row.page !== item.page || row.top - item.bottom > 1.5 * (row.bottom - row.top)) return false;
  const [quantity, price, amount] = row.numbers;
  if (!quantity || !price || !amount || row.numbers.length > 3) return false;
  if (!agree(quantity.number.value * price.number.value, amount.number.value)) return false;
  const unit = { page: item.page, words: [{ ...word, text: `${measure[1]}l` }] };
  item.texts.set('description', [...description, unit]);
  item.numbers.set('quantity', placedNumber(quantity.number, row.page, quantity.words));
  item.numbers.set('price_unit', placedNumber(price.number, row.page, price.words));
  item.numbers.set('amount', placedNumber(amount.number, row.page, amount.words));
  item.bottom = Math.max(item.bottom, row.bottom);
  return true;
}

/** Takes the unit price that stands before a description, behind the quantity: `3 x 1,75 Butterbreze`, `3x1,75 Brezel`. */
function takePriceAhead(item: Item, text: Word[], quantity: number, locale: Locale): void {
  const [word, ...rest] = text;
  const total = item.numbers.get('amount')?.number.value;
  const price = word?.text.replace(/^[x×X*@]/u, '') ?? '';
  const number = word && /\d[.,]\d{2}$/.test(price) ? numberOf([{ ...word, text: price }], locale) : null;
  if (!word || !number || total === undefined || rest.length === 0 || item.numbers.has('price_unit')) return;
  if (!agree(quantity * number.value, total)) return;
  item.numbers.set('price_unit', placedNumber(number, item.page, [word]));
  text.shift();
}

/** A text without the barcode of its article behind it, perhaps with a mark: `BOUNTY 6DR 003700078814 F`. */
function withoutBarcode(item: Item, text: readonly Word[]): Word[] {
  const at = text.findLastIndex(({ text: own }) => /^\d{10,14}[A-Z]{0,2}$/.test(own));
  if (at < 1 || at < text.length - 2 || !text.slice(at + 1).every(({ text: own }) => /^[A-Z]{1,2}$/.test(own)))
    return [...text];
  item.texts.set('product_code', [{ page: item.page, words: [text[at]!] }]);
  return text.slice(0, at);
}

/** Takes what was weighed that stands before a description, by the price of a unit behind it: `0.426KG APPEL 2,49 1,06`. */
function takeWeightAhead(item: Item, text: Word[]): void {
  const [word, ...rest] = text;
  const [, whole, part, unit] = /^(\d{1,3})[.,](\d{2,3})(kg|lb|l)$/iu.exec(word?.text ?? '') ?? [];
  const [price, total] = ['price_unit', 'amount'].map((name) => item.numbers.get(name)?.number.value);
  if (!word || !unit || price === undefined || total === undefined || item.numbers.has('quantity')) return;
  const value = Number(`${whole}.${part}`);
  if (rest.length === 0 || !agree(value * price, total)) return;
  const number: CellNumber = { value, percent: false, currency: null, decimals: part!.length, rest: '', quality: 0.5 };
  item.numbers.set('quantity', placedNumber(number, item.page, [word]));
  text.shift();
}

/** Whether a number goes on with a long text at the usual blank: `for the year ended 31`. */
function endsSentence(text: readonly Word[], [number]: readonly Word[]): boolean {
  const last = text.at(-1);
  if (!last || !number || text.length < sentenceWords) return false;
  return number.box.x0 - last.box.x1 < 0.5 * (last.box.y1 - last.box.y0);
}

const sentenceWords = 5;

function itemOf(row: PricedRow, locale: Locale): Item {
  const item: Item = { numbers: new Map(), texts: new Map(), page: row.page, top: row.top, bottom: row.bottom };
  const amount = row.numbers.at(-1);
  if (amount) item.numbers.set('amount', placedNumber(amount.number, row.page, amount.words));
  const before = row.numbers.slice(0, -1);
  const total = amount?.number.value ?? 0;
  const factors = before.flatMap((price, at) =>
    before
      .slice(0, at)
      .flatMap((quantity) => (agree(quantity.number.value * price.number.value, total) ? [{ quantity, price }] : [])),
  );
  const [product] = factors;
  const [first] = before;
  const isEnd = before.length === 1 && first !== undefined && endsSentence(row.text, first.words);
  let text = isEnd ? [...row.text, ...first.words] : [...row.text];
  const [leading] = text;
  const ordinal =
    /^\d{1,3}[xX×]?$/.test(leading?.text ?? '') && text.length > 1 ? Number.parseInt((leading as Word).text, 10) : null;
  if (product) {
    // 1 × 1.00 reads the same both ways: the printed decimals tell the price.
    const swapped = product.quantity.number.decimals === 2 && product.price.number.decimals === 0;
    const [quantity, price] = swapped ? [product.price, product.quantity] : [product.quantity, product.price];
    item.numbers.set('quantity', placedNumber(quantity.number, row.page, quantity.words));
    item.numbers.set('price_unit', placedNumber(price.number, row.page, price.words));
  } else {
    const price = before.findLast((number) => number.number.decimals === 2 || number.number.currency !== null);
    // What a pack holds ends the name, before the column of quantities: `CPR 8   1   2,18`.
    const quantity = before.findLast(
      (number) => number !== price && number.number.decimals !== 2 && Math.abs(number.number.value) < 10000 && !isEnd,
    );
    if (price) item.numbers.set('price_unit', placedNumber(price.number, row.page, price.words));
    if (quantity) item.numbers.set('quantity', placedNumber(quantity.number, row.page, quantity.words));
    else if (ordinal && (!price || agree(ordinal * price.number.value, total))) {
      const [word] = text.splice(0, 1);
      if (word) item.numbers.set('quantity', placedCount(ordinal, row.page, [word]));
      // Behind the count stands a sign, or a word as in `2 of: Desk lamp`.
      if (/^(?:[xX×]|of:)$/u.test(text[0]?.text ?? '')) text.shift();
      takePriceAhead(item, text, ordinal, locale);
    }
  }
  // Before an article's number a single letter is how it is taxed: `E 447711 ROTISSERIE`.
  if (/^[A-Z]$/.test(text[0]?.text ?? '') && /^\d{4,}$/.test(text[1]?.text ?? '') && text.length > 2) text.shift();
  takeWeightAhead(item, text);
  if (takePence(item, text, locale)) return item;
  text = withoutBarcode(item, text);
  const [code] = text;
  if (code && /^\d{5,}$/.test(code.text)) {
    item.texts.set('product_code', [{ page: row.page, words: [code] }]);
    text = text.slice(1);
  }
  if (text.some((word) => /\p{L}{2}/u.test(word.text)))
    item.texts.set('description', [{ page: row.page, words: withoutMark(text) }]);
  return item;
}
