import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Word } from '@millrace/document-model';
import { settledPlaces } from './settled.ts';

const word = (text: string, x0: number, y0: number, leastConfidence = 0.99): Word => ({
  text,
  box: { x0, y0, x1: x0 + 40, y1: y0 + 10 },
  source: 'ocr:ppocr:1',
  confidence: 0.99,
  leastConfidence,
});

const words = [
  word('Total', 10, 10),
  word('28.05', 200, 11),
  word('Date', 10, 30),
  word('14/03', 200, 30, 0.6),
  word('Thank', 10, 50),
  word('you', 60, 50),
];
const page: Page = {
  number: 1,
  width: 300,
  height: 100,
  unit: 'pixel',
  words,
  readings: [],
  rulings: [],
  turnedDegrees: 0,
};

test('rows read with certainty are settled, unless a doubtful value stands in them', () => {
  const textsAt = (...doubts: Parameters<typeof settledPlaces>[1]) =>
    settledPlaces(page, doubts).map((box) => words.find((each) => each.box === box)?.text);
  assert.deepEqual(textsAt(), ['Total', '28.05', 'Thank', 'you']);
  assert.deepEqual(textsAt({ page: 1, box: { x0: 200, y0: 9, x1: 240, y1: 20 } }), ['Thank', 'you']);
  assert.deepEqual(textsAt({ page: 2, box: { x0: 200, y0: 9, x1: 240, y1: 20 } }), ['Total', '28.05', 'Thank', 'you']);
});
