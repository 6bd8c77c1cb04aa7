import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberOfWords } from './number-words.ts';

test('words say a number below a hundred, and others say none', () => {
  assert.deepEqual(['ten', 'Twenty-five', 'thirty six', 'several', 'two dozen'].map(numberOfWords), [
    10,
    25,
    36,
    null,
    null,
  ]);
});
