import type { Page, ReadDocument, Reading } from '@millrace/document-model';
import type { IngestedFile, IngestLimits } from '../ingest/ingest.ts';
import { plainDigits } from './digits.ts';
import { drawPicture, type PictureRequest } from './draw-picture.ts';
import { createReadingEngines, type ReadingEngines } from './engines.ts';
import { decodeImage } from './image/decode.ts';
import type { ScriptLanguage } from './ocr/scripts.ts';
import { bandsOf, type PagePart, partOf, wholePage } from './page-part.ts';
import { chooseWords, type FurtherReading, isOcr, ordinalOf, readFurther } from './passes.ts';
import type { Raster } from './raster.ts';
import { picturesOf, readImage } from './read-image.ts';
import { countPdfPages, rasterisePages, readPdf } from './read-pdf.ts';
import { type DoubtfulPlace, settledPlaces } from './settled.ts';
import type { OnStep } from './step.ts';
import { turnRaster } from './turn.ts';

/** Turns files into words on pages. It keeps its models loaded between documents. */
export interface Reader {
  /**
   * Reads a document once: text layers where they are sound, one OCR pass where they are not.
   *
   * @throws EngineError `corrupt_document`, `encrypted_document`, `too_many_pages` or `empty_document`.
   */
  read(file: IngestedFile, limits: Pick<IngestLimits, 'pages'>): Promise<ReadDocument>;
  /**
   * Counts a document's pages without reading them; a PNG or JPEG is one.
   *
   * @throws EngineError `corrupt_document`, `encrypted_document`, `too_many_pages` or `empty_document`.
   */
  countPages(file: IngestedFile, limits: Pick<IngestLimits, 'pages'>): Promise<number>;
  /**
   * Reads the pages that came from OCR by the further passes, all at once. Returns the document with the second pass's
   * reading added, then with the third's as well; nothing where no page came from OCR.
   *
   * @param doubts where values stand that are not sure: rows elsewhere that were read with certainty are left out. Pages
   *   are read again as a whole unless it is given.
   * @param how in both passes and by the pages' words where it is not given
   */
  readAgain(
    file: IngestedFile,
    document: ReadDocument,
    doubts?: readonly DoubtfulPlace[],
    how?: FurtherReading,
  ): Promise<readonly ReadDocument[]>;
  /** Draws one page for people to look at; see {@link drawPicture}. */
  draw(file: IngestedFile, request: PictureRequest): Promise<Uint8Array>;
  /** Loads what the first document would have to wait for. */
  warmUp(): Promise<void>;
  /** Frees the models. */
  close(): Promise<void>;
}

/** Pages; of a longer scan the first ones alone are read again, so that a doubtful one costs no minutes. */
const readAgainLimit = 8;

export interface ReaderOptions {
  /** Called at the beginning of each step of reading a page. */
  readonly onStep?: OnStep;
  /** Languages of other scripts that pictures may be of; none unless given. */
  readonly scriptLanguages?: readonly ScriptLanguage[];
}

/** A reader whose engines load when the first document needs them. */
export function createReader(options: ReaderOptions = {}): Reader {
  const engines = createReadingEngines(options.scriptLanguages);
  const onStep = options.onStep ?? (() => undefined);
  return {
    read: async (file, limits) => {
      const document = plainDigits(
        file.mediaType === 'application/pdf'
          ? await readPdf(file, limits, engines, onStep)
          : await readImage(file, limits, engines, onStep),
      );
      onStep('understand');
      return document;
    },
    countPages: async (file, limits) =>
      file.mediaType === 'application/pdf'
        ? await countPdfPages(file, limits, engines, onStep)
        : picturesOf(file, limits).length,
    readAgain: async (file, document, doubts, how = { language: null, passes: 2 }) => {
      const again = await readAgain(file, document, { ...how, doubts: doubts ?? null }, engines, onStep);
      onStep('understand');
      return again;
    },
    draw: (file, request) => drawPicture(file, request, engines, onStep),
    warmUp: async () => {
      await Promise.all([engines.pdfium(), engines.ppocr()]);
    },
    close: () => engines.close(),
  };
}

async function readAgain(
  file: IngestedFile,
  document: ReadDocument,
  { doubts, ...how }: FurtherReading & { readonly doubts: readonly DoubtfulPlace[] | null },
  engines: ReadingEngines,
  onStep: OnStep,
): Promise<readonly ReadDocument[]> {
  const doubtful = document.pages.filter((page) => page.readings.some(isOwnPass)).slice(0, readAgainLimit);
  if (doubtful.length === 0) return [];
  const again = new Map<number, readonly Reading[]>();
  await withRasters(file, doubtful, engines, onStep, async (page, raster) => {
    const onPass = () => onStep('recognise');
    onPass();
    const parts = partsToRead(page, turnRaster(raster, page.turnedDegrees), doubts, how.onlyDoubts ?? false);
    again.set(page.number, await readFurther(engines, page, parts, how, onPass));
  });
  return [1, 2].slice(0, how.passes).map((count) => ({
    ...document,
    pages: document.pages.map((page) => withReadings(page, again.get(page.number)?.slice(0, count) ?? [])),
  }));
}

/** The parts of a page's upright picture that are read again: all of it but what is settled, or the doubtful places alone. */
function partsToRead(
  page: Page,
  raster: Raster,
  doubts: readonly DoubtfulPlace[] | null,
  onlyDoubts: boolean,
): readonly PagePart[] {
  if (doubts && onlyDoubts) return bandsOf(page, doubts).map((band) => partOf(page, raster, band));
  return [wholePage(page, raster, doubts ? settledPlaces(page, doubts) : [])];
}

function withReadings(page: Page, further: readonly Reading[]): Page {
  if (further.length === 0) return page;
  const readings = [...page.readings, ...further];
  return { ...page, words: chooseWords(readings), readings };
}

function isOwnPass({ source }: Reading): boolean {
  return isOcr(source) && ordinalOf(source) > 0;
}

async function withRasters(
  file: IngestedFile,
  pages: readonly Page[],
  engines: ReadingEngines,
  onStep: OnStep,
  use: (page: Page, raster: Raster) => Promise<void>,
): Promise<void> {
  if (file.mediaType !== 'application/pdf') {
    const pictures = picturesOf(file, { pages: Infinity });
    for (const page of pages) {
      onStep('decode');
      const { raster } = await decodeImage(file, pictures[page.number - 1]);
      await use(page, raster);
    }
    return;
  }
  const byNumber = new Map(pages.map((page) => [page.number, page]));
  await rasterisePages(file, [...byNumber.keys()], engines, onStep, async (number, raster) => {
    const page = byNumber.get(number);
    if (page) await use(page, raster);
  });
}
