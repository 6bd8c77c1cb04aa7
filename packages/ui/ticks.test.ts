import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksOf } from './src/ticks.ts';

const hours = Array.from({ length: 168 }, (_empty, index) => Date.UTC(2026, 0, 1, 13 + index) / 1_000);

test('the labels of an axis are at round times of its zone', () => {
  const texts = (ticks: readonly number[], offsetSeconds: number) =>
    ticks.map((tick) => new Date((tick + offsetSeconds) * 1_000).toISOString().slice(8, 16));
  assert.deepEqual(texts(ticksOf(hours.slice(0, 24), 0, 5), 0), ['01T18:00', '02T00:00', '02T06:00', '02T12:00']);
  assert.deepEqual(
    texts(ticksOf(hours, 3_600, 8), 3_600),
    [2, 3, 4, 5, 6, 7, 8].map((day) => `0${day}T00:00`),
  );
  assert.deepEqual(ticksOf([5, 17, 29, 41], 0, 2), [5, 29]);
  assert.deepEqual(ticksOf([100, 200, 300, 400], null, 2), [100, 300]);
});
