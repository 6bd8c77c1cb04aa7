import type { Page, ReadDocument, Word } from '../document.ts';
import { EngineError } from '../errors.ts';
import type { IngestedFile, IngestLimits } from '../ingest/ingest.ts';
import { decodeImage } from './image/decode.ts';
import type { DetectionOptions } from './ocr/detection.ts';
import { readByPpOcr, scaleWords } from './ocr/page.ts';
import { loadPpOcr, type PpOcr } from './ocr/ppocr.ts';
import { readAttachments } from './pdf/attachments.ts';
import { corruptPdf, loadPage, openDocument, type PdfDocument, type PdfPage } from './pdf/document.ts';
import { readPageObjects } from './pdf/objects.ts';
import { loadPdfium, type Pdfium } from './pdf/pdfium.ts';
import { rasterisePage } from './pdf/raster.ts';
import { readTextLayer } from './pdf/text.ts';

/** Turns files into words on pages. It keeps its models loaded between documents. */
export interface Reader {
  /**
   * Reads a document once: text layers where they are sound, one OCR pass where they are not.
   *
   * @throws EngineError `corrupt_document`, `encrypted_document`, `too_many_pages` or `empty_document`.
   */
  read(file: IngestedFile, limits: Pick<IngestLimits, 'pages'>): Promise<ReadDocument>;
  /**
   * Reads the pages that came from OCR by the next pass. Returns a document with that reading added, or null when no
   * pass is left.
   */
  readAgain(file: IngestedFile, document: ReadDocument): Promise<ReadDocument | null>;
  /** Frees the models. */
  close(): Promise<void>;
}

const firstPass: DetectionOptions = {
  areaLimit: 700_000,
  enlargeLimit: 1.5,
  pixelThreshold: 0.3,
  regionThreshold: 0.6,
  unclipRatio: 1.5,
};

const ocrDotsPerInch = 200;

/** A reader whose engines load when the first document needs them. */
export function createReader(): Reader {
  let pdfium: Promise<Pdfium> | null = null;
  let ppocr: Promise<PpOcr> | null = null;
  const loadedPpOcr = () => {
    ppocr ??= loadPpOcr();
    return ppocr;
  };
  return {
    read: async (file, limits) => {
      if (file.mediaType !== 'application/pdf') return await readImage(file, await loadedPpOcr());
      pdfium ??= loadPdfium();
      const loaded = await pdfium;
      try {
        return await readPdf(file, limits, loaded, loadedPpOcr);
      } catch (error) {
        if (error instanceof EngineError) throw error;
        // A trap leaves the heap in no known state.
        pdfium = null;
        throw corruptPdf({ cause: error });
      }
    },
    readAgain: async () => null,
    close: async () => {
      await (await ppocr)?.close();
      ppocr = null;
      pdfium = null;
    },
  };
}

async function readImage(file: IngestedFile, ppocr: PpOcr): Promise<ReadDocument> {
  const { raster, width, height, scale } = await decodeImage(file);
  const reading = await readByPpOcr(ppocr, raster, firstPass, 'ocr:ppocr:1');
  const words = scaleWords(reading.words, 1 / scale);
  const page: Page = {
    number: 1,
    width,
    height,
    unit: 'pixel',
    words,
    readings: [{ source: 'ocr:ppocr:1', words }],
    rulings: [],
    turnedDegrees: 0,
  };
  return { mediaType: file.mediaType, pages: [page], attachments: [] };
}

async function readPdf(
  file: IngestedFile,
  limits: Pick<IngestLimits, 'pages'>,
  pdfium: Pdfium,
  loadedPpOcr: () => Promise<PpOcr>,
): Promise<ReadDocument> {
  const document = openDocument(pdfium, file.bytes, limits);
  try {
    const pages: Page[] = [];
    for (let index = 0; index < document.pageCount; index++) pages.push(await readPage(document, index, loadedPpOcr));
    return { mediaType: file.mediaType, pages, attachments: readAttachments(document) };
  } finally {
    document.close();
  }
}

async function readPage(document: PdfDocument, index: number, loadedPpOcr: () => Promise<PpOcr>): Promise<Page> {
  const page = loadPage(document, index);
  if (!page) {
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
  try {
    const objects = readPageObjects(page);
    const layer = readTextLayer(page, objects);
    const source = layer.words.length > 0 ? 'text' : 'ocr:ppocr:1';
    const words = source === 'text' ? layer.words : await readRasterised(page, await loadedPpOcr());
    return {
      number: index + 1,
      width: page.width,
      height: page.height,
      unit: 'point',
      words,
      readings: [{ source, words }],
      rulings: objects.rulings,
      turnedDegrees: 0,
    };
  } finally {
    page.close();
  }
}

async function readRasterised(page: PdfPage, ppocr: PpOcr): Promise<readonly Word[]> {
  const raster = rasterisePage(page, ocrDotsPerInch);
  if (!raster) return [];
  const reading = await readByPpOcr(ppocr, raster, firstPass, 'ocr:ppocr:1');
  return scaleWords(reading.words, page.width / raster.width);
}
