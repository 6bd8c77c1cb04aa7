import type { Box, Word } from '@millrace/document-model';

/** The words whose middle is in a box, from left to right. */
export function wordsAt({ box }: { readonly box: Box }, words: readonly Word[]): readonly Word[] {
  const isInside = ({ x0, y0, x1, y1 }: Box) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
  };
  return words.filter((word) => isInside(word.box)).toSorted((a, b) => a.box.x0 - b.box.x0);
}
