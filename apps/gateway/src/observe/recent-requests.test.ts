import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newRecord } from '@millrace/data-plane/record';
import { Heartbeat } from '@millrace/gateway-configuration/reports';
import { createRecentRequests } from './recent-requests.ts';

describe('recent requests', () => {
  const recordOf = (appId: string | null, index: number) => ({
    ...newRecord(),
    requestId: `req_${String(index).padStart(26, '0')}`,
    startedAtMs: Date.UTC(2026, 0, 15) + index,
    appId,
    method: 'GET',
    path: '/v1/orders/secret?token=x',
    proxyId: 'prx_1',
    routeId: 'rte_1',
    status: 200,
    latencyUs: 12_400,
  });

  test('the newest of each app are reported once, as the report’s schema wants them', () => {
    const recent = createRecentRequests();
    for (let index = 0; index < 120; index++) recent.record(recordOf('app_a', index));
    recent.record(recordOf(null, 500));
    recent.record(recordOf('app_b', 501));
    const taken = recent.take();
    assert.equal(taken.length, 51);
    assert.equal(taken[0]!.requestId, `req_${'119'.padStart(26, '0')}`);
    assert.equal(taken[49]!.requestId, `req_${'70'.padStart(26, '0')}`);
    assert.deepEqual(Heartbeat.shape.recentRequests.parse(taken), taken);
    assert.equal(JSON.stringify(taken).includes('secret'), false);
    assert.deepEqual(recent.take(), []);
    recent.record(recordOf('app_b', 502));
    assert.deepEqual(
      recent.take().map(({ appId }) => appId),
      ['app_b'],
    );
  });

  test('of many apps, fewer of each are reported, and of too many none', () => {
    const recent = createRecentRequests();
    for (let app = 0; app < 500; app++) {
      for (let index = 0; index < 60; index++) recent.record(recordOf(`app_${app}`, index));
    }
    const taken = recent.take();
    assert.equal(taken.length, 400);
    assert.equal(new Set(taken.map(({ appId }) => appId)).size, 200);
  });
});
