import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Word } from '@millrace/document-model';
import { unite, vote } from './merge.ts';

/** A word of the first pass, unless another is given, on a grid of 100 by 20. */
function word(text: string, column = 0, row = 0, pass = 1): Word {
  const box = { x0: 100 * column, y0: 20 * row, x1: 100 * column + 60, y1: 20 * row + 12 };
  return { text, box, source: `ocr:test:${pass}`, confidence: 0.9 };
}

const textsOf = (words: readonly Word[]) => words.map(({ text }) => text);

test('two passes that agree outvote the first one; one alone does not', () => {
  const first = [word('1O.50'), word('TOTAI', 1)];
  const second = [word('10.50', 0, 0, 2), word('T0TAL', 1, 0, 2)];
  assert.deepEqual(textsOf(vote([first, second])), ['1O.50', 'TOTAI']);
  const third = [word('10.50', 0, 0, 3), word('TOTAL', 1, 0, 3)];
  assert.deepEqual(textsOf(vote([first, second, third])), ['10.50', 'TOTAI']);
});

test('a part of a word never stands for all of it', () => {
  const glued = { ...word('Str.17'), box: { x0: 0, y0: 0, x1: 60, y1: 12 } };
  const part = (text: string, x0: number, x1: number, pass: number) => ({
    ...word(text, 0, 0, pass),
    box: { x0, y0: 0, x1, y1: 12 },
  });
  const parted = (pass: number) => [part('Str.', 0, 38, pass), part('17', 44, 60, pass)];
  assert.deepEqual(textsOf(vote([[glued], parted(2), parted(3)])), ['Str.', '17']);
  const other = [part('Str.', 0, 38, 3), part('1', 44, 60, 3)];
  assert.deepEqual(textsOf(vote([[glued], parted(2), other])), ['Str.17']);
});

test('a reading that has the marks is taken', () => {
  const first = ['Kaufer', 'StraBe', 'E12.00', 'Rate'].map((text, row) => word(text, 0, row));
  const second = ['Käufer', 'Straße', '€12.00', 'Räder'].map((text, row) => word(text, 0, row, 2));
  assert.deepEqual(textsOf(vote([first, second])), ['Käufer', 'Straße', '€12.00', 'Rate']);
});

test('words that only a later pass saw are added where nothing stands', () => {
  assert.deepEqual(textsOf(vote([[word('a')], [word('b', 0, 0, 2), word('c', 1, 0, 2)]])), ['a', 'c']);
  assert.deepEqual(textsOf(unite([word('stamp')], [word('st4mp', 0, 0, 1), word('below', 0, 1)])), ['stamp', 'below']);
});

test('a rule between columns that a later pass reads as a bar is no word', () => {
  assert.deepEqual(textsOf(vote([[word('Name')], [word('|', 2, 0, 2), word('Ada', 3, 0, 2)]])), ['Name', 'Ada']);
});
