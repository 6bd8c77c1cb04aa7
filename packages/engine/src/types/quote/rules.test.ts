import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { typeset } from '../../layout/typeset.ts';

const validUntil = (...lines: string[]) =>
  extractFromWords(typeset(['Angebot', 'Datum: 04.09.2025', ...lines].map((text) => [[40, text]])), {
    docType: 'quote',
    fields: null,
  }).extraction.fields.valid_until?.value;

test('a sentence says until when an offer holds, and another day in it is not meant', () => {
  const asked = 'vielen Dank für Ihre Anfrage vom 28.08.2025. Gern bieten wir Ihnen an:';
  assert.equal(validUntil(asked, 'An dieses Angebot halten wir uns bis zum 04.10.2025 gebunden.'), '2025-10-04');
  assert.equal(validUntil('This offer of 28.08.2025 is valid until 30.09.2025.'), '2025-09-30');
});
