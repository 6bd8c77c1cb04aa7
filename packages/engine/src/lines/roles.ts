import type { Locale } from '@millrace/document-model';
import { type BodyRow, textOf } from './columns.ts';
import type { Heading } from './header.ts';
import { dateOf, numberOf, partialDate } from './values.ts';

/** For each column, from left to right, the name of what it holds; null where it holds nothing that is asked for. */
export type Roles = readonly (string | null)[];

/** What the cells of a column look like; shares are of the filled cells. */
interface ColumnStatistics {
  readonly filled: number;
  readonly numeric: number;
  readonly percent: number;
  readonly currency: number;
  readonly twoDecimals: number;
  readonly dates: number;
  readonly letters: number;
  readonly averageLength: number;
  /** The numbers are 1, 2, 3 or 10, 20, 30 and so on from row to row. */
  readonly ordinal: boolean;
  /** All numbers are usual tax rates. */
  readonly rates: boolean;
}

const usualRates = new Set([
  0, 2, 2.1, 3, 4, 5, 5.5, 6, 7, 7.7, 8, 8.1, 9, 9.975, 10, 12, 13, 15, 16, 17.5, 18, 19, 20, 21, 22, 23, 24, 25,
]);
const rowLimit = 300;

/**
 * Decides what each column of an item table holds: by its caption, by what its cells look like, and by arithmetic:
 * where quantity × unit price is not the amount as captioned but another three columns multiply, these three are it.
 *
 * @param rows the body's rows that may be an item's main row.
 */
export function itemRoles(headings: readonly Heading[], rows: readonly BodyRow[], locale: Locale): Roles {
  const sample = rows.slice(0, rowLimit);
  const statistics = headings.map((_, column) => statisticsOf(sample, column, locale));
  const roles = captionRoles(headings, statistics);
  byArithmetic(roles, statistics, sample, locale);
  if (!roles.includes('description')) {
    const free = statistics.map((column, at) => ({
      at,
      letters: roles[at] === null ? column.letters * column.averageLength * column.filled : 0,
    }));
    const most = free.reduce((a, b) => (b.letters > a.letters ? b : a), { at: -1, letters: 0 });
    if (most.at >= 0) roles[most.at] = 'description';
  }
  takeFurtherTexts(roles, headings, statistics);
  return roles;
}

/**
 * Of two columns captioned as texts of items, the one that was left over is a part of the description, as an activity
 * before its details, or holds the items' codes.
 */
function takeFurtherTexts(
  roles: (string | null)[],
  headings: readonly Heading[],
  statistics: readonly ColumnStatistics[],
): void {
  headings.forEach(({ names, text }, column) => {
    const { letters, filled } = statistics[column] as ColumnStatistics;
    if (roles[column] !== null || filled === 0 || !names.includes('description') || kindCaption.test(text)) return;
    if (letters > 0.7) roles[column] = 'description';
    else if (letters < 0.3 && !roles.includes('product_code')) roles[column] = 'product_code';
  });
}

/** What heads a column that says of what kind an item is, as `Service` or `Product`, and not what it is. */
const kindCaption = /(?:^| )(?:type|typ|kind|category|kategorie|categorie|categoria|tipo|soort)$/;

function statisticsOf(rows: readonly BodyRow[], column: number, locale: Locale): ColumnStatistics {
  const counts = {
    filled: 0,
    numeric: 0,
    percent: 0,
    currency: 0,
    twoDecimals: 0,
    dates: 0,
    letters: 0,
    length: 0,
    rates: 0,
  };
  const values: number[] = [];
  for (const row of rows) {
    const words = row.cells[column] ?? [];
    if (words.length === 0) continue;
    counts.filled++;
    const text = textOf(words);
    counts.length += text.length;
    if (/\p{L}{2}/u.test(text)) counts.letters++;
    const number = partialDate(text, locale.dateOrder) ? null : numberOf(words, locale);
    if (number) {
      counts.numeric++;
      values.push(number.value);
      if (number.percent) counts.percent++;
      if (number.currency) counts.currency++;
      if (number.decimals === 2) counts.twoDecimals++;
      if (usualRates.has(number.value)) counts.rates++;
    } else if (dateOf(words, locale) || partialDate(text, locale.dateOrder)) counts.dates++;
  }
  const share = (count: number) => (counts.filled === 0 ? 0 : count / counts.filled);
  const step = values[0] ?? 0;
  return {
    filled: counts.filled,
    numeric: share(counts.numeric),
    percent: share(counts.percent),
    currency: share(counts.currency),
    twoDecimals: share(counts.twoDecimals),
    dates: share(counts.dates),
    letters: share(counts.letters),
    averageLength: share(counts.length),
    ordinal: values.length >= 2 && step > 0 && values.every((value, at) => value === step * (at + 1)),
    rates: counts.numeric > 0 && counts.rates === counts.numeric,
  };
}

/** How well a column's cells suit a role, 0 (not at all) to 1. */
function suits(role: string, column: ColumnStatistics): number {
  if (column.filled === 0) return 0.3;
  switch (role) {
    case 'amount':
    case 'debit':
    case 'credit':
    case 'balance':
    case 'signed':
    case 'price_unit':
      return column.numeric * (1 - column.percent) * (column.twoDecimals > 0.4 || column.currency > 0.4 ? 1 : 0.8);
    case 'tax_amount':
      // A column of whole numbers has codes of rates rather.
      return column.numeric * (1 - column.percent) * (column.rates ? 0.3 : column.twoDecimals > 0 ? 0.9 : 0.4);
    case 'discount_amount':
      return column.numeric;
    case 'quantity':
      return column.numeric * (1 - column.percent) * (column.currency > 0.3 ? 0.2 : 1) * (column.ordinal ? 0.6 : 1);
    case 'tax_rate':
      return column.numeric * (column.percent > 0.4 ? 1 : column.currency > 0.4 ? 0.05 : column.rates ? 0.8 : 0.1);
    case 'date':
    case 'value_date':
      // A narrow column breaks its dates, so that no row of it is one.
      return Math.max(0.2, column.dates);
    case 'ordinal':
      return column.ordinal ? 1 : column.numeric > 0.8 && column.twoDecimals < 0.3 ? 0.7 : 0.4;
    case 'unit':
      return column.averageLength < 10 ? 0.3 + 0.7 * (1 - column.numeric) : 0.1;
    case 'description':
      return 0.2 + 0.8 * column.letters;
    default:
      return 0.6;
  }
}

/** Decides what each column of a table holds by its caption and by what its cells look like. */
export function rolesByCaption(headings: readonly Heading[], rows: readonly BodyRow[], locale: Locale): Roles {
  const sample = rows.slice(0, rowLimit);
  return captionRoles(
    headings,
    headings.map((_, column) => statisticsOf(sample, column, locale)),
  );
}

function captionRoles(headings: readonly Heading[], statistics: readonly ColumnStatistics[]): (string | null)[] {
  const claims = headings.flatMap((heading, column) =>
    heading.names.map((role, rank) => ({
      column,
      role,
      // The last column of amounts is the row's; of two texts the wider one describes.
      score:
        suits(role, statistics[column] as ColumnStatistics) - 0.05 * rank + tieBreak(role, heading, column, statistics),
    })),
  );
  claims.sort((a, b) => b.score - a.score);
  const roles: (string | null)[] = headings.map(() => null);
  for (const { column, role, score } of claims) {
    if (score > (headings[column]?.names.length === 1 ? 0.08 : 0.25) && roles[column] === null && !roles.includes(role))
      roles[column] = role;
  }
  // Of two columns captioned as prices the last is the amount.
  if (!roles.includes('amount')) {
    const prices = headings.flatMap((heading, column) => (heading.names.includes('price_unit') ? [column] : []));
    const last = prices.at(-1);
    if (last !== undefined && prices.length > 1) {
      if (roles[last] === 'price_unit') roles[prices[0] as number] = 'price_unit';
      roles[last] = 'amount';
    }
  }
  // The one price of rows without a quantity is what they cost.
  const only = roles.indexOf('price_unit');
  if (only >= 0 && !roles.includes('amount') && !roles.includes('quantity')) roles[only] = 'amount';
  return roles;
}

function tieBreak(role: string, heading: Heading, column: number, statistics: readonly ColumnStatistics[]): number {
  // What came counts, not what was ordered.
  if (role === 'quantity' && /deliver|ship|gelief|gelever|livre|entreg|consegn|servid/.test(heading.text)) return 0.05;
  // What is packed counts where nothing else does.
  if (role === 'quantity' && packagesCaption.test(heading.text)) return -0.1;
  if (role === 'amount') return 0.02 * column;
  if (role === 'description') return Math.min(0.2, 0.005 * (statistics[column]?.averageLength ?? 0));
  return 0;
}

/** What heads a column of how many packages there are. */
const packagesCaption =
  /^(?:(?:no|number|nr|anzahl|nombre|n) (?:of |de )?)?(?:cartons?|ctns?|boxes|packages|pkgs|cases|kartons?|packstucke|colis|cajas|bultos|colli|cartoni|caixas|volumes|dozen)$/;

/** Whether two amounts are equal but for rounding: to the last printed digit of a product, or 1 in 500. */
export function agree(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(0.011, 0.002 * Math.abs(b));
}

/** Whether an amount is a product less so many per cent of it. */
function isReduced(product: number, percentOff: number, amount: number): boolean {
  return percentOff > 0 && percentOff < 100 && agree(product * (1 - percentOff / 100), amount);
}

/** Moves quantity, unit price and amount to the columns that multiply, where those captioned do not. */
function byArithmetic(
  roles: (string | null)[],
  statistics: readonly ColumnStatistics[],
  rows: readonly BodyRow[],
  locale: Locale,
): void {
  const numeric = statistics
    .flatMap((column, at) => (column.numeric >= 0.5 && column.percent < 0.5 && column.filled > 0 ? [at] : []))
    .slice(0, 9);
  if (numeric.length < 3) return;
  const numbers = rows.map(
    (row) => new Map(numeric.map((at) => [at, numberOf(row.cells[at] ?? [], locale)?.value] as const)),
  );
  const discount = roles.indexOf('discount_amount');
  const support = (x: number, y: number, z: number): { holds: number; of: number; telling: number } => {
    const counts = { holds: 0, of: 0, telling: 0 };
    for (const row of numbers) {
      const [a, b, c] = [row.get(x), row.get(y), row.get(z)];
      if (a === undefined || b === undefined || c === undefined) continue;
      counts.of++;
      const off = [x, y, z].includes(discount) ? 0 : (row.get(discount) ?? 0);
      if (!agree(a * b, c) && !isReduced(a * b, off, c)) continue;
      counts.holds++;
      if (a !== 1 && b !== 1 && c !== 0) counts.telling++;
    }
    return counts;
  };
  const [quantity, price, amount] = ['quantity', 'price_unit', 'amount'].map((role) => roles.indexOf(role)) as [
    number,
    number,
    number,
  ];
  if (quantity >= 0 && price >= 0 && amount >= 0) {
    const captioned = support(quantity, price, amount);
    // A column captioned as the tax that makes up the difference holds its amount, not its rate.
    const tax = roles.indexOf('tax_rate');
    if (tax >= 0 && !roles.includes('tax_amount')) {
      const added = numbers.filter((row) => {
        const [a, b, c, t] = [row.get(quantity), row.get(price), row.get(amount), row.get(tax)];
        return (
          a !== undefined && b !== undefined && c !== undefined && t !== undefined && t !== 0 && agree(a * b + t, c)
        );
      }).length;
      if (added > captioned.holds || (added > 0 && added + captioned.holds === captioned.of)) roles[tax] = 'tax_amount';
      if (added + captioned.holds >= 0.5 * captioned.of) return;
    }
    if (captioned.holds >= 0.5 * captioned.of) return;
  }
  let best: { x: number; y: number; z: number; holds: number } | null = null;
  for (const z of numeric) {
    for (const x of numeric) {
      for (const y of numeric) {
        if (x >= y || x === z || y === z) continue;
        const { holds, of, telling } = support(x, y, z);
        if (telling === 0 || holds < Math.max(1, 0.6 * of) || holds < (best?.holds ?? 0)) continue;
        // Of equally good threes the one with the amount further right, then nearer together.
        if (best && holds === best.holds && (z < best.z || (z === best.z && y - x >= best.y - best.x))) continue;
        best = { x, y, z, holds };
      }
    }
  }
  if (!best) return;
  const { x, y, z } = best;
  // Captioned as either, a column keeps its side of the product.
  const swapped =
    roles[x] === 'price_unit' || roles[y] === 'quantity'
      ? true
      : roles[x] === 'quantity' || roles[y] === 'price_unit'
        ? false
        : (statistics[x]?.currency ?? 0) > (statistics[y]?.currency ?? 0) ||
          (statistics[x]?.twoDecimals ?? 0) > (statistics[y]?.twoDecimals ?? 0);
  for (const role of ['quantity', 'price_unit', 'amount']) {
    const at = roles.indexOf(role);
    if (at >= 0) roles[at] = null;
  }
  roles[swapped ? y : x] = 'quantity';
  roles[swapped ? x : y] = 'price_unit';
  roles[z] = 'amount';
}
