import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecurringDays, SilenceSchedule } from './silence.ts';
import { windowAfter, windowAt } from './windows.ts';

function recurring(days: RecurringDays, given: Partial<Extract<SilenceSchedule, { kind: 'recurring' }>> = {}) {
  return {
    kind: 'recurring',
    timeZone: 'Europe/Berlin',
    days,
    startTime: '02:30',
    durationMinutes: 60,
    from: null,
    until: null,
    ...given,
  } as const;
}

const sundays: RecurringDays = { kind: 'weekly', weekdays: [7] };
const at = (text: string) => Date.parse(text);

function next(schedule: SilenceSchedule, after: string, count = 1): readonly string[] {
  const found: string[] = [];
  for (let fromMs = at(after); found.length < count; ) {
    const window = windowAfter(schedule, fromMs);
    if (window === null) return [...found, 'none'];
    found.push(new Date(window.fromMs).toISOString().slice(0, 16));
    fromMs = window.fromMs;
  }
  return found;
}

describe('maintenance windows', () => {
  test('follow the clock of their time zone through daylight saving', () => {
    assert.deepEqual(next(sundays5(), '2026-03-16T00:00Z', 3), [
      '2026-03-22T04:00',
      '2026-03-29T03:00',
      '2026-04-05T03:00',
    ]);
    assert.deepEqual(next(sundays5(), '2026-10-12T00:00Z', 3), [
      '2026-10-18T03:00',
      '2026-10-25T04:00',
      '2026-11-01T04:00',
    ]);
  });

  test('begin later where daylight saving skips their time, and once where it comes twice', () => {
    assert.deepEqual(next(recurring(sundays), '2026-03-23T00:00Z'), ['2026-03-29T01:30']);
    assert.deepEqual(next(recurring(sundays), '2026-10-19T00:00Z', 2), ['2026-10-25T00:30', '2026-11-01T01:30']);
    assert.equal(windowAt(recurring(sundays), at('2026-10-25T01:30Z')), null, 'the second 02:30');
  });

  test('are in force from their beginning to just before their end, over midnight as well', () => {
    const schedule = recurring(sundays, { startTime: '23:00', durationMinutes: 120 });
    const window = { fromMs: at('2026-01-11T22:00Z'), toMs: at('2026-01-12T00:00Z') };
    assert.equal(windowAt(schedule, window.fromMs - 1), null);
    assert.deepEqual(windowAt(schedule, window.fromMs), window);
    assert.deepEqual(windowAt(schedule, window.toMs - 1), window);
    assert.equal(windowAt(schedule, window.toMs), null);
  });

  test('can last a week', () => {
    const schedule = recurring({ kind: 'monthly', daysOfMonth: [1] }, { durationMinutes: 7 * 1_440 });
    const window = { fromMs: at('2026-03-01T01:30Z'), toMs: at('2026-03-08T01:30Z') };
    assert.deepEqual(windowAt(schedule, window.toMs - 1), window);
    assert.equal(windowAt(schedule, window.toMs), null);
  });

  test('begin on days of the month and on its first or last weekday', () => {
    const last = recurring({ kind: 'monthly', daysOfMonth: [31, -1] }, { timeZone: 'UTC' });
    assert.deepEqual(next(last, '2026-01-15T00:00Z', 3), ['2026-01-31T02:30', '2026-02-28T02:30', '2026-03-31T02:30']);
    const tuesdays = recurring({ kind: 'monthly_weekday', weeks: [2, -1], weekday: 2 }, { timeZone: 'UTC' });
    assert.deepEqual(next(tuesdays, '2026-01-01T00:00Z', 3), [
      '2026-01-13T02:30',
      '2026-01-27T02:30',
      '2026-02-10T02:30',
    ]);
    const leapDays = recurring({ kind: 'monthly', daysOfMonth: [29] }, { timeZone: 'UTC', from: '2026-02-01' });
    assert.deepEqual(next({ ...leapDays, until: '2026-02-28' }, '2026-01-01T00:00Z'), ['none']);
  });

  test('begin within their first and last day', () => {
    const schedule = recurring(sundays, { from: '2026-01-10', until: '2026-01-20' });
    assert.deepEqual(next(schedule, '2025-12-01T00:00Z', 3), ['2026-01-11T01:30', '2026-01-18T01:30', 'none']);
  });

  test('can be single', () => {
    const once = { kind: 'once', startsAt: '2026-01-15T10:00:00Z', endsAt: '2026-01-15T12:00:00Z' } as const;
    assert.equal(windowAt(once, at('2026-01-15T09:59:59Z')), null);
    assert.notEqual(windowAt(once, at('2026-01-15T10:00:00Z')), null);
    assert.equal(windowAt(once, at('2026-01-15T12:00:00Z')), null);
    assert.equal(windowAfter(once, at('2026-01-15T10:00:00Z')), null);
    assert.notEqual(windowAfter(once, at('2026-01-15T09:00:00Z')), null);
  });
});

function sundays5() {
  return recurring(sundays, { startTime: '05:00' });
}
