import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestCaller, type TestControl } from '@millrace/control/testing';
import { startTestRedis, type TestRedis, withoutRedis } from '@millrace/counters/testing';
import { eventually } from '@millrace/eventually';
import {
  type Answer,
  addConsumer,
  addEnvironment,
  addProxy,
  addRevision,
  Client,
  countingTogether,
  deploy,
  done,
  isLive,
  keyed,
  startNode,
  startTarget,
  type TestConsumer,
  type TestGatewayNode,
  type TestProxy,
  type TestTarget,
} from './testing-platform.ts';

/**
 * Whatever takes a right away is sent to every node at once. One that only finds it when it asks again does so after 25
 * seconds; how much earlier it is effective depends on the machine, and is reported.
 */
const effectiveMs = 12_000;

describe('a proxy published through the management API', { skip: withoutRedis }, () => {
  let control: TestControl;
  let redis: TestRedis;
  let target: TestTarget;
  let administrator: TestCaller;
  let environmentId: string;
  let nodes: TestGatewayNode[];
  const client = new Client();

  before(async () => {
    [control, redis, target] = await Promise.all([startTestControl(), startTestRedis(), startTarget()]);
    administrator = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    environmentId = await addEnvironment(administrator, target);
    nodes = await Promise.all([addGatewayNode(), addGatewayNode()]);
  });
  after(async () => {
    client.close();
    await Promise.all((nodes ?? []).map((node) => node.stop()));
    target?.stop();
    await control?.stop();
    await redis?.remove();
  });

  const addGatewayNode = (environment: Readonly<Record<string, string>> = {}) =>
    startNode(administrator, control.baseUrl, environmentId, { ...countingTogether(redis.url), ...environment });
  const call = (node: TestGatewayNode, { basePath }: TestProxy, key?: string) =>
    client.get(`${node.url}${basePath}/orders`, key === undefined ? {} : { 'x-api-key': key });
  const healthOf = async ({ id }: TestGatewayNode) => (await done(administrator, 'GET', `/gateway-nodes/${id}`)).health;
  const stateOf = async (deploymentId: string) =>
    (await done(administrator, 'GET', `/deployments/${deploymentId}`)).state;

  async function publish(policies = [keyed]): Promise<TestProxy & { readonly deploymentId: string }> {
    const proxy = await addProxy(administrator, policies);
    const deploymentId = await deploy(administrator, deployed(proxy, 1));
    await isLive(administrator, deploymentId);
    return { ...proxy, deploymentId };
  }
  async function drainNode(node: TestGatewayNode): Promise<void> {
    await done(administrator, 'POST', `/gateway-nodes/${node.id}/drain`);
    await eventually('the node to be drained', async () => (await healthOf(node)) === 'drained');
  }
  const deployed = ({ proxyId }: TestProxy, revision: number, more: object = {}) => ({
    proxyId,
    environmentId,
    revision,
    ...more,
  });

  /** Asks a node again and again until it answers so; the milliseconds since `sinceMs`. */
  async function answersSince(sinceMs: number, ask: () => Promise<Answer>, expected: number | string): Promise<number> {
    await eventually(`the answer ${expected}`, async () => {
      const { status, error } = await ask();
      return status === expected || error === expected;
    });
    return performance.now() - sinceMs;
  }

  async function admitted(proxy: TestProxy, key: string): Promise<void> {
    const sinceMs = performance.now();
    await Promise.all(nodes.map((node) => answersSince(sinceMs, () => call(node, proxy, key), 200)));
  }

  test('is served on every node to its subscribers', async () => {
    const proxy = await publish();
    const other = await publish();
    const consumer = await addConsumer(administrator, [proxy.proxyId]);
    await admitted(proxy, consumer.key);
    for (const node of nodes) {
      const answer = await call(node, proxy, consumer.key);
      assert.deepEqual([answer.status, answer.path], [200, '/revision-1']);
      assert.equal((await call(node, proxy)).error, 'key_missing');
      assert.equal((await call(node, proxy, `${consumer.key}x`)).error, 'key_invalid');
      assert.equal((await call(node, other, consumer.key)).error, 'not_subscribed');
      assert.equal((await client.get(`${node.url}${proxy.basePath}/others`)).error, 'no_route');
    }
  });

  test('has its limits enforced per node without a shared Redis, as response headers show', async () => {
    const alone = await addEnvironment(administrator, target);
    const limits = { kind: 'quota', configuration: { limit: 1, window: { unit: 'day' }, mode: 'strict' } };
    const proxy = await addProxy(administrator, [keyed, limits]);
    const { key } = await addConsumer(administrator, [proxy.proxyId]);
    const deploymentId = await deploy(administrator, { ...deployed(proxy, 1), environmentId: alone });
    const both = await Promise.all([1, 2].map(() => startNode(administrator, control.baseUrl, alone)));
    try {
      await isLive(administrator, deploymentId);
      for (const node of both) {
        const answer = await eventually('the first request to be admitted', async () => {
          const admitted = await call(node, proxy, key);
          return admitted.status === 200 && admitted;
        });
        assert.equal(answer.headers['x-ratelimit-remaining'], '0');
      }
      for (const node of both) {
        await eventually('both nodes to know of each other', async () => {
          const { status, headers } = await call(node, proxy, key);
          assert.equal(status, 429);
          return headers['x-ratelimit-bound'] === '1';
        });
      }
    } finally {
      await Promise.all(both.map((node) => node.stop()));
    }
  });

  test('has its limits enforced from a node’s first request on, however slow Redis is to connect', async () => {
    const limits = { kind: 'quota', configuration: { limit: 100, window: { unit: 'day' }, mode: 'strict' } };
    const proxy = await publish([keyed, limits]);
    const { key } = await addConsumer(administrator, [proxy.proxyId]);
    await admitted(proxy, key);
    const waiting = createServer((near) => {
      const far = connect(redis.url.slice('unix://'.length));
      for (const socket of [near, far]) socket.on('error', () => {});
      near.on('close', () => far.destroy());
      far.pipe(near);
      setTimeout(() => near.pipe(far), 600);
    });
    waiting.listen(0, '127.0.0.1');
    await once(waiting, 'listening');
    const { port } = waiting.address() as AddressInfo;
    // Less than it takes to connect.
    const node = await addGatewayNode({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_TIMEOUT_MS: '250' });
    try {
      const answers = new Set<number | string>();
      await eventually('the node to admit', async () => {
        const { status, error } = await call(node, proxy, key);
        answers.add(error ?? status);
        return status === 200;
      });
      assert.equal(answers.has('policy_unavailable'), false, [...answers].join());
    } finally {
      await node.stop();
      waiting.close();
    }
  });

  test('is live only once every healthy node has it', async () => {
    const proxy = await publish();
    const { key } = await addConsumer(administrator, [proxy.proxyId]);
    const link = await startLink(control.baseUrl);
    const late = await addGatewayNode({ MILLRACE_CONTROL_URL: link.url });
    try {
      await eventually('the late node to be healthy', async () => {
        const { health, configuration } = await done(administrator, 'GET', `/gateway-nodes/${late.id}`);
        return health === 'healthy' && configuration.held === configuration.assigned;
      });
      link.hold();
      const revision = await addRevision(administrator, proxy, '/revision-2');
      const deploymentId = await deploy(administrator, deployed(proxy, revision));
      const rollout = await eventually('two nodes to serve it', async () => {
        const rollout = await done(administrator, 'GET', `/deployments/${deploymentId}/rollout`);
        return rollout.serving === 2 ? rollout : null;
      });
      assert.deepEqual([rollout.state, rollout.total], ['rolling_out', 3]);
      const ofLate = rollout.nodes.find(({ nodeId }: { nodeId: string }) => nodeId === late.id);
      assert.deepEqual([ofLate.awaited, ofLate.serving], [true, false]);
      link.release();
      await isLive(administrator, deploymentId);
      assert.equal((await call(late, proxy, key)).path, '/revision-2');
      const after = await done(administrator, 'GET', `/deployments/${deploymentId}/rollout`);
      assert.deepEqual([after.total, after.serving], [3, 3]);
      await drainNode(late);
    } finally {
      await late.stop();
      link.stop();
    }
  });

  test('a drained node keeps responding, closes its connections, and no deployment waits for it', async () => {
    const proxy = await publish();
    const { key } = await addConsumer(administrator, [proxy.proxyId]);
    await admitted(proxy, key);
    const [first, drained] = nodes as [TestGatewayNode, TestGatewayNode];
    assert.equal((await call(drained, proxy, key)).headers.connection, undefined);
    await drainNode(drained);
    assert.equal(drained.service.state().ready, false);
    const answer = await call(drained, proxy, key);
    assert.deepEqual([answer.status, answer.headers.connection], [200, 'close']);

    const revision = await addRevision(administrator, proxy, '/revision-2');
    const deploymentId = await deploy(administrator, deployed(proxy, revision));
    await isLive(administrator, deploymentId);
    assert.equal((await call(first, proxy, key)).path, '/revision-2');
    const { total, nodes: rollout } = await done(administrator, 'GET', `/deployments/${deploymentId}/rollout`);
    assert.equal(total, 1);
    assert.equal(rollout.find(({ nodeId }: { nodeId: string }) => nodeId === drained.id).awaited, false);

    await done(administrator, 'POST', `/gateway-nodes/${drained.id}/resume`);
    await eventually('the node to be healthy again', async () => (await healthOf(drained)) === 'healthy');
    assert.equal(drained.service.state().ready, true);
    // Nobody waited until it had the revision.
    await eventually('the node to serve the revision', async () => {
      const again = await call(drained, proxy, key);
      assert.equal(again.headers.connection, undefined);
      return again.path === '/revision-2';
    });
  });

  test('doesn’t wait for a stopped node', async () => {
    const stopped = await addGatewayNode();
    await eventually('the node to be healthy', async () => (await healthOf(stopped)) === 'healthy');
    await stopped.stop();
    assert.equal(await healthOf(stopped), 'drained');
    await publish();
  });

  describe('is blocked on every node within a second', () => {
    interface Refusal {
      readonly path: (consumer: TestConsumer) => string;
      readonly method?: string;
      readonly body?: object;
      readonly error: string;
      /** Lets the caller in again. */
      readonly undo?: (consumer: TestConsumer) => string;
    }
    const refusals: Readonly<Record<string, Refusal>> = {
      'a revoked credential': {
        path: ({ appId, credentialId }) => `/apps/${appId}/credentials/${credentialId}/revoke`,
        error: 'key_invalid',
      },
      'the key before a rotation without grace': {
        path: ({ appId, credentialId }) => `/apps/${appId}/credentials/${credentialId}/rotate`,
        body: { graceSeconds: 0 },
        error: 'key_invalid',
      },
      'a suspended developer': {
        path: ({ developerId }) => `/developers/${developerId}/suspend`,
        error: 'suspended',
        undo: ({ developerId }) => `/developers/${developerId}/activate`,
      },
      'a suspended app': {
        path: ({ appId }) => `/apps/${appId}/suspend`,
        error: 'suspended',
        undo: ({ appId }) => `/apps/${appId}/activate`,
      },
      'a suspended product': {
        path: ({ productId }) => `/products/${productId}/suspend`,
        error: 'suspended',
        undo: ({ productId }) => `/products/${productId}/activate`,
      },
      'a revoked subscription': {
        path: ({ subscriptionId }) => `/subscriptions/${subscriptionId}/revoke`,
        body: { reason: 'The contract has ended.' },
        error: 'not_subscribed',
      },
      'a deleted app': { method: 'DELETE', path: ({ appId }) => `/apps/${appId}`, error: 'key_invalid' },
    };
    let proxy: TestProxy;
    before(async () => {
      proxy = await publish();
    });

    for (const [what, { path, method = 'POST', body, error, undo }] of Object.entries(refusals)) {
      test(what, async (context) => {
        const consumer = await addConsumer(administrator, [proxy.proxyId]);
        await admitted(proxy, consumer.key);
        await done(administrator, method, path(consumer), body);
        const sinceMs = performance.now();
        const tookMs = await Promise.all(
          nodes.map((node) => answersSince(sinceMs, () => call(node, proxy, consumer.key), error)),
        );
        context.diagnostic(`refused after ${tookMs.map(Math.round).join(' and ')} ms`);
        assert.ok(Math.max(...tookMs) < effectiveMs, `${tookMs.map(Math.round)} ms`);
        for (const node of nodes) assert.equal((await call(node, proxy, consumer.key)).error, error);
        if (undo === undefined) return;
        await done(administrator, 'POST', undo(consumer));
        await admitted(proxy, consumer.key);
      });
    }
  });

  test('a subscription’s quota replaces the policy’s, over all nodes', async () => {
    const quota = { limit: 3, window: { unit: 'month', count: 1 } };
    const proxy = await publish([keyed, { kind: 'quota', configuration: quota }]);
    const { key, subscriptionId } = await addConsumer(administrator, [proxy.proxyId]);
    await admitted(proxy, key);
    const used = await call(nodes[0]!, proxy, key);
    assert.equal(used.headers['x-ratelimit-limit'], '3');

    await done(administrator, 'PUT', `/subscriptions/${subscriptionId}/quota`, { ...quota, limit: 7 });
    const sinceMs = performance.now();
    const limitOf = async (node: TestGatewayNode) =>
      (await client.get(`${node.url}${proxy.basePath}/orders`, { 'x-api-key': key })).headers['x-ratelimit-limit'];
    let counted = 0;
    const tookMs = await Promise.all(
      nodes.map(async (node) => {
        await eventually('the new limit', async () => {
          const isNew = (await limitOf(node)) === '7';
          if (isNew) counted += 1;
          return isNew;
        });
        return performance.now() - sinceMs;
      }),
    );
    assert.ok(Math.max(...tookMs) < effectiveMs, `${tookMs.map(Math.round)} ms`);
    const answers: Answer[] = [];
    for (let round = 0; round < 5; round++) {
      for (const node of nodes) answers.push(await call(node, proxy, key));
    }
    const passed = answers.filter(({ status }) => status === 200).length;
    assert.equal(passed + counted, 7, 'those of both nodes together');
    const refused = answers.at(-1)!;
    assert.deepEqual([refused.status, refused.error], [429, 'quota_exceeded']);
    assert.deepEqual([refused.headers['x-ratelimit-remaining'], refused.headers['x-ratelimit-bound']], ['0', '0']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    const reset = Number(refused.headers['x-ratelimit-reset']) * 1_000;
    assert.ok(reset > Date.now() && reset - Date.now() <= 31 * 86_400_000);

    await done(administrator, 'DELETE', `/subscriptions/${subscriptionId}/quota`);
    await eventually('the policy’s own limit', async () => (await limitOf(nodes[1]!)) === '3');
  });

  describe('a canary', () => {
    /** Whether a caller of this name meets the canary. */
    const meets = async (node: TestGatewayNode, { basePath }: TestProxy, name: string) =>
      (await client.get(`${node.url}${basePath}/orders`, { authorization: name })).path === '/revision-2';

    async function publishCanary(targetPath: string, more: object = {}, policies = [keyed]) {
      const proxy = await publish(policies);
      const revision = await addRevision(administrator, proxy, targetPath);
      const canaryId = await deploy(administrator, deployed(proxy, revision, { strategy: 'canary', ...more }));
      await isLive(administrator, canaryId);
      return { ...proxy, canaryId };
    }

    test('gets its share of the callers, who stay with it on every node', async () => {
      const proxy = await publishCanary('/revision-2', { weight: 10, split: 'callers' }, []);
      const callers = Array.from({ length: 400 }, (_, index) => `caller-${index}`);
      const met = new Set<string>();
      for (const name of callers) if (await meets(nodes[0]!, proxy, name)) met.add(name);
      // Four standard deviations and a half around a tenth.
      assert.ok(met.size > 13 && met.size < 67, `${met.size} of 400`);
      const some = [...[...met].slice(0, 10), ...callers.slice(0, 50)];
      for (const node of nodes) {
        for (const name of some) assert.equal(await meets(node, proxy, name), met.has(name), name);
      }
    });

    test('keeps an app on one revision', async () => {
      const proxy = await publishCanary('/revision-2', { weight: 50, split: 'callers' });
      const { key } = await addConsumer(administrator, [proxy.proxyId]);
      await admitted(proxy, key);
      const paths = new Set<string | null>();
      for (let round = 0; round < 10; round++) {
        for (const node of nodes) paths.add((await call(node, proxy, key)).path);
      }
      assert.equal(paths.size, 1);
    });

    test('gets its share of a single app’s requests on every node', async () => {
      const proxy = await publishCanary('/revision-2', { weight: 10 });
      const { key } = await addConsumer(administrator, [proxy.proxyId]);
      await admitted(proxy, key);
      for (const node of nodes) {
        let met = 0;
        for (let round = 0; round < 200; round++) {
          if ((await call(node, proxy, key)).path === '/revision-2') met += 1;
        }
        assert.ok(Math.abs(met - 20) <= 2, `${met} of 200`);
      }
      const { canaryId } = proxy;
      const { deployments } = await done(administrator, 'GET', `/deployments?serving=true&proxyId=${proxy.proxyId}`);
      const weights = deployments.map((one: { id: string; weight: number }) => ({
        deploymentId: one.id,
        weight: one.weight,
      }));
      await done(administrator, 'PUT', `/deployments/${canaryId}/traffic`, { weights, split: 'callers' });
      await eventually('one revision for the app', async () => {
        const paths = new Set<string | null>();
        for (let round = 0; round < 50; round++) paths.add((await call(nodes[0]!, proxy, key)).path);
        return paths.size === 1;
      });
    });

    test('that fails is rolled back automatically, audited and reported', async (context) => {
      const budget = { maxErrorRateIncrease: 0.05, minimumRequests: 20 };
      const proxy = await publishCanary('/broken', { weight: 50, budget }, []);
      const beganMs = performance.now();
      let failed = 0;
      const rolledBack = async () => (await stateOf(proxy.canaryId)) === 'rolled_back';
      await eventually('the canary to be rolled back', async () => {
        for (let index = 0; index < 20; index++) {
          const headers = { authorization: `caller-${performance.now()}` };
          const { status } = await client.get(`${nodes[index % 2]!.url}${proxy.basePath}/orders`, headers);
          if (status === 500) failed += 1;
        }
        return rolledBack();
      });
      context.diagnostic(`rolled back after ${Math.round(performance.now() - beganMs)} ms and ${failed} failures`);
      const { failure } = await done(administrator, 'GET', `/deployments/${proxy.canaryId}`);
      assert.match(failure, /100 % of its responses were errors/);
      const sinceMs = performance.now();
      await Promise.all(
        nodes.map((node) =>
          eventually('the stable revision alone', async () => {
            for (let index = 0; index < 20; index++) {
              const headers = { authorization: `after-${index}` };
              if ((await client.get(`${node.url}${proxy.basePath}/orders`, headers)).status !== 200) return false;
            }
            return true;
          }),
        ),
      );
      context.diagnostic(`all nodes serve the stable revision ${Math.round(performance.now() - sinceMs)} ms later`);
      const audit = await done(administrator, 'GET', `/audit?entityId=${proxy.canaryId}&severity=high`);
      const [entry] = audit.entries;
      assert.deepEqual(
        [audit.total, entry.operation, entry.actorKind, entry.category],
        [1, 'rollBackDeployment', 'system', 'deployment'],
      );
      const { notifications } = await done(administrator, 'GET', '/notifications');
      assert.match(JSON.stringify(notifications), new RegExp(`/deployments/${proxy.canaryId}`));
    });

    test('is promoted in one call, and the next deployment is rolled back in one', async () => {
      const proxy = await publishCanary('/revision-2', { weight: 10 });
      const { key } = await addConsumer(administrator, [proxy.proxyId]);
      await admitted(proxy, key);
      const everywhere = (what: string, isSo: (answer: Answer) => boolean) =>
        Promise.all(nodes.map((node) => eventually(what, async () => isSo(await call(node, proxy, key)))));
      await done(administrator, 'POST', `/deployments/${proxy.canaryId}/promote`);
      await everywhere('the promoted revision', ({ path }) => path === '/revision-2');
      const revision = await addRevision(administrator, proxy, '/revision-3');
      const thirdId = await deploy(administrator, deployed(proxy, revision));
      await isLive(administrator, thirdId);
      for (const node of nodes) assert.equal((await call(node, proxy, key)).path, '/revision-3', 'live is everywhere');
      const { id } = await done(administrator, 'POST', `/deployments/${thirdId}/rollback`, {});
      await isLive(administrator, id);
      for (const node of nodes) assert.equal((await call(node, proxy, key)).path, '/revision-2');
      await done(administrator, 'POST', `/deployments/${id}/undeploy`);
      await everywhere('nothing', ({ error }) => error === 'no_proxy');
    });
  });
});

/** What lies between a node and the management API, and can hold everything back. */
async function startLink(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isHeld = false;
  const server = createServer((caller) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [caller, far],
      [far, caller],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    caller.pipe(far).pipe(caller);
    if (isHeld) caller.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    release() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
