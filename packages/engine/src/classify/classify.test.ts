import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { placeWeights } from './classify.ts';
import { classifierFeatures, classifierFeaturesOf } from './features.ts';

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

test('a term of payment is no sign of a receipt', () => {
  const evidenceOf = (text: string) =>
    classifierFeaturesOf(layOut(typeset([[[40, text]]])))[classifierFeatures.indexOf('evidence.receipt')]!;
  assert.equal(evidenceOf('Due upon receipt of invoice'), 0);
  assert.ok(evidenceOf('Receipt') > 0);
});
