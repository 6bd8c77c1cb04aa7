import type { Page, Reading, Word, WordSource } from '../document.ts';
import type { ReadingEngines } from './engines.ts';
import type { DetectionOptions } from './ocr/detection.ts';
import { unite, vote } from './ocr/merge.ts';
import { type PageBearing, type RasterReading, readByPpOcr, scaleWords } from './ocr/page.ts';
import { readByTesseract } from './ocr/tesseract-page.ts';
import type { Raster } from './raster.ts';

/** How many times a page is read by OCR at most. */
export const passCount = 3;

const firstDetection: DetectionOptions = {
  areaLimit: 450_000,
  leastHeight: 20,
  enlargeLimit: 1.5,
  pixelThreshold: 0.3,
  regionThreshold: 0.6,
  unclipRatio: 1.8,
};

/** Another scale and another margin: what the first pass cut through or ran together, this one mostly does not. */
const thirdDetection: DetectionOptions = {
  ...firstDetection,
  areaLimit: 900_000,
  unclipRatio: 2.1,
  regionThreshold: 0.5,
};

/** The first pass: PP-OCR, which also finds out how the page lies. Words are in pixels of the turned picture. */
export async function readFirst(engines: ReadingEngines, raster: Raster): Promise<RasterReading> {
  return await readByPpOcr(await engines.ppocr(), raster, firstDetection, 'ocr:ppocr:1');
}

/**
 * A further pass over a page's picture as the file has it: 2 is Tesseract, 3 PP-OCR at another scale. Words are in
 * page units.
 */
export async function readPass(engines: ReadingEngines, ordinal: number, raster: Raster, page: Page): Promise<Reading> {
  const bearing: PageBearing = { turn: page.turnedDegrees, straightening: page.straightening ?? null };
  if (ordinal === 2) {
    const source: WordSource = 'ocr:tesseract:2';
    const reading = await readByTesseract(await engines.tesseract(), raster, bearing, page, source);
    return { source, words: scaleWords(reading.words, page.width / reading.width) };
  }
  const source: WordSource = `ocr:ppocr:${ordinal}`;
  const reading = await readByPpOcr(await engines.ppocr(), raster, thirdDetection, source, bearing);
  return { source, words: scaleWords(reading.words, page.width / reading.width) };
}

/** Whether a reading was made by one of the engine's own passes or came with the file. */
export function isOcr(source: WordSource): boolean {
  return source.startsWith('ocr:');
}

/** The ordinal of an OCR pass; 0 for text that came with the file. */
export function ordinalOf(source: WordSource): number {
  return isOcr(source) ? Number(source.slice(source.lastIndexOf(':') + 1)) : 0;
}

/** The words to go on with: text of the file where there is some, elsewhere what the passes agree on. */
export function chooseWords(readings: readonly Reading[]): readonly Word[] {
  const text = readings.filter((reading) => !isOcr(reading.source)).flatMap((reading) => reading.words);
  const passes = readings.filter((reading) => isOcr(reading.source)).toSorted((a, b) => rank(a) - rank(b));
  return unite(text, vote(passes.map((reading) => reading.words)));
}

/** Own passes first, in their order; a layer that came with the file last. */
function rank(reading: Reading): number {
  return ordinalOf(reading.source) || passCount + 1;
}
