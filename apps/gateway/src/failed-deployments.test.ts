import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestCaller, TestControl } from '@millrace/control/testing';
import { eventually } from '@millrace/eventually';
import {
  addConsumer,
  addProxy,
  addRevision,
  Client,
  deploy,
  done,
  isLive,
  keyed,
  startNode,
  startPlatform,
  type TestGatewayNode,
  type TestPlatform,
  type TestProxy,
} from './testing-platform.ts';

describe('a deployment that the gateway does not load', () => {
  let platform: TestPlatform;
  let control: TestControl;
  let administrator: TestCaller;
  let environmentId: string;
  let node: TestGatewayNode;
  const client = new Client();

  before(async () => {
    platform = await startPlatform();
    ({ control, administrator, environmentId } = platform);
    node = await startNode(administrator, control.baseUrl, environmentId);
  });
  after(async () => {
    client.close();
    await node?.stop();
    await platform?.stop();
  });

  const token = () => `/environments/${environmentId}/variables/TOKEN`;
  /** As the management API would not take it: no header can hold it. */
  const storeToken = (value: string) =>
    control.opened.database.system.updateTable('environment_variables').set({ value }).execute();
  const moveTo = ({ proxyId }: TestProxy, basePath: string) =>
    done(administrator, 'PATCH', `/proxies/${proxyId}`, { basePath });
  const show = (id: string) => done(administrator, 'GET', `/deployments/${id}`);
  const deployed = ({ proxyId }: TestProxy, revision: number) =>
    deploy(administrator, { proxyId, environmentId, revision });
  async function isIn(id: string, state: string) {
    await eventually(`the deployment to be ${state}`, async () => (await show(id)).state === state);
    return show(id);
  }
  async function publish() {
    const proxy = await addProxy(administrator, [keyed]);
    const { key } = await addConsumer(administrator, [proxy.proxyId]);
    const first = await deployed(proxy, 1);
    await isLive(administrator, first);
    const ask = () => client.get(`${node.url}${proxy.basePath}/orders`, { 'x-api-key': key });
    await eventually('the key to be known', async () => (await ask()).status === 200);
    return { proxy, first, ask };
  }

  test('fails with the node’s reason; the previous one keeps serving, and the next one goes live', async () => {
    const { proxy, first, ask } = await publish();
    const other = await publish();
    await moveTo(other.proxy, `${other.proxy.basePath}-moved`);
    // The management API would not take what follows, if it knew where the other one serves.
    await control.opened.database.system
      .updateTable('deployments')
      .set({ base_path: `${other.proxy.basePath}-moved` })
      .where('id', '=', other.first)
      .execute();
    await moveTo(proxy, other.proxy.basePath);
    const revision = await addRevision(administrator, proxy, '/revision-2');
    const second = await deployed(proxy, revision);
    const answers = new Set<string>();
    const failed = await eventually('the deployment to fail', async () => {
      const answer = await ask();
      answers.add(`${answer.status} ${answer.path}`);
      const deployment = await show(second);
      return deployment.state === 'failed' && deployment;
    });
    assert.match(failed.failure, /rejected configuration \d+: Two API proxies have the base path/);
    assert.equal((await show(first)).state, 'live');
    assert.equal((await ask()).path, '/revision-1');
    assert.deepEqual([...answers], ['200 /revision-1']);

    // What else is deployed there goes live again, and the node has nothing to complain of.
    await isLive(administrator, await deployed(other.proxy, 1));
    await moveTo(proxy, proxy.basePath);
    const third = await deployed(proxy, await addRevision(administrator, proxy, '/revision-3'));
    await isLive(administrator, third);
    await eventually('the third to serve', async () => (await ask()).path === '/revision-3');
    const { health, address } = await done(administrator, 'GET', `/gateway-nodes/${node.id}`);
    assert.deepEqual([health, address], ['healthy', node.url]);
    assert.equal((await show(second)).state, 'failed');
  });

  test('waits while something live can no longer be loaded, and says so; once that is fixed it goes live', async () => {
    const { proxy } = await publish();
    const other = await publish();
    await done(administrator, 'PUT', token(), { value: 'one line' });
    await done(administrator, 'POST', `/proxies/${proxy.proxyId}/policies`, {
      kind: 'transform-headers',
      flow: 'request',
      configuration: { set: [{ name: 'authorization', value: 'Bearer {{variables.TOKEN}}' }] },
    });
    const revision = await addRevision(administrator, proxy, '/revision-2');
    const live = await deployed(proxy, revision);
    await isLive(administrator, live);
    const refusal = async () => (await done(administrator, 'GET', `/environments/${environmentId}`)).refusal;
    assert.equal(await refusal(), null);

    await storeToken('two\nlines');
    const waiting = await deployed(other.proxy, await addRevision(administrator, other.proxy, '/revision-2'));
    const first = await eventually('the refusal', refusal);
    assert.deepEqual([first.deploymentId, first.nodes], [live, 1]);
    assert.ok(first.reason.includes(`revision ${revision}: `), first.reason);
    assert.match(first.reason, /TOKEN contains characters that headers can’t contain/);
    await done(administrator, 'PATCH', `/environments/${environmentId}`, { hostNames: ['orders.example'] });
    const next = await eventually('the next refusal', async () => {
      const present = await refusal();
      return present !== null && present.sequence > first.sequence && present;
    });
    assert.equal(next.since, first.since);
    assert.equal((await show(waiting)).state, 'rolling_out');
    assert.equal((await show(live)).state, 'live');

    await done(administrator, 'PATCH', `/environments/${environmentId}`, { hostNames: [] });
    await done(administrator, 'PUT', token(), { value: 'one line' });
    await isLive(administrator, waiting);
    await eventually('no refusal', async () => (await refusal()) === null);
  });

  test('fails after the time-out if a node never loads it for its own reasons; once it can, it serves the previous one', async () => {
    const { proxy, first, ask } = await publish();
    const folder = mkdtempSync(join(tmpdir(), 'millrace-test-stuck-'));
    const stuck = await startNode(administrator, control.baseUrl, environmentId, { MILLRACE_GATEWAY_DATA_DIR: folder });
    const isHealthy = async () => (await done(administrator, 'GET', `/gateway-nodes/${stuck.id}`)).health === 'healthy';
    try {
      await eventually('the node to be healthy', isHealthy);
      // A disk that takes no other configuration.
      mkdirSync(join(folder, 'configuration.json.new'));
      const revision = await addRevision(administrator, proxy, '/revision-2');
      const second = await deployed(proxy, revision);
      await eventually('the other node to serve it', async () => (await ask()).path === '/revision-2');
      await eventually('the refusal to be reported', async () => {
        const { nodes } = await done(administrator, 'GET', `/deployments/${second}/rollout`);
        return nodes.some(({ refused }: { refused: object | null }) => refused !== null);
      });
      assert.equal((await show(second)).state, 'rolling_out', 'it is not at fault');
      await passTime();
      const { failure } = await isIn(second, 'failed');
      assert.match(
        failure,
        /^Not every gateway node has loaded it within 600 seconds\. node-\w+ rejected configuration/,
      );
      await eventually('the other node to be back', async () => (await ask()).path === '/revision-1');
      assert.equal((await show(first)).state, 'rolling_out', 'one of them has not acknowledged that it is back');

      rmdirSync(join(folder, 'configuration.json.new'));
      // Retried after a minute, and at once where something newer is there.
      const third = await deployed(proxy, revision);
      await isLive(administrator, third);
      await eventually('the node to be healthy again', isHealthy);
      assert.equal((await show(second)).state, 'failed');
    } finally {
      await stuck.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  /** Lets everything that nodes are waited for have begun eleven minutes earlier. */
  async function passTime(): Promise<void> {
    const { system } = control.opened.database;
    const earlier = new Date(Date.now() - 11 * 60_000);
    await system.updateTable('deployments').set({ rollout_since: earlier }).execute();
    await system.updateTable('gateway_nodes').set({ reporting_since: earlier }).execute();
  }
});
