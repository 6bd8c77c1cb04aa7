import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue, ReadDocument, ValueFlag } from '@millrace/document-model';
import { typesetPage } from '../layout/typeset.ts';
import { doubtedOnPoorPictures } from './poor-pictures.ts';

const box = { x0: 0, y0: 0, x1: 9, y1: 9 };
const source = 'ocr:ppocr:1' as const;

function documentRead(confidence: number): ReadDocument {
  const words = Array.from({ length: 30 }, () => ({ text: 'word', box, source, confidence }));
  return {
    mediaType: 'image/png',
    pages: [{ ...typesetPage(1, []), words, readings: [{ source, words }] }],
    attachments: [],
  };
}

const valueWith = (value: number | string, ...flags: ValueFlag[]): ExtractedValue => ({
  value,
  confidence: 97,
  provenance: [{ page: 1, box, text: String(value), source }],
  flags,
});

test('on a poor picture only what a proof stands behind is sure', () => {
  const fields = {
    total_amount: valueWith(41.27, 'arithmetic_holds'),
    amount_due: valueWith(18_489.05, 'readings_differ'),
  };
  const confidences = (confidence: number) =>
    Object.values(doubtedOnPoorPictures(fields, documentRead(confidence))).map((each) => each.confidence);
  assert.deepEqual(confidences(0.85), [97, 89.5]);
  assert.deepEqual(confidences(0.97), [97, 97]);
});

test('a machine-readable zone whose check digits hold is proof of what it states', () => {
  const fields = { mrz: valueWith('P<UTO', 'check_digit_holds'), surname: valueWith('EXAMPLE') };
  assert.equal(doubtedOnPoorPictures(fields, documentRead(0.8)).surname?.confidence, 97);
});
