import assert from 'node:assert/strict';
import test from 'node:test';
import { documentTypeOf } from '@millrace/engine/types';
import { drawnCases } from './drawn.ts';
import { isHeldOut } from './split.ts';

test('drawn documents show words, and their labels are fields and columns of their type', async () => {
  const cases = await drawnCases();
  assert.ok(cases.length > 0);
  assert.equal(new Set(cases.map(({ key }) => key)).size, cases.length);
  for (const { key, words, docType, truth } of cases) {
    assert.equal(isHeldOut(key), false, key);
    assert.ok(
      words!.pages.some((page) => page.words.length > 0),
      key,
    );
    const { fields, columns } = documentTypeOf(docType);
    const { fields: labels, rows } = await truth(async () => words!);
    assert.deepEqual(
      Object.keys(labels).filter((name) => !fields.some((field) => field.name === name)),
      [],
      key,
    );
    const labelled = (rows ?? []).flatMap((row) => Object.keys(row));
    assert.deepEqual(
      labelled.filter((name) => !columns.some((column) => column.name === name)),
      [],
      key,
    );
  }
});
