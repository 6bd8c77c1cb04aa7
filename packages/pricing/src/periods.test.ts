import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  beginningOfDay,
  civilDayOf,
  civilDays,
  instantFloorToQuarterHour,
  nextPeriod,
  type PeriodUnit,
  periodContaining,
} from './periods.ts';

const timeZones = Intl.supportedValuesOf('timeZone');

/** The periods from the one that contains `from` to the one that contains `to`. */
function periodsBetween(unit: PeriodUnit, timeZone: string, from: string, to: string) {
  const periods = [periodContaining(from, { unit, timeZone })];
  while (periods.at(-1)!.to <= to) periods.push(nextPeriod(periods.at(-1)!, { unit, timeZone }));
  return periods;
}

describe('billing periods', () => {
  for (const [unit, from, to, count] of [
    // From 2009 to 2011, when clocks still went back over midnight in Newfoundland and days were skipped in Samoa.
    ['month', '2009-01-15T12:00:00Z', '2011-12-15T12:00:00Z', 36],
    ['quarter', '2023-02-15T12:00:00Z', '2027-02-15T12:00:00Z', 17],
    ['week', '2024-01-03T12:00:00Z', '2025-03-26T12:00:00Z', 65],
  ] as const) {
    it(`of a ${unit} are contiguous in every time zone, over leap days and daylight saving`, () => {
      for (const timeZone of timeZones) {
        const calendar = { unit, timeZone };
        const periods = periodsBetween(unit, timeZone, from, to);
        assert.equal(periods.length, count, timeZone);
        for (const [index, period] of periods.entries()) {
          const message = `${timeZone} ${period.from}`;
          assert(Date.parse(period.from) < Date.parse(period.to), message);
          assert.equal(Date.parse(period.from) % 900_000, 0, message);
          if (index > 0) assert.equal(period.from, periods[index - 1]!.to, message);
          if (index % 12 > 0) continue;
          assert.deepEqual(periodContaining(period.from, calendar), period, message);
          const last = new Date(Date.parse(period.to) - 1).toISOString();
          assert.deepEqual(periodContaining(last, calendar), period, message);
        }
      }
    });
  }

  it('begin at local midnight', () => {
    const berlin = (unit: PeriodUnit, instant: string) =>
      periodContaining(instant, { unit, timeZone: 'Europe/Berlin' });
    assert.deepEqual(berlin('month', '2026-03-31T21:59:59.999Z'), {
      from: '2026-02-28T23:00:00Z',
      to: '2026-03-31T22:00:00Z',
    });
    assert.equal(berlin('month', '2026-03-31T22:00:00Z').from, '2026-03-31T22:00:00Z');
    assert.deepEqual(berlin('quarter', '2026-05-05T00:00:00Z'), {
      from: '2026-03-31T22:00:00Z',
      to: '2026-06-30T22:00:00Z',
    });
    assert.deepEqual(berlin('week', '2026-03-29T12:00:00Z'), {
      from: '2026-03-22T23:00:00Z',
      to: '2026-03-29T22:00:00Z',
    });
    assert.deepEqual(periodContaining('2024-02-29T20:00:00Z', { unit: 'month', timeZone: 'Asia/Kathmandu' }), {
      from: '2024-02-29T18:15:00Z',
      to: '2024-03-31T18:15:00Z',
    });
  });

  it('begin at the first moment of a day whose midnight is skipped', () => {
    // On 1 October 2017 at 00:00 in Paraguay, clocks went forward to 01:00.
    assert.deepEqual(periodContaining('2017-10-15T00:00:00Z', { unit: 'month', timeZone: 'America/Asuncion' }), {
      from: '2017-10-01T04:00:00Z',
      to: '2017-11-01T03:00:00Z',
    });
  });

  it('begin once where clocks go back over their midnight', () => {
    // On 1 November 2009 at 00:01 in Newfoundland, clocks went back to 23:01 of 31 October.
    const calendar = { unit: 'month', timeZone: 'America/St_Johns' } as const;
    assert.equal(periodContaining('2009-11-01T02:29:59Z', calendar).to, '2009-11-01T02:30:00Z');
    assert.equal(periodContaining('2009-11-01T02:45:00Z', calendar).from, '2009-11-01T02:30:00Z');
  });

  it('have civil days, both included', () => {
    const calendar = { unit: 'month', timeZone: 'Asia/Tokyo' } as const;
    const period = periodContaining('2024-02-10T00:00:00Z', calendar);
    assert.deepEqual(civilDays(period, calendar.timeZone), { from: '2024-02-01', to: '2024-02-29' });
  });

  it('reject a time zone or an instant that is none', () => {
    assert.throws(
      () => periodContaining('2024-02-10T00:00:00Z', { unit: 'month', timeZone: 'Mars/Olympus' }),
      RangeError,
    );
    assert.throws(() => periodContaining('2024-02-10', { unit: 'month', timeZone: 'UTC' }), RangeError);
  });
});

describe('quarters of an hour', () => {
  it('contain an instant', () => {
    assert.equal(instantFloorToQuarterHour('2024-01-01T10:14:59.999Z'), '2024-01-01T10:00:00Z');
    assert.equal(instantFloorToQuarterHour('2024-01-01T10:15:00Z'), '2024-01-01T10:15:00Z');
    assert.equal(instantFloorToQuarterHour('2024-01-01T10:59:00+05:45'), '2024-01-01T05:00:00Z');
  });
});

describe('civil days', () => {
  it('begin at their first moment, also where that is not midnight', () => {
    assert.equal(beginningOfDay('2026-03-29', 'Europe/Berlin'), '2026-03-28T23:00:00Z');
    // Clocks went forward at midnight.
    assert.equal(beginningOfDay('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00Z');
    assert.equal(civilDayOf('2026-01-31T23:00:00Z', 'Europe/Berlin'), '2026-02-01');
    assert.equal(civilDayOf('2026-01-31T22:59:59Z', 'Europe/Berlin', 14), '2026-02-14');
  });
});
