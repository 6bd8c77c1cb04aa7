import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentTypeOf } from '../types/registry.ts';
import { matchCaptions, tokensOf } from './captions.ts';

const invoice = documentTypeOf('invoice');

/** The names of the fields whose captions stand in a text, those inside a longer caption left out. */
function fieldsIn(text: string, tolerant = false): string[] {
  const matches = matchCaptions(invoice, tokensOf(text), tolerant).filter(({ covered }) => !covered);
  return [...new Set(matches.map(({ field }) => invoice.fields[field]!.name))];
}

test('captions are found whatever their case, punctuation and blanks', () => {
  for (const text of ['Invoice Number: 5', 'INVOICE NUMBER', 'InvoiceNumber 7'])
    assert.ok(fieldsIn(text).includes('invoice_number'), text);
  assert.ok(fieldsIn('Rechnungsdatum 05.03.2018').includes('invoice_date'));
});

test('a longer caption covers a shorter one of another field', () => {
  const fields = fieldsIn('Subtotal 12.00');
  assert.ok(fields.includes('subtotal'));
  assert.ok(!fieldsIn('Sub Total 12.00').includes('total_amount'));
});

test('one misread letter is forgiven only where the text was recognised', () => {
  assert.ok(!fieldsIn('Subtotai').includes('subtotal'));
  assert.ok(fieldsIn('Subtotai', true).includes('subtotal'));
});

test('a digit within a word is the letter that it was taken for', () => {
  assert.deepEqual(
    tokensOf('TELEFON0: 963 T0').map(({ text }) => text),
    ['telefono', '963', 't', '0'],
  );
  assert.ok(fieldsIn('CUSTOMER P.0.').includes('purchase_order'));
});

test('a capital within a word begins another token only where words may be glued', () => {
  const texts = (isGlued: boolean) => tokensOf('Date of birthDate', isGlued).map(({ text }) => text);
  assert.deepEqual(texts(false), ['date', 'of', 'birthdate']);
  assert.deepEqual(texts(true), ['date', 'of', 'birth', 'date']);
});
