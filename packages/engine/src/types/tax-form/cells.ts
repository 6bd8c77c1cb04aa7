import type { Layout, TextLine } from '@millrace/document-model';
import type { Stretch } from '../../compose/value.ts';
import { rowOf } from '../../layout/neighbours.ts';

/** A value on a form, with the places that it was read from. */
export interface Found {
  readonly text: string;
  readonly stretches: readonly Stretch[];
}

/** A value of which each character, or each part, stands in a cell of its own, one of them below the caption. */
export function inCells(one: TextLine, layout: Layout, value: RegExp): Found | null {
  const row = rowOf(layout, one);
  const widest = 2 * (one.box.y1 - one.box.y0);
  const isNext = (line: TextLine, before?: TextLine) => before !== undefined && line.box.x0 - before.box.x1 <= widest;
  let [from, to] = [row.indexOf(one), row.indexOf(one) + 1];
  while (from > 0 && isNext(row[from]!, row[from - 1])) from -= 1;
  while (to < row.length && isNext(row[to]!, row[to - 1])) to += 1;
  const cells = row.slice(from, to);
  const found = value.exec(cells.map(({ text }) => text.replaceAll(' ', '')).join(''));
  return cells.length > 1 && found ? { text: found[0], stretches: cells.map((line) => ({ line })) } : null;
}
