import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText } from './duration-text.ts';

test('a duration is given in its two largest units', () => {
  const texts = [0, 1, 59.6, 90, 3_600, 5_430, 86_400, 100_000].map(durationText);
  assert.deepEqual(texts, [
    '0 seconds',
    '1 second',
    '1 minute',
    '1 minute 30 seconds',
    '1 hour',
    '1 hour 30 minutes',
    '1 day',
    '1 day 3 hours',
  ]);
});
