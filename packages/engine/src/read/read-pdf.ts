import type { Page, ReadDocument, Reading } from '@millrace/document-model';
import { documentTooComplex, EngineError } from '../errors.ts';
import type { IngestedFile, IngestLimits } from '../ingest/ingest.ts';
import type { ReadingEngines } from './engines.ts';
import { scaleWords } from './ocr/page.ts';
import { chooseWords, readFirst } from './passes.ts';
import { readAttachments } from './pdf/attachments.ts';
import { corruptPdf, loadPage, openDocument, type PdfPage } from './pdf/document.ts';
import { readPageObjects } from './pdf/objects.ts';
import type { Pdfium } from './pdf/pdfium.ts';
import { rasterisePage } from './pdf/raster.ts';
import { originOfWords } from './pdf/soundness.ts';
import { readTextLayer, type TextLayer } from './pdf/text.ts';
import { openForm, type PdfForm, readWidgets } from './pdf/widgets.ts';
import type { Raster } from './raster.ts';
import type { OnStep } from './step.ts';
import { turnRulings, turnSize, turnWords } from './turn.ts';

const ocrDotsPerInch = 200;

/**
 * Reads a PDF's pages, form values and embedded files.
 *
 * @throws EngineError `corrupt_document`, `encrypted_document`, `too_many_pages` or `empty_document`.
 */
export async function readPdf(
  file: IngestedFile,
  limits: Pick<IngestLimits, 'pages'>,
  engines: ReadingEngines,
  onStep: OnStep,
): Promise<ReadDocument> {
  return await withPdfium(engines, async (pdfium) => {
    onStep('decode');
    const document = openDocument(pdfium, file.bytes, limits);
    const form = openForm(document);
    try {
      const pages: Page[] = [];
      for (let index = 0; index < document.pageCount; index++) {
        onStep('decode');
        const page = loadPage(document, index);
        pages.push(page ? await readPage(page, form, engines, onStep) : damagedPage(index));
      }
      onStep('decode');
      if (pages.every((page) => page.width === 0)) throw corruptPdf();
      return { mediaType: file.mediaType, pages, attachments: readAttachments(document) };
    } finally {
      form?.close();
      document.close();
    }
  });
}

/**
 * Counts a PDF's pages by its page tree alone.
 *
 * @throws EngineError `corrupt_document`, `encrypted_document`, `too_many_pages` or `empty_document`.
 */
export async function countPdfPages(
  file: IngestedFile,
  limits: Pick<IngestLimits, 'pages'>,
  engines: ReadingEngines,
  onStep: OnStep,
): Promise<number> {
  return await withPdfium(engines, async (pdfium) => {
    onStep('decode');
    const document = openDocument(pdfium, file.bytes, limits);
    document.close();
    return document.pageCount;
  });
}

/**
 * Draws pages of a PDF, for another OCR pass unless another resolution is asked for: `use` is called with each number's
 * raster in turn, but not for pages that cannot be drawn.
 */
export async function rasterisePages(
  file: IngestedFile,
  numbers: readonly number[],
  engines: ReadingEngines,
  onStep: OnStep,
  use: (number: number, raster: Raster) => Promise<void>,
  dotsPerInchOf: (page: PdfPage) => number = () => ocrDotsPerInch,
): Promise<void> {
  await withPdfium(engines, async (pdfium) => {
    onStep('decode');
    const document = openDocument(pdfium, file.bytes, { pages: Infinity });
    try {
      for (const number of numbers) {
        onStep('decode');
        const raster = drawPage(loadPage(document, number - 1), dotsPerInchOf);
        if (raster) await use(number, raster);
      }
    } finally {
      document.close();
    }
  });
}

async function withPdfium<Result>(engines: ReadingEngines, use: (pdfium: Pdfium) => Promise<Result>): Promise<Result> {
  try {
    const pdfium = await engines.pdfium();
    const result = await use(pdfium);
    if (pdfium.ranOut()) throw new RangeError('PDFium ran out of memory');
    return result;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    engines.dropPdfium();
    // PDFium aborts where memory or its stack runs out; what is merely broken it opens, or says so.
    throw documentTooComplex({ cause: error });
  }
}

function damagedPage(index: number): Page {
  return {
    number: index + 1,
    width: 0,
    height: 0,
    unit: 'point',
    words: [],
    readings: [],
    rulings: [],
    turnedDegrees: 0,
  };
}

/** Closes the page. */
function drawPage(page: PdfPage | null, dotsPerInchOf: (page: PdfPage) => number): Raster | null {
  try {
    return page && rasterisePage(page, dotsPerInchOf(page));
  } finally {
    page?.close();
  }
}

/** Closes the page. */
async function readPage(page: PdfPage, form: PdfForm | null, engines: ReadingEngines, onStep: OnStep): Promise<Page> {
  try {
    const objects = readPageObjects(page);
    const layer = readTextLayer(page, objects);
    const widgets = readWidgets(page, form);
    const origin = originOfWords(page, layer, objects);
    const raster = origin === 'picture' || origin === 'both' ? rasterisePage(page, ocrDotsPerInch) : null;
    onStep('recognise');
    const sound = origin === 'picture' ? { ...layer, words: [] } : layer;
    return raster && !isBlank(raster)
      ? await readDrawnPage(page, raster, sound, widgets, objects.rulings, engines)
      : readTextPage(page, sound, widgets, objects.rulings);
  } finally {
    page.close();
  }
}

function readTextPage(page: PdfPage, layer: TextLayer, widgets: Page['words'], rulings: Page['rulings']): Page {
  const { turn } = layer;
  const readings = [
    { source: 'text', words: turnWords(layer.words, page, turn) },
    { source: 'widget', words: turnWords(widgets, page, turn) },
    // Without a picture of the page to judge it by, an invisible layer is all there is.
    { source: hiddenSource, words: layer.words.length === 0 ? turnWords(layer.hidden, page, turn) : [] },
  ] as const;
  return finishPage(page, readings, turnRulings(rulings, page, turn), turn, null);
}

async function readDrawnPage(
  page: PdfPage,
  raster: Raster,
  layer: TextLayer,
  widgets: Page['words'],
  rulings: Page['rulings'],
  engines: ReadingEngines,
): Promise<Page> {
  const reading = await readFirst(engines, raster);
  const { turn } = reading;
  const { width } = turnSize(page, turn);
  const readings = [
    { source: 'text', words: turnWords(layer.words, page, turn) },
    { source: 'widget', words: turnWords(widgets, page, turn) },
    { source: 'ocr:ppocr:1', words: scaleWords(reading.words, width / reading.width) },
    { source: hiddenSource, words: turnWords(layer.hidden, page, turn) },
  ] as const;
  return finishPage(page, readings, turnRulings(rulings, page, turn), turn, reading.straightening);
}

/** The invisible words that a scanner's program put under the picture: a pass that somebody else made. */
const hiddenSource = 'ocr:embedded:0';

function finishPage(
  page: PdfPage,
  readings: readonly Reading[],
  rulings: Page['rulings'],
  turnedDegrees: Page['turnedDegrees'],
  straightening: Page['straightening'] | null,
): Page {
  const made = readings.filter((reading) => reading.words.length > 0);
  return {
    number: page.index + 1,
    ...turnSize(page, turnedDegrees),
    unit: 'point',
    words: chooseWords(made),
    readings: made,
    rulings,
    turnedDegrees,
    ...(straightening && { straightening }),
  };
}

/** Fewer dark pixels than a short line of small print has. */
const leastInkPixels = 60;

function isBlank(raster: Raster): boolean {
  let ink = 0;
  for (let at = 0; at < raster.data.length; at += 3) {
    if ((raster.data[at + 1] as number) < 200 && ++ink > leastInkPixels) return false;
  }
  return true;
}
