import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue, WordSource } from '@millrace/document-model';
import { documentTypeOf } from '../types/registry.ts';
import { withRepairedLetters } from './repaired.ts';

const read = (value: string, source: WordSource): ExtractedValue => ({
  value,
  confidence: 80,
  provenance: [{ page: 1, box: { x0: 0, y0: 0, x1: 9, y1: 9 }, text: value, source }],
  flags: [],
});

test('letters are put right in names and addresses that were read from a picture, and nowhere else', () => {
  const type = documentTypeOf('resume');
  const addressFrom = (source: WordSource) =>
    withRepairedLetters(type, { address: read('RitterstraBe 18, 04109 Leipzig', source) }).address?.value;
  assert.equal(addressFrom('ocr:ppocr:1'), 'Ritterstraße 18, 04109 Leipzig');
  assert.equal(addressFrom('text'), 'RitterstraBe 18, 04109 Leipzig');
  const floor = withRepairedLetters(type, { address: read('C/ Ejemplo 12, 3° B, 28012 Madrid', 'ocr:ppocr:1') });
  assert.equal(floor.address?.value, 'C/ Ejemplo 12, 3º B, 28012 Madrid');
  const canadian = read('Box 418, Rosetown SK SOL 2VO', 'ocr:ppocr:1');
  assert.equal(withRepairedLetters(type, { address: canadian }).address?.value, 'Box 418, Rosetown SK S0L 2V0');
  const phone = read('0l76 5550', 'ocr:ppocr:1');
  assert.equal(withRepairedLetters(type, { phone }).phone, phone);
});
