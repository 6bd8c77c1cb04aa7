import type { Word, WordSource } from '../../document.ts';
import type { Raster } from '../raster.ts';
import type { DetectionOptions, TextRegion } from './detection.ts';
import type { PpOcr, RecognisedRegion } from './ppocr.ts';

/** A page's words in pixels of its raster. */
export interface RasterReading {
  readonly words: readonly Word[];
}

/** Reads a raster by PP-OCR. */
export async function readByPpOcr(
  ppocr: PpOcr,
  raster: Raster,
  options: DetectionOptions,
  source: WordSource,
): Promise<RasterReading> {
  const regions = await ppocr.detect(raster, options);
  const recognised = await ppocr.recognise(raster, regions);
  return { words: recognised.flatMap((region) => wordsOf(region, source)) };
}

/** Words below this are noise more often than text. */
const leastConfidence = 0.3;

function wordsOf({ region, words }: RecognisedRegion, source: WordSource): Word[] {
  return words
    .filter((word) => word.confidence >= leastConfidence)
    .map((word) => ({
      text: word.text,
      box: boxAlong(region, word.start, word.end),
      source,
      confidence: round(word.confidence),
    }));
}

/** The upright box around a stretch of a leaning region, as high as the region is. */
function boxAlong(region: TextRegion, start: number, end: number): Word['box'] {
  const cosine = Math.cos(region.angle);
  const sine = Math.sin(region.angle);
  const along = ((start + end) / 2 - 0.5) * region.width;
  const x = region.centreX + along * cosine;
  const y = region.centreY + along * sine;
  const halfWidth = ((end - start) / 2) * region.width * cosine;
  const halfHeight = region.height / 2;
  return { x0: round(x - halfWidth), y0: round(y - halfHeight), x1: round(x + halfWidth), y1: round(y + halfHeight) };
}

/** Boxes to a hundredth of a pixel. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Words scaled from a raster to page units. */
export function scaleWords(words: readonly Word[], scale: number): Word[] {
  if (scale === 1) return [...words];
  return words.map((word) => ({
    ...word,
    box: { x0: word.box.x0 * scale, y0: word.box.y0 * scale, x1: word.box.x1 * scale, y1: word.box.y1 * scale },
  }));
}
