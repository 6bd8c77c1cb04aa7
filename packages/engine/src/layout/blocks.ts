import type { Block, Page, Ruling, TextLine } from '@millrace/document-model';
import { boxAround, overlap } from './geometry.ts';
import { nearestAbove } from './neighbours.ts';

/** Horizontal rulings that are looked at for one gap. */
const rulingLimit = 200;

/**
 * Groups the lines of a page into blocks: lines one below the other, near, of about the same height of letters and
 * aligned at the left, the right or the middle, with no ruling between them.
 *
 * @param rows the page's visual rows from top to bottom.
 * @returns blocks in the order of their first lines, each line in exactly one.
 */
export function groupBlocks(page: Page, rows: readonly (readonly TextLine[])[]): Block[] {
  const rulings = page.rulings
    .filter((ruling) => ruling.direction === 'horizontal')
    .sort((a, b) => a.box.y0 - b.box.y0);
  const above = nearestAbove(rows);
  const blockOf = new Map<TextLine, TextLine[]>();
  const groups: TextLine[][] = [];
  for (const row of rows) {
    for (const line of row) {
      const upper = above.get(line);
      const group = upper && blockOf.get(upper);
      if (upper && group && group.at(-1) === upper && continues(upper, line) && !isRuledOff(rulings, upper, line)) {
        group.push(line);
        blockOf.set(line, group);
      } else {
        const started = [line];
        groups.push(started);
        blockOf.set(line, started);
      }
    }
  }
  return groups.map((lines) => ({ page: page.number, lines, box: boxAround(lines) }));
}

function continues(upper: TextLine, line: TextLine): boolean {
  const a = upper.box;
  const b = line.box;
  const smaller = Math.min(a.y1 - a.y0, b.y1 - b.y0);
  const larger = Math.max(a.y1 - a.y0, b.y1 - b.y0);
  if (larger > 1.6 * smaller) return false;
  if (b.y0 - a.y1 > 0.95 * larger) return false;
  const slack = 0.8 * larger;
  return (
    Math.abs(a.x0 - b.x0) < slack ||
    Math.abs(a.x1 - b.x1) < slack ||
    Math.abs(a.x0 + a.x1 - b.x0 - b.x1) / 2 < slack ||
    (overlap(a.x0, a.x1, b.x0, b.x1) > 0.7 * Math.max(a.x1 - a.x0, b.x1 - b.x0) && Math.abs(a.x0 - b.x0) < 4 * larger)
  );
}

function isRuledOff(rulings: readonly Ruling[], upper: TextLine, line: TextLine): boolean {
  const from = (upper.box.y0 + upper.box.y1) / 2;
  const to = (line.box.y0 + line.box.y1) / 2;
  let low = 0;
  let high = rulings.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if ((rulings[half] as Ruling).box.y0 < from) low = half + 1;
    else high = half;
  }
  for (let at = low; at < rulings.length && at < low + rulingLimit; at++) {
    const { box } = rulings[at] as Ruling;
    if (box.y0 > to) return false;
    // An underline is as long as its line; a divider reaches beyond it.
    if (overlap(box.x0, box.x1, line.box.x0, line.box.x1) > 0 && box.x1 - box.x0 > 1.2 * (upper.box.x1 - upper.box.x0))
      return true;
  }
  return false;
}
