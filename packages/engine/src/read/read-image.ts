import type { Page, ReadDocument } from '@millrace/document-model';
import type { IngestedFile } from '../ingest/ingest.ts';
import type { ReadingEngines } from './engines.ts';
import { decodeImage } from './image/decode.ts';
import { scaleWords } from './ocr/page.ts';
import { readFirst } from './passes.ts';
import type { OnStep } from './step.ts';
import { turnSize } from './turn.ts';

/** Reads a picture as a document of one page. */
export async function readImage(file: IngestedFile, engines: ReadingEngines, onStep: OnStep): Promise<ReadDocument> {
  onStep('decode');
  const { raster, width, height } = await decodeImage(file);
  onStep('recognise');
  const reading = await readFirst(engines, raster);
  const size = turnSize({ width, height }, reading.turn);
  const words = scaleWords(reading.words, size.width / reading.width);
  const page: Page = {
    number: 1,
    ...size,
    unit: 'pixel',
    words,
    readings: [{ source: 'ocr:ppocr:1', words }],
    rulings: [],
    turnedDegrees: reading.turn,
    ...(reading.straightening && { straightening: reading.straightening }),
  };
  return { mediaType: file.mediaType, pages: [page], attachments: [] };
}
