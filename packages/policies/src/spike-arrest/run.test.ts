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
      return { error: decision?.error ?? null, decision, told: exchange.toldLimit };
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

  it('tells how long to wait, and of its burst where no quota was told', () => {
    const { ask } = open({ ratePerMinute: 12, burst: 2 });
    assert.equal(ask().told?.remaining, 1);
    ask();
    const { decision, told } = ask();
    assert.deepEqual(decision?.headers, ['Retry-After', '5']);
    assert.deepEqual([told?.limit, told?.bound], [2, 0]);
  });
});
