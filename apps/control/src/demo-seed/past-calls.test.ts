import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { beginningOfDay, civilDayOf } from '@millrace/pricing';
import { monthBeforeLast, pastCalls, pastOutage } from './past-calls.ts';

const zones = ['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'America/Santiago'];

describe('past calls', () => {
  test('the month before last begins two months ago, on any day and in any time zone', () => {
    for (const timeZone of zones) {
      for (let day = 0; day < 1_500; day++) {
        const now = new Date(Date.UTC(2027, 0, 1, (day * 7) % 24) + day * 86_400_000);
        const [year, month] = civilDayOf(now.toISOString(), timeZone).split('-').map(Number);
        const expected = new Date(Date.UTC(year!, month! - 3, 1)).toISOString().slice(0, 10);
        assert.equal(monthBeforeLast(now, timeZone), expected, `${now.toISOString()} in ${timeZone}`);
      }
    }
  });

  test('they lie between the beginning and this hour, on the first and last days of months too', () => {
    const days = ['2027-03-01', '2028-02-29', '2028-03-01', '2027-03-29', '2027-10-31', '2027-11-01', '2027-12-31'];
    for (const timeZone of zones) {
      for (const day of days) {
        for (const afterMs of [0, 1, 43_200_000]) {
          const today = Date.parse(beginningOfDay(day, timeZone));
          const now = new Date(today + afterMs);
          const startsAt = beginningOfDay(`${monthBeforeLast(now, timeZone).slice(0, 8)}10`, timeZone);
          const calls = pastCalls({ startsAt, now, timeZone });
          const hour = now.getTime() - (now.getTime() % 3_600_000);
          assert.ok(calls[0]!.atMs >= Date.parse(startsAt) && calls.at(-1)!.atMs < hour, `${day} in ${timeZone}`);
          assert.ok(calls.length > 48 * 40 * 0.6 && calls.length < 5_000, String(calls.length));
        }
      }
    }
  });

  test('they go on today, and a later start adds to them', () => {
    const until = (now: string) =>
      pastCalls({ startsAt: '2027-01-11T00:00:00Z', now: new Date(now), timeZone: 'UTC' }).map(({ atMs }) => atMs);
    const noon = until('2027-03-16T12:34:00Z');
    const evening = until('2027-03-16T20:00:00Z');
    const ofToday = (calls: readonly number[]) => calls.filter((atMs) => atMs >= Date.parse('2027-03-16T00:00:00Z'));
    assert.ok(ofToday(noon).length > 5);
    assert.deepEqual(
      ofToday(evening).filter((atMs) => atMs < Date.parse('2027-03-16T12:00:00Z')),
      ofToday(noon),
    );
    assert.ok(ofToday(evening).length > ofToday(noon).length);
  });

  test('on the last working day the target was down for a while, and no call got through', () => {
    for (const [now, day] of [
      ['2027-03-15T12:00:00Z', '2027-03-12'],
      ['2027-03-16T00:00:00Z', '2027-03-15'],
    ] as const) {
      const past = { startsAt: '2027-01-10T00:00:00Z', now: new Date(now), timeZone: 'UTC' };
      const outage = pastOutage(past);
      assert.ok(outage);
      assert.equal(new Date(outage.fromMs).toISOString().slice(0, 10), day);
      const during = pastCalls(past).filter(({ atMs }) => atMs >= outage.fromMs && atMs < outage.toMs);
      assert.ok(during.length > 50 && during.every(({ status }) => status === 503 || status === 429));
    }
    assert.equal(
      pastOutage({ startsAt: '2027-03-13T00:00:00Z', now: new Date('2027-03-15T12:00:00Z'), timeZone: 'UTC' }),
      null,
    );
  });

  test('working days have most of them, and the same days have the same', () => {
    const past = { startsAt: '2027-01-10T00:00:00Z', now: new Date('2027-03-15T12:00:00Z'), timeZone: 'UTC' };
    const calls = pastCalls(past);
    assert.deepEqual(pastCalls(past), calls);
    const onWeekends = calls.filter(({ atMs }) => [0, 6].includes(new Date(atMs).getUTCDay()));
    assert.ok(onWeekends.length > 0 && onWeekends.length < calls.length * 0.1);
    assert.ok(calls.filter(({ status }) => status === 200).length > calls.length * 0.93);
    assert.ok(calls.every(({ status, pages }) => (status === 200 ? pages >= 1 : pages === 0)));
  });
});
