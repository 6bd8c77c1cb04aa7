import type { ExtractedRow, ExtractedValue, Locale, TextLine, Word } from '@millrace/document-model';
import type { DocumentType } from '../types/definition.ts';
import { type BodyRow, boundariesOf, splitRow, textOf } from './columns.ts';
import { findHeaders, gatherCaptions, type Header, type Heading, type Row } from './header.ts';
import { sections } from './items.ts';
import { type Roles, rolesByCaption } from './roles.ts';
import { extractedValue, numberOf, type Piece } from './values.ts';

const flagPattern =
  /^(?:[HLNA]{1,2}|\*{1,3}|[↑↓▲▼+-]{1,2}|high|low|normal|abnormal|hoch|niedrig|erhöht|erniedrigt|élevé|bas|alto|bajo|basso|baixo|hoog|laag)$/iu;
const rangePattern =
  /(?:^|[^\d.,])[<>≤≥]?\s*\d+(?:[.,]\d+)?\s*(?:[-–—]|to|bis|à|a|tot)\s*\d+(?:[.,]\d+)?|^[<>≤≥]\s*(?:or\s*)?=?\s*\d/iu;
/** Results that are words, such as "negative", have few of them. */
const textValueWordLimit = 4;

interface Cells {
  readonly page: number;
  readonly test: readonly Word[];
  readonly value: readonly Word[];
  readonly unit: readonly Word[];
  readonly range: readonly Word[];
  readonly flag: readonly Word[];
}

/**
 * Reads the table of values of a laboratory report: by its captions, or, without any, rows of a name, a number and a
 * range. Headings of groups of tests are no rows.
 */
export function readResults(type: DocumentType, rows: readonly Row[], locale: Locale): readonly ExtractedRow[] {
  const captions = gatherCaptions(type.columns);
  const headers = findHeaders(rows, captions, isResultTable);
  const found = sections(rows, headers).flatMap(({ header: printed, body }) => {
    const header = withOuterHeadings(printed, rows, body);
    const boundaries = boundariesOf(header, body);
    const isValue = header.headings.map(
      (heading) => heading.names.includes('value') || heading.names.includes('reference_range'),
    );
    const split = body.map((row) => splitRow(row, boundaries, (column) => isValue[column] === true));
    const roles = rolesByCaption(
      header.headings,
      split.filter((row) => row.cells.some((cell) => numberOf(cell, locale))),
      locale,
    );
    return captionedResults(split, roles, locale);
  });
  if (found.length > 0) return found;
  return rows.flatMap((row) => {
    const cells = uncaptioned(row, locale);
    return cells ? [rowOf(cells, locale, 75)] : [];
  });
}

/**
 * A header with headings for the columns that captions leave out: the tests' names left of all headings, and earlier
 * results right of them, whose heading is a date.
 */
function withOuterHeadings(header: Header, rows: readonly Row[], body: readonly Row[]): Header {
  const [first, last] = [header.headings[0], header.headings.at(-1)];
  if (!first || !last) return header;
  const named = header.headings.some(({ names }) => names.includes('test'));
  const leftmost = body.flatMap(([line, ...others]) =>
    line && others.length > 0 && line.box.x1 < first.box.x0 ? [line.box] : [],
  );
  const y = { y0: first.box.y0, y1: first.box.y1 };
  const x = { x0: Math.min(...leftmost.map(({ x0 }) => x0)), x1: Math.max(...leftmost.map(({ x1 }) => x1)) };
  const before: readonly Heading[] =
    !named && leftmost.length > 0.5 * body.length
      ? [{ names: ['test'], text: '', words: [], box: { ...x, ...y } }]
      : [];
  const behind = rows
    .slice(header.firstRow, header.lastRow + 1)
    .flatMap((row) => row.filter(({ box }) => box.x0 > last.box.x1))
    .slice(0, 1)
    .map(({ text, words, box }): Heading => ({ names: [], text, words, box }));
  return { ...header, headings: [...before, ...header.headings, ...behind] };
}

function isResultTable(names: ReadonlySet<string>): boolean {
  return names.has('value') && (names.has('test') || names.has('unit') || names.has('reference_range'));
}

function captionedResults(rows: readonly BodyRow[], roles: Roles, locale: Locale): ExtractedRow[] {
  const results: ExtractedRow[] = [];
  let last: { readonly cells: Cells; readonly bottom: number } | null = null;
  for (const row of rows) {
    const cell = (role: string): readonly Word[] => row.cells[roles.indexOf(role)] ?? [];
    const height = Math.max(1e-6, row.bottom - row.top);
    const cells: Cells = {
      page: row.page,
      test: roles.includes('test') ? cell('test') : (row.cells[0] ?? []),
      value: cell('value'),
      unit: cell('unit'),
      range: cell('reference_range'),
      flag: cell('flag'),
    };
    const number = numberOf(cells.value, locale);
    const isText =
      cells.value.length > 0 &&
      cells.value.length <= textValueWordLimit &&
      (cells.unit.length > 0 || cells.range.length > 0);
    // A group of tests may state how many it has: `Basic metabolic panel (8)`.
    const isCount = cells.unit.length + cells.range.length === 0 && /^\(\d{1,2}\)$/.test(textOf(cells.value));
    if (isCount) {
      last = null;
      continue;
    }
    if (cells.test.length > 0 && row.sentence.length === 0 && (number || isText || hasComparison(cells.value))) {
      results.push(rowOf(cells, locale, 89));
      last = { cells, bottom: row.bottom };
      continue;
    }
    // A range of several lines, or a name that goes on in brackets, belongs to the row above.
    const previous = results.at(-1);
    const adjoins: boolean = last !== null && last.cells.page === row.page && row.top - last.bottom < 0.8 * height;
    if (!previous || !last || !adjoins || cells.value.length > 0) continue;
    if (cells.test.length > 0 && !/^[(\p{Ll}]/u.test(textOf(cells.test))) continue;
    const joined: Cells = {
      ...last.cells,
      test: [...last.cells.test, ...cells.test],
      range: [...last.cells.range, ...cells.range],
    };
    results[results.length - 1] = rowOf(joined, locale, 85);
    last = { cells: joined, bottom: row.bottom };
  }
  return results;
}

function hasComparison(words: readonly Word[]): boolean {
  return /^[<>≤≥]=?\s*\d/u.test(textOf(words)) && words.length <= textValueWordLimit;
}

/** A row of a name, a number, and a range behind it. */
function uncaptioned(row: Row, locale: Locale): Cells | null {
  const [name, ...rest] = row;
  if (!name || rest.length < 2 || rest.length > 6 || !/\p{L}{2}/u.test(name.text)) return null;
  const [value, ...others] = rest;
  if (!value || !numberOf(value.words, locale)) return null;
  const range = others.find((line) => rangePattern.test(line.text));
  if (!range) return null;
  const of = (test: (line: TextLine) => boolean): readonly Word[] =>
    others.find((line) => line !== range && test(line))?.words ?? [];
  return {
    page: name.page,
    test: name.words,
    value: value.words,
    unit: of((line) => /[\p{L}%/]/u.test(line.text) && !flagPattern.test(line.text)),
    range: range.words,
    flag: of((line) => flagPattern.test(line.text)),
  };
}

function rowOf(cells: Cells, locale: Locale, confidence: number): ExtractedRow {
  const row: Record<string, ExtractedValue> = {};
  const piece = (words: readonly Word[]): Piece[] => [{ page: cells.page, words }];
  row.test = extractedValue(textOf(cells.test), piece(cells.test), confidence);
  const marks = cells.value.filter((word) => flagPattern.test(word.text));
  const valueWords = cells.value.filter((word) => !marks.includes(word));
  const number = numberOf(valueWords, locale);
  const { stated, mark } =
    cells.flag.length + marks.length === 0 ? markedRange(cells.range) : { stated: cells.range, mark: [] };
  const flag = cells.flag.length > 0 ? cells.flag : [...marks, ...mark];
  const text = textOf(valueWords);
  // `< 5` and `5 - 8` are no numbers: they stay as printed.
  const isPlain = number !== null && !/^[<>≤≥]/u.test(text) && (number.rest === '' || cells.unit.length === 0);
  if (isPlain && number) {
    row.value = extractedValue(number.value, piece(valueWords), confidence);
    if (number.rest !== '' && cells.unit.length === 0)
      row.unit = extractedValue(number.rest, piece(valueWords), confidence - 10);
  } else if (text !== '') {
    row.value = extractedValue(text, piece(valueWords), confidence - 5);
  }
  const rangeOnly = row.unit || cells.unit.length > 0 ? stated.length : rangeLength(stated);
  if (cells.unit.length > 0) row.unit = extractedValue(textOf(cells.unit), piece(cells.unit), confidence);
  if (rangeOnly < stated.length) {
    const [range, unit] = [stated.slice(0, rangeOnly), stated.slice(rangeOnly)];
    row.unit = extractedValue(textOf(unit), piece(unit), confidence - 5);
    row.reference_range = extractedValue(textOf(range), piece(range), confidence);
  } else if (stated.length > 0) row.reference_range = extractedValue(textOf(stated), piece(stated), confidence);
  if (flag.length > 0) row.flag = extractedValue(textOf(flag), piece(flag), confidence);
  return row;
}

/** A range without its mark, which without a column of its own may stand before or behind it: `L 12-15`, `<38 H`. */
function markedRange(range: readonly Word[]): { readonly stated: readonly Word[]; readonly mark: readonly Word[] } {
  const isMark = (word: Word | undefined) =>
    word !== undefined && /^[\p{L}*]/u.test(word.text) && flagPattern.test(word.text);
  if (range.length < 2) return { stated: range, mark: [] };
  if (isMark(range[0])) return { stated: range.slice(1), mark: range.slice(0, 1) };
  const isBehind = isMark(range.at(-1)) && /\d$/.test(range.at(-2)!.text);
  return isBehind ? { stated: range.slice(0, -1), mark: range.slice(-1) } : { stated: range, mark: [] };
}

const unitOfRange =
  /^(?:%(?: of [\p{L} ]+)?|[µμ\p{L}\d^*.]*\p{L}[\p{L}\d^*.]*\/[\p{L}\d^*.µμ]+(?:\/[\p{L}\d.]+)?|fL|pg|sec(?:onds)?|ratio|mm\/hr?)$/u;

/** How many of a range's words are the range itself, where the unit stands behind it: `65-99 mg/dL`. */
function rangeLength(words: readonly Word[]): number {
  for (let length = words.length - 1; length > 0; length -= 1) {
    const [range, unit] = [textOf(words.slice(0, length)), textOf(words.slice(length))];
    if (unitOfRange.test(unit) && rangePattern.test(range) && /\d$/.test(range)) return length;
  }
  return words.length;
}
