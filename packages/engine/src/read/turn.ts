import type { Box, Ruling, Word } from '@millrace/document-model';
import type { Raster } from './raster.ts';

/** A clockwise turn in degrees. */
export type Turn = 0 | 90 | 180 | 270;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A page's size once it is turned. */
export function turnSize({ width, height }: Size, turn: Turn): Size {
  return turn % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** A box of a page of that size once the page is turned. */
export function turnBox(box: Box, { width, height }: Size, turn: Turn): Box {
  switch (turn) {
    case 0:
      return box;
    case 90:
      return { x0: height - box.y1, y0: box.x0, x1: height - box.y0, y1: box.x1 };
    case 180:
      return { x0: width - box.x1, y0: height - box.y1, x1: width - box.x0, y1: height - box.y0 };
    case 270:
      return { x0: box.y0, y0: width - box.x1, x1: box.y1, y1: width - box.x0 };
  }
}

export function turnWords(words: readonly Word[], size: Size, turn: Turn): readonly Word[] {
  return turn === 0 ? words : words.map((word) => ({ ...word, box: turnBox(word.box, size, turn) }));
}

export function turnRulings(rulings: readonly Ruling[], size: Size, turn: Turn): readonly Ruling[] {
  if (turn === 0) return rulings;
  return rulings.map(({ direction, box }) => ({
    direction: turn === 180 ? direction : direction === 'horizontal' ? 'vertical' : 'horizontal',
    box: turnBox(box, size, turn),
  }));
}

export function turnRaster(raster: Raster, turn: Turn): Raster {
  if (turn === 0) return raster;
  const { width, height, data } = raster;
  const size = turnSize(raster, turn);
  const turned = new Uint8Array(data.length);
  // Where the picture's first pixel goes, and how far apart its columns and rows come to lie.
  const [origin, stepX, stepY] =
    turn === 90
      ? [size.width - 1, size.width, -1]
      : turn === 180
        ? [width * height - 1, -1, -width]
        : [(size.height - 1) * size.width, -size.width, 1];
  for (let y = 0; y < height; y++) {
    let to = (origin + y * stepY) * 3;
    let from = y * width * 3;
    for (let x = 0; x < width; x++) {
      turned[to] = data[from] as number;
      turned[to + 1] = data[from + 1] as number;
      turned[to + 2] = data[from + 2] as number;
      to += stepX * 3;
      from += 3;
    }
  }
  return { ...size, data: turned };
}
