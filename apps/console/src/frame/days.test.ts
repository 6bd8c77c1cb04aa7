import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayAfter, endOfDay } from './days.ts';

describe('days of a time zone', () => {
  test('end at midnight of the time zone', () => {
    for (const [day, timeZone, end] of [
      ['2026-12-31', 'UTC', '2026-12-31T23:59:59.999Z'],
      ['2026-12-31', 'Europe/Vienna', '2026-12-31T22:59:59.999Z'],
      ['2026-12-31', 'America/Los_Angeles', '2027-01-01T07:59:59.999Z'],
      ['2026-12-31', 'Pacific/Kiritimati', '2026-12-31T09:59:59.999Z'],
      ['2026-12-31', 'Pacific/Niue', '2027-01-01T10:59:59.999Z'],
      // Of 25 hours and of 23.
      ['2026-10-25', 'Europe/Vienna', '2026-10-25T22:59:59.999Z'],
      ['2026-03-29', 'Europe/Vienna', '2026-03-29T21:59:59.999Z'],
    ] as const) {
      assert.equal(endOfDay(day, timeZone)?.toISOString(), end, `${day} ${timeZone}`);
    }
    assert.equal(endOfDay('', 'UTC'), null);
    assert.equal(endOfDay('2026-13-01', 'UTC'), null);
  });

  test('are counted from the current day in the time zone', () => {
    const now = new Date('2026-12-31T23:30:00Z');
    assert.equal(dayAfter(0, 'UTC', now), '2026-12-31');
    assert.equal(dayAfter(0, 'Europe/Vienna', now), '2027-01-01');
    assert.equal(dayAfter(30, 'America/Los_Angeles', now), '2027-01-30');
  });
});
