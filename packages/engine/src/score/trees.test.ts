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
