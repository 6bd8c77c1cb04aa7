import type { Layout, TextLine } from '@millrace/document-model';
import { valuesInCells } from './columns.ts';
import { median, overlap } from './geometry.ts';
import { isUpright, pageSlope } from './text-lines.ts';

/** What stands around a line on its page; null at the page's edge. */
export interface Neighbours {
  readonly left: TextLine | null;
  readonly right: TextLine | null;
  /** The nearest line above that shares some of its width. */
  readonly above: TextLine | null;
  readonly below: TextLine | null;
  /** Every line at the same height, from left to right, the line itself among them. */
  readonly row: readonly TextLine[];
}

interface Index {
  readonly rows: readonly (readonly TextLine[])[];
  readonly neighbours: ReadonlyMap<TextLine, Neighbours>;
}

const indexes = new WeakMap<Layout, Index>();

/**
 * The lines around a line. `line` is one of `layout.lines` itself, not a copy. The index over all lines is made on the
 * first call for a layout, in O(n log n), and kept as long as the layout; a look-up is then O(1).
 */
export function neighboursOf(layout: Layout, line: TextLine): Neighbours {
  return indexOf(layout).neighbours.get(line) ?? { left: null, right: null, above: null, below: null, row: [line] };
}

/**
 * The visual row of a line: all lines at its height, from left to right, itself among them. It joins what a wide gap
 * parted, such as a label and its amount.
 */
export function rowOf(layout: Layout, line: TextLine): readonly TextLine[] {
  return neighboursOf(layout, line).row;
}

/** All visual rows, page by page from top to bottom, each from left to right. */
export function visualRows(layout: Layout): readonly (readonly TextLine[])[] {
  return indexOf(layout).rows;
}

function indexOf(layout: Layout): Index {
  let index = indexes.get(layout);
  if (!index) {
    const byPage = Map.groupBy(layout.lines, (line) => line.page);
    const pages = [...byPage].sort(([a], [b]) => a - b);
    index = makeIndex(pages.map(([, lines]) => rowsOfPage(lines)));
    indexes.set(layout, index);
  }
  return index;
}

/** Spares a layout the search for its rows, which who made it has found already: those of each page, in their order. */
export function keepRows(layout: Layout, rowsOfPages: readonly (readonly (readonly TextLine[])[])[]): void {
  indexes.set(layout, makeIndex(rowsOfPages));
}

function makeIndex(rowsOfPages: readonly (readonly (readonly TextLine[])[])[]): Index {
  const rows: (readonly TextLine[])[] = [];
  const neighbours = new Map<TextLine, Neighbours>();
  for (const pageRows of rowsOfPages) {
    const above = nearestAbove(pageRows);
    const below = nearestAbove(pageRows.toReversed());
    for (const [value, head] of valuesInCells(pageRows, above)) {
      above.set(value, head);
      if (below.get(head)?.box.y0 !== value.box.y0) below.set(head, value);
    }
    for (const row of pageRows) {
      rows.push(row);
      row.forEach((line, at) => {
        neighbours.set(line, {
          left: row[at - 1] ?? null,
          right: row[at + 1] ?? null,
          above: above.get(line) ?? null,
          below: below.get(line) ?? null,
          row,
        });
      });
    }
  }
  return { rows, neighbours };
}

interface OpenRow {
  readonly lines: TextLine[];
  top: number;
  bottom: number;
}

/** Rows that a line is compared with, and lines of each: what bounds the work on hostile pages. */
const openRowLimit = 4;
const rowCompareLimit = 64;
/** How many lines tall a mark is that stands in no row. */
const tallestMark = 4;

/**
 * The lines of one page, or of a region of it, grouped into visual rows from top to bottom, each row sorted from left to
 * right; lines of turned words and of marks as tall as several lines come last, each alone.
 *
 * @param slope of the page; without it, that of the lines' own words
 */
export function rowsOfPage(lines: readonly TextLine[], slope?: number): TextLine[][] {
  const usual = median(lines.map(({ box }) => box.y1 - box.y0));
  const isLevel = (line: TextLine) =>
    line.words.length > 1 || (line.words.every(isUpright) && !isTallMark(line, usual));
  const level = lines.filter(isLevel);
  const others = lines.filter((line) => !isLevel(line)).map((line) => [line]);
  return [...levelRows(level, slope ?? pageSlope(level.flatMap((line) => line.words))), ...others];
}

/** Whether a line is a letter or two as tall as several lines: OCR takes a face for an `O`. */
function isTallMark({ text, box }: TextLine, usual: number): boolean {
  return text.length <= 2 && box.y1 - box.y0 > tallestMark * usual;
}

function levelRows(lines: readonly TextLine[], slope: number): TextLine[][] {
  const placed = lines.map((line) => {
    const shift = (slope * (line.box.x0 + line.box.x1)) / 2;
    // A skewed line's box is taller than its letters by its own slant.
    const slant = Math.min(Math.abs(slope) * (line.box.x1 - line.box.x0), 0.8 * (line.box.y1 - line.box.y0)) / 2;
    return { line, top: line.box.y0 - shift + slant, bottom: line.box.y1 - shift - slant };
  });
  placed.sort((a, b) => a.top + a.bottom - b.top - b.bottom || a.line.box.x0 - b.line.box.x0);
  const rows: OpenRow[] = [];
  for (const { line, top, bottom } of placed) {
    let home: OpenRow | null = null;
    let homeShared = 0;
    for (let at = rows.length - 1; at >= 0 && at >= rows.length - openRowLimit; at--) {
      const row = rows[at] as OpenRow;
      const shared = overlap(row.top, row.bottom, top, bottom) / Math.min(row.bottom - row.top, bottom - top);
      if (shared > Math.max(0.5, homeShared) && !collides(row.lines, line)) {
        home = row;
        homeShared = shared;
      }
    }
    if (home) {
      const count = home.lines.length;
      home.top = (home.top * count + top) / (count + 1);
      home.bottom = (home.bottom * count + bottom) / (count + 1);
      home.lines.push(line);
    } else {
      rows.push({ lines: [line], top, bottom });
    }
  }
  rows.sort((a, b) => a.top + a.bottom - b.top - b.bottom);
  return rows.map((row) => row.lines.sort((a, b) => a.box.x0 - b.box.x0));
}

function collides(lines: readonly TextLine[], line: TextLine): boolean {
  for (let at = lines.length - 1; at >= 0 && at >= lines.length - rowCompareLimit; at--) {
    const { box } = lines[at] as TextLine;
    const width = Math.min(box.x1 - box.x0, line.box.x1 - line.box.x0);
    if (overlap(box.x0, box.x1, line.box.x0, line.box.x1) > 0.3 * width) return true;
  }
  return false;
}

const stripCount = 128;

/** For each line the nearest one of an earlier row that shares some of its width. */
export function nearestAbove(rows: readonly (readonly TextLine[])[]): Map<TextLine, TextLine> {
  const found = new Map<TextLine, TextLine>();
  let left = Infinity;
  let right = -Infinity;
  for (const row of rows) {
    for (const { box } of row) {
      if (box.x0 < left) left = box.x0;
      if (box.x1 > right) right = box.x1;
    }
  }
  const stripWidth = Math.max((right - left) / stripCount, 1e-6);
  const strips: ({ readonly line: TextLine; readonly rowNumber: number } | undefined)[] = [];
  const stripOf = (x: number) => Math.min(stripCount - 1, Math.max(0, Math.floor((x - left) / stripWidth)));
  rows.forEach((row, rowNumber) => {
    for (const line of row) {
      let nearest: TextLine | null = null;
      let nearestRow = -1;
      let nearestShared = 0;
      for (let strip = stripOf(line.box.x0); strip <= stripOf(line.box.x1); strip++) {
        const seen = strips[strip];
        if (!seen || seen.rowNumber < nearestRow) continue;
        const shared = overlap(seen.line.box.x0, seen.line.box.x1, line.box.x0, line.box.x1);
        if (shared <= 0 || (seen.rowNumber === nearestRow && shared <= nearestShared)) continue;
        nearest = seen.line;
        nearestRow = seen.rowNumber;
        nearestShared = shared;
      }
      if (nearest) found.set(line, nearest);
    }
    for (const line of row) {
      const seen = { line, rowNumber };
      for (let strip = stripOf(line.box.x0); strip <= stripOf(line.box.x1); strip++) strips[strip] = seen;
    }
  });
  return found;
}
