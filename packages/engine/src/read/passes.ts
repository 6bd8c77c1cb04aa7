import type { Page, Reading, Word, WordSource } from '@millrace/document-model';
import type { ReadingEngines } from './engines.ts';
import type { DetectionOptions } from './ocr/detection.ts';
import { unite, vote } from './ocr/merge.ts';
import { type RasterReading, readByPpOcr, scaleWords } from './ocr/page.ts';
import { withScripts } from './ocr/script-pass.ts';
import type { OcrLanguage, TesseractPicture } from './ocr/tesseract.ts';
import { pictureForTesseract } from './ocr/tesseract-page.ts';
import { type PagePart, wordsOnPage } from './page-part.ts';
import type { Raster } from './raster.ts';
import { scaleBoxes } from './settled.ts';

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
  /** Nothing is read again but the bands of the page that the doubtful values stand in, however unsure the others are. */
  readonly onlyDoubts?: boolean;
}

/**
 * The further passes over parts of a page's picture: Tesseract, then PP-OCR at another scale. Tesseract works in a thread
 * of its own, and few pages that it reads need no third pass, so that both read at the same time. Words are in page
 * units.
 *
 * @param onPass called after each pass.
 */
export async function readFurther(
  engines: ReadingEngines,
  page: Page,
  parts: readonly PagePart[],
  { language, passes }: FurtherReading,
  onPass: () => void,
): Promise<readonly Reading[]> {
  const [tesseract, ppocr] = await Promise.all([engines.tesseract(), engines.ppocr()]);
  const read = async (source: WordSource, readPart: (part: PagePart, at: number) => Promise<PartWords>) => {
    const words: Word[] = [];
    for (const [at, part] of parts.entries()) {
      const found = await readPart(part, at);
      words.push(...wordsOnPage(part, scaleWords(found.words, page.width / found.width)));
    }
    onPass();
    return { source, words };
  };
  const second = () =>
    read('ocr:tesseract:2', async (_, at) => {
      const picture = pictures[at]!;
      return { words: await tesseract.recognise(picture, 'ocr:tesseract:2'), width: picture.width };
    });
  const third = () =>
    read('ocr:ppocr:3', async ({ raster, straightening, settled, share }) => {
      const known = { turn: 0, straightening, settled: scaleBoxes(settled, raster.width / page.width) } as const;
      const detection = { ...thirdDetection, areaLimit: share * thirdDetection.areaLimit };
      return await readByPpOcr(ppocr, raster, detection, 'ocr:ppocr:3', known);
    });
  // Before the third pass, which would leave this thread no time to make them.
  const pictures: TesseractPicture[] = [];
  for (const { raster, straightening, settled } of parts) {
    pictures.push(await pictureForTesseract(raster, { turn: 0, straightening }, page, { settled, language }));
  }
  return await Promise.all(passes === 1 ? [second()] : [second(), third()]);
}

/** What a pass read of a part of a page, in pixels of a picture of that width. */
interface PartWords {
  readonly words: readonly Word[];
  readonly width: number;
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
