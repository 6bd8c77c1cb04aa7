import type { TextLine } from '@millrace/document-model';
import { median } from './geometry.ts';
import { rowsOfPage } from './neighbours.ts';

const depthLimit = 12;

/**
 * Puts the lines of a page into reading order, column after column where the text runs in columns, row by row
 * elsewhere.
 *
 * A recursive XY cut (Nagy and Seth 1984): white bands across the region part it into strips, a white gutter from top to
 * bottom of a strip parts it into columns. The rows of a table also leave gutters, so a gutter counts only where both
 * sides read as text of their own: several words a line, or lines that do not stand at the other side's heights.
 */
export function inReadingOrder(lines: readonly TextLine[]): TextLine[] {
  const ordered: TextLine[] = [];
  const letterHeight = median(lines.map((line) => line.box.y1 - line.box.y0));
  cut(lines, letterHeight, 0, ordered);
  return ordered;
}

function cut(lines: readonly TextLine[], letterHeight: number, depth: number, ordered: TextLine[]): void {
  if (lines.length > 2 && depth < depthLimit) {
    const columns = cutColumns(lines, letterHeight);
    if (columns) {
      for (const column of columns) cut(column, letterHeight, depth + 1, ordered);
      return;
    }
    const strips = cutStrips(lines, letterHeight);
    if (strips.length > 1) {
      for (const strip of strips) cut(strip, letterHeight, depth + 1, ordered);
      return;
    }
  }
  for (const row of rowsOfPage(lines)) for (const line of row) ordered.push(line);
}

/** Parts the region at its widest gutter, or not at all. */
function cutColumns(lines: readonly TextLine[], letterHeight: number): [TextLine[], TextLine[]] | null {
  const sorted = lines.toSorted((a, b) => a.box.x0 - b.box.x0);
  let reach = -Infinity;
  let widest = letterHeight;
  let at = -1;
  sorted.forEach((line, index) => {
    const gap = line.box.x0 - reach;
    if (index > 0 && gap > widest) {
      widest = gap;
      at = index;
    }
    reach = Math.max(reach, line.box.x1);
  });
  if (at < 0) return null;
  const left = sorted.slice(0, at);
  const right = sorted.slice(at);
  if (left.length < 2 || right.length < 2) return null;
  return (isProse(left) && isProse(right)) || !sharesHeights(left, right) ? [left, right] : null;
}

function isProse(lines: readonly TextLine[]): boolean {
  return lines.length >= 3 && median(lines.map((line) => line.words.length)) >= 3;
}

/** Whether most lines of the shorter side stand at the height of a line of the other. */
function sharesHeights(left: readonly TextLine[], right: readonly TextLine[]): boolean {
  const [few, many] = left.length < right.length ? [left, right] : [right, left];
  const middles = many.map((line) => (line.box.y0 + line.box.y1) / 2).sort((a, b) => a - b);
  let shared = 0;
  for (const { box } of few) {
    const middle = (box.y0 + box.y1) / 2;
    let low = 0;
    let high = middles.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((middles[half] as number) < middle) low = half + 1;
      else high = half;
    }
    const distance = Math.min(
      Math.abs((middles[low] ?? Infinity) - middle),
      Math.abs((middles[low - 1] ?? Infinity) - middle),
    );
    if (distance < 0.35 * (box.y1 - box.y0)) shared++;
  }
  return shared > 0.5 * few.length;
}

/** Parts the region at every white band from side to side that is higher than a line's usual gap. */
function cutStrips(lines: readonly TextLine[], letterHeight: number): TextLine[][] {
  const sorted = lines.toSorted((a, b) => a.box.y0 - b.box.y0);
  const strips: TextLine[][] = [];
  let strip: TextLine[] = [];
  let reach = -Infinity;
  for (const line of sorted) {
    if (strip.length > 0 && line.box.y0 - reach > 0.6 * letterHeight) {
      strips.push(strip);
      strip = [];
    }
    strip.push(line);
    reach = Math.max(reach, line.box.y1);
  }
  if (strip.length > 0) strips.push(strip);
  return strips;
}
