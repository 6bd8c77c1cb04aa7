import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from './extract.ts';
import { typeset } from './layout/typeset.ts';

/** Leaders, rules and hidden digits, which patterns can part in many ways and, where none fits, try all of them. */
const parts = ['.', '*', '#', '_', '. '];

test('a line of leaders, rules or hidden digits is read in no more time than any other', () => {
  for (const part of parts) {
    const line = part.repeat(1_500 / part.length);
    const document = typeset([
      [[10, 'Harbour Grill']],
      [[10, `${line}!`]],
      [[10, `1 ${line} z`]],
      [[10, 'Total 12.00']],
    ]);
    for (const docType of ['receipt', 'contract'] as const) {
      const { extraction } = extractFromWords(document, { docType, fields: null });
      assert.equal(extraction.docType, docType);
    }
  }
});
