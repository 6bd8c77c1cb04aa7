import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { consumeOldestFirst, creditExpiresAt, expiryNoticeAt } from './credit-expiry.ts';
import { Random } from './testing.ts';

const micro = 1_000_000n;

describe('when credit expires', () => {
  it('is the end of a civil day', () => {
    const at = (creditedAt: string, count: number, unit: 'day' | 'month', timeZone: string) =>
      creditExpiresAt(creditedAt, { count, unit }, timeZone);
    assert.equal(at('2026-01-15T09:00:00Z', 12, 'month', 'UTC'), '2027-01-16T00:00:00Z');
    assert.equal(at('2026-01-31T09:00:00Z', 1, 'month', 'UTC'), '2026-03-01T00:00:00Z', 'February ends before');
    assert.equal(at('2026-01-15T23:30:00Z', 1, 'day', 'Europe/Berlin'), '2026-01-17T23:00:00Z', 'it is the 16th there');
    assert.equal(at('2026-03-28T09:00:00Z', 1, 'day', 'Europe/Berlin'), '2026-03-29T22:00:00Z', 'summer time began');
    assert.equal(at('2026-01-01T00:00:00Z', 30, 'day', 'Asia/Kathmandu'), '2026-01-31T18:15:00Z');
    assert.equal(at('2028-02-29T12:00:00Z', 12, 'month', 'UTC'), '2029-03-01T00:00:00Z', 'a leap day');
  });

  it('is announced 14 days before, or when half of a shorter time is over', () => {
    assert.equal(expiryNoticeAt('2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z'), '2026-12-17T00:00:00Z');
    assert.equal(expiryNoticeAt('2026-01-01T00:00:00Z', '2026-01-09T00:00:00Z'), '2026-01-05T00:00:00Z');
  });
});

type Event =
  | { readonly at: number; readonly kind: 'credit'; readonly amountMinor: number; readonly expiresAt: number | null }
  | { readonly at: number; readonly kind: 'usage'; readonly micro: bigint };

const instant = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString();
/** After all expiries. */
const end = 100;

/** Top-ups and usage of random days; many small amounts, so that much is overspent or expires. */
function randomEvents(random: Random): readonly Event[] {
  const events = Array.from({ length: 1 + random.below(20) }, (): Event => {
    const at = random.below(40);
    if (random.below(2) === 0) return { at, kind: 'usage', micro: BigInt(random.below(6_000_000)) };
    const expiresAt = random.below(4) === 0 ? null : at + 1 + random.below(30);
    return { at, kind: 'credit', amountMinor: 1 + random.below(8), expiresAt };
  });
  return events.toSorted((one, other) => one.at - other.at);
}

/** Day by day: what expires of each top-up, and what is left of all at the end. */
function simulated(events: readonly Event[]) {
  const lots: { left: bigint; readonly expiresAt: number | null; expiredMinor: bigint }[] = [];
  let debt = 0n;
  const consume = (): void => {
    for (const lot of lots) {
      const taken = lot.left < debt ? lot.left : debt;
      lot.left -= taken;
      debt -= taken;
    }
  };
  for (let day = 0; day <= end; day += 1) {
    for (const lot of lots) {
      if (lot.expiresAt !== day) continue;
      lot.expiredMinor = lot.left / micro;
      lot.left -= lot.expiredMinor * micro;
    }
    for (const event of events.filter(({ at }) => at === day)) {
      if (event.kind === 'usage') debt += event.micro;
      else lots.push({ left: BigInt(event.amountMinor) * micro, expiresAt: event.expiresAt, expiredMinor: 0n });
      consume();
    }
  }
  return { lots, balance: lots.reduce((sum, { left }) => sum + left, 0n) - debt };
}

const usageOf = (events: readonly Event[], before: number) =>
  events.reduce((sum, event) => (event.kind === 'usage' && event.at < before ? sum + event.micro : sum), 0n);

/** The same by the formula, as of a day. */
function calculated(events: readonly Event[], today: number) {
  const credits = events.filter((event) => event.kind === 'credit');
  const usedMicro = usageOf(events, today + 1);
  const states = consumeOldestFirst(
    credits.map(({ amountMinor, expiresAt }) => ({
      amountMinor,
      expiresAt: expiresAt === null ? null : instant(expiresAt),
      usedBeforeMicro: expiresAt === null || expiresAt > today ? null : usageOf(events, expiresAt),
    })),
    { usedMicro },
  );
  const paidIn = BigInt(credits.reduce((sum, { amountMinor }) => sum + amountMinor, 0)) * micro;
  const expired = states.reduce((sum, { expiredMinor }) => sum + BigInt(expiredMinor), 0n) * micro;
  return { states, balance: paidIn - expired - usedMicro };
}

describe('usage consumes the oldest credit first', () => {
  it('as day by day, with overspent balances and top-ups that outlive later ones', () => {
    let [expired, overspent] = [0, 0];
    for (let seed = 0; seed < 3_000; seed += 1) {
      const events = randomEvents(new Random(seed));
      const [byDay, byFormula] = [simulated(events), calculated(events, end)];
      assert.deepEqual(
        byFormula.states.map(({ expiredMinor }) => BigInt(expiredMinor)),
        byDay.lots.map(({ expiredMinor }) => expiredMinor),
        `seed ${seed}`,
      );
      assert.equal(byFormula.balance, byDay.balance, `seed ${seed}`);
      if (byDay.lots.some(({ expiredMinor }) => expiredMinor > 0n)) expired += 1;
      if (byDay.balance < 0n) overspent += 1;
    }
    assert.ok(expired > 1_000 && overspent > 300, `${expired} with expired credit, ${overspent} overspent`);
  });

  it('and what is left of those that are good adds up to the balance, less than a minor unit of each expired one', () => {
    for (let seed = 0; seed < 2_000; seed += 1) {
      const random = new Random(seed);
      const events = randomEvents(random);
      const today = random.below(60);
      const past = events.filter(({ at }) => at <= today);
      const { states, balance } = calculated(past, today);
      const left = states.reduce((sum, { leftMicro }) => sum + leftMicro, 0n);
      const rest = (balance < 0n ? 0n : balance) - left;
      const fractions = BigInt(past.filter((event) => event.kind === 'credit' && event.expiresAt !== null).length);
      assert.ok(rest === 0n || (rest > 0n && rest < fractions * micro), `seed ${seed}: ${rest}`);
    }
  });

  it('and usage reported later never makes more expire', () => {
    for (let seed = 0; seed < 2_000; seed += 1) {
      const events = randomEvents(new Random(seed));
      const reported = events.filter((event, index) => event.kind === 'credit' || index % 2 === 0);
      const sum = ({ states }: ReturnType<typeof calculated>) => states.reduce((all, one) => all + one.expiredMinor, 0);
      assert.ok(sum(calculated(events, end)) <= sum(calculated(reported, end)), `seed ${seed}`);
    }
  });
});
