import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import type { UsageBatch } from '@millrace/gateway-configuration/reports';
import { Histogram } from '@millrace/histograms';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addNode, type TestNode } from './testing.ts';

const hourMs = 3_600_000;
/** The beginning of an hour that is over. */
const hour = new Date(Math.floor(Date.now() / hourMs - 3) * hourMs).toISOString();

describe('usage', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let environmentId: string;
  let proxyId: string;
  let node: TestNode;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    environmentId = await addEnvironment(control, organizationId);
    proxyId = await addProxy(administrator);
    node = await addNode(control, administrator, environmentId);
  });

  /** A proxy with two revisions. */
  async function addProxy(caller: TestCaller): Promise<string> {
    const name = `orders-${newId('prx').slice(-8)}`;
    const { data } = await caller.call('POST', '/proxies', { name, displayName: 'Orders', basePath: `/v1/${name}` });
    const route = { method: 'GET', pathPattern: '/', targetServer: 'orders' };
    await caller.call('POST', `/proxies/${data.id}/routes`, route);
    await caller.call('POST', `/proxies/${data.id}/revisions`, {});
    await caller.call('PATCH', `/proxies/${data.id}`, { description: 'Another' });
    const second = await caller.call('POST', `/proxies/${data.id}/revisions`, {});
    assert.equal(second.status, 201, JSON.stringify(second.data));
    return data.id;
  }

  const counts = (requests: number, errors = 0) => ({
    requests,
    status2xx: requests - errors,
    status3xx: 0,
    status4xx: 0,
    status5xx: errors,
  });
  const trafficRow = (fields: Partial<UsageBatch['traffic'][number]> = {}): UsageBatch['traffic'][number] => ({
    hour,
    proxyId,
    appId: null,
    productId: null,
    country: 'DE',
    ...counts(10),
    limited: 1,
    requestBytes: 100,
    responseBytes: 1_000,
    gatewayTime: [40, 9, 41, 1],
    targetTime: [200, 10],
    ...fields,
  });
  const none = { traffic: [], deployments: [], routes: [], metered: [] };
  const send = (batch: Partial<UsageBatch>, from = node) =>
    from.call('POST', '/gateway/usage', { streamId: newId('usb'), sequence: 0, ...none, ...batch });
  async function applied(batch: Partial<UsageBatch>, from = node, aheadRows = 0): Promise<void> {
    const { status, data } = await send(batch, from);
    assert.deepEqual([status, data], [200, { applied: true, aheadRows }], JSON.stringify(data));
  }

  const totals = async () => {
    const { rows } = await sql<Record<string, number>>`
      select coalesce(sum(requests), 0)::int as requests, coalesce(sum(limited), 0)::int as limited,
             coalesce(sum(response_bytes), 0)::int as bytes, count(*)::int as rows
      from traffic_aggregates where organization_id = ${organizationId}`.execute(control.opened.database.system);
    return rows[0]!;
  };

  test('a batch counts once, even if sent several times concurrently', async () => {
    const streamId = newId('usb');
    const answers = await Promise.all([1, 2, 3, 4].map(() => send({ streamId, traffic: [trafficRow()] })));
    assert.deepEqual(answers.map(({ data }) => data.applied).toSorted(), [false, false, false, true]);
    assert.equal((await send({ streamId, traffic: [trafficRow()] })).data.applied, false);
    assert.deepEqual(await totals(), { requests: 10, limited: 1, bytes: 1_000, rows: 1 });
  });

  test('batches are remembered forever, in one row while none is missing', async () => {
    const streamId = newId('usb');
    const order = [3, 0, 1, 0, 2, 3, 5, 1, 4, 5];
    const answers: boolean[] = [];
    for (const sequence of order) {
      answers.push((await send({ streamId, sequence, traffic: [trafficRow()] })).data.applied);
    }
    assert.deepEqual(
      answers,
      order.map((sequence, index) => order.indexOf(sequence) === index),
    );
    assert.equal((await totals()).requests, 60);
    const { rows } = await sql`select applied::text from usage_streams where id = ${streamId}`.execute(
      control.opened.database.system,
    );
    assert.deepEqual(rows, [{ applied: '{[0,6)}' }]);
  });

  test('rows with one key add up, within a batch and across concurrent nodes', async () => {
    const others = await Promise.all([1, 2, 3].map(() => addNode(control, administrator, environmentId)));
    const rows = [
      trafficRow(),
      trafficRow({ hour: new Date(Date.parse(hour) + hourMs - 1).toISOString() }),
      trafficRow({ appId: 'app_1' }),
    ];
    const reversed = rows.toReversed();
    await Promise.all(
      others.flatMap((other, index) =>
        Array.from({ length: 5 }, () => applied({ traffic: index % 2 === 0 ? rows : reversed }, other)),
      ),
    );
    assert.deepEqual(await totals(), { requests: 450, limited: 45, bytes: 45_000, rows: 2 });
    const { rows: stored } = await sql<{ gateway_time: string[]; environment_id: string }>`
      select gateway_time, environment_id from traffic_aggregates
      where organization_id = ${organizationId} and app_id = ''`.execute(control.opened.database.system);
    assert.deepEqual(stored[0]?.gateway_time.map(Number), [40, 270, 41, 30]);
    assert.equal(stored[0]?.environment_id, environmentId);
  });

  test('rows of unknown entities are ignored and the rest counts, including yesterday’s hours', async () => {
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const foreignEnvironment = await addEnvironment(control, stranger.organizationId);
    const foreignProxy = await addProxy(stranger);
    const foreign = { proxyId: foreignProxy, environmentId: foreignEnvironment, revision: 1 };
    const { data: foreignDeployment } = await stranger.call('POST', '/deployments', foreign);
    const elsewhere = await addEnvironment(control, organizationId, { name: 'elsewhere' });
    const { data: deployment } = await administrator.call('POST', '/deployments', {
      proxyId,
      environmentId: elsewhere,
      revision: 1,
    });
    await applied({
      traffic: [
        trafficRow({ proxyId: foreignProxy }),
        trafficRow({ proxyId: newId('prx') }),
        trafficRow({ hour: new Date(Date.now() - 26 * 3_600_000).toISOString() }),
        trafficRow({ hour: new Date(Date.now() + 0.9 * hourMs).toISOString() }),
      ],
      deployments: [foreignDeployment.id, deployment.id, newId('dep')].map((deploymentId) => ({
        minute: hour,
        deploymentId,
        ...counts(5),
        latency: [10, 5],
      })),
      routes: [proxyId, foreignProxy].map((id) => ({ hour, proxyId: id, routeId: 'rte_1', ...counts(5) })),
    });
    assert.deepEqual(await totals(), { requests: 20, limited: 2, bytes: 2_000, rows: 2 });
    const { system } = control.opened.database;
    assert.deepEqual(await system.selectFrom('deployment_traffic').selectAll().execute(), []);
    const routes = await system.selectFrom('route_traffic').select(['proxy_id', 'requests']).execute();
    assert.deepEqual(routes, [{ proxy_id: proxyId, requests: '5' }]);
    const { rows } = await sql<{ ahead: boolean }>`
      select bool_or(hour > now()) as ahead from traffic_aggregates where organization_id = ${organizationId}`.execute(
      system,
    );
    assert.equal(rows[0]?.ahead, false, 'a node whose clock is ahead counts in the present hour');
  });

  test('rows of any age count, and those of a fast clock count for the present', async () => {
    const longAgo = new Date(Date.now() - 400 * 24 * hourMs).toISOString();
    const ahead = new Date(Date.now() + 2 * hourMs).toISOString();
    const batch = {
      traffic: [trafficRow(), trafficRow({ hour: longAgo }), trafficRow({ hour: ahead })],
      routes: [{ proxyId, routeId: 'rte_1', hour: ahead, ...counts(5) }],
    };
    await applied(batch, node, 2);
    assert.deepEqual(await totals(), { requests: 30, limited: 3, bytes: 3_000, rows: 3 });
    const { rows } = await sql<{ ahead: boolean }>`
      select bool_or(hour > now()) as ahead from traffic_aggregates where organization_id = ${organizationId}`.execute(
      control.opened.database.system,
    );
    assert.equal(rows[0]?.ahead, false);
  });

  describe('failures of apps by route', () => {
    const failure = (fields: Partial<UsageBatch['failures'][number]> = {}): UsageBatch['failures'][number] => ({
      ...{ hour, proxyId, routeId: 'rte_1', appId: 'app_1', productId: 'prd_1', status4xx: 3, status5xx: 1 },
      ...fields,
    });
    const stored = async () => {
      const rows = await control.opened.database.system
        .selectFrom('route_failures')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('app_id')
        .orderBy('hour')
        .orderBy('route_id')
        .execute();
      return rows.map((row) => [
        row.app_id,
        row.hour.toISOString(),
        row.route_id,
        row.product_id,
        row.status_4xx,
        row.status_5xx,
      ]);
    };

    test('add up once, whichever nodes report them, how often and how late', async () => {
      const other = await addNode(control, administrator, environmentId);
      const late = new Date(Date.parse(hour) - 30 * 24 * hourMs).toISOString();
      const streamId = newId('usb');
      const failures = [
        failure(),
        failure({ appId: 'app_2', routeId: null, productId: null }),
        failure({ hour: late }),
      ];
      const answers = await Promise.all([
        ...[0, 0, 0, 1].map((sequence) => send({ streamId, sequence, failures })),
        send({ failures: failures.toReversed() }, other),
      ]);
      assert.deepEqual(answers.map(({ data }) => data.applied).toSorted(), [false, false, true, true, true]);
      assert.deepEqual(await stored(), [
        ['app_1', late, 'rte_1', 'prd_1', '9', '3'],
        ['app_1', hour, 'rte_1', 'prd_1', '9', '3'],
        ['app_2', hour, '', '', '9', '3'],
      ]);
    });

    test('of unknown proxies are ignored, and a fast clock counts for the present', async () => {
      const ahead = new Date(Date.now() + 2 * hourMs).toISOString();
      const unknown = failure({ proxyId: newId('prx') });
      await applied({ failures: [unknown, failure({ hour: ahead })] }, node, 1);
      const rows = await stored();
      assert.equal(rows.length, 1);
      assert.ok(Date.parse(String(rows[0]![1])) <= Date.now());
      assert.equal((await send({ failures: [failure({ status4xx: -1 })] })).status, 400);
    });

    test('are none of nodes of the version before, whose reports count as ever', async () => {
      const { failures: _absent, ...batch } = { ...none, failures: [], traffic: [trafficRow()] };
      const { status, data } = await node.call('POST', '/gateway/usage', {
        streamId: newId('usb'),
        sequence: 0,
        ...batch,
      });
      assert.deepEqual([status, data.applied], [200, true]);
      assert.deepEqual([await stored(), (await totals()).requests], [[], 10]);
    });
  });

  test('a malformed batch is rejected as a whole', async () => {
    for (const row of [
      trafficRow({ requests: -1 }),
      trafficRow({ gatewayTime: [1, 2, 3] }),
      trafficRow({ gatewayTime: [5, 1, 4, 1] }),
      trafficRow({ targetTime: [100_000, 1] }),
    ]) {
      assert.equal((await send({ traffic: [trafficRow(), row] })).status, 400, JSON.stringify(row));
    }
    assert.equal((await totals()).rows, 0);
  });

  test('a full batch is applied in a moment', async (context) => {
    const latency = Array.from({ length: 60 }, (_, index) => [100 + index, 3]).flat();
    const traffic = Array.from({ length: 5_000 }, (_, index) =>
      trafficRow({ appId: `app_${index}`, gatewayTime: latency.slice(0, 40), targetTime: latency }),
    );
    await applied({ traffic });
    const startMs = performance.now();
    await applied({ traffic });
    const tookMs = performance.now() - startMs;
    context.diagnostic(`${Math.round(tookMs)} ms`);
    assert.ok(tookMs < 60_000, `${tookMs} ms`);
    assert.deepEqual(await totals(), { requests: 100_000, limited: 10_000, bytes: 10_000_000, rows: 5_000 });
  });

  describe('a canary', () => {
    let stableId: string;
    let canaryId: string;
    const budget = { maxErrorRateIncrease: 0.05, maxLatencyIncreasePercent: 50, minimumRequests: 100 };

    async function deployCanary(fields: object = { budget }): Promise<void> {
      const body = { proxyId, environmentId };
      stableId = (await administrator.call('POST', '/deployments', { ...body, revision: 1 })).data.id;
      const canary = { ...body, revision: 2, strategy: 'canary', weight: 20, ...fields };
      const { status, data } = await administrator.call('POST', '/deployments', canary);
      assert.equal(status, 201, JSON.stringify(data));
      canaryId = data.id;
      await node.load();
    }

    /** Counts of this minute. */
    const row = (deploymentId: string, requests: number, errors: number, latencyUs: number) => {
      const latency = new Histogram();
      for (let count = 0; count < requests; count++) latency.record(latencyUs);
      return { minute: new Date().toISOString(), deploymentId, ...counts(requests, errors), latency: latency.encode() };
    };
    const stateOf = async (id: string) => (await administrator.call('GET', `/deployments/${id}`)).data;
    const rolledBack = () =>
      eventually('the canary to be rolled back', async () => (await stateOf(canaryId)).state === 'rolled_back');

    test('is compared with the deployment next to it', async () => {
      await deployCanary();
      await applied({ deployments: [row(stableId, 400, 4, 10_000), row(canaryId, 50, 1, 12_000)] });
      const { data } = await administrator.call('GET', `/deployments/${canaryId}/comparison`);
      assert.deepEqual(
        [data.stable.requests, data.stable.errors, data.stable.errorRate, data.canary.errorRate, data.spent],
        [400, 4, 0.01, 0.02, null],
      );
      assert.ok(Math.abs(data.canary.latencyMs.p95 - 12) < 0.5, String(data.canary.latencyMs.p95));
      assert.deepEqual(data.budget, budget);
    });

    test('that spends its error budget is rolled back automatically, audited and reported', async () => {
      await deployCanary();
      await applied({ deployments: [row(stableId, 400, 4, 10_000), row(canaryId, 99, 90, 10_000)] });
      assert.equal((await stateOf(canaryId)).state, 'live', 'too few calls to decide');
      await applied({ deployments: [row(canaryId, 50, 5, 10_000)] });
      await rolledBack();
      const stable = await stateOf(stableId);
      assert.deepEqual([stable.weight, stable.rolledBackFrom], [100, { deploymentId: canaryId, revision: 2 }]);
      assert.match((await stateOf(canaryId)).failure, /63.76 % of its responses were errors, compared with 1 %/);
      const { data: audit } = await administrator.call('GET', `/audit?entityId=${canaryId}&severity=high`);
      const entry = audit.entries[0];
      assert.deepEqual(
        [entry.actorKind, entry.operation, entry.category],
        ['system', 'rollBackDeployment', 'deployment'],
      );
      const notices = await administrator.call('GET', '/notifications');
      assert.match(JSON.stringify(notices.data), /canary of revision 2 in test was rolled back/);
      const { data } = await node.call('GET', '/gateway/configuration');
      const { deployments } = JSON.parse(data.configuration.manifest.text);
      assert.deepEqual(
        deployments.map(({ weight }: { weight: number }) => weight),
        [100],
      );
    });

    test('that spends its latency budget is rolled back once, however many nodes report at once', async () => {
      await deployCanary();
      const others = await Promise.all([1, 2, 3].map(() => addNode(control, administrator, environmentId)));
      await Promise.all(
        others.map((other) =>
          applied({ deployments: [row(stableId, 100, 0, 10_000), row(canaryId, 100, 0, 16_000)] }, other),
        ),
      );
      await rolledBack();
      const { data } = await administrator.call('GET', `/audit?entityId=${canaryId}&severity=high`);
      assert.equal(data.total, 1);
      assert.match((await stateOf(canaryId)).failure, /95th percentile was .* ms/);
    });

    test('stays if it is within its budget, has none, or was promoted', async () => {
      await deployCanary();
      await applied({ deployments: [row(stableId, 100, 2, 10_000), row(canaryId, 200, 13, 14_000)] });
      await new Promise((done) => setTimeout(done, 200));
      assert.equal((await stateOf(canaryId)).state, 'live');
      await administrator.call('POST', `/deployments/${canaryId}/promote`);
      await applied({ deployments: [row(canaryId, 1_000, 1_000, 10_000)] });
      await new Promise((done) => setTimeout(done, 200));
      assert.equal((await stateOf(canaryId)).state, 'live');
      const refused = await administrator.call('POST', '/deployments', { proxyId, environmentId, revision: 1, budget });
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['budget']]);
    });
  });
});
