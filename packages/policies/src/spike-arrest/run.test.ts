import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryCounters } from '@millrace/counters/memory';
import type { Refusal } from '../run.ts';
import { decideNow, exchangeOf, partsOf, policyOf } from '../testing.ts';
import { SpikeArrest } from './run.ts';

/** A policy whose clock stands until it is moved. */
function open(configuration: Record<string, unknown>) {
  let now = 1_000;
  const counters = createMemoryCounters({ monotonicMs: () => now });
  const policy = new SpikeArrest(policyOf({ per: 'ip', ...configuration }), partsOf({ counters }));
  return {
    ask(forwardedAddress = '192.0.2.1') {
      const exchange = exchangeOf({}, { forwardedAddress });
      const decision = decideNow(policy, exchange) as Refusal | null;
      return { error: decision?.error ?? null, decision, reported: exchange.reportedLimit };
    },
    wait(ms: number) {
      now += ms;
    },
  };
}

describe('spike arrest', () => {
  it('spaces requests evenly', () => {
    const { ask, wait } = open({ ratePerSecond: 10 });
    assert.equal(ask().error, null);
    assert.equal(ask().error, 'rate_exceeded');
    wait(99);
    assert.equal(ask().error, 'rate_exceeded');
    wait(1);
    assert.equal(ask().error, null);
    assert.equal(ask('192.0.2.2').error, null, 'others have their own');
  });

  it('admits a burst after a pause', () => {
    const { ask, wait } = open({ ratePerMinute: 60, burst: 3 });
    assert.deepEqual(
      [ask(), ask(), ask(), ask()].map(({ error }) => error),
      [null, null, null, 'rate_exceeded'],
    );
    wait(2_000);
    assert.deepEqual(
      [ask(), ask(), ask()].map(({ error }) => error),
      [null, null, 'rate_exceeded'],
    );
    wait(3_600_000);
    assert.deepEqual(
      [ask(), ask(), ask(), ask()].map(({ error }) => error),
      [null, null, null, 'rate_exceeded'],
    );
  });

  it('reports how long to wait, and its burst if no quota is reported', () => {
    const { ask } = open({ ratePerMinute: 12, burst: 2 });
    assert.equal(ask().reported?.remaining, 1);
    ask();
    const { decision, reported } = ask();
    assert.deepEqual(decision?.headers, ['Retry-After', '5']);
    assert.deepEqual([reported?.limit, reported?.bound], [2, 0]);
  });
});
