import type { Box, Page, Word } from '@millrace/document-model';

/** A place on a page that another pass could read better: where a value stands that is not sure. */
export interface DoubtfulPlace {
  /** From 1. */
  readonly page: number;
  readonly box: Box;
}

/** Of 100 words of receipts whose every character was at least this sure, 98 were read right; of the others 75. */
const sureCharacter = 0.95;

/**
 * The places of a page that need not be read again: rows whose characters were all read with certainty, and that hold
 * none of the doubtful values.
 */
export function settledPlaces(page: Page, doubts: readonly DoubtfulPlace[]): readonly Box[] {
  const doubtful = doubts.filter((doubt) => doubt.page === page.number).map(({ box }) => box);
  return rowsOf(page.words)
    .filter(
      (row) =>
        row.every((word) => (word.leastConfidence ?? word.confidence) >= sureCharacter) &&
        !row.some((word) => doubtful.some((box) => isAtHeight(word.box, box))),
    )
    .flatMap((row) => row.map((word) => word.box));
}

/** Words at one height. */
function rowsOf(words: readonly Word[]): Word[][] {
  const rows: { readonly words: Word[]; box: Box }[] = [];
  for (const word of words.toSorted((a, b) => a.box.y0 + a.box.y1 - b.box.y0 - b.box.y1)) {
    const last = rows.at(-1);
    if (last && isAtHeight(word.box, last.box)) last.words.push(word);
    else rows.push({ words: [word], box: word.box });
  }
  return rows.map((row) => row.words);
}

/** Whether the middle of one box lies between the top and bottom of the other. */
function isAtHeight(a: Box, b: Box): boolean {
  const [middleA, middleB] = [(a.y0 + a.y1) / 2, (b.y0 + b.y1) / 2];
  return (middleA > b.y0 && middleA < b.y1) || (middleB > a.y0 && middleB < a.y1);
}

/** Boxes scaled from page units to pixels. */
export function scaleBoxes(boxes: readonly Box[], scale: number): readonly Box[] {
  return boxes.map(({ x0, y0, x1, y1 }) => ({ x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale }));
}
