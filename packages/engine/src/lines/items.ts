import type { ExtractedRow, ExtractedValue, Locale, ValueFlag, Word } from '@millrace/document-model';
import { type BodyRow, boundariesOf, splitRow, textOf } from './columns.ts';
import { takeFactorsAbove, takeFactorsAhead, takeFactorsBehind, takeMadeCounts, takeWeighedRows } from './factors.ts';
import { type Captions, type Header, isSameHeader, partHeadings, type Row } from './header.ts';
import { takeCodesAhead } from './lead-columns.ts';
import { agree, itemRoles, type Roles } from './roles.ts';
import { takeUpperRows } from './two-storeys.ts';
import { type CellNumber, dateOf, extractedValue, numberOf, type Piece, placedCount } from './values.ts';
import { isCarryOver, isTotalLabel, isUnpriced, namesDiscount } from './vocabulary.ts';

const numericRoles = new Set(['quantity', 'price_unit', 'discount_amount', 'tax_rate', 'tax_amount', 'amount']);

/** An item as it is gathered from printed rows. */
export interface Item {
  /** What stands in the columns of numbers, by role. */
  readonly numbers: Map<string, { readonly number: CellNumber; readonly piece: Piece }>;
  /** The words of the columns of text, by role. */
  readonly texts: Map<string, Piece[]>;
  readonly page: number;
  top: number;
  bottom: number;
}

/** The items of a document with what proves them. */
export interface ItemReading {
  readonly rows: readonly ExtractedRow[];
  /** How many rows' arithmetic holds. */
  readonly proven: number;
  /** The rows' amounts add up to an amount that is printed beside the label of a sum. */
  readonly isSum: boolean;
}

/**
 * Reads items from the tables whose headers were found.
 *
 * @param rows all of the document's visual rows.
 * @param sums every amount that stands beside the label of a sum, anywhere in the document.
 */
export function readItems(
  rows: readonly Row[],
  headers: readonly Header[],
  captions: Captions,
  locale: Locale,
  sums: readonly number[],
): ItemReading {
  const found: Item[] = [];
  sections(rows, headers).forEach(({ header, body }) => {
    const items = itemsOf(partHeadings(header, untilSums(body), captions), body, locale);
    takeUpperRows(items, header, body, { rows, captions });
    takeFactorsAbove(items[0], body[0], locale);
    for (const item of items) found.push(item);
  });
  // Beside items that cost something, a list of things without a price is no list of items.
  const priced = found.filter((item) => item.numbers.has('amount') || item.numbers.has('price_unit'));
  const items = priced.length > 0 ? priced : found;
  takeFactorsBehind(items, locale);
  return finishItems(items, locale, sums);
}

interface Section {
  readonly header: Header;
  readonly body: readonly Row[];
}

/** The rows below each header, those below its repeats on later pages joined. */
export function sections(rows: readonly Row[], headers: readonly Header[]): Section[] {
  const joined: { header: Header; body: Row[] }[] = [];
  headers.forEach((header, at) => {
    if (!header.accepted) return;
    const body = rows.slice(header.lastRow + 1, headers[at + 1]?.firstRow ?? rows.length);
    const before = joined.at(-1);
    if (before && isSameHeader(before.header, header)) before.body.push(...body);
    else joined.push({ header, body });
  });
  return joined;
}

function itemsOf(header: Header, body: readonly Row[], locale: Locale): Item[] {
  const named = header.headings.map((heading) => heading.names.some((name) => numericRoles.has(name)));
  const boundaries = boundariesOf(header, untilSums(body));
  const split = body.map((row) => splitRow(row, boundaries, (column) => named[column] === true));
  const main = mainRows(split.slice(0, untilSums(body).length), locale);
  const known = itemRoles(header.headings, main, locale);
  // A column of codes alone has the descriptions below them: `Part number / Description`.
  const isBoth = !known.includes('description') && known.includes('product_code');
  const roles = isBoth ? known.map((role) => (role === 'product_code' ? 'description' : role)) : known;
  const again = withTextsAbove(
    body.map((row) => splitRow(row, boundaries, (column) => numericRoles.has(roles[column] ?? ''))),
    body,
    main,
    roles,
  );
  const items = gather(again, roles, locale);
  if (!roles.includes('product_code')) takeCodeLines(items, isBoth);
  return items;
}

/**
 * The rows of a table whose numbers stand below what they are of, as on tills: a text that fills a line of its own may run
 * on below the headings of numbers, and is the description.
 */
function withTextsAbove(
  split: readonly BodyRow[],
  body: readonly Row[],
  main: readonly BodyRow[],
  roles: Roles,
): readonly BodyRow[] {
  const column = roles.indexOf('description');
  const isBare = ({ cells }: BodyRow) => !/\p{L}{2}/u.test(textOf(cells[column] ?? []));
  if (column !== 0 || main.length === 0 || main.filter(isBare).length < bareShare * main.length) return split;
  return split.map((row, at) => {
    const [line, ...others] = body[at]!;
    const isText =
      line &&
      others.length === 0 &&
      /\p{L}{2}/u.test(line.text) &&
      !/\d[.,]\d\d(?!\d)/.test(line.text) &&
      !isTotalLabel(row.label);
    return isText
      ? { ...row, cells: row.cells.map((_, cell) => (cell === column ? line.words : [])), sentence: [] }
      : row;
  });
}

/** How many of the rows with numbers have no text beside them where texts stand above. */
const bareShare = 0.7;

/** Of how many items a line of their own has the code. */
const codeLineShare = 0.6;

/** Takes codes on a line of their own above or below the description, where most items have one at that place. */
function takeCodeLines(items: readonly Item[], isCodeColumn: boolean): void {
  const isCode = (piece: Piece | undefined) => piece !== undefined && codePattern.test(textOf(piece.words));
  const piecesOf = ({ texts }: Item) => texts.get('description') ?? [];
  for (const place of [0, -1] as const) {
    const coded = items.filter((item) => {
      const pieces = piecesOf(item);
      return isCode(pieces.at(place)) && (pieces.length > 1 || (isCodeColumn && place === 0));
    });
    if (coded.length === 0 || coded.length < codeLineShare * items.length) continue;
    for (const item of coded) {
      const pieces = piecesOf(item);
      item.texts.set('product_code', [pieces.at(place)!]);
      const rest = pieces.filter((piece) => piece !== pieces.at(place));
      if (rest.length > 0) item.texts.set('description', rest);
      else item.texts.delete('description');
    }
    return;
  }
}

/** The rows with most of a table's numbers, at least two: its columns are identified by them. */
function mainRows(rows: readonly BodyRow[], locale: Locale): readonly BodyRow[] {
  const counts = rows.map((row) => row.cells.filter((cell) => numberOf(cell, locale)).length);
  const most = Math.max(0, ...counts.slice(0, 1000));
  const enough = Math.max(Math.min(2, most), 0.6 * most, 1);
  return rows.filter((_, at) => (counts[at] as number) >= enough);
}

/** The rows before the first that is labelled as a sum. */
function untilSums(body: readonly Row[]): readonly Row[] {
  const end = body.findIndex(
    (row) => row.length <= 4 && isTotalLabel(row[0]?.text ?? '') && !isCarryOver(row[0]?.text ?? ''),
  );
  return end > 0 ? body.slice(0, end) : body;
}

/**
 * A label and a value, such as an article's number of another kind, or a bullet with one: an attribute of the item, not
 * its description. A sentence with a colon in it is none.
 */
const detailPattern =
  /^[^:(]{2,40}:(?:\s*=|\s*[-€$]?\s*(?:\d|[A-Z]{1,3}\d)|$)|^(?:[*•]\s?)?\p{Lu}[\p{L}-]+\s?:\s*[^\s,]+$|^[*•].*(?::|\b(?:Nr|No)\.)|:.*:/u;

/** What heads the items of one delivery or order, or says of goods what the customs or a recall ask for: none's description. */
const referencePattern =
  /^(?:(?:n\/|[nv]s\.?|our|your|unsere?|ihre?|notre|votre|su) )?(?:albar[aá]n|delivery (?:note|docket)|despatch note|lieferschein|bon de livraison|d\.?d\.?t\.?|documento di trasporto|bolla|pakbon|guia(?: de (?:remessa|transporte))?)[ .:]*(?:n(?:[r°º]|um)?\.?[°º]?|no\.?|#)?[ :]*(?:[A-Z]{1,4} ?)?\d|^(?:zolltarif\p{L}*|statistische warennr|hs[- ]code|(?:commodity|tariff|customs) code|code douanier|taric|batch|charge|chargen?-?nr|serial|s\/n|lotto|lote)[ .:#-]*(?:n(?:[r°º]|um)?\.?[°º]?|no\.?|number|nummer)?[ .:#]*(?=\S*\d)[A-Z\d./-]{4,}$/iu;

/** How far below a row, in heights of a line, numbers may stand that belong to it, and text that goes on with it. */
const adjoiningGap = { numbers: 1.3, text: 0.85 };

/** Rows of text above an item that may be its description. */
const leadLimit = 20;

/** A gap of so many heights of a line below an item ends the page's items. */
const endingGap = 12;
/** As many do before a row that has nothing but an amount, below items with quantities and prices. */
const loneAmountGap = 3.5;

/** A description that only says that the row is a sum. */
const wholeTotal = /^(?:sub-? ?)?totals?:?$/iu;

/** Joins printed rows to items: a row of numbers begins one where its numbers find no free place in the one before. */
function gather(rows: readonly BodyRow[], roles: Roles, locale: Locale): Item[] {
  const primary = ['amount', 'price_unit', 'quantity'].find((role) => roles.includes(role));
  if (!primary) return [];
  const items: Item[] = [];
  let current: Item | null = null;
  /** Rows of text right below the current item. */
  let tail: BodyRow[] = [];
  /** Rows of text after a gap. */
  let lead: BodyRow[] = [];
  let ended = false;
  /** The page whose items ended with a sum to be carried. */
  let carriedOn = 0;
  for (const row of rows) {
    const numbers = numbersOf(row, roles, locale);
    const isWhole =
      numbers.has(primary) && (numbers.has('quantity') || numbers.has('price_unit') || primary === 'quantity');
    const proves = numbers.size >= 3 && holds(numbers) === true;
    const labelled =
      isTotalLabel(row.label) || isTotalLabel(row.lastLabel) || wholeTotal.test(textOf(describing(row, roles)));
    const sums = numbers.size > 0 || /\d[.,]\d\d(?!\d)/.test(row.text) || row.isLabels;
    const isContradicted = ended || holds(numbers) === false;
    if (labelled && sums && !(isWhole && numbers.size >= 3 && (proves || !isContradicted))) {
      settle(current, tail, null, roles);
      tail = [];
      lead = [];
      if (row.isLabels || (!isCarryOver(row.label) && !isCarryOver(row.lastLabel))) ended = true;
      else if (items.at(-1)?.page === row.page) carriedOn = row.page;
      continue;
    }
    if ((ended && !proves) || row.page === carriedOn) continue;
    ended = false;
    const height = Math.max(1e-6, row.bottom - row.top);
    const gap: number = current && current.page === row.page ? row.top - current.bottom : Infinity;
    const isLone = numbers.size === 1 && numbers.has('amount') && items.length > 0;
    if (
      isLone &&
      Number.isFinite(gap) &&
      gap > loneAmountGap * height &&
      items.every(({ numbers: own }) => holds(own))
    ) {
      settle(current, tail, null, roles);
      tail = [];
      ended = true;
      continue;
    }
    if (isRunningSum(numbers, items)) {
      if (current && row.page === current.page && describing(row, roles).length > 0) tail.push(row);
      continue;
    }
    if (current && Number.isFinite(gap) && gap > endingGap * height) {
      carriedOn = row.page;
      continue;
    }
    if (isLone && isSetIn(row, items)) {
      settle(current, tail, null, roles);
      tail = [];
      ended = true;
      continue;
    }
    const adjoins: boolean = gap < adjoiningGap.numbers * height && lead.length === 0;
    const isPriced =
      isLone && numbers.get('amount')?.number.decimals === 2 && (current?.numbers.has('amount') ?? false);
    if (detailPattern.test(row.text) && !isWhole && !isPriced) {
      const number = numbers.get(primary);
      if (current && adjoins && number && numbers.size === 1 && !current.numbers.has(primary))
        current.numbers.set(primary, number);
      if (current && adjoins) current.bottom = Math.max(current.bottom, row.bottom);
      continue;
    }
    if (numbers.size === 0 && isUnpriced(textOf(row.cells[roles.indexOf('amount')] ?? []))) {
      settle(current, tail, null, roles);
      tail = [];
      current = null;
      continue;
    }
    if (numbers.size === 0) {
      // What stands beside the table at its height is none of it.
      if (
        describing(row, roles).length === 0 &&
        !row.cells.some((words, column) => words.length > 0 && roles[column] !== null)
      )
        continue;
      if (referencePattern.test(row.text) || (current && isDatedApart(row, current, roles, locale))) continue;
      if (current && adjoins && gap < adjoiningGap.text * height) {
        tail.push(row);
        current.bottom = Math.max(current.bottom, row.bottom);
      } else {
        lead = [...lead.filter((other) => other.page === row.page && row.top - other.bottom < 4 * height), row].slice(
          -leadLimit,
        );
      }
      continue;
    }
    if (current && adjoins && !isWhole && [...numbers.keys()].every((role) => !current?.numbers.has(role))) {
      fill(current, row, roles, numbers);
      continue;
    }
    const amount = numbers.get('amount');
    if (
      current &&
      amount &&
      amount.number.value < 0 &&
      numbers.size <= 2 &&
      namesDiscount(row.text) &&
      current.numbers.has('amount')
    ) {
      current.numbers.set('discount_amount', {
        ...amount,
        number: { ...amount.number, value: -amount.number.value, percent: false },
      });
      current.bottom = Math.max(current.bottom, row.bottom);
      continue;
    }
    if (!numbers.has(primary) && numbers.size < 2) continue;
    const item: Item = { numbers: new Map(), texts: new Map(), page: row.page, top: row.top, bottom: row.bottom };
    fill(item, row, roles, numbers);
    const adjoining = lead.filter((other) => other.page === row.page);
    if (adjoining.length > 0) {
      settle(current, tail, null, roles);
      if (!item.texts.has('description')) settle(null, adjoining, item, roles);
    } else {
      settle(current, tail, item, roles);
    }
    tail = [];
    lead = [];
    items.push(item);
    current = item;
  }
  settle(current, tail, null, roles);
  for (const item of items) takePriceOfUnit(item, locale);
  for (const item of items) takeFactorsAhead(item, locale);
  takeWeighedRows(items, locale);
  if (roles.includes('quantity')) for (const item of items) takeLeadingQuantity(item);
  else if (!takeCountsWithUnits(items)) takeCountColumn(items);
  for (const item of items) takeSignedCount(item);
  return items.filter((item) => isItem(item, primary));
}

/** Whether a row has its own day and an amount in no column of the items, as what a guest paid stands below what a hotel charged. */
function isDatedApart(row: BodyRow, current: Item, roles: Roles, locale: Locale): boolean {
  const day = row.cells[roles.indexOf('date')] ?? [];
  return day.length > 0 && current.texts.has('date') && /\d[.,]\d\d$/.test(row.text) && dateOf(day, locale) !== null;
}

/** How far to the right of all descriptions, in heights of a line, the labels of sums begin below a table. */
const setIn = 12;

/** Whether a row's label stands far to the right of where the descriptions of all items begin, as those of sums do. */
function isSetIn(row: BodyRow, items: readonly Item[]): boolean {
  const starts = items.flatMap((item) => item.texts.get('description')?.[0]?.words[0]?.box.x0 ?? []);
  const [first] = row.cells.flat().toSorted((a, b) => a.box.x0 - b.box.x0);
  const height = row.bottom - row.top;
  const isEdge = starts.length >= 2 && Math.max(...starts) - Math.min(...starts) < 2 * height;
  return (
    first !== undefined && isEdge && /\p{L}{2}/u.test(first.text) && first.box.x0 > Math.max(...starts) + setIn * height
  );
}

/** Whether a row has nothing but the sum of the items above it, without a label. */
function isRunningSum(numbers: Item['numbers'], items: readonly Item[]): boolean {
  const amount = numbers.get('amount')?.number.value;
  if (amount === undefined || numbers.size !== 1 || items.length < 2) return false;
  const sum = items.reduce((total, item) => total + (item.numbers.get('amount')?.number.value ?? Number.NaN), 0);
  return Math.abs(sum - amount) < 0.005;
}

/** A number is no unit: it is the unit price that is missing, shifted from its column, where it proves to be it. */
function takePriceOfUnit({ numbers, texts }: Item, locale: Locale): void {
  const [piece] = texts.get('unit') ?? [];
  const number = piece && !/\p{L}/u.test(textOf(piece.words)) ? numberOf(piece.words, locale) : null;
  if (!piece || !number || number.rest !== '') return;
  texts.delete('unit');
  if (numbers.has('price_unit')) return;
  numbers.set('price_unit', { number, piece });
  if (holds(numbers) !== true) numbers.delete('price_unit');
}

/** Takes the number that a description begins with for the quantity that is missing, where it proves to be it. */
function takeLeadingQuantity(item: Item): void {
  const [word] = item.texts.get('description')?.[0]?.words ?? [];
  const price = item.numbers.get('price_unit')?.number.value;
  const amount = item.numbers.get('amount')?.number.value;
  if (!word || item.numbers.has('quantity') || !/^\d{1,5}$/.test(word.text)) return;
  if (price !== undefined && amount !== undefined && agree(Number(word.text) * price, amount)) takeFirstWord(item);
}

/** How many of an item there are at most, where a till counts it before its name. */
const mostCounted = 99;

/**
 * Takes the numbers before all descriptions for quantities, as tills print them with no heading of their own, where one
 * is more than one and all that have a price prove it. What was weighed has its weight for a quantity.
 */
function takeCountColumn(items: readonly Item[]): void {
  const counts = items.map((item) => {
    const [word, name] = item.texts.get('description')?.[0]?.words ?? [];
    return name && /^\d{1,2}$/.test(word?.text ?? '') ? Number(word!.text) : null;
  });
  const isProven = items.every((item, at) => {
    const [price, amount] = ['price_unit', 'amount'].map((role) => item.numbers.get(role)?.number.value);
    const isWeighed = item.numbers.has('quantity');
    return isWeighed || price === undefined || amount === undefined || agree((counts[at] ?? 0) * price, amount);
  });
  const isCount = (count: number | null) => count !== null && count > 0 && count <= mostCounted;
  const isColumn =
    counts.every(isCount) && counts.some((count, at) => count !== 1 && items[at]!.numbers.has('price_unit'));
  if (isColumn && isProven) for (const item of items) takeFirstWord(item);
}

/** Units that stand behind a count, and the sign that multiplies it. */
const countedUnit =
  /^(?:[x×]|h|hrs?|hours?|days?|pcs?|stk|stck|std|stunden?|tage?|heures?|jours?|uur|uren|dag|dagen|stuks?|maanden|maand|horas?|d[ií]as?|uds?|ore|giorni|pz|un|m|m[²³2]|km|kg)\.?$/iu;

/** Takes counts with their units before all descriptions for quantities, in a column that has no heading: `20 uur`. */
function takeCountsWithUnits(items: readonly Item[]): boolean {
  const wordsOf = (item: Item) => item.texts.get('description')?.[0]?.words ?? [];
  const isCounted = items.every((item) => {
    const [count, unit, name] = wordsOf(item);
    return name && /^\d{1,4}$/.test(count?.text ?? '') && countedUnit.test(unit?.text ?? '');
  });
  if (items.length === 0 || !isCounted) return false;
  for (const item of items) {
    takeFirstWord(item);
    const [piece, ...rest] = item.texts.get('description')!;
    const [unit, ...others] = piece!.words;
    if (/\p{L}{2}|[hm]/u.test(unit!.text) && !item.texts.has('unit'))
      item.texts.set('unit', [{ page: piece!.page, words: [unit!] }]);
    item.texts.set('description', [{ page: piece!.page, words: others }, ...rest]);
  }
  return true;
}

/** Takes the count with its sign before a description: `2x ESPRESSO`. */
function takeSignedCount(item: Item): void {
  const [word] = item.texts.get('description')?.[0]?.words ?? [];
  if (word && /^\d{1,2}[xX×]$/u.test(word.text) && !item.numbers.has('quantity')) takeFirstWord(item);
}

/** Takes the first word of a description for the quantity, or leaves it out where that is known. */
function takeFirstWord(item: Item): void {
  const [first, ...rest] = item.texts.get('description') ?? [];
  const [word, ...others] = first?.words ?? [];
  if (!first || !word || others.length === 0) return;
  if (!item.numbers.has('quantity'))
    item.numbers.set('quantity', placedCount(Number.parseInt(word.text, 10), first.page, [word]));
  item.texts.set('description', [{ page: first.page, words: others }, ...rest]);
}

/** Whether what was gathered says what it is and what it costs, or how many there are where no column says the cost. */
function isItem(item: Item, primary: string): boolean {
  const description = item.texts.get('description') ?? [];
  const isNamed = description.some((piece) => /\p{L}{2}/u.test(textOf(piece.words)));
  const isCoded = (item.texts.get('product_code') ?? []).some((piece) =>
    /^(?!\d+[.,]\d\d$)\S{2}/.test(textOf(piece.words)),
  );
  if (!isNamed && !isCoded) return item.numbers.size >= 3 && holds(item.numbers) === true;
  // A tax has its rate where items have their price, and its name may stand in a row beside.
  if (item.numbers.get('price_unit')?.number.percent && isTotalLabel(textOf(description[0]?.words ?? []))) return false;
  return item.numbers.has(primary) || (item.numbers.has('price_unit') && item.numbers.has('quantity'));
}

/** From here on a number in the column of quantities is that of an account or a company. */
const quantityLimit = 1e7;

function numbersOf(row: BodyRow, roles: Roles, locale: Locale): Item['numbers'] {
  const numbers: Item['numbers'] = new Map();
  roles.forEach((role, column) => {
    const words = row.cells[column] ?? [];
    if (role === null || !numericRoles.has(role) || words.length === 0) return;
    const number = numberOf(words, locale);
    if (number && !(role === 'quantity' && Math.abs(number.value) >= quantityLimit)) {
      numbers.set(role, { number, piece: { page: row.page, words } });
    }
  });
  // A sentence that runs under the columns of numbers may have numbers in it.
  if (row.sentence.length > 0 && numbers.size < 3) numbers.clear();
  return numbers;
}

function fill(item: Item, row: BodyRow, roles: Roles, numbers: Item['numbers']): void {
  for (const [role, number] of numbers) item.numbers.set(role, number);
  addTexts(item, row, roles);
  item.bottom = Math.max(item.bottom, row.bottom);
}

function addTexts(item: Item, row: BodyRow, roles: Roles): void {
  roles.forEach((role, column) => {
    const words = row.cells[column] ?? [];
    if (role === null || role === 'ordinal' || words.length === 0) return;
    if (numericRoles.has(role) && item.numbers.get(role)?.piece.words === words) return;
    if (numericRoles.has(role)) return;
    const pieces = item.texts.get(role);
    if (!pieces) item.texts.set(role, [{ page: row.page, words }]);
    // A second code under the first is one of another kind.
    else if (role === 'description') pieces.push({ page: row.page, words });
  });
}

/**
 * Gives rows of text between two items to the one above, or to the one below where that has no description of its own
 * and the text stands nearer to it.
 */
function settle(above: Item | null, rows: readonly BodyRow[], below: Item | null, roles: Roles): void {
  let toAbove = rows.length;
  if (below && !below.texts.has('description') && rows.length > 0) {
    if (!above?.texts.has('description')) toAbove = above && rows.length > 1 ? widestGap(above, rows) : 0;
    else toAbove = rows.length > 1 ? widestGap(above, rows) : rows.length - 1;
  }
  if (above) for (const row of rows.slice(0, toAbove)) if (row.page === above.page) addText(above, row, roles, false);
  if (below)
    for (const row of rows.slice(toAbove).toReversed()) if (row.page === below.page) addText(below, row, roles, true);
}

/** How many of the rows stand above the widest gap between them. */
function widestGap(above: Item, rows: readonly BodyRow[]): number {
  let widest = -Infinity;
  let at = 0;
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const gap = before ? row.top - before.bottom : row.page === above.page ? row.top - above.bottom : Infinity;
    if (gap > widest) {
      widest = gap;
      at = index;
    }
  });
  return at;
}

function addText(item: Item, row: BodyRow, roles: Roles, first: boolean): void {
  const words = describing(row, roles);
  if (words.length === 0) return;
  const pieces = item.texts.get('description') ?? [];
  const piece = { page: row.page, words };
  item.texts.set('description', first ? [piece, ...pieces] : [...pieces, piece]);
}

/** What a row of text adds to the description; a sentence that runs over several columns is a note. */
function describing(row: BodyRow, roles: Roles): readonly Word[] {
  if (row.sentence.length > 0) return [];
  return roles.flatMap((role, column) => (role === 'description' ? (row.cells[column] ?? []) : []));
}

/** Whether quantity × unit price, less a discount, is the amount; null where one of them is missing. */
function holds(numbers: Item['numbers']): boolean | null {
  const quantity = numbers.get('quantity')?.number.value;
  const price = numbers.get('price_unit')?.number.value;
  const amount = numbers.get('amount')?.number.value;
  if (quantity === undefined || price === undefined || amount === undefined) return null;
  const product = quantity * price;
  if (agree(product, amount) || agree(-product, amount)) return true;
  const discount = numbers.get('discount_amount')?.number;
  if (
    discount &&
    (agree(product * (1 - Math.abs(discount.value) / 100), Math.abs(amount)) ||
      agree(product - Math.abs(discount.value), amount))
  )
    return true;
  const taxAmount = numbers.get('tax_amount')?.number.value;
  if (taxAmount !== undefined && agree(product + taxAmount, amount)) return true;
  const tax = numbers.get('tax_rate')?.number.value;
  return tax !== undefined && agree(product * (1 + tax / 100), amount);
}

/** What a cell may reach where not both its row's product and the sum of all rows hold. */
const unprovenMost = 89;

/** Turns gathered items into rows of values, their confidence from what proves them. */
export function finishItems(items: readonly Item[], locale: Locale, sums: readonly number[]): ItemReading {
  const amounts = items.map((item) => item.numbers.get('amount')?.number.value ?? 0);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const discount = items.reduce((sum, item) => sum + (item.numbers.get('discount_amount')?.number.value ?? 0), 0);
  const isSum =
    total !== 0 &&
    sums.some((sum) => [total, total - discount].some((value) => Math.abs(Math.abs(sum) - Math.abs(value)) < 0.015));
  const checks = items.map(({ numbers }) => holds(numbers));
  takeMadeCounts(items, isSum);
  takeCodesAhead(items);
  const rows = items.map((item, at) => rowOfItem(item, checks[at]!, isSum, locale));
  return { rows, proven: checks.filter((check) => check).length, isSum };
}

const codePattern = /^(?=.*\d)[A-Z0-9][A-Z0-9./-]{2,19}$/;

/** An article's number that stands alone in the description's first line is the item's code. */
function partCode(item: Item): void {
  const [first, ...rest] = item.texts.get('description') ?? [];
  if (!first || rest.length === 0 || item.texts.has('product_code') || !codePattern.test(textOf(first.words))) return;
  item.texts.set('product_code', [first]);
  item.texts.set('description', rest);
}

function rowOfItem(item: Item, check: boolean | null, isSum: boolean, locale: Locale): ExtractedRow {
  partCode(item);
  const row: Record<string, ExtractedValue> = {};
  const description = item.texts.get('description');
  if (description) {
    const text = joinText(description);
    if (text) row.description = extractedValue(text, description, check || isSum ? 88 : 80);
  }
  const flags: ValueFlag[] =
    check === null ? (isSum ? ['arithmetic_holds'] : []) : check ? ['arithmetic_holds'] : ['arithmetic_fails'];
  for (const [role, { number, piece }] of item.numbers) {
    const takesPart = role === 'quantity' || role === 'price_unit' || role === 'amount';
    let confidence = 82;
    // Beside a discount the price may be meant before it, as printed, or after it.
    const isOpen = role === 'price_unit' && item.numbers.has('discount_amount');
    if (takesPart && check === true) confidence = isSum && !isOpen ? 98 : unprovenMost;
    else if (takesPart && check === false) confidence = isSum && role === 'amount' ? unprovenMost : 55;
    else if (role === 'amount' && isSum) confidence = 95;
    else if (role === 'tax_rate') confidence = number.percent ? (check && isSum ? 92 : unprovenMost) : 85;
    if (role === 'discount_amount') {
      const amount = discountOf(item, number);
      if (amount !== null)
        row.discount_amount = extractedValue(
          amount,
          [piece],
          check ? (isSum ? 92 : unprovenMost) : 75,
          check ? ['arithmetic_holds'] : [],
        );
      continue;
    }
    row[role] = extractedValue(number.value, [piece], confidence, takesPart ? flags : []);
    if (role === 'quantity' && number.rest && !item.texts.has('unit')) {
      row.unit = extractedValue(number.rest, [piece], confidence - 5);
    }
  }
  for (const [role, pieces] of item.texts) {
    if (role === 'description') continue;
    if (role === 'date') {
      const date = dateOf(pieces[0]?.words ?? [], locale);
      if (date)
        row.date = extractedValue(
          date.value,
          pieces,
          date.ambiguous ? 70 : unprovenMost,
          date.ambiguous ? ['ambiguous_date'] : [],
        );
      continue;
    }
    const text = joinText(pieces);
    if (text) row[role] = extractedValue(text, pieces, check || isSum ? 88 : 85);
  }
  return row;
}

/** A discount's amount; one in percent is reckoned from quantity and unit price. */
function discountOf(item: Item, discount: CellNumber): number | null {
  const quantity = item.numbers.get('quantity')?.number.value;
  const price = item.numbers.get('price_unit')?.number.value;
  const amount = item.numbers.get('amount')?.number.value;
  const inPercent =
    discount.percent ||
    (quantity !== undefined &&
      price !== undefined &&
      amount !== undefined &&
      agree(quantity * price * (1 - discount.value / 100), amount));
  if (!inPercent) return Math.abs(discount.value);
  if (quantity === undefined || price === undefined) return null;
  return Math.round(quantity * price * Math.abs(discount.value)) / 100;
}

/** The text of pieces, a word broken by a hyphen at the end of a line made whole. */
function joinText(pieces: readonly Piece[]): string {
  let text = '';
  for (const piece of pieces) {
    const next = textOf(piece.words);
    text = text === '' ? next : `${text} ${next}`;
  }
  return text.trim();
}
