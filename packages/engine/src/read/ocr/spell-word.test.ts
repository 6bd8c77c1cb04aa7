import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAlphabet } from './recognition.ts';
import { spellWord } from './spell-word.ts';
import type { LineOutput } from './zone-line.ts';

const alphabet = parseAlphabet(
  ['日', ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:'&"].join('\n'),
);
const { characters } = alphabet;

/** What a step's most likely character may be as well, by its place in the text; the empty text is the blank. */
type Doubts = Readonly<Record<number, Readonly<Record<string, number>>>>;

/** The network's output for a text: a step for each character, between blanks. */
function outputOf(text: string, doubts: Doubts): LineOutput {
  const classes = characters.length;
  const steps = 2 * text.length + 1;
  const probabilities = new Float32Array(steps * classes);
  for (let step = 0; step < steps; step += 1) {
    const character = step % 2 === 0 ? '' : text[(step - 1) / 2]!;
    const others = step % 2 === 0 ? {} : (doubts[(step - 1) / 2] ?? {});
    const left = 1 - Object.values(others).reduce((sum, probability) => sum + probability, 0);
    for (const [other, probability] of [...Object.entries(others), [character, left] as const]) {
      probabilities[step * classes + characters.indexOf(other)]! += probability;
    }
  }
  return { probabilities, steps, classes };
}

/** The text as it is spelled, where it was read with the likeliest character of each step. */
function spelled(text: string, doubts: Doubts, read = text): string {
  return spellWord(outputOf(text, doubts), alphabet, { first: 0, end: Number.POSITIVE_INFINITY }, read);
}

test('a doubtful letter is the one that words are spelled with, in each language', () => {
  assert.equal(spelled('anount', { 1: { m: 0.25 } }), 'amount');
  assert.equal(spelled('Roundinq', { 7: { g: 0.25 } }), 'Rounding');
  assert.equal(spelled('0perador', { 0: { O: 0.15 } }), 'Operador');
  assert.equal(spelled('Rechnunqsnummer', { 7: { g: 0.25 } }), 'Rechnungsnummer');
  assert.equal(spelled('S0CKET', { 1: { O: 0.35 } }), 'SOCKET');
  assert.equal(spelled('facturatlon', { 8: { i: 0.3 } }), 'facturation');
});

test('a letter that was lost beside the blank is found, and one that is none is dropped', () => {
  assert.equal(spelled('agreement', { 3: { '': 0.6 } }, 'agrement'), 'agreement');
  assert.equal(spelled('conditiions', { 6: { '': 0.3 } }), 'conditions');
});

test('what was read with certainty, abbreviations, codes, numbers and signs stay', () => {
  const words: readonly (readonly [string, Doubts])[] = [
    ['anount', {}],
    ['EC1N', { 2: { I: 0.08 } }],
    ['TVQ', { 2: { O: 0.08 } }],
    ['1O45.60', { 1: { '0': 0.3 } }],
    ['DE81l', { 4: { i: 0.4 } }],
    ['Tlf.', { 1: { I: 0.1 } }],
    ['Kundenkonto,', { 11: { '': 0.45 } }],
    ['Kundenkonto,', { 11: { '.': 0.45 } }],
    ['AHOO2', { 3: { '0': 0.4 } }],
    ['日日日', { 1: { n: 0.4 } }],
    ['Abernethy', { 3: { m: 0.2 } }],
    ['perjury,1', { 8: { '': 0.4 } }],
    ['(number,street', { 7: { '': 0.4 } }],
    ['Leuchte,IP44', { 8: { '': 0.4 }, 9: { '': 0.4 } }],
  ];
  for (const [text, doubts] of words) assert.equal(spelled(text, doubts), text);
});

test('a line of a thousand doubtful letters is read', () => {
  const long = 'anount'.repeat(170);
  const doubts = Object.fromEntries([...long].map((_, at) => [at, { m: 0.3, '': 0.2 }]));
  assert.equal(spelled(long, doubts), 'amount'.repeat(170));
});
