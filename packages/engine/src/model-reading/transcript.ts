import type { Layout, TextLine } from '@millrace/document-model';
import { visualRows } from '../layout/neighbours.ts';

/** The longest transcript, in characters, and the longest text of one line in it. */
const transcriptLimit = 80_000;
const lineLimit = 600;

/**
 * A document's words with their places, in a form that costs few tokens. Each page begins with `#<number>`, each row of
 * it with the height at which it stands, and each text of a row with where it begins; both in thousandths of the page:
 *
 *     #1
 *     84|62 Northwind Paper Ltd|700 Invoice
 *     130|700 No. INV-2041
 *
 * Words hold no line break, so whatever a document says stands behind a number: it cannot begin a line of its own.
 * Characters that are not seen on a page are left out. `…` stands for rows that are not shown.
 *
 * @param shown the lines to show; null for all.
 */
export function writeTranscript(layout: Layout, shown: ReadonlySet<TextLine> | null): string {
  const sizes = new Map(layout.document.pages.map((page) => [page.number, page]));
  const written: string[] = [];
  let length = 0;
  let page = 0;
  let isGap = false;
  for (const row of visualRows(layout)) {
    const lines = shown ? row.filter((line) => shown.has(line)) : row;
    const first = lines[0];
    const size = first && sizes.get(first.page);
    if (!first || !size) {
      isGap = true;
      continue;
    }
    const texts = lines.flatMap(({ box, text }) => {
      const seen = seenText(text);
      return seen === '' ? [] : [`${thousandths(box.x0, size.width)} ${seen}`];
    });
    if (texts.length === 0) continue;
    if (first.page !== page) written.push(`#${first.page}`);
    else if (isGap) written.push('…');
    page = first.page;
    isGap = false;
    const line = `${thousandths(Math.min(...lines.map(({ box }) => box.y0)), size.height)}|${texts.join('|')}`;
    length += line.length + 1;
    if (length > transcriptLimit) {
      written.push('…');
      break;
    }
    written.push(line);
  }
  return written.join('\n');
}

function thousandths(place: number, size: number): number {
  return Math.min(999, Math.max(0, Math.round((1000 * place) / Math.max(size, 1e-6))));
}

/** A line's text without what no reader of the page sees: control and format characters, such as tags and reversals. */
function seenText(text: string): string {
  return text
    .slice(0, lineLimit)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll('|', '¦')
    .replace(/\s+/g, ' ')
    .trim();
}
