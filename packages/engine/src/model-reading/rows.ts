import type { ExtractedRow, ExtractedValue, Extraction, JsonValue, Locale, ValueFlag } from '@millrace/document-model';
import { isoDate } from '../candidates/date.ts';
import { partialDate } from '../lines/values.ts';
import { comparable } from '../score/comparable.ts';
import type { ColumnDefinition, DocumentType } from '../types/definition.ts';
import { provenanceOf } from '../validate/validate.ts';
import type { Answer } from './answer.ts';
import { type Evidence, type FoundWords, readAs } from './evidence.ts';
import { nowhereConfidence, unratedConfidence, weighed } from './weigh.ts';

/** A row of an answer. */
interface Row {
  readonly cells: readonly Cell[];
  /** Columns whose text is no value of their kind, such as a quantity with its unit: it says nothing. */
  readonly unread: ReadonlySet<string>;
}

/** An answer's cell with every place where it stands. */
interface Cell {
  readonly column: ColumnDefinition;
  readonly value: JsonValue;
  readonly places: readonly FoundWords[];
}

/** What a sum that holds lifts a cell to at least. */
const provenConfidence = 90;
/** The engine's cell that an answer leaves out stays where it is likelier right than not. */
const likelyConfidence = 50;
/** Below this share of cells that stand in the document, an answer's rows are not taken. */
const standingShare = 0.5;

/**
 * The line items after an answer on them: its rows, each cell looked up where the rest of its row stands and weighed
 * against the engine's; the engine's own where the answer has none, where most of what it says stands nowhere, or where
 * the engine's add up to the document's sum and the answer's do not.
 */
export function answeredRows(
  type: DocumentType,
  answered: Answer['rows'],
  own: readonly ExtractedRow[],
  { fields }: Extraction,
  locale: Locale,
  evidence: Evidence,
): readonly ExtractedRow[] {
  if (answered === null || answered.length === 0 || type.rows === 'none') return own;
  const years = ['statement_start_date', 'statement_end_date'].flatMap((name) => {
    const value = fields[name]?.value;
    return typeof value === 'string' ? [value] : [];
  });
  const read = answered.map((row): Row => {
    const unread = new Set<string>();
    const cells = type.columns.flatMap((column): Cell[] => {
      const text = row[column.name] ?? '';
      const written = readAs(column.kind, text, locale);
      if (written) {
        const places = evidence.placesOf(column.kind, text, written.value);
        return [{ column, value: unsigned(column, written.value), places }];
      }
      const date = column.kind === 'date' ? dateInPeriod(text, years, locale) : null;
      if (date !== null) return [{ column, value: date, places: evidence.placesOf('text', text, text) }];
      if (text.trim() !== '') unread.add(column.name);
      return [];
    });
    return { cells, unread };
  });
  const cells = read.flatMap((row) => row.cells);
  const standing = cells.filter(({ places }) => places.length > 0).length;
  if (own.length > 0 && standing < standingShare * cells.length) return own;
  const sums = ['subtotal', 'total_amount'].flatMap((name) => {
    const value = fields[name]?.value;
    return typeof value === 'number' ? [value] : [];
  });
  const makesSum = (rows: readonly ExtractedRow[]) => sums.some((sum) => isNear(sumOf(rows), sum));
  const rows = proven(
    place(
      read.filter((row) => row.cells.length > 0),
      own,
    ),
    makesSum,
  );
  return makesSum(own) && !makesSum(rows) ? own : rows;
}

/** What left or came into an account is an amount without a sign, however the statement prints it. */
function unsigned({ name }: ColumnDefinition, value: JsonValue): JsonValue {
  return typeof value === 'number' && (name === 'debit' || name === 'credit') ? Math.abs(value) : value;
}

/** A date printed without its year, in the period that the document states. */
function dateInPeriod(text: string, period: readonly string[], { dateOrder }: Locale): string | null {
  const partial = partialDate(text, dateOrder);
  if (!partial) return null;
  const [first = '', last = first] = period;
  const dates = [...new Set(period.map((date) => date.slice(0, 4)))].flatMap(
    (year) => isoDate(Number(year), partial.month, partial.day) ?? [],
  );
  return dates.find((date) => date >= first && date <= last) ?? dates[0] ?? null;
}

/** Rows with each cell where it stands nearest to its row's rarest cell, rows from top to bottom. */
function place(rows: readonly Row[], own: readonly ExtractedRow[]): ExtractedRow[] {
  let before = { page: 1, y: Number.NEGATIVE_INFINITY };
  const unmatched = new Set(own);
  return rows.map(({ cells, unread }) => {
    const anchorCell = cells
      .filter(({ places }) => places.length > 0)
      .reduce<Cell | null>((best, cell) => (best && best.places.length <= cell.places.length ? best : cell), null);
    const anchor =
      anchorCell?.places.find(
        (found) => found.page > before.page || (found.page === before.page && topOf(found) > before.y),
      ) ??
      anchorCell?.places[0] ??
      null;
    if (anchor) before = { page: anchor.page, y: topOf(anchor) };
    const same = bestMatch(cells, unmatched);
    if (same) unmatched.delete(same);
    return {
      ...(same && keptCells(same, unread)),
      ...Object.fromEntries(cells.map((cell) => [cell.column.name, weigh(cell, nearest(cell, anchor), same)])),
    };
  });
}

/** The engine's cells of a row after an answer that has none there: as they were, or less sure where it says so. */
function keptCells(row: ExtractedRow, unread: ReadonlySet<string>): ExtractedRow {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, cell]) => {
      if (unread.has(name)) return [[name, cell]];
      const confidence = weighed(cell.confidence, 'absence');
      return confidence >= likelyConfidence ? [[name, { ...cell, confidence }]] : [];
    }),
  );
}

function topOf({ words }: FoundWords): number {
  return Math.min(...words.map(({ box }) => box.y0));
}

function nearest({ places }: Cell, anchor: FoundWords | null): FoundWords | null {
  if (!anchor) return places[0] ?? null;
  const y = topOf(anchor);
  const distance = (found: FoundWords) => (found.page === anchor.page ? 0 : 1e6) + Math.abs(topOf(found) - y);
  return places.reduce<FoundWords | null>(
    (best, found) => (best && distance(best) <= distance(found) ? best : found),
    null,
  );
}

/** The engine's row that says most of the same; null where none shares two cells, or the only one. */
function bestMatch(row: readonly Cell[], own: ReadonlySet<ExtractedRow>): ExtractedRow | null {
  let best: ExtractedRow | null = null;
  let most = Math.min(2, row.length) - 1;
  for (const other of own) {
    const shared = row.filter((cell) => isSame(cell, other[cell.column.name])).length;
    if (shared > most) [best, most] = [other, shared];
  }
  return best;
}

function isSame({ column, value }: Cell, other: ExtractedValue | undefined): boolean {
  return other !== undefined && comparable(column.kind, other.value) === comparable(column.kind, value);
}

function weigh(cell: Cell, found: FoundWords | null, row: ExtractedRow | null): ExtractedValue {
  const own = row?.[cell.column.name];
  if (own && isSame(cell, own)) return { ...own, confidence: weighed(own.confidence, 'agreement') };
  const before = found ? unratedConfidence.standing : unratedConfidence.nowhere;
  const confidence = weighed(before, 'agreement');
  const kept = own ? weighed(own.confidence, 'contradiction') : 0;
  if (own && kept >= confidence) return { ...own, confidence: kept };
  const flags: ValueFlag[] = found ? [] : ['not_in_document'];
  return {
    value: cell.value,
    confidence: found ? confidence : Math.min(confidence, nowhereConfidence),
    provenance: found ? provenanceOf(found) : [],
    flags,
  };
}

/** Lifts the cells that arithmetic proves: quantity times price, balances that follow each other, a sum that is printed. */
function proven(rows: readonly ExtractedRow[], makesSum: (rows: readonly ExtractedRow[]) => boolean): ExtractedRow[] {
  const isSum = makesSum(rows);
  let balance: number | null = null;
  return rows.map((row) => {
    const [quantity, price, amount] = [numberOf(row.quantity), numberOf(row.price_unit), numberOf(row.amount)];
    const holds = new Set<string>(isSum ? ['amount'] : []);
    if (quantity !== null && price !== null && amount !== null && isNear(quantity * price, amount)) {
      for (const name of ['quantity', 'price_unit', 'amount']) holds.add(name);
    }
    const after = numberOf(row.balance);
    const moved = Math.abs(numberOf(row.credit) ?? 0) - Math.abs(numberOf(row.debit) ?? 0);
    if (balance !== null && after !== null && moved !== 0 && isNear(balance + moved, after)) {
      for (const name of ['credit', 'debit', 'balance']) holds.add(name);
    }
    balance = after ?? balance;
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, holds.has(name) ? lifted(value) : value]),
    );
  });
}

function lifted(value: ExtractedValue): ExtractedValue {
  if (value.flags.includes('not_in_document') || value.flags.includes('arithmetic_holds')) return value;
  const confidence = Math.max(value.confidence, provenConfidence);
  return { ...value, confidence, flags: [...value.flags, 'arithmetic_holds'] };
}

function numberOf(value: ExtractedValue | undefined): number | null {
  return typeof value?.value === 'number' ? value.value : null;
}

function sumOf(rows: readonly ExtractedRow[]): number {
  return rows.reduce((sum, { amount }) => sum + (numberOf(amount) ?? 0), 0);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.015;
}
