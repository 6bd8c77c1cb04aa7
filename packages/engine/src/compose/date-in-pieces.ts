import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { findDates } from '../candidates/date.ts';
import { visualRows } from '../layout/neighbours.ts';
import { composedValue } from './value.ts';

/** A day with its month in letters and nothing else but its caption: `Date March 4th, 20 23`, `4 de marzo de 2023`. */
const wholeDate =
  /^(?:(?:date|dated|on|le|fecha|datum|den)[\s:._]*)?(?:\p{L}{3,10}\.? ?\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th|er|\.)? ?(?:of |de )?\p{L}{3,10}\.?)[,. ]*(?:de )?20 ?\d{2}$/iu;
const captionAlone = /^(?:date|dated|on|le|fecha|datum|den)[\s:._]*$/iu;
const rowLimit = 200;
const mostPieces = 4;
/** How far apart the pieces stand at most, in heights of the first. */
const widestGap = 8;

/**
 * The date of a form that is filled in by hand or typewriter, whose words stand so far apart that they were read as several
 * lines: `Date` `March` `4th` `20 23`. Absent where a page has more than one.
 */
export function dateInPieces(layout: Layout): ExtractedValue | null {
  const found = visualRows(layout)
    .slice(0, rowLimit)
    .flatMap((row) => row.flatMap((_, at) => dateFrom(row, at) ?? []));
  const [only, ...more] = found;
  return only && more.every(({ value }) => value === only.value) ? only : null;
}

function dateFrom(row: readonly TextLine[], at: number): ExtractedValue | null {
  const first = row[at]!;
  if (captionAlone.test(first.text) || first.text.length > 30) return null;
  const pieces = [first];
  for (const next of row.slice(at + 1, at + mostPieces)) {
    if (next.box.x0 - pieces.at(-1)!.box.x1 > widestGap * (first.box.y1 - first.box.y0)) return null;
    pieces.push(next);
    const text = pieces.map((piece) => piece.text).join(' ');
    if (text.length > 40) return null;
    if (!wholeDate.test(text)) continue;
    const [date] = findDates(
      text.replace(/(?<!\d)20 (\d\d)$/u, '20$1').replace(/(?<=\d)(?:st|nd|rd|th)(?!\p{L})/giu, ''),
    );
    const value = date?.namedMonth ? date.readings[0]?.value : undefined;
    return value
      ? composedValue(
          value,
          84,
          pieces.map((line) => ({ line })),
        )
      : null;
  }
  return null;
}
