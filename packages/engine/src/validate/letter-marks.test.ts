import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { documentTypeOf } from '../types/registry.ts';
import { unmarkedPlaces } from './letter-marks.ts';

test('names and words for payment may have lost their marks, other words and numbers not', () => {
  const read = (value: string): ExtractedValue => ({
    value,
    confidence: 80,
    provenance: [{ page: 1, box: { x0: 0, y0: 0, x1: 9, y1: 9 }, text: value, source: 'ocr:ppocr:1' }],
    flags: [],
  });
  const placesOf = (fields: Readonly<Record<string, string>>) =>
    unmarkedPlaces(
      documentTypeOf('receipt'),
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, read(value)])),
    ).length;
  assert.equal(placesOf({ merchant_name: 'Cafe du Port', payment_method: 'Especes' }), 2);
  assert.equal(placesOf({ payment_method: 'Visa', receipt_number: '7719' }), 0);
});
