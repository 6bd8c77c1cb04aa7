import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errors } from '@millrace/extraction-contract/errors';
import { operations } from '@millrace/extraction-contract/operations';

const page = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');

test('docs/api.md lists every error as it is', () => {
  const rows = Object.entries(errors).map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`);
  const listed = page.split('\n').filter((line) => /^\| `\w+` \| \d{3} \|/.test(line));
  assert.deepEqual(listed, rows);
});

test('every error but those of the frame is declared by an operation', () => {
  const declared = new Set(operations.flatMap((operation): readonly string[] => operation.errors));
  const ofTheFrame = ['method_not_allowed'];
  assert.deepEqual(
    Object.keys(errors).filter((code) => !declared.has(code)),
    ofTheFrame,
  );
});
