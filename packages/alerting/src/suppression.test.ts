import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inhibited } from './inhibition.ts';
import { fingerprintOf, groupByEnvironment } from './labels.ts';
import { compileMatchers } from './matching.ts';
import type { Labels } from './rule.ts';
import type { Matcher } from './silence.ts';
import { silencesInForce, suppressorOf } from './silencing.ts';

const alert = (fingerprint: string, labels: Labels) => ({ fingerprint, labels });
const match = (matcher: Matcher, labels: Labels) => compileMatchers([matcher])(labels);

describe('matchers', () => {
  test('compare whole values, and read a missing label as empty', () => {
    const labels = { environment: 'production' };
    assert(match({ label: 'environment', operator: '=', value: 'production' }, labels));
    assert(match({ label: 'environment', operator: '=~', value: 'prod.*|test' }, labels));
    assert(!match({ label: 'environment', operator: '=~', value: 'prod' }, labels));
    assert(match({ label: 'environment', operator: '!~', value: 'prod' }, labels));
    assert(match({ label: 'proxy', operator: '=', value: '' }, labels));
    assert(match({ label: 'proxy', operator: '!=', value: 'orders' }, labels));
  });

  test('read an expression in linear time', () => {
    const hostile = compileMatchers([{ label: 'proxy', operator: '=~', value: '(a+)+b' }]);
    const startMs = performance.now();
    assert(!hostile({ proxy: 'a'.repeat(10_000) }));
    // A backtracking search of it would take longer than the universe is old.
    assert(performance.now() - startMs < 20_000);
    assert.throws(() => compileMatchers([{ label: 'proxy', operator: '=~', value: '(' }]));
  });
});

describe('silences', () => {
  const schedule = { kind: 'once', startsAt: '2026-01-15T10:00:00Z', endsAt: '2026-01-15T12:00:00Z' } as const;
  const silence = { id: 'sil_1', matchers: [{ label: 'proxy', operator: '=', value: 'orders' }], schedule } as const;

  test('suppress what matches while they are in force', () => {
    const inForce = silencesInForce([silence], Date.parse('2026-01-15T11:00:00Z'));
    assert.equal(suppressorOf(inForce, { proxy: 'orders' }), 'sil_1');
    assert.equal(suppressorOf(inForce, { proxy: 'stock' }), null);
    assert.equal(suppressorOf(silencesInForce([silence], Date.parse(schedule.endsAt)), { proxy: 'orders' }), null);
  });
});

describe('inhibition', () => {
  test('stops consequences of an offline node in its environment', () => {
    const alerts = [
      alert('node', { metric: 'node_offline', environmentId: 'env_1', gatewayNodeId: 'gwn_1' }),
      alert('absent', { metric: 'traffic_absent', environmentId: 'env_1' }),
      alert('other', { metric: 'traffic_absent', environmentId: 'env_2' }),
      alert('errors', { metric: 'error_rate', environmentId: 'env_1' }),
      alert('unknown', { metric: 'error_rate', environmentId: 'env_1', noData: 'true' }),
      alert('behind', { metric: 'configuration_behind', environmentId: 'env_1', gatewayNodeId: 'gwn_1' }),
      alert('behind too', { metric: 'configuration_behind', environmentId: 'env_1', gatewayNodeId: 'gwn_2' }),
    ];
    assert.deepEqual([...inhibited(alerts)].sort(), [
      ['absent', 'node'],
      ['behind', 'node'],
      ['unknown', 'node'],
    ]);
  });

  test('never lets alerts that match both sides inhibit each other', () => {
    const severe: Matcher = { label: 'severity', operator: '=~', value: 'critical|warning' };
    const rules = [{ source: [severe], target: [severe], equal: ['proxy'] }];
    const alerts = [alert('1', { severity: 'critical', proxy: 'a' }), alert('2', { severity: 'warning', proxy: 'a' })];
    assert.equal(inhibited(alerts, rules).size, 0);
  });
});

describe('fingerprints', () => {
  test('follow the rule and the ids among the labels', () => {
    const labels = { environmentId: 'env_1', environment: 'test', proxyId: 'prx_1' };
    const fingerprint = fingerprintOf('alr_1', labels);
    assert.match(fingerprint, /^[0-9a-f]{16}$/);
    assert.equal(fingerprintOf('alr_1', { ...labels, environment: 'renamed' }), fingerprint);
    assert.notEqual(fingerprintOf('alr_2', labels), fingerprint);
    assert.notEqual(fingerprintOf('alr_1', { ...labels, proxyId: 'prx_2' }), fingerprint);
  });
});

describe('groups', () => {
  test('hold a rule’s alerts by environment', () => {
    const alerts = [
      { environmentId: 'env_1', proxyId: 'a' },
      { environmentId: 'env_2' },
      { environmentId: 'env_1' },
      {},
    ];
    const groups = groupByEnvironment(alerts.map((labels) => ({ labels: labels as Labels })));
    assert.deepEqual(
      groups.map(({ environmentId, members }) => [environmentId, members.length]),
      [
        ['env_1', 2],
        ['env_2', 1],
        [null, 1],
      ],
    );
  });
});
