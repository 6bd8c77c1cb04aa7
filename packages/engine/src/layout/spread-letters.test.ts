import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Word } from '@millrace/document-model';
import { joinSpreadLetters } from './spread-letters.ts';

type Placed = readonly [x: number, text: string];

/** The texts of a line's words, each given with its place; letters are 6 wide and 10 high. */
function textsOf(...placed: readonly Placed[]): readonly string[] {
  const words = placed.map(([x0, text]): Word => {
    return { text, box: { x0, y0: 0, x1: x0 + 6 * text.length, y1: 10 }, source: 'text', confidence: 1 };
  });
  return joinSpreadLetters(words).map(({ text }) => text);
}

test('a word of spread letters is one word, and a wider blank ends it', () => {
  const letters = [...'GRILL'].map((text, at): Placed => [at * 10, text]);
  assert.deepEqual(textsOf(...letters), ['GRILL']);
  const house = [...'HOUSE'].map((text, at): Placed => [62 + at * 10, text]);
  assert.deepEqual(textsOf(...letters, ...house, [130, '2025']), ['GRILL', 'HOUSE', '2025']);
});

test('initials, columns that are called by letters, and other words stay as they are', () => {
  assert.deepEqual(textsOf([0, 'J'], [10, 'R'], [20, 'R'], [32, 'Tolman']), ['J', 'R', 'R', 'Tolman']);
  assert.deepEqual(textsOf([0, 'A'], [40, 'B'], [80, 'C'], [120, 'D']), ['A', 'B', 'C', 'D']);
  assert.deepEqual(textsOf([0, 'Total'], [40, 'due'], [70, 'in'], [90, 'EUR']), ['Total', 'due', 'in', 'EUR']);
});
