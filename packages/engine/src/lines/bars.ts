import type { TextLine } from '@millrace/document-model';
import { lineOf } from '../layout/text-lines.ts';
import type { Row } from './header.ts';

/**
 * Rows whose lines end at the rules between columns, which OCR reads as bars and plain text draws with them:
 * `6 | DR-30 | Door, primed | 98.75`. A bar at a line's edge is left out beside another one only, since alone it may be a
 * one that was misread, as is one before the sign of a product.
 */
export function partAtBars(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => (row.some(({ text }) => text.includes('|')) ? row.flatMap(partedLines) : row));
}

const rule = /^\|+$/;

function partedLines(line: TextLine): readonly TextLine[] {
  const { words } = line;
  const isFactor = (at: number) => /^[@x×X*]/u.test(words[at + 1]?.text ?? '');
  const bars = words.flatMap(({ text }, at) => (rule.test(text) && !isFactor(at) ? [at] : []));
  const isWithin = bars.some((at) => at > 0 && at < words.length - 1);
  if (bars.length === 0 || (bars.length === 1 && !isWithin)) return [line];
  return [-1, ...bars].flatMap((bar, index) => {
    const own = words.slice(bar + 1, bars[index] ?? words.length);
    return own.length === 0 ? [] : [lineOf(line.page, own)];
  });
}
