import assert from 'node:assert/strict';
import { test } from 'node:test';
import { docTypes } from '@millrace/document-model';
import { classify, untrainedTypes } from '@millrace/engine/classify/classify';
import { layOut } from '@millrace/engine/layout/layout';
import { typeset } from '@millrace/engine/layout/typeset';
import { generateDocument } from '@millrace/synthetic-documents';
import { withFaults } from './faults.ts';

const seeds = Array.from({ length: 8 }, (_, index) => `unseen ${index}`);

test('generated documents outside the training set are classified, as printed and as OCR reads them', () => {
  let total = 0;
  let right = 0;
  let sure = 0;
  let surelyRight = 0;
  const untrained = untrainedTypes().map(({ name }) => name);
  for (const type of docTypes.filter((name) => !untrained.includes(name))) {
    for (const seed of seeds) {
      const { document } = generateDocument({ type, seed });
      for (const read of [document, withFaults(document, seed)]) {
        const { docType, confidence } = classify(layOut(read));
        total += 1;
        if (docType === type) right += 1;
        if (confidence >= 90) {
          sure += 1;
          if (docType === type) surelyRight += 1;
        }
      }
    }
  }
  assert.ok(right / total >= 0.97, `${right} of ${total}`);
  assert.ok(surelyRight / sure >= 0.98, `${surelyRight} of ${sure} that were given 90 or more`);
});

test('a page without any word that indicates its type is a general document', () => {
  const layout = layOut(
    typeset([
      [[60, 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor']],
      [[60, 'incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud']],
      [[60, 'exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.']],
    ]),
  );
  assert.equal(classify(layout).docType, 'general');
});

test('a page is classified well within two milliseconds', () => {
  const layout = layOut(generateDocument({ type: 'invoice', seed: 'speed', layout: 'letter' }).document);
  for (let round = 0; round < 50; round += 1) classify(layout);
  const durations = Array.from({ length: 50 }, () => {
    const started = performance.now();
    classify(layout);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  assert.ok(durations[25]! < 2, `${durations[25]} ms`);
});
