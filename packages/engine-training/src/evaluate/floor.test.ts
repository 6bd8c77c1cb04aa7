import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeset } from '@millrace/engine/layout/typeset';
import { floorFields } from './floor.ts';

const document = typeset([
  [[60, 'Invoice']],
  [[60, 'Invoice number: INV-2041']],
  [[60, 'Invoice date: 2024-03-05']],
  [[60, 'Some words without a caption 1,250.00']],
]);

test('the floor takes the values beside their captions and nothing else', () => {
  const fields = floorFields(document, 'invoice');
  assert.equal(fields.invoice_number?.value, 'INV-2041');
  assert.equal(fields.invoice_date?.value, '2024-03-05');
  assert.equal(fields.total_amount, undefined);
});

test('the floor reads the words of Tesseract where a page has them', () => {
  const { words } = document.pages[0]!;
  const other = words.map((word) => ({ ...word, text: word.text.replace('2041', '2047') }));
  const page = { ...document.pages[0]!, readings: [{ source: 'ocr:tesseract:2' as const, words: other }] };
  assert.equal(floorFields({ ...document, pages: [page] }, 'invoice').invoice_number?.value, 'INV-2047');
});
