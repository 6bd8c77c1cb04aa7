import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { startTestRedis, type TestRedis, withoutRedis } from '@millrace/counters/testing';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import {
  type Answer,
  addConsumer,
  addNode,
  addProxy,
  Client,
  countingTogether,
  deploy,
  done,
  isLive,
  nodeEnvironment,
  startNode,
  startPlatform,
  startProcess,
  type TestConsumer,
  type TestGatewayNode,
  type TestPlatform,
  type TestProcess,
  type TestProxy,
} from './testing-platform.ts';

describe('a prepaid balance', { skip: withoutRedis }, () => {
  let platform: TestPlatform;
  let redis: TestRedis;
  let proxy: TestProxy;
  let nodes: readonly TestGatewayNode[];
  before(async () => {
    redis = await startTestRedis();
    platform = await startPlatform();
    const { administrator, control, environmentId } = platform;
    proxy = await addProxy(administrator);
    const start = () => startNode(administrator, control.baseUrl, environmentId, countingTogether(redis.url));
    nodes = await Promise.all([start(), start(), start()]);
    await isLive(administrator, await deploy(administrator, { proxyId: proxy.proxyId, environmentId, revision: 1 }));
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await platform.stop();
    await redis.remove();
  });

  /** A consumer without a balance on a prepaid plan with these charges, which has reached all nodes. */
  async function addPrepaid(charges: readonly object[]): Promise<TestConsumer> {
    const { administrator } = platform;
    const consumer = await addConsumer(administrator, [proxy.proxyId]);
    const { productId, subscriptionId } = consumer;
    await done(administrator, 'PATCH', `/products/${productId}`, { unitsHeader: 'x-pages' });
    const name = newId('rpl').replace('_', '-');
    const plan = { productId, name, displayName: name, type: 'prepaid', currency: 'EUR', charges };
    const { id: ratePlanId } = await done(administrator, 'POST', '/rate-plans', plan);
    await done(administrator, 'POST', `/rate-plans/${ratePlanId}/publish`, {});
    await done(administrator, 'PUT', `/subscriptions/${subscriptionId}/rate-plan`, { ratePlanId });
    for (const node of nodes) await until(node, consumer, 'balance_exhausted');
    return consumer;
  }
  const calls = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.067' };
  const topUp = ({ subscriptionId }: TestConsumer, amountMinor: number) =>
    done(platform.administrator, 'POST', `/subscriptions/${subscriptionId}/top-ups`, { amountMinor });
  const balanceOf = ({ subscriptionId }: TestConsumer) =>
    done(platform.administrator, 'GET', `/subscriptions/${subscriptionId}/balance`);
  const call = (client: Client, node: TestGatewayNode, { key }: TestConsumer, headers: Record<string, string> = {}) =>
    client.get(`${node.url}${proxy.basePath}/orders`, { 'x-api-key': key, ...headers });

  /** Waits until a node answers otherwise than with these errors. */
  async function until(node: TestGatewayNode, consumer: TestConsumer, error: string | null): Promise<number> {
    const client = new Client();
    const startMs = performance.now();
    await eventually(`an answer with ${error}`, async () => (await call(client, node, consumer)).error === error);
    client.close();
    return performance.now() - startMs;
  }

  /** Waits until a top-up has reached all nodes; returns how many calls were admitted for it. */
  async function reach(consumer: TestConsumer): Promise<number> {
    for (const node of nodes) await until(node, consumer, null);
    return nodes.length;
  }

  test('pays for exactly its calls, from 64 callers at once on three nodes', async (context) => {
    const consumer = await addPrepaid([calls]);
    await topUp(consumer, 6_700);
    const admittedFirst = await reach(consumer);
    const answers: Answer[] = [];
    await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const client = new Client();
        for (let round = 0; round < 20; round += 1) answers.push(await call(client, nodes[index % 3]!, consumer));
        client.close();
      }),
    );
    const admitted = answers.filter(({ status }) => status === 200).length;
    assert.equal(admittedFirst + admitted, 1_000);
    assert.equal(answers.filter(({ error }) => error === 'balance_exhausted').length, 280 + admittedFirst);
    assert.ok(answers.every(({ status, error }) => status === 200 || error === 'balance_exhausted'));
    assert.equal(answers.find(({ error }) => error !== null)?.headers['x-balance-remaining'], '0');

    await eventually('the usage to be reported', async () => (await balanceOf(consumer)).balanceMinor === '0');
    const { usedMinor, isLow } = await balanceOf(consumer);
    assert.deepEqual([usedMinor, isLow], ['6700', true]);
    const { notifications } = await done(platform.administrator, 'GET', '/notifications?kind=low_balance');
    assert.equal(notifications.length, 1, 'once for a crossing');

    await topUp(consumer, 67);
    const tookMs = await Promise.all(nodes.map((node) => until(node, consumer, null)));
    context.diagnostic(`topped up after ${tookMs.map(Math.round).join(', ')} ms`);
  });

  test('pays for units by the response, and not for what failed at the target', async () => {
    const pages = { name: 'pages', meter: 'units', model: 'per_unit', unitPrice: '0.5' };
    const consumer = await addPrepaid([pages]);
    await topUp(consumer, 1_000);
    const [node] = nodes;
    await reach(consumer);
    const client = new Client();
    assert.equal((await call(client, node!, consumer, { 'x-test-pages': '12.5' })).status, 200);
    assert.equal((await call(client, node!, consumer)).status, 200, 'without units');
    await eventually('the refund', async () => {
      const { headers } = await call(client, node!, consumer);
      return headers['x-balance-remaining'] === '325';
    });
    await eventually('the usage to be reported', async () => (await balanceOf(consumer)).balanceMinor === '375');
    await call(client, node!, consumer, { 'x-test-pages': '100' });
    await until(node!, consumer, 'balance_exhausted');
    client.close();
    await eventually('the overspend to be reported', async () => (await balanceOf(consumer)).balanceMinor === '-4625');
  });

  for (const counting of ['strict', 'fast'] as const) {
    test(`pays for no more than what has not expired, counted ${counting}`, async () => {
      const consumer = await addPrepaid([calls]);
      const path = `/subscriptions/${consumer.subscriptionId}`;
      await done(platform.administrator, 'PATCH', `${path}/balance`, { counting });
      const creditExpiry = { count: 1, unit: 'month' };
      const body = { amountMinor: 6_700, creditExpiry };
      const { id: topUpId } = await done(platform.administrator, 'POST', `${path}/top-ups`, body);
      await topUp(consumer, 670);
      const client = new Client();
      let admitted = 0;
      const pay = async (node: TestGatewayNode) => {
        const answer = await call(client, node, consumer);
        if (answer.status === 200) admitted += 1;
        return answer;
      };
      for (const node of nodes) await eventually('an admitted call', async () => (await pay(node)).status === 200);
      const quarterMs = 900_000;
      const expiresAt = new Date((Math.floor(Date.now() / quarterMs) - 1) * quarterMs);
      await platform.control.opened.database.system
        .updateTable('top_ups')
        .set({ expires_at: expiresAt })
        .where('id', '=', topUpId)
        .execute();
      await eventually('the expiry', async () => (await balanceOf(consumer)).expiredMinor === 6_700);
      for (const node of nodes) {
        await eventually(
          'the node to know',
          async () => Number((await pay(node)).headers['x-balance-remaining']) <= 670,
        );
      }
      for (let each = 0; each < 120; each += 1) await pay(nodes[each % 3]!);
      client.close();
      // A lease that a node holds is given back after a second without a call.
      assert.ok(admitted <= 100 && admitted >= (counting === 'strict' ? 100 : 80), `${admitted} admitted`);
      await eventually('the usage to be reported', async () => {
        const { usedMinor } = await balanceOf(consumer);
        return Number(usedMinor) === Math.round(admitted * 67) / 10;
      });
      const { balanceMinor, movements } = await balanceOf(consumer);
      assert.equal(Number(balanceMinor), (6_700 - admitted * 67) / 10);
      assert.ok(movements.some((one: { kind: string; amountMinor: number }) => one.amountMinor === -6_700));
    });
  }

  test('is counted by leases without being overspent', async () => {
    const consumer = await addPrepaid([calls]);
    await topUp(consumer, 2_010);
    const fast = { counting: 'fast' };
    await done(platform.administrator, 'PATCH', `/subscriptions/${consumer.subscriptionId}/balance`, fast);
    let admitted = await reach(consumer);
    await Promise.all(
      Array.from({ length: 32 }, async (_, index) => {
        const client = new Client();
        for (let round = 0; round < 15; round += 1) {
          if ((await call(client, nodes[index % 3]!, consumer)).status === 200) admitted += 1;
        }
        client.close();
      }),
    );
    assert.ok(admitted <= 300 && admitted >= 290, `${admitted}`);
  });

  /** Starts a node as a process of its own, in a folder; once it was registered, without a token. */
  async function startOwn(
    context: TestContext,
    folder: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<TestProcess> {
    const { administrator, control, environmentId } = platform;
    const isKnown = existsSync(join(folder, 'identity.json'));
    const token = isKnown ? null : (await addNode(administrator, environmentId)).registrationToken;
    const node = await startProcess(join(import.meta.dirname, 'main.ts'), {
      ...nodeEnvironment(control.baseUrl, folder),
      ...environment,
      ...(token === null ? {} : { MILLRACE_GATEWAY_TOKEN: token }),
    });
    context.after(() => void node.end('SIGKILL'));
    return node;
  }

  function addFolder(context: TestContext): string {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-prepaid-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  /** How many calls a node admits until the balance is exhausted, or this many. They are recorded when it returns. */
  async function useUp({ address }: TestProcess, { key }: TestConsumer, most: number): Promise<number> {
    const client = new Client();
    const next = () =>
      eventually('the node to decide', async () => {
        const { status, error } = await client.get(`${address}${proxy.basePath}/orders`, { 'x-api-key': key });
        return status === 200 || error === 'balance_exhausted' ? { status } : null;
      });
    let admitted = 0;
    while (admitted < most && (await next()).status === 200) admitted += 1;
    // A call is recorded after its answer, but before its connection's next one: without it, a node killed now would have had
    // the last call in flight.
    assert.equal((await client.get(`${address}/unknown`)).status, 404);
    client.close();
    return admitted;
  }

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`continues where it was on a node without Redis that ended by ${signal}`, async (context) => {
      const folder = addFolder(context);
      const consumer = await addPrepaid([calls]);
      await topUp(consumer, 670);
      const node = await startOwn(context, folder);
      // Fewer than after which the management API publishes how much is used.
      assert.equal(await useUp(node, consumer, 4), 4);
      await node.end(signal);
      assert.equal(4 + (await useUp(await startOwn(context, folder), consumer, 200)), 100);
    });
  }

  test('continues where it was once Redis came back empty, also for nodes that restarted', async (context) => {
    const own = await startTestRedis();
    context.after(() => own.remove());
    const folders = [addFolder(context), addFolder(context)];
    const consumer = await addPrepaid([calls]);
    await topUp(consumer, 670);
    const start = () => Promise.all(folders.map((folder) => startOwn(context, folder, countingTogether(own.url))));
    const before = await start();
    let admitted = 0;
    for (const node of before) admitted += await useUp(node, consumer, 2);
    await eventually('the usage to be reported', async () => (await balanceOf(consumer)).usedMinor === '26.8');
    await Promise.all(before.map((node) => node.end('SIGKILL')));
    await own.stop('SIGKILL');
    await own.start();
    for (const node of await start()) admitted += await useUp(node, consumer, 200);
    assert.equal(admitted, 100);
  });
});
