import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRate, mostRequestsPerMinute } from './rate.ts';

test('a token has so many requests in a minute, whatever others send', () => {
  let nowMs = 0;
  const isWithinRate = createRate(() => nowMs);
  for (let sent = 0; sent < mostRequestsPerMinute; sent++) assert.ok(isWithinRate('first'));
  assert.equal(isWithinRate('first'), false);
  assert.ok(isWithinRate('second'));
  nowMs = 60_000;
  assert.ok(isWithinRate('first'));
});
