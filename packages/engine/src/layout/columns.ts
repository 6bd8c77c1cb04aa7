import type { TextLine, Word } from '@millrace/document-model';
import { lineOf } from './text-lines.ts';

/** Heads side by side that make a row of columns. */
const leastHeads = 3;
/** Words of a head. */
const headWords = 4;
/** How far off its head's left edge a value may begin, in heights of its letters. */
const offset = 0.3;
/** The least blank before it, which may be no wider than one between words. */
const leastBlank = 0.3;
/** How far below its head a value stands, in heights of its letters. */
const below = 1.8;

/**
 * Rows of lines with those parted that go through several columns: where a row of heads stands right above and a word
 * begins at each of them, the words from one head to the next are a value, however near the values stand.
 *
 * @param rows of a page, from top to bottom, each from left to right
 */
export function partAtHeads(rows: readonly (readonly TextLine[])[]): TextLine[][] {
  return rows.map((row, at) => {
    const heads = headsOver(row, rows[at - 1]);
    const isJoined =
      row.length < heads.length &&
      heads.every(({ box }) => row.some((line) => line.words.some((word) => isAtLeft(word, box.x0, line))));
    return isJoined ? row.flatMap((line) => partsOf(line, heads)) : [...row];
  });
}

/** The row above where it is heads of columns, right above and as many as a row has lines at the least; none otherwise. */
function headsOver(row: readonly TextLine[], heads: readonly TextLine[] = []): readonly TextLine[] {
  const [first] = row;
  if (!first || heads.length < leastHeads || row.length > heads.length || !heads.every(isHead)) return [];
  const gap = first.box.y0 - Math.max(...heads.map(({ box }) => box.y1));
  return gap <= below * (first.box.y1 - first.box.y0) ? heads : [];
}

/**
 * Values that stand in the cells of the heads right above them and share none of their width, as an amount at the right of
 * its cell does, each with its head.
 *
 * @param rows of a page, from top to bottom, each from left to right
 * @param above the nearest line above each that shares some of its width
 */
export function valuesInCells(
  rows: readonly (readonly TextLine[])[],
  above: ReadonlyMap<TextLine, TextLine>,
): readonly (readonly [value: TextLine, head: TextLine])[] {
  return rows.flatMap((row, at) => {
    const heads = headsOver(row, rows[at - 1]);
    if (heads.length === 0) return [];
    const headed = new Set(row.flatMap((line) => above.get(line) ?? []));
    return row.flatMap((line) => {
      const over = above.get(line);
      if (!/\d/.test(line.text) || (over && (heads.includes(over) || isGoneOnFrom(over, line)))) return [];
      const reach = offset * (line.box.y1 - line.box.y0);
      const cell = heads.findLastIndex(({ box }) => box.x0 <= line.box.x0 + reach);
      const [head, next] = [heads[cell], heads[cell + 1]];
      const isWithin = head && !headed.has(head) && line.box.x1 <= (next?.box.x0 ?? Infinity) + reach;
      return isWithin ? [[line, head] as const] : [];
    });
  });
}

/** Whether a line goes on in the column of the one above it, as a street does right below a name. */
function isGoneOnFrom(over: TextLine, { box }: TextLine): boolean {
  const height = box.y1 - box.y0;
  return Math.abs(over.box.x0 - box.x0) <= offset * height && box.y0 - over.box.y1 <= height;
}

function isHead({ text, words }: TextLine): boolean {
  return words.length <= headWords && /\p{L}{2}/u.test(text) && !/\d/.test(text);
}

function isAtLeft(word: Word, left: number, { box }: TextLine): boolean {
  return Math.abs(word.box.x0 - left) <= offset * (box.y1 - box.y0);
}

function partsOf(line: TextLine, heads: readonly TextLine[]): readonly TextLine[] {
  const blank = leastBlank * (line.box.y1 - line.box.y0);
  const starts = line.words.flatMap((word, at) => {
    const before = line.words[at - 1];
    const isStart = before && word.box.x0 - before.box.x1 >= blank;
    return isStart && heads.some(({ box }) => isAtLeft(word, box.x0, line)) ? [at] : [];
  });
  return starts.length === 0
    ? [line]
    : [0, ...starts].map((start, at) => lineOf(line.page, line.words.slice(start, starts[at])));
}
