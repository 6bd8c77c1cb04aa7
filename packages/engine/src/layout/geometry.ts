import type { Box, Provenance, TextLine } from '@millrace/document-model';

/** The smallest box around all of the boxes that things have. Expects at least one. */
export function boxAround(things: readonly { readonly box: Box }[]): Box {
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (const { box } of things) {
    if (box.x0 < x0) x0 = box.x0;
    if (box.y0 < y0) y0 = box.y0;
    if (box.x1 > x1) x1 = box.x1;
    if (box.y1 > y1) y1 = box.y1;
  }
  return { x0, y0, x1, y1 };
}

/** The middle value; the upper one of an even count; 0 of none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1] as number;
}

/** Length of the stretch that two intervals share; negative is the gap between them. */
export function overlap(a0: number, a1: number, b0: number, b1: number): number {
  return Math.min(a1, b1) - Math.max(a0, b0);
}

/** Whether a value was read from a line, by the place where it stands. */
export function isOnLine(
  { page, box }: Pick<Provenance, 'page' | 'box'>,
  line: Pick<TextLine, 'page' | 'box'>,
): boolean {
  const middle = (box.y0 + box.y1) / 2;
  return (
    page === line.page && middle > line.box.y0 && middle < line.box.y1 && box.x0 < line.box.x1 && box.x1 > line.box.x0
  );
}

/** Whether one box stands right below another, at its left edge: nearer on either side than the upper one is high. */
export function isBelowAtEdge(upper: Box, lower: Box): boolean {
  const height = upper.y1 - upper.y0;
  return lower.y0 - upper.y1 < height && Math.abs(lower.x0 - upper.x0) < height;
}
