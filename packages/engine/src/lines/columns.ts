import type { TextLine, Word } from '@millrace/document-model';
import { median } from '../layout/geometry.ts';
import type { Header, Row } from './header.ts';
import { isTotalLabel } from './vocabulary.ts';

/** A printed row of a table's body, its words by the heading that they stand under. */
export interface BodyRow {
  readonly page: number;
  readonly top: number;
  readonly bottom: number;
  readonly cells: readonly (readonly Word[])[];
  /** Most of the row's lines, of two at least, label sums. */
  readonly isLabels: boolean;
  /** The words of lines that run over several columns as a sentence does; empty where there are none. */
  readonly sentence: readonly Word[];
  /** All of the row's text. */
  readonly text: string;
  /** Text before the first number that stands in a column of numbers: what may label a sum. */
  readonly label: string;
  /** The last line of text of the label. */
  readonly lastLabel: string;
}

/** What separates two neighbouring columns is looked for among this many rows at most. */
const sampleLimit = 400;

/**
 * Where one column ends and the next begins: between the middles of two neighbouring headings, at the widest stretch
 * that the fewest rows of the body cross.
 *
 * @returns one place less than there are headings, from left to right.
 */
export function boundariesOf(header: Header, body: readonly Row[]): number[] {
  const rowsOfNumbers = body.filter((row) => row.filter((line) => /\d/.test(line.text)).length >= 2);
  const sample = (rowsOfNumbers.length > 0 ? rowsOfNumbers : body).slice(0, sampleLimit);
  const { headings } = header;
  return (
    boundariesInOrder(headings, sample, body.slice(0, sampleLimit)) ??
    headings.slice(1).map((right, at) => {
      const left = headings[at] as Header['headings'][number];
      const from = (left.box.x0 + left.box.x1) / 2;
      const to = Math.max((right.box.x0 + right.box.x1) / 2, from);
      return valley(sample, from, to, (left.box.x1 + right.box.x0) / 2, [left.box, right.box]);
    })
  );
}

/** In how many of the rows with numbers each heading has one text of its own, where texts are counted. */
const wholeRowShare = 0.6;

/**
 * Boundaries by counting, where most rows have as many texts as there are headings: headings may be aligned at another
 * side than what stands below them. Null where texts run into each other's columns, or a heading stands beyond its
 * neighbours' columns.
 *
 * @param rows those with numbers
 * @param body all rows, of which texts with figures must not cross what parts the columns
 */
function boundariesInOrder(headings: Header['headings'], rows: readonly Row[], body: readonly Row[]): number[] | null {
  const whole = rows.filter((row) => row.length === headings.length && row.some(({ text }) => /\d/.test(text)));
  if (whole.length === 0 || whole.length < wholeRowShare * rows.length) return null;
  const columns = headings.map((_, at) => ({
    x0: Math.min(...whole.map((row) => row[at]!.box.x0)),
    x1: Math.max(...whole.map((row) => row[at]!.box.x1)),
  }));
  const isApart = headings.every(({ box }, at) => {
    const middle = (box.x0 + box.x1) / 2;
    const [before, column, after] = [columns[at - 1], columns[at]!, columns[at + 1]];
    return (!before || (before.x1 < column.x0 && before.x1 < middle)) && (!after || middle < after.x0);
  });
  if (!isApart) return null;
  const gaps = columns.slice(1).map(({ x0 }, at) => ({ from: columns[at]!.x1, to: x0 }));
  const isCrossed = body.some((row) =>
    row.some(
      ({ box, text }) =>
        row.length < headings.length &&
        /\d/.test(text) &&
        gaps.some(({ from, to }) => (box.x0 < to && box.x1 > to) || (box.x0 < from && box.x1 > from)),
    ),
  );
  return isCrossed ? null : gaps.map(({ from, to }) => (from + to) / 2);
}

function valley(
  rows: readonly Row[],
  from: number,
  to: number,
  middle: number,
  headings: readonly { readonly x0: number; readonly x1: number }[],
): number {
  const edges: [x: number, change: number][] = [];
  const add = (x0: number, x1: number, weight: number) => {
    if (x1 > from && x0 < to) edges.push([Math.max(x0, from), weight], [Math.min(x1, to), -weight]);
  };
  const share = 1 / Math.max(1, rows.length);
  for (const row of rows) {
    for (const line of row) {
      // A blank within a line parts columns less likely than a gap between lines.
      add(line.box.x0, line.box.x1, 0.3 * share);
      for (const word of line.words) add(word.box.x0, word.box.x1, 0.7 * share);
    }
  }
  // A heading mostly stands within its column, but its values may be aligned at one side and reach beyond it.
  for (const { x0, x1 } of headings) {
    add(x0, x1, headingWeight);
    add(x0 + 0.2 * (x1 - x0), x1 - 0.2 * (x1 - x0), headingMiddleWeight);
  }
  edges.push([to, 0]);
  edges.sort((a, b) => a[0] - b[0]);
  const height = median(rows.flatMap((row) => row.map(({ box }) => box.y1 - box.y0)));
  let depth = 0;
  let at = from;
  let best = Infinity;
  let place = middle;
  for (const [x, change] of edges) {
    if (x > at) {
      const cost = depth - widthWeight * Math.min(1, (x - at) / Math.max(height, 1e-6));
      if (cost < best - 1e-9) {
        best = cost;
        place = (at + x) / 2;
      }
      at = x;
    }
    depth += change;
  }
  return place;
}

/** What crossing a heading costs, more in its middle, and what a gap as wide as a letter is high is worth, where crossing all rows costs 1. */
const headingWeight = 0.15;
const headingMiddleWeight = 0.5;
const widthWeight = 0.3;

/**
 * Puts the words of a printed row under the headings.
 *
 * @param isNumeric whether a column, by its number, holds numbers: words without digits that run into it from the left
 * belong to the text they continue.
 */
export function splitRow(row: Row, boundaries: readonly number[], isNumeric: (column: number) => boolean): BodyRow {
  const cells: Word[][] = Array.from({ length: boundaries.length + 1 }, () => []);
  const first = row[0] as TextLine;
  const label: string[] = [];
  let top = Infinity;
  let bottom = -Infinity;
  let labelEnded = false;
  let lastLabel = '';
  const sentence: Word[] = [];
  for (const line of row) {
    const columns = new Set<number>();
    const placed: { readonly word: Word; column: number }[] = [];
    let previous: { readonly word: Word; readonly column: number } | null = null;
    for (const word of line.words) {
      let column = columnAt(boundaries, (word.box.x0 + word.box.x1) / 2);
      const joined = previous !== null && word.box.x0 - previous.word.box.x1 < 0.6 * (word.box.y1 - word.box.y0);
      if (previous && joined && column !== previous.column && isNumeric(column) && !/[\d%€$£]/.test(word.text)) {
        column = previous.column;
      }
      placed.push({ word, column });
      previous = { word, column };
    }
    keepWhole(placed, isNumeric);
    for (const { word, column } of placed) {
      cells[column]?.push(word);
      if (/\p{L}{2}/u.test(word.text)) columns.add(column);
      if (isNumeric(column) && /\d/.test(word.text)) labelEnded = true;
      if (!labelEnded) label.push(word.text);
    }
    if (columns.size > 1 && line.words.length > 2) sentence.push(...line.words);
    if (!labelEnded || lastLabel === '') lastLabel = line.text;
    top = Math.min(top, line.box.y0);
    bottom = Math.max(bottom, line.box.y1);
  }
  return {
    page: first.page,
    top,
    bottom,
    cells,
    text: row.map((line) => line.text).join(' '),
    label: label.join(' '),
    lastLabel,
    sentence,
    isLabels:
      row.length > 1
        ? row.filter((line) => isTotalLabel(line.text)).length >= 0.5 * row.length
        : (first.text.match(sumWord) ?? []).length >= leastSumWords,
  };
}

/** Words of sums and taxes, of which a row that heads several of them has three at the least, read as one line. */
const sumWord =
  /(?<!\p{L})(?:(?:sub)?total[ei]?|t\.?v\.?a|i\.?v\.?a|vat|mwst|btw|t\.?t\.?c|netto|brutto|imponibile|imposta)(?!\p{L})/giu;
const leastSumWords = 3;

/** Three words and more of a text, such as `3 x 20`, that run into a column of numbers are no number: they stay with it. */
function keepWhole(
  placed: readonly { readonly word: Word; column: number }[],
  isNumeric: (column: number) => boolean,
): void {
  const [first, ...others] = placed;
  if (!first || isNumeric(first.column)) return;
  const beyond = others.filter(({ column }) => isNumeric(column));
  if (beyond.length >= 3 && beyond.every(({ column }) => column === beyond[0]?.column)) {
    for (const word of beyond) word.column = first.column;
  }
}

function columnAt(boundaries: readonly number[], x: number): number {
  let column = 0;
  while (column < boundaries.length && x > (boundaries[column] as number)) column++;
  return column;
}

/** The text of words in reading order. */
export function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ');
}
