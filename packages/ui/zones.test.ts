import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endOfDay, localTextOf, momentOf, startOfDay } from './src/zones.ts';

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

describe('times in a zone', () => {
  test('are the moments at which its clocks show them', () => {
    assert.equal(iso(momentOf('2026-03-14T09:30', 'Europe/Vienna')), '2026-03-14T08:30:00.000Z');
    assert.equal(iso(momentOf('2026-07-14T09:30', 'Europe/Vienna')), '2026-07-14T07:30:00.000Z');
    assert.equal(iso(momentOf('2026-03-14T09:30', 'Asia/Kolkata')), '2026-03-14T04:00:00.000Z');
    assert.equal(iso(momentOf('2026-03-14T09:30', 'UTC')), '2026-03-14T09:30:00.000Z');
    assert.equal(momentOf('soon', 'UTC'), null);
  });

  test('are found back from a moment', () => {
    for (const zone of ['America/St_Johns', 'Pacific/Auckland', 'Europe/Vienna', 'UTC']) {
      for (const local of ['2026-01-01T00:00', '2026-06-30T23:59', '2026-10-25T05:00']) {
        assert.equal(localTextOf(momentOf(local, zone)!, zone), local, zone);
      }
    }
  });

  test('make days that end where the next one begins, also when the clocks change', () => {
    const zone = 'Europe/Vienna';
    assert.equal(iso(startOfDay('2026-12-31', zone)), '2026-12-30T23:00:00.000Z');
    assert.equal(iso(endOfDay('2026-12-31', zone)), '2026-12-31T23:00:00.000Z');
    const hours = (day: string) => (endOfDay(day, zone)!.getTime() - startOfDay(day, zone)!.getTime()) / 3_600_000;
    assert.deepEqual([hours('2026-03-29'), hours('2026-10-25'), hours('2026-10-26')], [23, 25, 24]);
    assert.equal(endOfDay('nonsense', zone), null);
  });
});
