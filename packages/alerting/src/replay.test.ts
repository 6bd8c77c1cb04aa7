import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Replay } from './replay.ts';

const condition = {
  operator: '>',
  threshold: 50,
  clearThreshold: null,
  durationSeconds: 60,
  keepFiringSeconds: 60,
  minimumRequests: 1,
  noData: 'ok',
} as const;

describe('a replay', () => {
  test('finds when a rule would have fired, for how long and how far beyond', () => {
    const replay = new Replay(condition);
    const states = [75, 85, 70, 70, 10, 10, 10, 60, 61].map((value, index) => {
      replay.add(index * 60_000, { kind: 'value', value, requests: 10 });
      return replay.state;
    });
    assert.deepEqual(replay.firings, [
      { pendingAtMs: 0, firedAtMs: 60_000, resolvedAtMs: 300_000, value: 85 },
      { pendingAtMs: 420_000, firedAtMs: 480_000, resolvedAtMs: null, value: 61 },
    ]);
    assert.deepEqual(states, [
      'pending',
      'firing',
      'firing',
      'firing',
      'firing',
      'inactive',
      'inactive',
      'pending',
      'firing',
    ]);
  });
});
