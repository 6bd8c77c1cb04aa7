import type { ExtractedRow, ExtractedValue, Locale, Word } from '@millrace/document-model';
import type { ColumnDefinition, DocumentType } from '../types/definition.ts';
import { type BodyRow, boundariesOf, splitRow, textOf } from './columns.ts';
import { findHeaders, gatherCaptions, type Header, type Row } from './header.ts';
import { sections } from './items.ts';
import { agree } from './roles.ts';
import { dateOf, extractedValue, numberOf } from './values.ts';
import { isCarryOver, isTotalLabel } from './vocabulary.ts';

/** Confidence of cells whose column is known by its caption, and by its cells alone. */
const captionedConfidence = 80;
const placedConfidence = 62;
/** What a cell may reach whose row multiplies, with the sum of all rows and without. */
const summedConfidence = 95;
const provenMost = 89;
const doubtedConfidence = 55;
/** The share of a column's cells that have to be of its kind. */
const kindShare = 0.9;
const sampleLimit = 200;
/** A row further below than this, in its own heights, does not continue the one above. */
const adjoiningGap = 0.9;
const endingGap = 1.2;

const numeric = (kind: ColumnDefinition['kind']) => kind === 'amount' || kind === 'number' || kind === 'percent';

/** A column of the type with its place among the table's headings. */
interface Placed {
  readonly column: ColumnDefinition;
  readonly at: number;
  readonly confidence: number;
}

/** A row with the words that its cells are made of. */
interface Gathered {
  readonly row: Record<string, ExtractedValue>;
  readonly texts: Map<string, readonly Word[]>;
  readonly page: number;
  bottom: number;
}

/**
 * Reads the line items of an account's own type: tables whose headings are captions of its columns, each cell by its
 * column's kind. Where two columns multiply to a third, rows are proven or doubted by it, and the sum of the rows by
 * `sums`, the amounts beside labels of sums.
 */
export function readOwnRows(
  type: DocumentType,
  rows: readonly Row[],
  locale: Locale,
  sums: readonly number[],
): readonly ExtractedRow[] {
  const captions = gatherCaptions(type.columns);
  const least = Math.min(2, type.columns.length);
  const headers = findHeaders(rows, captions, (names) => names.size >= least);
  const gathered = sections(rows, headers).flatMap(({ body, header }) => rowsOfTable(type, header, body, locale));
  return proven(
    gathered.map(({ row }) => row),
    type.columns,
    sums,
  );
}

function rowsOfTable(type: DocumentType, header: Header, body: readonly Row[], locale: Locale): Gathered[] {
  const boundaries = boundariesOf(header, body);
  const isNumeric = header.headings.map(({ names }) =>
    names.some((name) => type.columns.some((column) => column.name === name && numeric(column.kind))),
  );
  const split = body.map((row) => splitRow(row, boundaries, (column) => isNumeric[column] === true));
  const placed = placeColumns(type.columns, header, split, locale);
  const found: Gathered[] = [];
  for (const row of split) {
    if (isTotalLabel(row.label) && !isCarryOver(row.label)) break;
    if (isCarryOver(row.label) || row.sentence.length > 0) continue;
    const next = gather(row, placed, locale);
    const last = found.at(-1);
    if (last && hasEnded(last, next, row)) break;
    if (isRow(next, placed)) found.push(next);
    else if (last && last.page === row.page && row.top - last.bottom < adjoiningGap * (row.bottom - row.top)) {
      continueRow(last, next, placed);
    }
  }
  return found;
}

/** Each column by its caption, then those that are left by the only heading that is left whose cells are of its kind. */
function placeColumns(
  columns: readonly ColumnDefinition[],
  { headings }: Header,
  rows: readonly BodyRow[],
  locale: Locale,
): readonly Placed[] {
  const shareOf = (column: ColumnDefinition, at: number) => {
    const cells = rows.slice(0, sampleLimit).flatMap(({ cells: all }) => (all[at]?.length ? [all[at]] : []));
    if (cells.length === 0) return 0;
    const share = (is: (words: readonly Word[]) => boolean) => cells.filter(is).length / cells.length;
    const fits = share((words) => cellOf(column, words, locale) !== null);
    if (column.kind === 'percent') return fits * (0.5 + 0.5 * share((words) => textOf(words).includes('%')));
    if (column.kind !== 'text') return fits;
    const words = cells.reduce((sum, cell) => sum + Math.min(4, cell.length), 0) / cells.length;
    return fits * (0.4 + 0.4 * share((cell) => /\p{L}{2}/u.test(textOf(cell))) + 0.05 * words);
  };
  const isOrdinal = (at: number) =>
    rows
      .slice(0, sampleLimit)
      .flatMap(({ cells }) => (cells[at]?.length ? [textOf(cells[at]).replace(/[.)]$/, '')] : []))
      .every((text, index) => text === String(index + 1));
  const claims = headings
    .flatMap((heading, at) =>
      heading.names.flatMap((name) => {
        const column = columns.find((each) => each.name === name);
        return column ? [{ column, at, share: shareOf(column, at) }] : [];
      }),
    )
    .sort((a, b) => b.share - a.share || (a.column.kind === 'amount' ? b.at - a.at : a.at - b.at));
  const placed: Placed[] = [];
  for (const { at, column, share } of claims) {
    if (share < 0.3 || placed.some((other) => other.at === at || other.column === column)) continue;
    placed.push({ at, column, confidence: captionedConfidence });
  }
  for (const column of columns) {
    if (placed.some((other) => other.column === column) || !(numeric(column.kind) || column.kind === 'date')) continue;
    const free = headings.flatMap(({ names }, at) =>
      names.length === 0 &&
      !isOrdinal(at) &&
      !placed.some((other) => other.at === at) &&
      shareOf(column, at) >= kindShare
        ? [at]
        : [],
    );
    if (free.length === 1) placed.push({ at: free[0]!, column, confidence: placedConfidence });
  }
  return placed;
}

function cellOf(
  { kind }: ColumnDefinition,
  words: readonly Word[],
  locale: Locale,
): { readonly value: string | number; readonly isAmbiguous: boolean } | null {
  if (words.length === 0) return null;
  if (numeric(kind)) {
    const number = numberOf(words, locale);
    return number && { value: number.value, isAmbiguous: false };
  }
  if (kind === 'date') {
    const date = dateOf(words, locale);
    return date && { value: date.value, isAmbiguous: date.ambiguous };
  }
  const text = textOf(words);
  if (kind === 'identifier')
    return /^\S{1,40}(?: \S{1,20}){0,2}$/.test(text) ? { value: text, isAmbiguous: false } : null;
  return { value: text, isAmbiguous: false };
}

function gather(row: BodyRow, placed: readonly Placed[], locale: Locale): Gathered {
  const values: Record<string, ExtractedValue> = {};
  const texts = new Map<string, readonly Word[]>();
  for (const { at, column, confidence } of placed) {
    const words = row.cells[at] ?? [];
    const cell = cellOf(column, words, locale);
    if (!cell) continue;
    texts.set(column.name, words);
    values[column.name] = extractedValue(
      cell.value,
      [{ page: row.page, words }],
      cell.isAmbiguous ? Math.min(confidence, 70) : confidence,
      cell.isAmbiguous ? ['ambiguous_date'] : [],
    );
  }
  return { row: values, texts, page: row.page, bottom: row.bottom };
}

/** Whether words make a row of their own: half of its cells, and a number, date or identifier where columns have such. */
function isRow({ row }: Gathered, placed: readonly Placed[]): boolean {
  const formed = placed.filter(({ column: { kind } }) => numeric(kind) || kind === 'date' || kind === 'identifier');
  const count = Object.keys(row).length;
  if (formed.length > 0 && !formed.some(({ column }) => row[column.name])) return false;
  return count > 0 && count >= Math.min(2, placed.length) && count >= 0.4 * placed.length;
}

/** Below a gap, a row that has fewer cells is none of the table. */
function hasEnded(last: Gathered, next: Gathered, { bottom, page, top }: BodyRow): boolean {
  const isApart = page === last.page && top - last.bottom > endingGap * (bottom - top);
  return isApart && Object.keys(next.row).length < 0.75 * Object.keys(last.row).length;
}

/** Joins a text that goes on below its row. */
function continueRow(last: Gathered, next: Gathered, placed: readonly Placed[]): void {
  for (const { column } of placed) {
    const more = next.row[column.name];
    const known = last.row[column.name];
    if (column.kind !== 'text' || !more || !known) continue;
    last.row[column.name] = {
      ...known,
      value: `${known.value} ${more.value}`,
      provenance: [...known.provenance, ...more.provenance],
    };
  }
  last.bottom = next.bottom;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Rows proven or doubted by the three columns that multiply in most of them, if there are such. */
function proven(
  rows: readonly ExtractedRow[],
  columns: readonly ColumnDefinition[],
  sums: readonly number[],
): readonly ExtractedRow[] {
  const names = columns.filter(({ kind }) => kind === 'amount' || kind === 'number').map(({ name }) => name);
  const product = productOf(rows, names);
  const amounts = columns.filter(({ kind }) => kind === 'amount').map(({ name }) => name);
  const summed = amounts.find((name) => {
    const total = rounded(rows.reduce((sum, row) => sum + (numberIn(row, name) ?? 0), 0));
    return rows.length > 1 && total !== 0 && sums.some((sum) => Math.abs(Math.abs(sum) - Math.abs(total)) < 0.015);
  });
  return rows.map((row) => {
    const checked = { ...row };
    const holds = product ? holdsIn(row, product) : null;
    for (const name of names) {
      const cell = checked[name];
      if (!cell) continue;
      if (holds === false && product?.includes(name)) {
        checked[name] = {
          ...cell,
          confidence: Math.min(cell.confidence, doubtedConfidence),
          flags: ['arithmetic_fails'],
        };
      } else if ((holds === true && product?.includes(name)) || name === summed) {
        const most = name === summed && holds !== null ? summedConfidence : provenMost;
        checked[name] = { ...cell, confidence: Math.max(cell.confidence, most), flags: ['arithmetic_holds'] };
      }
    }
    return checked;
  });
}

function numberIn(row: ExtractedRow, name: string): number | null {
  const value = row[name]?.value;
  return typeof value === 'number' ? value : null;
}

function holdsIn(row: ExtractedRow, [a, b, c]: readonly [string, string, string]): boolean | null {
  const [x, y, z] = [numberIn(row, a), numberIn(row, b), numberIn(row, c)];
  return x === null || y === null || z === null ? null : agree(x * y, z);
}

/** The columns whose product is a third in two of three rows, of which one says something; null where none are. */
function productOf(rows: readonly ExtractedRow[], names: readonly string[]): readonly [string, string, string] | null {
  for (const c of names.toReversed()) {
    for (const a of names) {
      for (const b of names) {
        if (a >= b || a === c || b === c) continue;
        const checked = rows.flatMap((row) => holdsIn(row, [a, b, c]) ?? []);
        const telling = rows.some(
          (row) => holdsIn(row, [a, b, c]) === true && numberIn(row, a) !== 1 && numberIn(row, b) !== 1,
        );
        if (telling && checked.filter(Boolean).length * 3 >= checked.length * 2) return [a, b, c];
      }
    }
  }
  return null;
}
