import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { replay } from './replay.ts';

const condition = {
  operator: '>',
  threshold: 50,
  clearThreshold: null,
  durationSeconds: 60,
  keepFiringSeconds: 60,
  minimumRequests: 1,
  noData: 'ok',
} as const;

function samplesOf(values: readonly number[]) {
  return values.map((value, index) => ({
    atMs: index * 60_000,
    sample: { kind: 'value', value, requests: 10 } as const,
  }));
}

describe('a replay', () => {
  test('finds when a rule would have fired, for how long and how far beyond', () => {
    const { firings, evaluations } = replay(condition, samplesOf([75, 85, 70, 70, 10, 10, 10, 60, 61]));
    assert.deepEqual(firings, [
      { pendingAtMs: 0, firedAtMs: 60_000, resolvedAtMs: 300_000, value: 85 },
      { pendingAtMs: 420_000, firedAtMs: 480_000, resolvedAtMs: null, value: 61 },
    ]);
    assert.deepEqual(
      evaluations.map(({ state }) => state),
      ['pending', 'firing', 'firing', 'firing', 'firing', 'inactive', 'inactive', 'pending', 'firing'],
    );
  });
});
