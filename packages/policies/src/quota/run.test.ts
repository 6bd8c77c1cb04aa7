import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QuotaCounter } from '@millrace/counters';
import { createMemoryCounters } from '@millrace/counters/memory';
import { CallerCounters } from '../caller-counters.ts';
import { limitValues } from '../limit-headers.ts';
import type { Caller, QuotaLimit, Refusal, RequestPolicy } from '../run.ts';
import { decideNow, decisionOf, exchangeOf, partsOf, policyOf } from '../testing.ts';
import { Quota } from './run.ts';
import { windowEndMs } from './window.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const day = { unit: 'day', count: 1 } as const;

type KeyCaller = Extract<Caller, { kind: 'key' }>;

function callerOf(more: Partial<KeyCaller> = {}): KeyCaller {
  return {
    kind: 'key',
    credentialId: 'credential-1',
    developer: { id: 'developer-1', name: 'Ada' },
    app: { id: 'app-1', name: 'Shop' },
    product: { id: 'product-1', name: 'Orders' },
    subscriptionId: 'subscription-1',
    termId: null,
    prepaid: null,
    unitsHeader: null,
    passUnitsHeader: false,
    quota: null,
    counters: new CallerCounters(),
    ...more,
  };
}

const countersAt = (nowMs: number) => createMemoryCounters({ nowMs: () => nowMs });

/** The outcome of one request: 'passed', or the error, with the limit headers that the caller gets. */
function ask(policy: RequestPolicy, more: Parameters<typeof exchangeOf>[1] = {}, headers: string[] = []) {
  const exchange = exchangeOf({ headers }, { startedAtMs: noon, ...more });
  const decision = decideNow(policy, exchange) as Refusal | null;
  return {
    outcome: decision?.error ?? 'passed',
    reported: exchange.reportedLimit && limitValues(exchange.reportedLimit),
    decision,
    exchange,
  };
}

describe('quota', () => {
  it('admits its limit in a window, reports what is left, and rejects with the time to wait', () => {
    const policy = new Quota(policyOf({ limit: 2, window: day, per: 'ip' }), partsOf({ counters: countersAt(noon) }));
    assert.deepEqual(ask(policy).reported, [2, 1, Date.parse('2026-03-02T00:00:00Z') / 1_000, 0]);
    assert.equal(ask(policy).outcome, 'passed');
    const third = ask(policy);
    assert.equal(third.outcome, 'quota_exceeded');
    assert.deepEqual(third.decision?.headers, ['Retry-After', String(12 * 3_600)]);
    assert.equal(third.exchange.reportedLimit?.remaining, 0);
    assert.equal(ask(policy, { startedAtMs: noon + 12 * 3_600_000 }).outcome, 'passed', 'the next day');
  });

  it('reports the tightest of several limits', () => {
    const parts = partsOf({ counters: countersAt(noon) });
    const loose = new Quota({ id: 'loose', configuration: { limit: 9, window: day, per: 'ip' } }, parts);
    const tight = new Quota({ id: 'tight', configuration: { limit: 3, window: day, per: 'ip' } }, parts);
    for (const policies of [
      [loose, tight],
      [tight, loose],
    ]) {
      const exchange = exchangeOf({}, { startedAtMs: noon });
      for (const policy of policies) assert.equal(decideNow(policy, exchange), null);
      assert.equal(exchange.reportedLimit?.limit, 3);
    }
  });

  /** Whether two requests are counted together where one alone is admitted. */
  function together(
    per: string,
    one: Parameters<typeof exchangeOf>[1],
    other: Parameters<typeof exchangeOf>[1],
    more: { identifierHeader?: string; headers?: [string[], string[]] } = {},
  ): boolean {
    const { identifierHeader = null, headers = [[], []] } = more;
    const policy = new Quota(
      policyOf({ limit: 1, window: day, per, identifierHeader }),
      partsOf({ counters: countersAt(noon) }),
    );
    assert.equal(ask(policy, one, headers[0]).outcome, 'passed');
    return ask(policy, other, headers[1]).outcome === 'quota_exceeded';
  }

  it('counts separately what is configured to be separate', () => {
    const caller = callerOf();
    const otherKey = callerOf({ credentialId: 'credential-2' });
    const otherApp = callerOf({ credentialId: 'credential-3', app: { id: 'app-2', name: 'Other' } });
    const otherProduct = callerOf({ product: { id: 'product-2', name: 'Other' } });
    assert.equal(together('key', { caller }, { caller: otherKey }), false);
    assert.equal(together('app', { caller }, { caller: otherKey }), true);
    assert.equal(together('app', { caller }, { caller: otherApp }), false);
    assert.equal(together('product', { caller }, { caller: otherApp }), true);
    assert.equal(together('product', { caller }, { caller: otherProduct }), false);
    const otherRoute = { id: 'route-2', method: 'GET', pathPattern: '/' };
    assert.equal(together('route', { caller }, { caller: otherApp }), true);
    assert.equal(together('route', { caller }, { caller, route: otherRoute }), false);
    assert.equal(together('ip', { caller }, { caller: otherApp }), true);
    const subject = (subject: string): Caller => ({ kind: 'token', issuer: 'https://issuer.example', subject });
    assert.equal(together('app', { caller: subject('ada') }, { caller: subject('ada') }), true);
    assert.equal(together('app', { caller: subject('ada') }, { caller: subject('eve') }), false);
  });

  it('starts a new count with another window, unaffected by a longer one', () => {
    const month = { unit: 'month', count: 3 } as const;
    const hour = { unit: 'hour', count: 1 } as const;
    const counters = countersAt(noon);
    const compile = (window: QuotaLimit['window']) =>
      new Quota(policyOf({ limit: 1, window, per: 'app' }), partsOf({ counters }));
    const outcomes = (policy: RequestPolicy, quota: QuotaLimit | null) =>
      [noon, noon, noon + 3_600_000].map(
        (startedAtMs) => ask(policy, { caller: callerOf({ quota }), startedAtMs }).outcome,
      );
    const anHour = ['passed', 'quota_exceeded', 'passed'];
    const aQuarter = ['passed', 'quota_exceeded', 'quota_exceeded'];
    // Of a revision after the other.
    assert.deepEqual(outcomes(compile(month), null), aQuarter);
    assert.deepEqual(outcomes(compile(hour), null), anHour);
    // Of a subscription with a quota of its own, which goes back to the product's.
    assert.deepEqual(outcomes(compile(hour), { limit: 1, window: month }), aQuarter);
    assert.deepEqual(outcomes(compile(hour), { limit: 1, window: hour }), anHour);
  });

  it('continues to count a caller of many APIs, and one whose API is recompiled', () => {
    const counters = countersAt(noon);
    const compile = (id: string) =>
      new Quota(policyOf({ limit: 3, window: day }), partsOf({ counters, proxy: { id, name: id } }));
    const ids = Array.from({ length: 10 }, (_, index) => `proxy-${index}`);
    const policies = ids.map(compile);
    const caller = callerOf();
    const round = (of: readonly RequestPolicy[]) => of.map((policy) => ask(policy, { caller }).outcome);
    const all = (outcome: string) => ids.map(() => outcome);
    assert.deepEqual(round(policies), all('passed'));
    assert.deepEqual(round(policies.toReversed()), all('passed'));
    assert.deepEqual(round(ids.map(compile)), all('passed'));
    assert.deepEqual(round(policies), all('quota_exceeded'));
    assert.deepEqual(round(ids.map(compile)), all('quota_exceeded'));
  });

  it('counts network addresses per subscriber', () => {
    const at = (forwardedAddress: string) => ({ forwardedAddress });
    assert.equal(together('ip', at('192.0.2.1'), at('192.0.2.2')), false);
    assert.equal(together('ip', at('2001:db8:1:2::1'), at('2001:db8:1:2:ffff::9')), true);
    assert.equal(together('ip', at('2001:db8:1:2::1'), at('2001:db8:1:3::1')), false);
    assert.equal(together('app', at('192.0.2.1'), at('192.0.2.1')), true, 'without a caller, the address counts');
    assert.equal(together('app', at('192.0.2.1'), at('192.0.2.2')), false);
  });

  it('counts each value of a header separately, including long ones', () => {
    const header = { identifierHeader: 'x-customer' };
    const of = (one: string, other: string): [string[], string[]] => [
      ['X-Customer', one],
      ['X-Customer', other],
    ];
    assert.equal(together('route', {}, {}, { ...header, headers: of('a', 'a') }), true);
    assert.equal(together('route', {}, {}, { ...header, headers: of('a', 'b') }), false);
    const long = 'x'.repeat(8_000);
    assert.equal(together('route', {}, {}, { ...header, headers: of(`${long}1`, `${long}2`) }), false);
    assert.equal(together('route', {}, {}, { ...header, headers: of(long, long) }), true);
  });

  it('cannot count a token per product', () => {
    const policy = new Quota(
      policyOf({ limit: 1, window: day, per: 'product' }),
      partsOf({ counters: countersAt(noon) }),
    );
    const caller: Caller = { kind: 'token', issuer: 'https://issuer.example', subject: 'ada' };
    assert.throws(() => ask(policy, { caller }), /token identifies no product/);
  });

  describe('of a subscription', () => {
    const quota: QuotaLimit = { limit: 2, window: { unit: 'hour', count: 1 } };
    const caller = callerOf({ quota });

    it('replaces the policy’s own, over all APIs of the product, whatever a header says', () => {
      const counters = countersAt(noon);
      const configuration = { limit: 100, window: day, identifierHeader: 'x-customer' };
      const policies = ['proxy-1', 'proxy-2'].map(
        (id) => new Quota(policyOf(configuration), partsOf({ counters, proxy: { id, name: id } })),
      );
      const first = ask(policies[0]!, { caller }, ['X-Customer', 'a']);
      assert.equal(first.exchange.reportedLimit?.limit, 2);
      assert.equal(ask(policies[1]!, { caller }, ['X-Customer', 'b']).outcome, 'passed');
      const third = ask(policies[0]!, { caller }, ['X-Customer', 'c']);
      assert.equal(third.outcome, 'quota_exceeded');
      assert.deepEqual(third.decision?.headers, ['Retry-After', '3600']);
      assert.equal(ask(policies[0]!, { caller: { ...caller, quota: null } }).outcome, 'passed', 'the policy’s own');
    });

    it('counts a request once if two policies use it', () => {
      const parts = partsOf({ counters: countersAt(noon) });
      const policies = ['one', 'two'].map((id) => new Quota({ id, configuration: { limit: 9, window: day } }, parts));
      for (let request = 0; request < 2; request++) {
        const exchange = exchangeOf({}, { caller, startedAtMs: noon });
        for (const policy of policies) assert.equal(decideNow(policy, exchange), null);
      }
      assert.equal(ask(policies[1]!, { caller }).outcome, 'quota_exceeded');
    });

    it('doesn’t affect counts per route or address', () => {
      const policy = new Quota(
        policyOf({ limit: 5, window: day, per: 'route' }),
        partsOf({ counters: countersAt(noon) }),
      );
      assert.equal(ask(policy, { caller }).exchange.reportedLimit?.limit, 5);
    });
  });

  it('waits for a store that responds later, and passes its failure on', async () => {
    const counters = (count: QuotaCounter['count']) =>
      partsOf({
        counters: { ...createMemoryCounters(), quota: (key) => ({ key, count }), overAdmissionBound: () => 7 },
      });
    const waiting = new Quota(
      policyOf({ limit: 3, window: day, mode: 'fast' }),
      counters(async () => ({ admitted: true, remaining: 1, retryAfterMs: 0 })),
    );
    const exchange = exchangeOf();
    assert.equal(await decisionOf(waiting, exchange), null);
    assert.equal(exchange.reportedLimit?.bound, 7);
    const failing = new Quota(
      policyOf({ limit: 3, window: day }),
      counters(async () => {
        throw new Error('The store is gone.');
      }),
    );
    await assert.rejects(decisionOf(failing, exchangeOf()), /The store is gone/);
  });
});

describe('windows', () => {
  const end = (unit: QuotaLimit['window']['unit'], count: number, moment: string) =>
    new Date(windowEndMs({ unit, count }, Date.parse(moment))).toISOString();

  it('end at full units of the UTC calendar', () => {
    assert.equal(end('minute', 1, '2026-11-21T05:59:59.999Z'), '2026-11-21T06:00:00.000Z');
    assert.equal(end('minute', 15, '2026-11-21T06:00:00Z'), '2026-11-21T06:15:00.000Z');
    assert.equal(end('hour', 6, '2026-11-21T06:00:00Z'), '2026-11-21T12:00:00.000Z');
    assert.equal(end('day', 1, '2026-12-31T23:59:59Z'), '2027-01-01T00:00:00.000Z');
  });

  it('of months follow the calendar, including leap years and turns of the year', () => {
    assert.equal(end('month', 1, '2028-02-29T23:00:00Z'), '2028-03-01T00:00:00.000Z');
    assert.equal(end('month', 1, '2026-12-31T23:59:59Z'), '2027-01-01T00:00:00.000Z');
    assert.equal(end('month', 3, '2026-05-01T00:00:00Z'), '2026-07-01T00:00:00.000Z');
    assert.equal(end('month', 12, '2026-05-01T00:00:00Z'), '2027-01-01T00:00:00.000Z');
    assert.equal(end('month', 24, '2026-05-01T00:00:00Z'), '2028-01-01T00:00:00.000Z');
  });
});
