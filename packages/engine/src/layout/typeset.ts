import type { Page, ReadDocument, Ruling, Word } from '@millrace/document-model';

/** A text and where its left edge stands, or its right edge where it is aligned there. */
type Placed = readonly [x: number, text: string, alignment?: 'right'];

/** A printed row; null is an empty one. */
export type PrintedRow = readonly Placed[] | null;

const letterWidth = 5;
const blankWidth = 3;
const letterHeight = 10;
const linePitch = 12;

/** Sets rows of text in one size, for tests: a page for each list of rows, 600 × 800 points. */
export function typeset(...pages: readonly (readonly PrintedRow[])[]): ReadDocument {
  return { mediaType: 'application/pdf', pages: pages.map((rows, at) => typesetPage(at + 1, rows)), attachments: [] };
}

/** One such page, with rulings where asked for. */
export function typesetPage(number: number, rows: readonly PrintedRow[], rulings: readonly Ruling[] = []): Page {
  const words = rows.flatMap((row, at) => (row ?? []).flatMap((placed) => wordsAt(placed, 40 + at * linePitch)));
  return {
    number,
    width: 600,
    height: 800,
    unit: 'point',
    words,
    readings: [{ source: 'text', words }],
    rulings,
    turnedDegrees: 0,
  };
}

function wordsAt([x, text, alignment]: Placed, y: number): Word[] {
  const words = text.split(' ');
  const width = words.reduce((sum, word) => sum + word.length * letterWidth, 0) + (words.length - 1) * blankWidth;
  let x0 = alignment === 'right' ? x - width : x;
  return words.map((word): Word => {
    const x1 = x0 + word.length * letterWidth;
    const box = { x0, y0: y, x1, y1: y + letterHeight };
    x0 = x1 + blankWidth;
    return { text: word, box, source: 'text', confidence: 1 };
  });
}
