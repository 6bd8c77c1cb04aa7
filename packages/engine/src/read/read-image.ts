import type { Page, ReadDocument } from '@millrace/document-model';
import type { IngestedFile, IngestLimits } from '../ingest/ingest.ts';
import type { ReadingEngines } from './engines.ts';
import { decodeImage } from './image/decode.ts';
import { type TiffPage, tiffPages } from './image/tiff.ts';
import { scaleWords } from './ocr/page.ts';
import { readFirst } from './passes.ts';
import type { OnStep } from './step.ts';
import { turnSize } from './turn.ts';

/**
 * Reads a picture as a document of one page, a TIFF of as many as it has.
 *
 * @throws EngineError `corrupt_document`, `empty_document` or `too_many_pages`.
 */
export async function readImage(
  file: IngestedFile,
  limits: Pick<IngestLimits, 'pages'>,
  engines: ReadingEngines,
  onStep: OnStep,
): Promise<ReadDocument> {
  onStep('decode');
  const pages: Page[] = [];
  for (const [index, picture] of picturesOf(file, limits).entries()) {
    onStep('decode');
    pages.push(await readPicture(file, picture, index + 1, engines, onStep));
  }
  return { mediaType: file.mediaType, pages, attachments: [] };
}

/** The pages of a file that is no PDF, as far as decoding them needs to know: nothing, unless it is a TIFF. */
export function picturesOf(file: IngestedFile, limits: Pick<IngestLimits, 'pages'>): readonly (TiffPage | undefined)[] {
  return file.mediaType === 'image/tiff' ? tiffPages(file.bytes, limits) : [undefined];
}

async function readPicture(
  file: IngestedFile,
  picture: TiffPage | undefined,
  number: number,
  engines: ReadingEngines,
  onStep: OnStep,
): Promise<Page> {
  const { raster, width, height } = await decodeImage(file, picture);
  onStep('recognise');
  const reading = await readFirst(engines, raster);
  const size = turnSize({ width, height }, reading.turn);
  const words = scaleWords(reading.words, size.width / reading.width);
  return {
    number,
    ...size,
    unit: 'pixel',
    words,
    readings: [{ source: 'ocr:ppocr:1', words }],
    rulings: [],
    turnedDegrees: reading.turn,
    ...(reading.straightening && { straightening: reading.straightening }),
  };
}
