import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixLookalikes, splitIntoWords } from './words.ts';

test('a zero among letters is an O, an O in a number a zero', () => {
  const corrected = ['B0ARD', 'INV0ICE:', 'n0te', 'N0.15', 'N0:', '1O.50', '2l/O3/2018', '0123456789O'].map(
    fixLookalikes,
  );
  assert.deepEqual(corrected, ['BOARD', 'INVOICE:', 'note', 'NO.15', 'NO:', '10.50', '21/03/2018', '01234567890']);
});

test('amounts and codes stay as they are', () => {
  for (const text of ['RM0.00', 'EUR0', 'A0', 'X51O9B', '0', 'OO', '300-C0001', 'IOU', '0.00', 'LCS03908']) {
    assert.equal(fixLookalikes(text), text);
  }
});

test('a word is spelled by its doubtful letters, and is as certain as it was read', () => {
  const characters = [...'anount'].map((text, at) => ({
    text,
    probability: at === 1 ? 0.7 : 0.99,
    alternatives: at === 1 ? [{ text: 'm', probability: 0.25 }] : [],
    spaceBefore: 0,
    position: (at + 0.5) / 6,
  }));
  const [word, ...others] = splitIntoWords(characters, new Uint8Array(120).fill(1));
  assert.deepEqual(others, []);
  assert.equal(word?.text, 'amount');
  assert.equal(word?.leastConfidence, 0.7);
});
