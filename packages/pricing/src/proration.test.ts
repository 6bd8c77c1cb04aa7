import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { periodContaining } from './periods.ts';
import { shareOf, trialEndOf } from './proration.ts';
import { inJanuary, Random } from './testing.ts';

const month = inJanuary.period;

describe('the share of a period', () => {
  it('is counted in seconds, in days begun, or whole', () => {
    const within = { from: '2024-01-21T21:55:18Z', to: '2024-03-01T00:00:00Z' };
    assert.deepEqual(shareOf('second', { ...inJanuary, within }), { unit: 'second', part: 871_482, whole: 2_678_400 });
    assert.deepEqual(shareOf('day', { ...inJanuary, within }), { unit: 'day', part: 11, whole: 31 });
    assert.deepEqual(shareOf('none', { ...inJanuary, within }), { unit: 'none', part: 1, whole: 1 });
    assert.deepEqual(shareOf('day', inJanuary), { unit: 'day', part: 31, whole: 31 });
  });

  it('is nothing outside the period and in a trial', () => {
    const before = { from: '2023-12-01T00:00:00Z', to: month.from };
    for (const unit of ['second', 'day', 'none'] as const) {
      assert.equal(shareOf(unit, { ...inJanuary, within: before }).part, 0);
      assert.equal(shareOf(unit, { ...inJanuary, trialEndsAt: month.to }).part, 0);
    }
    assert.equal(shareOf('day', { ...inJanuary, trialEndsAt: '2024-01-30T10:00:00Z' }).part, 2);
  });

  it('counts civil days of the time zone, whatever their length', () => {
    const timeZone = 'Europe/Berlin';
    const period = periodContaining('2026-03-10T00:00:00Z', { unit: 'month', timeZone });
    // 22:30 UTC on 29 March is 00:30 on the 30th.
    const share = (from: string) => shareOf('day', { period, timeZone, within: { from, to: period.to } });
    assert.deepEqual(share('2026-03-29T22:30:00Z'), { unit: 'day', part: 2, whole: 31 });
    assert.deepEqual(share('2026-03-29T21:30:00Z'), { unit: 'day', part: 3, whole: 31 });
    assert.equal(shareOf('second', { period, timeZone }).whole, 31 * 86_400 - 3_600);
  });

  it('of successive versions adds up to that of the whole', () => {
    const random = new Random(6);
    for (let round = 0; round < 200; round += 1) {
      const seconds = Array.from({ length: 1 + random.below(4) }, () =>
        random.pick([random.below(2_678_400), random.below(31) * 86_400]),
      );
      const moments = [0, ...seconds.sort((a, b) => a - b), 2_678_400].map((second) =>
        new Date(Date.parse(month.from) + second * 1_000).toISOString(),
      );
      for (const unit of ['second', 'day'] as const) {
        let parts = 0;
        for (const [index, to] of moments.slice(1).entries()) {
          const within = { from: moments[index]!, to };
          parts += shareOf(unit, { ...inJanuary, within, isContinuation: index > 0 }).part;
        }
        assert.equal(parts, shareOf(unit, inJanuary).whole, `seed 6, round ${round}: ${moments}`);
      }
    }
  });

  it('rejects a period that ends before it begins', () => {
    assert.throws(
      () => shareOf('second', { timeZone: 'UTC', period: { from: month.to, to: month.from } }),
      /must end after it begins/,
    );
  });
});

describe('a trial', () => {
  it('ends at the time of day of the subscription, in the next quarter of an hour', () => {
    assert.equal(trialEndOf('2024-01-01T10:00:00Z', 14, 'UTC'), '2024-01-15T10:00:00Z');
    assert.equal(trialEndOf('2024-01-01T10:00:00.001Z', 14, 'UTC'), '2024-01-15T10:15:00Z');
    assert.equal(trialEndOf('2026-03-20T10:00:00Z', 14, 'Europe/Berlin'), '2026-04-03T09:00:00Z');
  });
});
