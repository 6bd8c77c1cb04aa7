import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import {
  addConsumer,
  addNode,
  addProxy,
  Client,
  deploy,
  done,
  isLive,
  nodeEnvironment,
  startPlatform,
  startProcess,
  type TestPlatform,
  type TestProxy,
} from './testing-platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-metering-'));
const main = join(import.meta.dirname, 'main.ts');

describe('metering', () => {
  let platform: TestPlatform;
  let proxy: TestProxy;
  before(async () => {
    platform = await startPlatform();
    const quota = { kind: 'quota', configuration: { limit: 250, window: { unit: 'day', count: 1 } } };
    proxy = await addProxy(platform.administrator, [{ kind: 'verify-api-key' }, quota]);
  });
  after(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true });
  });

  async function addPlan(productId: string): Promise<string> {
    const name = newId('rpl').replace('_', '-');
    const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }];
    const plan = { productId, name, displayName: name, type: 'pay_as_you_go', currency: 'EUR', charges };
    const { id } = await done(platform.administrator, 'POST', '/rate-plans', plan);
    await done(platform.administrator, 'POST', `/rate-plans/${id}/publish`, {});
    return id;
  }

  test('the access log, the metered rows and the traffic are the same calls', async () => {
    const { control, administrator, environmentId } = platform;
    const { system } = control.opened.database;
    const deployment = await deploy(administrator, { proxyId: proxy.proxyId, environmentId, revision: 1 });
    const { registrationToken, id: nodeId } = await addNode(administrator, environmentId);
    const node = await startProcess(main, {
      ...nodeEnvironment(control.baseUrl, folder),
      MILLRACE_GATEWAY_TOKEN: registrationToken,
      MILLRACE_GATEWAY_ACCESS_LOG: '1',
    });
    const clients = Array.from({ length: 8 }, () => new Client());
    await isLive(administrator, deployment);
    const consumer = await addConsumer(administrator, [proxy.proxyId]);
    const { subscriptionId, productId, key } = consumer;
    await done(administrator, 'PATCH', `/products/${productId}`, { unitsHeader: 'X-Pages' });
    const setPlan = async () => {
      const body = { ratePlanId: await addPlan(productId) };
      return (await done(administrator, 'PUT', `/subscriptions/${subscriptionId}/rate-plan`, body)).termId;
    };

    let asked = 0;
    const call = async (client: Client) => {
      asked += 1;
      const pages = ['1', '0.5', '2.000001', 'many', undefined][asked % 5];
      return client.get(`${node.address}${proxy.basePath}/orders`, {
        'x-api-key': asked % 20 === 0 ? 'wrong' : key,
        ...(pages === undefined ? {} : { 'x-test-pages': pages }),
      });
    };
    const terms = [await setPlan()];
    await eventually('the node to know the consumer', async () => (await call(clients[0]!)).status === 200);
    const callRounds = (rounds: number) =>
      Promise.all(
        clients.map(async (client) => {
          for (let round = 0; round < rounds; round += 1) {
            const answer = await call(client);
            assert.equal(answer.headers['x-pages'], undefined);
          }
        }),
      );
    const isMetered = (term: string) =>
      eventually('the node to know the plan', async () => {
        await call(clients[0]!);
        return node.output().includes(term);
      });
    await isMetered(terms[0]!);
    const calling = callRounds(20);
    terms.push(await setPlan());
    await calling;
    await isMetered(terms[1]!);
    await callRounds(20);
    await done(administrator, 'POST', `/subscriptions/${subscriptionId}/revoke`, { reason: 'The end.' });
    await eventually('the node to reject the app', async () => (await call(clients[0]!)).status === 403);
    for (const client of clients) client.close();
    assert.equal(await node.end('SIGTERM'), 0);

    const lines = node
      .output()
      .split('\n')
      .filter((line) => line.includes('"type":"access"'))
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, asked);
    const logged = new Map<string, { requests: number; responseBytes: number; microUnits: number; without: number }>();
    for (const { termId, time, refused, status, responseBytes, microUnits, unitsState } of lines) {
      if (termId === null) continue;
      const quarter = new Date(Math.floor(Date.parse(time) / 900_000) * 900_000).toISOString();
      const group = `${termId} ${quarter} ${refused ? 0 : Math.floor(status / 100)}`;
      const sum = logged.get(group) ?? { requests: 0, responseBytes: 0, microUnits: 0, without: 0 };
      sum.requests += 1;
      sum.responseBytes += responseBytes;
      sum.microUnits += microUnits;
      sum.without += unitsState === 'missing' || unitsState === 'unreadable' ? 1 : 0;
      logged.set(group, sum);
    }
    const rows = await system.selectFrom('metered_usage').selectAll().execute();
    const stored = new Map(
      rows.map((row) => [
        `${row.term_id} ${row.quarter.toISOString()} ${row.status_class}`,
        {
          requests: Number(row.requests),
          responseBytes: Number(row.response_bytes),
          microUnits: Math.round(Number(row.units) * 1_000_000),
          without: Number(row.without_units) + Number(row.unreadable_units),
        },
      ]),
    );
    const sorted = (map: ReadonlyMap<string, unknown>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(sorted(stored), sorted(logged));
    assert.deepEqual(new Set(rows.map(({ term_id }) => term_id)), new Set(terms), 'calls of both plans');
    assert.ok(
      rows.some((row) => row.status_class === 0),
      'the quota rejected some',
    );

    const traffic = await system
      .selectFrom('traffic_aggregates')
      .select('requests')
      .where('app_id', '=', consumer.appId)
      .execute();
    const sumOf = (counted: readonly { requests: string }[]) =>
      counted.reduce((sum, { requests }) => sum + Number(requests), 0);
    const unbilled = lines.filter(({ appId, termId }) => appId === consumer.appId && termId === null).length;
    assert.equal(sumOf(traffic), sumOf(rows) + unbilled);
    const { usage_complete_until: completeUntil } = await system
      .selectFrom('gateway_nodes')
      .select('usage_complete_until')
      .where('id', '=', nodeId)
      .executeTakeFirstOrThrow();
    assert.equal(Number(completeUntil), Infinity, 'it stopped and left nothing');
  });
});
