import type { Page, ReadDocument } from '../document.ts';
import type { IngestedFile, IngestLimits } from '../ingest/ingest.ts';
import { createReadingEngines, type ReadingEngines } from './engines.ts';
import { decodeImage } from './image/decode.ts';
import { readImage } from './image/read.ts';
import { chooseWords, isOcr, ordinalOf, passCount, readPass } from './passes.ts';
import { rasterisePages, readPdf } from './pdf/read.ts';
import type { Raster } from './raster.ts';

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
  /** Loads what the first document would have to wait for. */
  warmUp(): Promise<void>;
  /** Frees the models. */
  close(): Promise<void>;
}

/** Pages; of a longer scan the first ones alone are read again, so that a doubtful one costs no minutes. */
const readAgainLimit = 8;

export interface ReaderOptions {
  /** Called after each page, and after each further pass over one. */
  readonly onProgress?: () => void;
}

/** A reader whose engines load when the first document needs them. */
export function createReader(options: ReaderOptions = {}): Reader {
  const engines = createReadingEngines();
  const onProgress = options.onProgress ?? (() => undefined);
  return {
    read: async (file, limits) =>
      file.mediaType === 'application/pdf'
        ? await readPdf(file, limits, engines, onProgress)
        : await readImage(file, engines),
    readAgain: (file, document) => readAgain(file, document, engines, onProgress),
    warmUp: async () => {
      await Promise.all([engines.pdfium(), engines.ppocr()]);
    },
    close: () => engines.close(),
  };
}

async function readAgain(
  file: IngestedFile,
  document: ReadDocument,
  engines: ReadingEngines,
  onProgress: () => void,
): Promise<ReadDocument | null> {
  const ordinals = document.pages.flatMap((page) => page.readings.map((reading) => ordinalOf(reading.source)));
  const ordinal = Math.max(0, ...ordinals) + 1;
  const doubtful = document.pages.filter((page) => page.readings.some(isOwnPass)).slice(0, readAgainLimit);
  if (ordinal > passCount || doubtful.length === 0) return null;
  const again = new Map<number, Page>();
  await withRasters(file, doubtful, engines, async (page, raster) => {
    const readings = [...page.readings, await readPass(engines, ordinal, raster, page)];
    again.set(page.number, { ...page, words: chooseWords(readings), readings });
    onProgress();
  });
  return { ...document, pages: document.pages.map((page) => again.get(page.number) ?? page) };
}

function isOwnPass({ source }: Page['readings'][number]): boolean {
  return isOcr(source) && ordinalOf(source) > 0;
}

async function withRasters(
  file: IngestedFile,
  pages: readonly Page[],
  engines: ReadingEngines,
  use: (page: Page, raster: Raster) => Promise<void>,
): Promise<void> {
  if (file.mediaType !== 'application/pdf') {
    const { raster } = await decodeImage(file);
    for (const page of pages) await use(page, raster);
    return;
  }
  const byNumber = new Map(pages.map((page) => [page.number, page]));
  await rasterisePages(file, [...byNumber.keys()], engines, async (number, raster) => {
    const page = byNumber.get(number);
    if (page) await use(page, raster);
  });
}
