import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDoubtful, mayStandInstead, spell } from './spelling.ts';
import type { ReadCharacter } from './words.ts';

/** The characters of a word as it was read, those in doubt with what else each may be: `{ 1: ['m', 0.2] }`. */
function read(
  text: string,
  probability: number,
  doubts: Readonly<Record<number, readonly [text: string, probability: number]>>,
): readonly ReadCharacter[] {
  return [...text].map((character, at) => {
    const [other, otherProbability] = doubts[at] ?? [];
    return {
      text: character,
      probability: other === undefined ? 0.99 : probability,
      alternatives: other === undefined ? [] : [{ text: other, probability: otherProbability! }],
      spaceBefore: 0,
      position: at / text.length,
    };
  });
}

test('a doubtful letter is the one that words are spelled with, in each language', () => {
  const spelled = [
    read('anount', 0.7, { 1: ['m', 0.25] }),
    read('Roundinq', 0.7, { 7: ['g', 0.25] }),
    read('0perador', 0.8, { 0: ['O', 0.15] }),
    read('Rechnunqsnummer', 0.7, { 7: ['g', 0.25] }),
    read('S0CKET', 0.6, { 1: ['O', 0.35] }),
    read('facturatlon', 0.6, { 8: ['i', 0.3] }),
  ].map((word) => spell(word));
  assert.deepEqual(spelled, ['amount', 'Rounding', 'Operador', 'Rechnungsnummer', 'SOCKET', 'facturation']);
});

test('what was read with certainty, names, codes and numbers stay', () => {
  const words = [
    read('anount', 0.9, {}),
    read('EC1N', 0.86, { 2: ['I', 0.08] }),
    read('TVQ', 0.88, { 2: ['O', 0.08] }),
    read('1O45.60', 0.6, { 1: ['0', 0.3] }),
    read('DE81l', 0.5, { 4: ['i', 0.4] }),
    read('Tlf.', 0.8, { 1: ['I', 0.1] }),
  ];
  for (const word of words) assert.equal(spell(word), word.map(({ text }) => text).join(''));
});

test('doubtful are letters and digits and what is taken for them, and a letter is never made a digit', () => {
  assert.ok(isDoubtful('n', 0.8));
  assert.ok(isDoubtful('0', 0.8));
  assert.ok(!isDoubtful('n', 0.97));
  assert.ok(!isDoubtful(',', 0.4));
  assert.ok(mayStandInstead('O', 0.1, '0'));
  assert.ok(mayStandInstead('8', 0.1, '0'));
  assert.ok(!mayStandInstead('0', 0.4, 'O'));
  assert.ok(!mayStandInstead('m', 0.01, 'n'));
  assert.ok(!mayStandInstead('日', 0.4, 'n'));
});

test('a word of a thousand doubtful letters takes no longer than its length', () => {
  const long = 'anount'.repeat(200);
  const doubts = Object.fromEntries([...long].map((_, at) => [at, ['m', 0.3] as const]));
  assert.equal(spell(read(long, 0.4, doubts)).length, long.length);
});
