import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedFields } from '@millrace/document-model';
import { extractFromWords } from '../extract.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';

const bill = (...rows: readonly PrintedRow[]): ExtractedFields =>
  extractFromWords(typeset([[[40, 'Northgate Energy']], null, ...rows, [[40, 'Total amount due $98.77']]]), {
    docType: 'utility_bill',
    fields: null,
  }).extraction.fields;

test('a value that is all that stands at its caption is sure', () => {
  const { due_date: due, account_number: account } = bill(
    [[40, 'Due date: 10/25/2023']],
    [
      [40, 'Account number'],
      [200, '51-2233-0344'],
    ],
  );
  for (const value of [due, account]) {
    assert.ok(value!.confidence >= 90);
    assert.deepEqual(value!.flags, ['captioned']);
  }
});

test('two captions with one value agree', () => {
  const { account_number: account } = bill([[40, 'Account number: 51-2233-0344']], null, [
    [40, 'Account number: 51-2233-0344'],
  ]);
  assert.deepEqual(account?.flags, ['readings_agree']);
});

test('captions with different values prove neither', () => {
  for (const other of ['11/02/2023', '11/22/2023']) {
    const { due_date: due } = bill([[40, 'Due date: 10/25/2023']], null, [[40, `Due date: ${other}`]]);
    assert.ok(!due || due.confidence < 90, other);
  }
});
