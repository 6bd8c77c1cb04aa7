import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { queryOf, splitsOf, stepsOf, type TrafficSearch, withFilter, withRange, withSpan } from './address.ts';

/** Without what is left out. */
const plain = (search: TrafficSearch) => JSON.parse(JSON.stringify(search));

describe('the address of traffic', () => {
  test('asks for 24 hours where it says nothing, and passes on what the API takes', () => {
    assert.deepEqual(queryOf({}), { range: '24h' });
    assert.deepEqual(queryOf({ from: '2026-01-01T00:00:00Z', by: 'app', page: 2 }), { from: '2026-01-01T00:00:00Z' });
    assert.deepEqual(queryOf({ range: '7d', country: 'DE', compare: 'previous' }), {
      range: '7d',
      country: 'DE',
      compare: 'previous',
    });
  });

  test('a range replaces moments and step, and live figures keep only filters that they have', () => {
    const search = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', step: 'hour', appId: 'app_1' };
    assert.deepEqual(withRange(search, '7d'), { appId: 'app_1', range: '7d' });
    assert.deepEqual(plain(withRange({ ...search, proxyId: 'prx_1' }, '15m')), { proxyId: 'prx_1', range: '15m' });
    assert.deepEqual(plain(withRange({ deploymentId: 'dpl_1' }, '13mo')), { range: '13mo' });
    assert.deepEqual(plain(withSpan({ range: '7d', country: 'DE' }, 'a', 'b')), { country: 'DE', from: 'a', to: 'b' });
  });

  test('the filter that was set last stays, with those that it can be combined with', () => {
    const search = { range: '7d', environmentId: 'env_1', proxyId: 'prx_1', appId: 'app_1', country: 'DE' };
    const { environmentId, proxyId, range } = search;
    assert.deepEqual(plain(withFilter(search, 'routeId', 'rte_1')), {
      range,
      environmentId,
      proxyId,
      routeId: 'rte_1',
    });
    assert.deepEqual(plain(withFilter(search, 'gatewayNodeId', 'gwn_1')), {
      range,
      environmentId,
      gatewayNodeId: 'gwn_1',
    });
    const ofRoute = { range, environmentId, routeId: 'rte_1' };
    assert.deepEqual(plain(withFilter(ofRoute, 'proxyId', proxyId)), { ...ofRoute, proxyId });
    assert.deepEqual(plain(withFilter(ofRoute, 'country', 'DE')), { range, environmentId, country: 'DE' });
    assert.deepEqual(plain(withFilter(search, 'appId', null)), { range, environmentId, proxyId, country: 'DE' });
  });

  test('a filter that a range doesn’t have changes the range', () => {
    assert.deepEqual(plain(withFilter({ range: '15m' }, 'country', 'DE')), { range: '1h', country: 'DE' });
    assert.deepEqual(plain(withFilter({ range: '15m' }, 'proxyId', 'prx_1')), { range: '15m', proxyId: 'prx_1' });
    assert.deepEqual(plain(withFilter({ range: '13mo' }, 'deploymentId', 'dpl_1')), {
      range: '30d',
      deploymentId: 'dpl_1',
    });
  });

  test('figures are split by what goes with their range and filters', () => {
    const splits = (search: TrafficSearch) => splitsOf(search).map(({ by }) => by);
    assert.equal(splits({}).length, 8);
    assert.deepEqual(splits({ range: '15m' }), ['environment', 'proxy']);
    assert.deepEqual(splits({ routeId: 'rte_1', proxyId: 'prx_1' }), ['environment', 'proxy', 'route']);
    assert.deepEqual(splits({ gatewayNodeId: 'gwn_1' }), ['environment', 'gateway_node']);
    assert.deepEqual(splits({ country: 'DE' }), ['environment', 'proxy', 'app', 'product', 'country']);
    assert.ok(!splits({ range: '13mo' }).includes('deployment'));
  });

  test('steps follow the length of the range', () => {
    const now = new Date('2026-03-01T00:00:00Z');
    const steps = (search: TrafficSearch) => stepsOf(search, now).join(' ');
    assert.deepEqual(
      [
        steps({ range: '15m' }),
        steps({}),
        steps({ range: '7d' }),
        steps({ range: '13mo' }),
        steps({ from: '2026-02-28T14:00:00Z', deploymentId: 'dpl_1' }),
        steps({ from: '2026-01-01T00:00:00Z', to: '2026-01-05T00:00:00Z' }),
      ],
      ['10s minute', 'hour', 'hour day', 'day', 'minute hour', 'hour day'],
    );
  });
});
