import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AlertState, Sample } from './rule.ts';
import { type StepCondition, step } from './step.ts';

const minuteMs = 60_000;
const condition: StepCondition = {
  operator: '>',
  threshold: 50,
  clearThreshold: null,
  durationSeconds: 60,
  keepFiringSeconds: 60,
  minimumRequests: 1,
  noData: 'ok',
};

const value = (given: number, requests = 100): Sample => ({ kind: 'value', value: given, requests });
const noData: Sample = { kind: 'no_data' };

/** The state after each evaluation, one a minute. */
function statesOf(samples: readonly (number | Sample)[], changed: Partial<StepCondition> = {}) {
  let state: AlertState | null = null;
  return samples.map((sample, index) => {
    const given = typeof sample === 'number' ? value(sample) : sample;
    const after = step({ ...condition, ...changed }, state, given, index * minuteMs);
    state = after.state;
    return [after.state?.state ?? 'inactive', ...after.changes].join(' ');
  });
}

describe('an evaluation', () => {
  test('fires after the duration and resolves after the time that it is kept', () => {
    assert.deepEqual(statesOf([75, 85, 70, 70, 10, 10, 10]), [
      'pending pending',
      'firing fired',
      'firing',
      'firing',
      'firing',
      'inactive resolved',
      'inactive',
    ]);
  });

  test('drops a pending alert whose condition no longer holds', () => {
    assert.deepEqual(statesOf([75, 10]), ['pending pending', 'inactive dropped']);
  });

  test('fires at once without a duration, and resolves at once when nothing is kept', () => {
    const changed = { durationSeconds: 0, keepFiringSeconds: 0 };
    assert.deepEqual(statesOf([75, 10, 75], changed), [
      'firing pending fired',
      'inactive resolved',
      'firing pending fired',
    ]);
  });

  test('counts the time that a firing alert is kept from the last time that its condition held', () => {
    assert.deepEqual(statesOf([75, 85, 10, 60, 10, 10]), [
      'pending pending',
      'firing fired',
      'firing',
      'firing',
      'firing',
      'inactive resolved',
    ]);
  });

  test('keeps a firing alert until its value is beyond the clear threshold as well', () => {
    const changed = { clearThreshold: 30, keepFiringSeconds: 0 };
    assert.deepEqual(statesOf([75, 85, 40, 31, 30], changed), [
      'pending pending',
      'firing fired',
      'firing',
      'firing',
      'inactive resolved',
    ]);
    assert.deepEqual(statesOf([75, 40], changed), ['pending pending', 'inactive dropped']);
  });

  test('ignores a value of too few requests', () => {
    const few = value(100, 4);
    assert.deepEqual(statesOf([few, few, value(100, 5)], { minimumRequests: 5 }), [
      'inactive',
      'inactive',
      'pending pending',
    ]);
  });

  test('treats missing data as the rule says', () => {
    assert.deepEqual(statesOf([75, noData]), ['pending pending', 'inactive dropped']);
    assert.deepEqual(statesOf([noData, noData], { noData: 'alert' }), ['pending pending', 'firing fired']);
    assert.deepEqual(statesOf([75, noData, 80], { noData: 'keep' }), ['pending pending', 'pending', 'firing fired']);
    assert.deepEqual(statesOf([75, 80, 10, noData, 10], { noData: 'keep' }).at(-1), 'inactive resolved');
  });

  test('fires below a threshold', () => {
    const changed = { operator: '<', threshold: 10, durationSeconds: 0, keepFiringSeconds: 0 } as const;
    assert.deepEqual(statesOf([9, 10], changed), ['firing pending fired', 'inactive resolved']);
  });

  test('names what held last', () => {
    const after = step({ ...condition, durationSeconds: 0 }, null, value(75), 5);
    assert.deepEqual(after.state, {
      state: 'firing',
      activeSinceMs: 5,
      firingSinceMs: 5,
      clearedSinceMs: null,
      value: 75,
    });
    const cleared = step(condition, after.state, value(10), 10_005);
    assert.equal(cleared.state?.value, 75);
    assert.equal(cleared.state?.clearedSinceMs, 10_005);
  });
});
