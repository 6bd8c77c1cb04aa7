import type { Locale, TextLine, Word } from '@millrace/document-model';
import type { Item } from './items.ts';
import { agree } from './roles.ts';
import { type CellNumber, numberOf, placedCount, placedNumber } from './values.ts';

/** Both factors in one word, or one with the sign between them: `2x1.05`, `4× 4,60`. */
const joinedFactors = /^(\d{1,3})([xX×*])(\d{1,4}[.,]\d{2})?$/u;

/** The words of a description, the first apart where it has both factors or the sign between them. */
function withFactorsParted(words: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  const parts = (joinedFactors.exec(first?.text ?? '') ?? []).slice(1).filter((part) => part !== undefined);
  return first && parts.length > 0 ? [...parts.map((text) => ({ ...first, text })), ...rest] : words;
}

/** Takes quantity and unit price that stand before a description and multiply to its amount: `2 x 23,80 Zwiebelrostbraten`. */
export function takeFactorsAhead(item: Item, locale: Locale): void {
  const [first, ...others] = item.texts.get('description') ?? [];
  const [count, times, each, ...rest] = withFactorsParted(first?.words ?? []);
  const total = item.numbers.get('amount')?.number.value;
  if (!first || !count || !times || !each || rest.length === 0 || total === undefined) return;
  const known = item.numbers.get('price_unit');
  const counted = item.numbers.get('quantity')?.number.value ?? 1;
  if (known && agree(counted * known.number.value, total)) return;
  if (!/^\d{1,3}$/.test(count.text) || !/^[xX×*]$/u.test(times.text) || !/\d[.,]\d{2}$/.test(each.text)) return;
  const [quantity, price] = [numberOf([count], locale), numberOf([each], locale)];
  if (!quantity || !price || !agree(quantity.value * price.value, total)) return;
  // What was taken for the quantity is the end of the name: `3 x 4,60 Radler 0,5`.
  const measure = [...(item.numbers.get('quantity')?.piece.words ?? []), ...(known?.piece.words ?? [])];
  item.numbers.set('quantity', placedNumber(quantity, first.page, [count]));
  item.numbers.set('price_unit', placedNumber(price, first.page, [each]));
  item.texts.set('description', [{ page: first.page, words: [...rest, ...measure] }, ...others]);
}

/** What stands between a quantity and a price, and what stands before a price alone. */
const times = /^[xX×*@]$/u;
const perPiece = /^(?:à|a|@|je|cad\.?|c\/u|p\.?u\.?)$/iu;

interface Factors {
  readonly quantity: { readonly number: CellNumber; readonly words: readonly Word[] } | null;
  readonly price: { readonly number: CellNumber; readonly words: readonly Word[] };
  /** Of the words that were looked at, how many stand before the factors. */
  readonly before: number;
}

/**
 * Takes quantity and unit price that were gathered as the end of a description, as tills print them in a row of their
 * own: below the item whose amount they make, `2 DOLIPRANE` above `à 2,18 €`, or above it, as in Italy.
 */
export function takeFactorsBehind(items: readonly Item[], locale: Locale): void {
  for (const [at, item] of items.entries()) {
    const pieces = item.texts.get('description') ?? [];
    const last = pieces.at(-1);
    const factors = last && factorsAtEnd(last.words, locale);
    if (!last || !factors) continue;
    const isOwnRow = factors.before === 0 && pieces.length > 1;
    const next = isOwnRow ? items[at + 1] : undefined;
    const owner = [item, next].find((one) => one && !one.numbers.has('price_unit') && makes(factors, one));
    if (!owner) continue;
    const { quantity, price } = factors;
    if (quantity) owner.numbers.set('quantity', placedNumber(quantity.number, last.page, quantity.words));
    owner.numbers.set('price_unit', placedNumber(price.number, last.page, price.words));
    const rest = last.words.slice(0, factors.before);
    item.texts.set(
      'description',
      rest.length > 0 ? [...pieces.slice(0, -1), { page: last.page, words: rest }] : pieces.slice(0, -1),
    );
  }
}

/** Takes quantity and unit price that stand alone in the row above the first item of a table, as Italian tills print them. */
export function takeFactorsAbove(item: Item | undefined, row: readonly TextLine[] | undefined, locale: Locale): void {
  const words = row?.flatMap((line) => line.words) ?? [];
  const factors = item && words.length <= 4 ? factorsAtEnd(words, locale) : null;
  if (!item || !row || !factors?.quantity || factors.before > 0) return;
  if (item.numbers.has('price_unit') || !makes(factors, item)) return;
  const { page } = row[0]!;
  item.numbers.set('quantity', placedNumber(factors.quantity.number, page, factors.quantity.words));
  item.numbers.set('price_unit', placedNumber(factors.price.number, page, factors.price.words));
}

/** Whether the product of the factors, or of the item's own quantity and their price, is the item's amount. */
function makes({ quantity, price }: Factors, item: Item): boolean {
  const count = quantity?.number.value ?? item.numbers.get('quantity')?.number.value;
  const amount = item.numbers.get('amount')?.number.value;
  return count !== undefined && amount !== undefined && agree(count * price.number.value, amount);
}

function factorsAtEnd(words: readonly Word[], locale: Locale): Factors | null {
  const isCurrency = /^(?:€|\$|£|EUR|USD|GBP|CHF)$/u.test(words.at(-1)?.text ?? '');
  const end = words.length - (isCurrency ? 1 : 0);
  const [count, sign, price] = words.slice(Math.max(0, end - 3), end);
  // Italian tills count by `N.2`.
  const numberAt = (word: Word | undefined) =>
    word ? numberOf([{ ...word, text: word.text.replace(/^n\.(?=\d)/iu, '') }], locale) : null;
  if (end >= 3 && count && sign && price && times.test(sign.text)) {
    const [quantity, unit] = [numberAt(count), numberAt(price)];
    if (quantity && unit?.decimals === 2)
      return {
        quantity: { number: quantity, words: [count] },
        price: { number: unit, words: [price] },
        before: end - 3,
      };
  }
  const [before, alone] = words.slice(Math.max(0, end - 2), end);
  const unit = before && perPiece.test(before.text) ? numberAt(alone) : null;
  return unit?.decimals === 2 && alone
    ? { quantity: null, price: { number: unit, words: [alone] }, before: end - 2 }
    : null;
}

/** What was weighed or counted and what a unit of it costs, as a row of its own: `0,826 kg 1,99 €/kg`, `2 St x 7,49`. */
const weighed =
  /^\d{1,3}(?:[.,]\d{1,3})? ?(?:kg|g|lb|l|stk?|pa|pc|pz|un|ud)\.? (?:[x×X*@] \d{1,4}[.,]\d{2}|(?:[x×X*@] )?\d{1,4}[.,]\d{2} ?\S{0,3}\/ ?(?:kg|100 ?g|lb|l))$|^\d{1,3}[.,]\d{3} ?kg \d{1,4}[.,]\d{2}(?: ?€)?$/iu;

/**
 * Takes weight and unit price that were read as an item's description, where they make its amount. Its name is the row
 * above them, which the item before it was given.
 */
export function takeWeighedRows(items: readonly Item[], locale: Locale): void {
  for (const [at, item] of items.entries()) {
    const pieces = item.texts.get('description') ?? [];
    const row = pieces.findIndex(({ words }) => weighed.test(words.map(({ text }) => text).join(' ')));
    const total = item.numbers.get('amount')?.number.value;
    const own = pieces[row];
    if (!own || total === undefined || item.numbers.has('quantity')) continue;
    const [weight, price] = numbersIn(own.words, locale);
    if (!weight || !price || !agree(weight.number.value * price.number.value, total)) continue;
    item.numbers.set('quantity', placedNumber(weight.number, own.page, [weight.word]));
    item.numbers.set('price_unit', placedNumber(price.number, own.page, [price.word]));
    const others = pieces.toSpliced(row, 1);
    const above = items[at - 1]?.texts.get('description') ?? [];
    const name = row === 0 && above.length > 1 ? above.at(-1) : undefined;
    if (name) items[at - 1]!.texts.set('description', above.slice(0, -1));
    item.texts.set('description', name ? [name, ...others] : others);
  }
}

/** The numbers among words, those that a word begins with alone. */
function numbersIn(words: readonly Word[], locale: Locale): readonly { number: CellNumber; word: Word }[] {
  return words.flatMap((word) => {
    const number = /^\d/.test(word.text) ? numberOf([word], locale) : null;
    return number ? [{ number, word }] : [];
  });
}

/** What was pumped at how many pence a litre, as British filling stations print it: `38.24 LTR @ 152.9 p/L`. */
const pumpedForPence =
  /^(\d{1,3}[.,]\d{1,3}) ?(?:l|lt|ltrs?|lit(?:re|er)s?) ?[@xX×] ?(\d{2,3}[.,]\d{1,2}) ?(?:p|ppl|pence)?(?: ?\/ ?(?:l|ltr|lit(?:re|er)))?$/iu;

/** Takes litres and pence where they make an item's amount in pounds; whether its text was no more than that. */
export function takePence(item: Item, words: readonly Word[], locale: Locale): boolean {
  const amount = item.numbers.get('amount')?.number.value;
  const text = words.map((word) => word.text).join(' ');
  if (amount === undefined || item.numbers.has('quantity') || !pumpedForPence.test(text)) return false;
  const [litres, pence] = numbersIn(words, locale);
  if (!litres || !pence || !agree((litres.number.value * pence.number.value) / 100, amount)) return false;
  const price = { ...pence.number, value: Math.round(1000 * pence.number.value) / 100_000 };
  item.numbers.set('quantity', placedNumber(litres.number, item.page, [litres.word]));
  item.numbers.set('price_unit', placedNumber(price, item.page, [pence.word]));
  return true;
}

/** What a count is at most, and a unit price at least, where they are reckoned: of a price of a cent every amount is a multiple. */
const mostMade = 9999;
const leastPrice = 0.2;

/**
 * Gives items the count that their unit price and amount make, where that was not read, or was misread. Only whole numbers
 * are believed, and in place of one that was read only where all amounts add up to the sum; a discount or a tax could make
 * up the difference.
 *
 * @param isSum whether the amounts add up to a sum that is printed.
 */
export function takeMadeCounts(items: readonly Item[], isSum: boolean): void {
  if (items.some(({ numbers }) => numbers.has('discount_amount') || numbers.has('tax_amount'))) return;
  for (const { numbers } of items) {
    const [price, amount, read] = ['price_unit', 'amount', 'quantity'].map((role) => numbers.get(role));
    if (!price || !amount || price.number.value < leastPrice || (read && !isSum)) continue;
    const count = Math.round(amount.number.value / price.number.value);
    const isMade = Math.abs(count * price.number.value - amount.number.value) < 0.006;
    if (!isMade || count < 1 || count > mostMade) continue;
    const isRead = read && agree(read.number.value * price.number.value, amount.number.value);
    const { page, words } = read?.piece ?? {
      page: amount.piece.page,
      words: [...price.piece.words, ...amount.piece.words],
    };
    if (!isRead) numbers.set('quantity', placedCount(count, page, words));
  }
}
