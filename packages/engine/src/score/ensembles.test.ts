import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreRows } from './ensembles.ts';
import type { Ensemble } from './trees.ts';

/** Trees of one test each: a row gets `below` up to the threshold, else `above`. */
function stumps(...trees: readonly (readonly [threshold: number, below: number, above: number])[]): Ensemble {
  return {
    roots: Int32Array.from(trees, (_, tree) => tree * 3),
    feature: Int16Array.from(trees.flatMap(() => [0, -1, -1])),
    threshold: Float32Array.from(trees.flat()),
    left: Int32Array.from(trees.flatMap((_, tree) => [tree * 3 + 1, 0, 0])),
  };
}

const repeated = (count: number, ...tree: readonly [number, number, number]) =>
  Array.from({ length: count }, () => tree);

test('a score is the sum over all trees', () => {
  const ensemble = stumps(...repeated(96, 0.5, 0, 0.03125), [0.75, 0, 1]);
  assert.deepEqual([...scoreRows([{ ensemble, share: 1 }], Float32Array.of(0.25, 0.625, 1), 1)], [0, 3, 4]);
  assert.equal(scoreRows([{ ensemble, share: 1 }], new Float32Array(0), 1).length, 0);
});

test('ensembles have their shares in a score', () => {
  const first = stumps(...repeated(96, 0.5, 0, 0.03125));
  const second = stumps([0.75, 2, 4]);
  const ensembles = [
    { ensemble: first, share: 0.75 },
    { ensemble: second, share: 0.25 },
  ] as const;
  assert.deepEqual([...scoreRows(ensembles, Float32Array.of(0.25, 0.625, 1), 1)], [0.5, 2.75, 3.25]);
});

test('rows that the first trees find hopeless end far below all others, in their order', () => {
  const hopeless = [...repeated(48, 0.75, -0.125, 0), ...repeated(12, 0.25, -0.625, 0)];
  const ensemble = stumps(...hopeless, [0.25, 100, 0], [0.9, 0, -50]);
  const [worst, bad, good, best] = scoreRows([{ ensemble, share: 1 }], Float32Array.of(0.25, 0.5, 1, 0.8), 1);
  assert.deepEqual([best, good], [0, -50]);
  assert.ok(worst! < bad! && bad! < good! - 20, `${worst} ${bad}`);
});
