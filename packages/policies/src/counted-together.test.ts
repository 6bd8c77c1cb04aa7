import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CounterStore } from '@millrace/counters';
import { createMemoryCounters } from '@millrace/counters/memory';
import { createRedisCounters } from '@millrace/counters/redis';
import { startTestRedis, type TestRedis, withoutRedis } from '@millrace/counters/testing';
import { countedTogether } from './counted-together.ts';
import { Quota } from './quota/run.ts';
import type { RequestPolicy } from './run.ts';
import { SpikeArrest } from './spike-arrest/run.ts';
import { decisionOf, exchangeOf, partsOf } from './testing.ts';

const day = { unit: 'day', count: 1 };

describe('a quota and a spike arrest behind it', { skip: withoutRedis }, () => {
  let redis: TestRedis;
  before(async () => {
    redis = await startTestRedis();
  });
  after(() => redis.remove());

  it('decide in one request to Redis what they decide one after the other', async (context) => {
    const counters = createRedisCounters({ url: redis.url, nodes: () => 1 });
    context.after(() => counters.close());
    await counters.connected;
    const questions = async () => {
      const [, calls] = /cmdstat_evalsha:calls=(\d+)/.exec(await redis.command('INFO', 'commandstats')) ?? [];
      return Number(calls ?? 0);
    };
    for (const [limit, burst, mode] of [
      [3, 2, 'strict'],
      [2, 3, 'strict'],
      [30, 2, 'fast'],
    ] as const) {
      const outcomes = await Promise.all(
        ['together', 'apart'].map(async (name) => {
          const parts = partsOf({ counters, proxy: { id: `${name}-${limit}-${burst}`, name } });
          const quota = new Quota({ id: 'quota', configuration: { limit, window: day, per: 'ip', mode } }, parts);
          const rate = { ratePerMinute: 1, burst, per: 'ip', mode };
          const spikeArrest = new SpikeArrest({ id: 'spike', configuration: rate }, parts);
          const together = name === 'together' ? countedTogether(quota, spikeArrest, counters) : null;
          const policies: RequestPolicy[] = together === null ? [quota, spikeArrest] : [together];
          assert.equal(policies.length, name === 'together' && mode === 'strict' ? 1 : 2);
          const seen = [];
          for (let request = 0; request < 6; request++) {
            const exchange = exchangeOf({}, { startedAtMs: Date.now() });
            let error: string | null = null;
            for (const policy of policies) {
              const decision = await decisionOf(policy, exchange);
              if (decision?.kind === 'refusal') error = decision.error;
              if (decision !== null) break;
            }
            seen.push([error, exchange.reportedLimit?.limit, exchange.reportedLimit?.remaining]);
          }
          return seen;
        }),
      );
      assert.deepEqual(outcomes[0], outcomes[1]);
      if (mode === 'strict') assert.ok(outcomes[0]!.some(([error]) => error !== null));
    }
    const before = await questions();
    const parts = partsOf({ counters, proxy: { id: 'one question', name: 'p' } });
    const policy = countedTogether(
      new Quota({ id: 'quota', configuration: { limit: 9, window: day, per: 'ip' } }, parts),
      new SpikeArrest({ id: 'spike', configuration: { ratePerSecond: 9, per: 'ip' } }, parts),
      counters,
    );
    assert.equal(await decisionOf(policy!, exchangeOf({}, { startedAtMs: Date.now() })), null);
    assert.equal((await questions()) - before, 1);
  });

  it('stay separate if counting is local, or if they are other policies', () => {
    const join = (counters: CounterStore, first: RequestPolicy, second: RequestPolicy) =>
      countedTogether(first, second, counters);
    const counters = createMemoryCounters();
    const parts = partsOf({ counters });
    const quota = new Quota({ id: 'quota', configuration: { limit: 9, window: day, per: 'ip' } }, parts);
    const spikeArrest = new SpikeArrest({ id: 'spike', configuration: { ratePerSecond: 9, per: 'ip' } }, parts);
    assert.equal(join(counters, quota, spikeArrest), null);
    const asking: CounterStore = { ...counters, countBoth: () => false };
    assert.equal(join(asking, quota, quota), null);
    assert.equal(join(asking, {}, spikeArrest), null);
  });
});
