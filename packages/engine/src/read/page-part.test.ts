import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@millrace/document-model';
import { bandsOf } from './page-part.ts';

const page: Page = {
  number: 1,
  width: 300,
  height: 200,
  unit: 'pixel',
  words: [],
  readings: [],
  rulings: [],
  turnedDegrees: 0,
};
const at = (y0: number, y1: number, number = 1) => ({ page: number, box: { x0: 10, y0, x1: 50, y1 } });

test('places next to each other share a band, with what stands just around them', () => {
  assert.deepEqual(bandsOf(page, [at(114, 124), at(20, 30), at(100, 110), at(36, 46)]), [
    { top: 10, bottom: 56 },
    { top: 90, bottom: 134 },
  ]);
});

test('a band ends where the page does, and holds no place of another page', () => {
  assert.deepEqual(bandsOf(page, [at(4, 14), at(190, 200), at(100, 110, 2)]), [
    { top: 0, bottom: 24 },
    { top: 180, bottom: 200 },
  ]);
});
