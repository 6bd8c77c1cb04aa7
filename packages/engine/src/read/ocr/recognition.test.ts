import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAlphabet } from './recognition.ts';

test('an alphabet has the sign of the euro where its list of keys has the one that looks like it', () => {
  const { characters, latin } = parseAlphabet('a\n∈\n￡\n国');
  assert.deepEqual(characters, ['', 'a', '€', '£', '国', ' ']);
  assert.deepEqual([...latin], [1, 2, 3, 5]);
});
