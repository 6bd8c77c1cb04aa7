import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeWeights } from './classify.ts';

const file = {
  features: ['evidence.invoice', 'evidence.receipt', 'words'],
  types: ['invoice', 'receipt'],
  weights: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  temperature: 1,
  ceiling: 1,
} as const;

test('weights stay valid when a type is added after their training', () => {
  const features = ['evidence.invoice', 'evidence.novel', 'evidence.receipt', 'words'];
  const { places, types } = placeWeights(file, features, ['invoice', 'novel', 'receipt']);
  assert.deepEqual(
    [places, types],
    [
      [0, 2, 3],
      ['invoice', 'receipt'],
    ],
  );
});

test('weights are refused that need a feature or a type which is gone', () => {
  assert.throws(() => placeWeights(file, ['evidence.invoice', 'words'], ['invoice', 'receipt']));
  assert.throws(() => placeWeights(file, [...file.features], ['invoice']));
});
