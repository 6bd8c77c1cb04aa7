import type { Box, Page, Reading, Word, WordSource } from '@millrace/document-model';
import type { ReadingEngines } from './engines.ts';
import type { DetectionOptions } from './ocr/detection.ts';
import { unite, vote } from './ocr/merge.ts';
import { type PageBearing, type RasterReading, readByPpOcr, scaleWords } from './ocr/page.ts';
import { withScripts } from './ocr/script-pass.ts';
import type { OcrLanguage } from './ocr/tesseract.ts';
import { pictureForTesseract } from './ocr/tesseract-page.ts';
import type { Raster } from './raster.ts';
import { scaleBoxes } from './settled.ts';
import { turnSize } from './turn.ts';

/** How the first pass looks for lines. */
export const firstDetection: DetectionOptions = {
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

/**
 * The first pass: PP-OCR, which also finds out how the page lies, and Tesseract for the scripts that are asked for. Words
 * are in pixels of the turned picture.
 */
export async function readFirst(engines: ReadingEngines, raster: Raster): Promise<RasterReading> {
  const reading = await readByPpOcr(await engines.ppocr(), raster, firstDetection, 'ocr:ppocr:1');
  return await withScripts(engines.tesseract, raster, reading, engines.scriptLanguages);
}

/** How pages are read again. */
export interface FurtherReading {
  /** That Tesseract reads in; by the page's words where it is null. */
  readonly language: OcrLanguage | null;
  /** 1 for Tesseract alone, which has letters with marks that PP-OCR lacks. */
  readonly passes: 1 | 2;
  /** Nothing is read again but the rows of the doubtful values, however unsure the others are. */
  readonly onlyDoubts?: boolean;
}

/**
 * The further passes over a page's picture as the file has it: Tesseract, then PP-OCR at another scale. Tesseract works
 * in a thread of its own, and few pages that it reads need no third pass, so that both read at the same time. Words
 * are in page units.
 *
 * @param again how, and the places that need not be read again
 * @param onPass called after each pass.
 */
export async function readFurther(
  engines: ReadingEngines,
  raster: Raster,
  page: Page,
  again: FurtherReading & { readonly settled: readonly Box[] },
  onPass: () => void,
): Promise<readonly Reading[]> {
  const { settled, language, passes } = again;
  const bearing: PageBearing = { turn: page.turnedDegrees, straightening: page.straightening ?? null };
  const [tesseract, ppocr] = await Promise.all([engines.tesseract(), engines.ppocr()]);
  const finish = (source: WordSource, words: readonly Word[], width: number): Reading => {
    onPass();
    return { source, words: scaleWords(words, page.width / width) };
  };
  const second = async (): Promise<Reading> => {
    const words = await tesseract.recognise(picture, 'ocr:tesseract:2');
    return finish('ocr:tesseract:2', words, picture.width);
  };
  const third = async (): Promise<Reading> => {
    const { width } = turnSize(raster, bearing.turn);
    const known = { ...bearing, settled: scaleBoxes(settled, width / page.width) };
    const reading = await readByPpOcr(ppocr, raster, thirdDetection, 'ocr:ppocr:3', known);
    return finish('ocr:ppocr:3', reading.words, reading.width);
  };
  // Before the third pass, which would leave this thread no time to make it.
  const picture = await pictureForTesseract(raster, bearing, page, { settled, language });
  return await Promise.all(passes === 1 ? [second()] : [second(), third()]);
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
  return ordinalOf(reading.source) || Infinity;
}
