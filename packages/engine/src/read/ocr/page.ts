import type { Box, Straightening, Word, WordSource } from '@millrace/document-model';
import type { Raster } from '../raster.ts';
import { type Turn, turnRaster } from '../turn.ts';
import type { DetectionOptions, TextRegion } from './detection.ts';
import { readMagneticLines } from './magnetic.ts';
import type { PpOcr } from './ppocr.ts';
import type { RecognisedRegion } from './recognition.ts';
import { measureSlopes, straightenPoint } from './straighten.ts';
import { findTurn, turnedCrop } from './uprightness.ts';

/** What PP-OCR made of a picture. */
export interface RasterReading {
  /** Clockwise, in degrees, to make the text upright. */
  readonly turn: Turn;
  /** Pixels, once turned. */
  readonly width: number;
  readonly height: number;
  readonly straightening: Straightening | null;
  /** In pixels of the turned and straightened picture. */
  readonly words: readonly Word[];
}

/** How a page lies, where an earlier pass has found it out. */
export interface PageBearing {
  readonly turn: Turn;
  readonly straightening: Straightening | null;
}

/** The same for a pass that leaves out places of the turned and straightened picture, in its pixels. */
export interface KnownPage extends PageBearing {
  readonly settled: readonly Box[];
}

/** Words below this are noise more often than text. */
const leastConfidence = 0.3;

/**
 * Reads a picture by PP-OCR: finds its lines, turns it upright, reads the lines and levels them. A later pass goes by
 * the bearing that the first one found, so that their words lie in the same places.
 */
export async function readByPpOcr(
  ppocr: PpOcr,
  picture: Raster,
  options: DetectionOptions,
  source: WordSource,
  bearing: KnownPage | null = null,
): Promise<RasterReading> {
  let raster = turnRaster(picture, bearing?.turn ?? 0);
  let regions = await ppocr.detect(raster, options);
  let turn: Turn = bearing?.turn ?? 0;
  let early: readonly RecognisedRegion[] = [];
  if (!bearing) {
    const found = await findTurn(ppocr, raster, regions);
    turn = found.turn;
    early = found.recognised;
    if (turn !== 0) {
      raster = turnRaster(raster, turn);
      regions = await ppocr.detect(raster, options);
    }
  }
  if (bearing) regions = regions.filter((region) => !isSettled(region, raster, bearing));
  const read = new Set(early.map(({ region }) => region));
  const rest = standUp(regions.filter((region) => !read.has(region)));
  const recognised = readMagneticLines(raster, [...early, ...(await ppocr.recognise(raster, rest))]);
  const { width, height } = raster;
  const straightening = bearing ? bearing.straightening : measureSlopes(regions, width, height);
  const words = recognised.flatMap((region) => wordsOf(region, raster, straightening, source));
  return { turn, width, height, straightening, words };
}

/** Whether the middle of a region lies on a word that is settled; regions that hold more than such words are read. */
function isSettled(region: TextRegion, raster: Raster, { straightening, settled }: KnownPage): boolean {
  const { centreX: x, centreY: y } = region;
  const at = straightening ? straightenPoint(straightening, raster, x, y) : { x, y };
  return settled.some(
    (box) => at.y > box.y0 && at.y < box.y1 && at.x > box.x0 - region.width / 2 && at.x < box.x1 + region.width / 2,
  );
}

/** Lines that run up the margin of an upright page are much higher than its lines are. */
function standUp(regions: readonly TextRegion[]): TextRegion[] {
  const heights = regions.map((region) => region.height).toSorted((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 0;
  return regions.map((region) =>
    region.height > 2 * region.width && region.height > 2.5 * usual ? turnedCrop(region, 90) : region,
  );
}

function wordsOf(
  recognised: RecognisedRegion,
  raster: Raster,
  straightening: Straightening | null,
  source: WordSource,
): Word[] {
  return recognised.words
    .filter((word) => word.confidence >= leastConfidence)
    .map((word) => ({
      text: word.text,
      box: boxAlong(recognised, word.start, word.end, raster, straightening),
      source,
      confidence: hundredths(word.confidence),
      leastConfidence: hundredths(word.leastConfidence),
    }));
}

/** The level box around a stretch of a leaning region, as high as its ink. */
function boxAlong(
  { region, top, bottom }: RecognisedRegion,
  start: number,
  end: number,
  raster: Raster,
  straightening: Straightening | null,
): Word['box'] {
  const cosine = Math.cos(region.angle);
  const sine = Math.sin(region.angle);
  const along = ((start + end) / 2 - 0.5) * region.width;
  const across = ((top + bottom) / 2 - 0.5) * region.height;
  let x = region.centreX + along * cosine - across * sine;
  let y = region.centreY + along * sine + across * cosine;
  if (straightening) ({ x, y } = straightenPoint(straightening, raster, x, y));
  const length = (end - start) * region.width;
  const height = (bottom - top) * region.height;
  const [width, depth] = Math.abs(cosine) >= Math.abs(sine) ? [length, height] : [height, length];
  return {
    x0: hundredths(x - width / 2),
    y0: hundredths(y - depth / 2),
    x1: hundredths(x + width / 2),
    y1: hundredths(y + depth / 2),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Words scaled from a raster to page units. */
export function scaleWords(words: readonly Word[], scale: number): Word[] {
  if (scale === 1) return [...words];
  return words.map(({ box, ...word }) => ({
    ...word,
    box: {
      x0: hundredths(box.x0 * scale),
      y0: hundredths(box.y0 * scale),
      x1: hundredths(box.x1 * scale),
      y1: hundredths(box.y1 * scale),
    },
  }));
}
