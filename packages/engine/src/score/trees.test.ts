import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateEnsemble } from './trees.ts';
import { confidenceOf } from './weights.ts';

test('an ensemble adds up the leaves that its trees lead to', () => {
  const ensemble = {
    roots: Int32Array.of(0, 3),
    feature: Int16Array.of(0, -1, -1, -1),
    threshold: Float32Array.of(0.5, 1, 2, 10),
    left: Int32Array.of(1, 0, 0, 0),
  };
  assert.deepEqual([...evaluateEnsemble(ensemble, Float32Array.of(0.6, 0.4, 0.5), 1)], [12, 11, 11]);
  assert.deepEqual([...evaluateEnsemble(ensemble, Float32Array.of(0.6, 9, 0.4, 9), 2)], [12, 11]);
  assert.equal(evaluateEnsemble(ensemble, new Float32Array(0), 1).length, 0);
});

test('the rows that an ensemble meets first do not change its sums', () => {
  const ensembleOf = () => ({
    roots: Int32Array.of(0),
    feature: Int16Array.of(0, 0, 0, -1, -1, -1, -1),
    threshold: Float32Array.of(0.5, 0.25, 0.75, 1, 2, 4, 8),
    left: Int32Array.of(1, 3, 5, 0, 0, 0, 0),
  });
  const rows = Float32Array.of(0.1, 0.25, 0.3, 0.5, 0.6, 0.75, 0.9, Number.NaN);
  for (const firstRows of [rows, Float32Array.of(0, 0, 0.4), Float32Array.of(0.9, 0.9, 0.6)]) {
    const ensemble = ensembleOf();
    evaluateEnsemble(ensemble, firstRows, 1);
    assert.deepEqual([...evaluateEnsemble(ensemble, rows, 1)], [1, 1, 2, 2, 4, 4, 8, 8]);
  }
});

test('confidence lies on the lines between the calibration’s points', () => {
  const calibration = [
    [0, 0],
    [0.5, 40],
    [1, 98],
  ] as const;
  assert.equal(confidenceOf({ calibration }, 0), 0);
  assert.equal(confidenceOf({ calibration }, 0.25), 20);
  assert.equal(confidenceOf({ calibration }, 0.75), 69);
  assert.equal(
    confidenceOf(
      {
        calibration: [
          [0, 0],
          [0.5, 40],
        ],
      },
      0.9,
    ),
    40,
  );
});
