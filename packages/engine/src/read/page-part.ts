import type { Box, Page, Straightening, Word } from '@millrace/document-model';
import { straighteningOfBand } from './ocr/straighten.ts';
import type { Raster } from './raster.ts';
import type { DoubtfulPlace } from './settled.ts';

/** A part of a page that is read again: the whole or a band, as wide as the page. */
export interface PagePart {
  /** Its picture, upright. */
  readonly raster: Raster;
  readonly straightening: Straightening | null;
  /** Places that need not be read again, in page units from the part's corner. */
  readonly settled: readonly Box[];
  /** Its share of the page, 0 to 1. */
  readonly share: number;
  /** Where its corner lies on the page once both are straight, in page units. */
  readonly corner: { readonly x: number; readonly y: number };
}

/** A stretch of a page's height, in page units. */
export interface Band {
  readonly top: number;
  readonly bottom: number;
}

export function wholePage(page: Page, raster: Raster, settled: readonly Box[]): PagePart {
  return { raster, straightening: page.straightening ?? null, settled, share: 1, corner: { x: 0, y: 0 } };
}

/** Heights of a place above and below it that are read with it. */
const margin = 1;

/** The bands of a page that hold the doubtful places, from top to bottom; places next to each other share one. */
export function bandsOf(page: Page, doubts: readonly DoubtfulPlace[]): readonly Band[] {
  const bands: { top: number; bottom: number }[] = [];
  const places = doubts.filter((doubt) => doubt.page === page.number).map(({ box }) => box);
  for (const { y0, y1 } of places.toSorted((a, b) => a.y0 - b.y0)) {
    const around = margin * (y1 - y0);
    const band = { top: Math.max(0, y0 - around), bottom: Math.min(page.height, y1 + around) };
    const last = bands.at(-1);
    if (last && band.top <= last.bottom) last.bottom = Math.max(last.bottom, band.bottom);
    else bands.push(band);
  }
  return bands;
}

/**
 * A band of a page.
 *
 * @param raster the page's picture, upright
 */
export function partOf(page: Page, raster: Raster, { top, bottom }: Band): PagePart {
  const pixels = raster.height / page.height;
  const straightening = page.straightening ?? null;
  // Where lines lean, those of a band begin above it or end below it.
  const leaning = straightening ? (raster.width / 2) * Math.max(...straightening.slopes.map(Math.abs)) : 0;
  const from = Math.max(0, Math.floor(top * pixels - leaning));
  const to = Math.min(raster.height, Math.ceil(bottom * pixels + leaning));
  const rowBytes = raster.width * 3;
  const band = { width: raster.width, height: to - from, data: raster.data.subarray(from * rowBytes, to * rowBytes) };
  const { height } = raster;
  const middle = (from + to) / 2;
  return {
    raster: band,
    straightening: straightening && straighteningOfBand(straightening, { from, to, height }),
    settled: [],
    share: band.height / height,
    corner: { x: ((middle - height / 2) * (straightening?.slope ?? 0)) / pixels, y: from / pixels },
  };
}

/** A part's words in their places on the page. */
export function wordsOnPage({ corner: { x, y } }: PagePart, words: readonly Word[]): readonly Word[] {
  if (x === 0 && y === 0) return words;
  return words.map(({ box, ...word }) => ({
    ...word,
    box: { x0: box.x0 + x, y0: box.y0 + y, x1: box.x1 + x, y1: box.y1 + y },
  }));
}
