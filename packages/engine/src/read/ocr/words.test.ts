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

test('a word is spelled within its own steps, and is as certain as it was read', () => {
  const characters = [...'anount1'].map((text, at) => ({
    text,
    probability: at === 1 ? 0.7 : 0.99,
    steps: { first: 10 * at + 5, end: 10 * at + 6 },
    spaceBefore: at === 6 ? 1 : 0,
    position: (at + (at === 6 ? 3.5 : 0.5)) / 10,
  }));
  const ink = new Uint8Array(200).fill(1).fill(0, 122, 178);
  const spelled: unknown[] = [];
  const words = splitIntoWords(characters, ink, (text, steps) => {
    spelled.push({ text, ...steps });
    return text.replace('anount', 'amount');
  });
  assert.deepEqual(spelled, [
    { text: 'anount', first: 0, end: 65 },
    { text: '1', first: 56, end: Number.POSITIVE_INFINITY },
  ]);
  assert.deepEqual(
    words.map(({ text }) => text),
    ['amount', '1'],
  );
  assert.equal(words[0]?.leastConfidence, 0.7);
});

test('a word whose outer characters lie where no ink is seen, as in a shadow, reaches to them', () => {
  const characters = [...'LONEWALL'].map((text, at) => ({
    text,
    probability: 0.99,
    spaceBefore: at === 4 ? 1 : 0,
    position: (20 * at + (at < 4 ? 10 : 40)) / 240,
  }));
  const inkUntil = (end: number) => new Uint8Array(240).fill(1).fill(0, 80, 106).fill(0, end);
  const endsOf = (ink: Uint8Array) => splitIntoWords(characters, ink, (text) => text).map(({ end }) => 240 * end);
  assert.deepEqual(endsOf(inkUntil(190)).map(Math.round), [80, 190]);
  assert.deepEqual(endsOf(inkUntil(80)).map(Math.round), [80, 188]);
});
