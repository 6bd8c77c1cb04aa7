import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { nextWindows } from './windows.ts';

const sundays = {
  kind: 'recurring',
  timeZone: 'Europe/Berlin',
  days: { kind: 'weekly', weekdays: [7] },
  startTime: '02:00',
  durationMinutes: 120,
  from: null,
  until: '2026-02-08',
};

suite('the next windows of a silence', () => {
  const startsOf = (schedule: object, now: string) =>
    nextWindows(schedule, Date.parse(now))?.map(({ fromMs }) => new Date(fromMs).toISOString());

  test('begin with the one in force and end with its last day', () => {
    assert.deepEqual(startsOf(sundays, '2026-01-25T02:00:00Z'), [
      '2026-01-25T01:00:00.000Z',
      '2026-02-01T01:00:00.000Z',
      '2026-02-08T01:00:00.000Z',
    ]);
    assert.deepEqual(startsOf(sundays, '2026-02-08T03:00:00Z'), []);
  });

  test('are five at most', () => {
    assert.equal(startsOf({ ...sundays, until: null }, '2026-01-25T02:00:00Z')?.length, 5);
  });

  test('are unknown while the schedule is incomplete', () => {
    assert.equal(nextWindows({ ...sundays, timeZone: 'Europe/Ber' }, 0), null);
    assert.equal(nextWindows({ kind: 'once', startsAt: '2026-01-15T10:00:00Z' }, 0), null);
  });
});
