import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createRedisCounters } from '@millrace/counters/redis';
import { startTestRedis, type TestRedis, withoutRedis } from '@millrace/counters/testing';
import { startTestGateway, testContent } from '../testing.ts';

describe('routes with different limits, counted in Redis', { skip: withoutRedis }, () => {
  let redis: TestRedis;
  before(async () => {
    redis = await startTestRedis();
  });
  after(() => redis.remove());

  const quota = (routeIds: string[] | null) => ({
    kind: 'quota',
    routeIds,
    configuration: { limit: 3, window: { unit: 'day' }, per: 'route' },
  });
  const spikeArrest = (routeIds: string[] | null) => ({
    kind: 'spike-arrest',
    routeIds,
    configuration: { ratePerMinute: 1, burst: 2, per: 'route' },
  });
  const [both, quotaAlone, spikeAlone, none] = ['both', 'quota', 'spike', 'none'].map((name) => `rte_${name}`);
  const routes = [both, quotaAlone, spikeAlone, none].map((id) => ({ id: id!, pathPattern: `/${id}` }));
  const content = (name: string, ofThem: typeof routes) =>
    testContent(name, {
      routes: ofThem,
      policies: [quota([both!, quotaAlone!]), spikeArrest([both!, spikeAlone!])],
    });

  test('each have their own, whatever the order of the routes', async (context) => {
    const target = createServer((_, response) => response.end('passed')).listen(0, '127.0.0.1');
    context.after(() => target.close());
    const counters = createRedisCounters({ url: redis.url, nodes: () => 1 });
    context.after(() => counters.close());
    await counters.connected;
    const gateway = await startTestGateway({
      counters,
      deployments: [{ content: content('forwards', routes) }, { content: content('backwards', routes.toReversed()) }],
      targets: { backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}` },
    });
    context.after(() => gateway.stop());
    for (const proxy of ['forwards', 'backwards']) {
      for (const [route, outcomes] of [
        [both, ['passed', 'passed', 'rate_exceeded', 'quota_exceeded']],
        [quotaAlone, ['passed', 'passed', 'passed', 'quota_exceeded']],
        [spikeAlone, ['passed', 'passed', 'rate_exceeded', 'rate_exceeded']],
        [none, ['passed', 'passed', 'passed', 'passed']],
      ] as const) {
        const seen: string[] = [];
        for (let call = 0; call < outcomes.length; call++) {
          const answer = await fetch(`${gateway.url}/v1/${proxy}/${route}`);
          const text = await answer.text();
          seen.push(answer.status === 200 ? text : JSON.parse(text).data.error);
        }
        assert.deepEqual(seen, outcomes, `${proxy}, ${route}`);
      }
    }
  });
});
