import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import type { EvaluatedGroup } from '../incidents/evaluated.ts';
import { addReports } from '../slots/store.ts';
import { type Evaluator, reportingDelayMs, startEvaluator } from './evaluator.ts';
import { slotRow } from './testing.ts';

const tickMs = 10_000;

describe('the evaluator', () => {
  let control: TestControl;
  let organizationId: string;
  let caller: TestCaller;
  let environmentId: string;
  let applied: EvaluatedGroup[];
  let ended: string[];
  let nowMs: number;
  const started: Evaluator[] = [];
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    for (const evaluator of started.splice(0)) await evaluator.stop();
    await control.opened.database.system.deleteFrom('alert_rules').execute();
    await control.opened.database.system.deleteFrom('alert_clocks').execute();
    organizationId = await control.addOrganization();
    caller = await control.addUser(organizationId, ['organization_administrator']);
    environmentId = (await done(caller, 'POST', '/environments', { name: 'test', displayName: 'Test' })).id;
    applied = [];
    ended = [];
    nowMs = Math.floor(Date.now() / tickMs) * tickMs - 3_600_000;
  });

  function start({ fails = (): boolean => false } = {}): Evaluator {
    const evaluator = startEvaluator({
      database: control.opened.database,
      clock: () => nowMs + reportingDelayMs,
      pollMs: null,
      incidents: {
        apply: async (_, group) => {
          if (fails()) throw new Error('no incidents');
          applied.push(group);
          return { notified: false };
        },
        end: async (_, ruleId, reason) => {
          ended.push(`${ruleId} ${reason}`);
          return { notified: false };
        },
      },
      wakeDeliveries: () => undefined,
      onError: () => undefined,
    });
    started.push(evaluator);
    return evaluator;
  }

  const proxyId = newId('prx');

  /** What a node reports of the slot that ends at a moment. */
  const report = (atMs: number, requests: number, errors: number, proxy = proxyId) =>
    tenantTransaction(control.opened.database, organizationId, (transaction) =>
      addReports(transaction, [{ environmentId, rows: [slotRow(atMs - tickMs, proxy, requests, errors)] }]),
    );

  const addRule = (fields: object = {}) =>
    done(caller, 'POST', '/alert-rules', {
      name: 'Errors',
      environmentId,
      metric: 'error_rate',
      threshold: 50,
      durationSeconds: 20,
      keepFiringSeconds: 20,
      ...fields,
    });

  /** Evaluates ten seconds later, after a report; what the rule and the incidents learned. */
  async function tick(evaluator: Evaluator, ruleId: string, errors: number | null, requests = 100) {
    nowMs += tickMs;
    if (errors !== null) await report(nowMs, requests, errors);
    applied = [];
    assert(await evaluator.run());
    const { state, lastValue, lastEvaluatedAt } = await done(caller, 'GET', `/alert-rules/${ruleId}`);
    assert.equal(lastEvaluatedAt, new Date(nowMs).toISOString());
    const states = applied.flatMap(({ alerts }) => alerts.map((alert) => alert.state));
    return [state, lastValue, ...states];
  }

  test('fires and resolves as the rule says, and says what it saw', async () => {
    const { id } = await addRule();
    const evaluator = start();
    assert.deepEqual(await tick(evaluator, id, 10), ['inactive', 10]);
    assert.deepEqual(await tick(evaluator, id, 75), ['pending', 75]);
    assert.deepEqual(await tick(evaluator, id, 80), ['pending', 80]);
    assert.deepEqual(await tick(evaluator, id, 90), ['firing', 90, 'firing']);
    assert.deepEqual(await tick(evaluator, id, 10), ['firing', 10, 'firing']);
    assert.deepEqual(await tick(evaluator, id, 10), ['firing', 10, 'firing']);
    assert.deepEqual(await tick(evaluator, id, 10), ['inactive', 10, 'resolved']);
    assert.deepEqual(await tick(evaluator, id, 10), ['inactive', 10]);
    const { evaluations, total } = await done(caller, 'GET', `/alert-rules/${id}/evaluations?sort=at`);
    assert.equal(total, 8);
    assert.deepEqual(
      evaluations.map(({ value, firing, pending }: { value: number; firing: number; pending: number }) => [
        value,
        pending,
        firing,
      ]),
      [
        [10, 0, 0],
        [75, 1, 0],
        [80, 1, 0],
        [90, 0, 1],
        [10, 0, 1],
        [10, 0, 1],
        [10, 0, 0],
        [10, 0, 0],
      ],
    );
    assert.deepEqual(evaluations[3].alerts[0].labels, {
      rule: 'Errors',
      metric: 'error_rate',
      severity: 'warning',
      environmentId,
      environment: 'test',
      proxyId,
      proxy: proxyId,
    });
  });

  test('widens a value up to five minutes until it is of enough requests', async () => {
    const { id } = await addRule({ minimumRequests: 30 });
    const evaluator = start();
    assert.deepEqual(await tick(evaluator, id, 20, 20), ['inactive', null]);
    assert.deepEqual(await tick(evaluator, id, 0, 20), ['inactive', 50]);
    assert.deepEqual(await tick(evaluator, id, 10, 10), ['inactive', 100 / 3]);
  });

  test('distinguishes missing data from missing traffic', async () => {
    const { id } = await addRule({ metric: 'traffic_absent', threshold: 0, noData: 'alert', durationSeconds: 0 });
    const evaluator = start();
    assert.deepEqual(await tick(evaluator, id, 0), ['inactive', 0]);
    const [state] = await tick(evaluator, id, null);
    assert.equal(state, 'firing');
    const { alerts } = await done(caller, 'GET', `/alert-rules/${id}`);
    assert.equal(alerts[0].noData, true);
    await report(nowMs + tickMs, 5, 0, newId('prx'));
    await tick(evaluator, id, null);
    const after = await done(caller, 'GET', `/alert-rules/${id}`);
    assert.deepEqual([after.alerts[0].noData, after.alerts[0].value], [false, 1]);
  });

  test('lets one process evaluate, and its successor continue where it ended', async () => {
    const { id } = await addRule();
    const first = start();
    const second = start();
    assert.deepEqual(await tick(first, id, 75), ['pending', 75]);
    assert.equal(await second.run(), false);
    await first.stop();
    for (const errors of [80, 90, 95]) {
      nowMs += tickMs;
      await report(nowMs, 100, errors);
    }
    applied = [];
    assert(await second.run());
    assert.deepEqual(
      applied.map(({ alerts, now }) => [alerts[0]?.value, (now.getTime() - nowMs) / 1_000]),
      [
        [90, -10],
        [95, 0],
      ],
      'missed evaluations are made up for',
    );
    assert.equal((await done(caller, 'GET', `/alert-rules/${id}/evaluations`)).total, 4);
  });

  test('says which silence suppresses an alert', async () => {
    const { id } = await addRule({ durationSeconds: 0 });
    const silence = await done(caller, 'POST', '/silences', {
      comment: 'Work on the database',
      matchers: [{ label: 'environment', operator: '=', value: 'test' }],
      schedule: {
        kind: 'once',
        startsAt: new Date(nowMs).toISOString(),
        endsAt: new Date(nowMs + 86_400_000).toISOString(),
      },
    });
    const evaluator = start();
    assert.deepEqual(await tick(evaluator, id, 75), ['firing', 75, 'firing']);
    assert.equal(applied[0]?.alerts[0]?.suppressedBy, silence.id);
    assert.equal((await done(caller, 'GET', '/silences')).silences[0].suppressing, 1);
    await done(caller, 'DELETE', `/silences/${silence.id}`);
    await tick(evaluator, id, 75);
    assert.equal(applied[0]?.alerts[0]?.suppressedBy, null);
  });

  test('ends what fired when its rule is changed, disabled or deleted', async () => {
    const { id } = await addRule({ durationSeconds: 0 });
    const evaluator = start();
    await tick(evaluator, id, 75);
    await done(caller, 'PATCH', `/alert-rules/${id}`, { name: 'Renamed' });
    assert.deepEqual(await tick(evaluator, id, 75), ['firing', 75, 'firing']);
    await done(caller, 'PATCH', `/alert-rules/${id}`, { threshold: 60 });
    assert.deepEqual(await tick(evaluator, id, 75), ['firing', 75, 'firing']);
    await done(caller, 'PATCH', `/alert-rules/${id}`, { enabled: false });
    nowMs += tickMs;
    await evaluator.run();
    await done(caller, 'DELETE', `/alert-rules/${id}`);
    assert.deepEqual(ended, [`${id} The rule was changed.`, `${id} The rule was disabled.`]);
  });

  test('evaluates again what could not be carried over to incidents', async () => {
    const { id } = await addRule({ durationSeconds: 0 });
    let fails = true;
    const evaluator = start({ fails: () => fails });
    nowMs += tickMs;
    await report(nowMs, 100, 75);
    await evaluator.run();
    assert.equal((await done(caller, 'GET', `/alert-rules/${id}`)).state, 'unknown');
    fails = false;
    assert.deepEqual(await tick(evaluator, id, 75), ['firing', 75, 'firing']);
  });

  test('makes an alert of a rule that cannot be evaluated', async () => {
    const { system } = control.opened.database;
    const { id } = await addRule({
      environmentId: null,
      metric: 'certificate_days_left',
      operator: '<',
      threshold: 14,
    });
    await system
      .insertInto('target_servers')
      .values({
        id: newId('tgt'),
        organization_id: organizationId,
        environment_id: environmentId,
        name: 'orders',
        description: '',
        scheme: 'https',
        host: 'orders.example.com',
        port: 443,
        weight: 1,
        endpoints: '[]',
        tls_server_name: null,
        tls_certificate_authorities: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
        tls_client_certificate: null,
        sealed_tls_client_key: null,
        enabled: true,
        health_path: null,
      })
      .execute();
    const evaluator = start();
    for (let count = 0; count < 6; count++) {
      const [state] = await tick(evaluator, id, null);
      assert.equal(state, 'failed');
      assert.equal(applied.length, 0);
    }
    await tick(evaluator, id, null);
    assert.equal(applied[0]?.alerts[0]?.labels.failed, 'true');
    await system.deleteFrom('target_servers').where('organization_id', '=', organizationId).execute();
    assert.deepEqual(await tick(evaluator, id, null), ['inactive', null, 'resolved']);
  });

  test('reads the requests of one app from hourly figures', async () => {
    const appId = newId('app');
    const { system } = control.opened.database;
    const { id } = await addRule();
    await system.updateTable('alert_rules').set({ app_id: appId }).where('id', '=', id).execute();
    const add = (requests: number, errors: number) =>
      system
        .insertInto('traffic_aggregates')
        .values({
          organization_id: organizationId,
          hour: new Date(Math.floor(nowMs / 3_600_000) * 3_600_000),
          environment_id: environmentId,
          proxy_id: proxyId,
          app_id: appId,
          product_id: '',
          country: 'DE',
          requests,
          status_2xx: requests - errors,
          status_3xx: 0,
          status_4xx: 0,
          status_5xx: errors,
          limited: 0,
          request_bytes: 0,
          response_bytes: 0,
          gateway_time: [],
          target_time: [],
        })
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'hour', 'environment_id', 'proxy_id', 'app_id', 'product_id', 'country'])
            .doUpdateSet({ requests, status_5xx: errors }),
        )
        .execute();
    const evaluator = start();
    await add(100, 0);
    await tick(evaluator, id, 0);
    await add(110, 8);
    assert.deepEqual((await tick(evaluator, id, 0)).slice(0, 2), ['pending', 80]);
  });
});
