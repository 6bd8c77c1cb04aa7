import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestCaller, TestControl } from '@millrace/control/testing';
import { sharingFault } from '@millrace/data-plane/port';
import { eventually } from '@millrace/eventually';
import { createLogger } from '@millrace/logs';
import { readSettings } from '@millrace/settings/gateway';
import { startTestControlPlane } from './configuration/testing.ts';
import { startService } from './service.ts';
import {
  addConsumer,
  addProxy,
  Client,
  deploy,
  isLive,
  nodeEnvironment,
  startNode,
  startPlatform,
  startProcess,
  type TestGatewayNode,
  type TestPlatform,
} from './testing-platform.ts';

/** A node of another control plane, in a folder that goes with it. */
async function startNodeOf(controlUrl: string, token: string, environment: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-node-'));
  const { settings } = readSettings({
    ...nodeEnvironment(controlUrl, folder),
    MILLRACE_GATEWAY_TOKEN: token,
    ...environment,
  });
  const service = await startService({ settings, logger: createLogger('fatal', { write: () => true }) });
  return {
    address: service.address,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const reason = process.platform === 'linux' ? false : 'the system does not spread connections over listeners';
const shared = { MILLRACE_GATEWAY_SHARE_PORT: '1' };

describe('nodes that share a port', { skip: reason }, () => {
  let platform: TestPlatform;
  let control: TestControl;
  let administrator: TestCaller;
  let environmentId: string;

  before(async () => {
    platform = await startPlatform();
    ({ control, administrator, environmentId } = platform);
  });
  after(async () => {
    await platform?.stop();
  });

  const start = (environment: Readonly<Record<string, string>>) =>
    startNode(administrator, control.baseUrl, environmentId, environment);
  async function connectionsOf({ service }: TestGatewayNode): Promise<number> {
    const metrics = await (await fetch(`${service.adminAddress}/metrics`)).text();
    return Number(/^millrace_gateway_connections (\d+)/m.exec(metrics)?.[1]);
  }

  test('each serve some of the callers, and if one stops under load the others serve all of them', async () => {
    const proxy = await addProxy(administrator);
    const { key } = await addConsumer(administrator, [proxy.proxyId]);
    const deploymentId = await deploy(administrator, { proxyId: proxy.proxyId, environmentId, revision: 1 });
    const first = await start(shared);
    const port = new URL(first.url).port;
    const second = await start({ ...shared, MILLRACE_GATEWAY_PORT: port });
    assert.equal(second.url, first.url);
    await isLive(administrator, deploymentId);
    const nodes = [first, second];
    const keeping = Array.from({ length: 32 }, () => new Client());
    const ask = (client: Client) => client.get(`${first.url}${proxy.basePath}/orders`, { 'x-api-key': key });
    const movesCallers = readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1';
    const answers = { kept: 0, fresh: 0 };
    let isOver = false;
    /** Who comes in the last moment of a node is reset, unless the system moves callers, and comes to another one then. */
    const askThrough = async (client: Client): Promise<void> => {
      const { status } = await ask(client).catch((error: unknown) => {
        const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
        if (movesCallers || !isReset) throw error;
        return ask(client);
      });
      assert.equal(status, 200);
    };
    const keep = async (client: Client): Promise<void> => {
      while (!isOver) {
        await askThrough(client);
        answers.kept += 1;
      }
    };
    const reconnect = async (): Promise<void> => {
      while (!isOver) {
        const client = new Client();
        await askThrough(client).finally(() => client.close());
        answers.fresh += 1;
      }
    };
    try {
      await eventually('both to serve', async () => {
        const asked = await Promise.all(keeping.map((client) => ask(client)));
        return asked.every(({ status }) => status === 200);
      });
      for (const node of nodes) assert.ok((await connectionsOf(node)) > 0, 'the system spreads connections');
      const load = keeping.map(keep);
      const fresh = Array.from({ length: 4 }, reconnect);
      await eventually('some load', () => answers.fresh > 20 && answers.kept > 200);
      await nodes.shift()!.stop();
      const before = { ...answers };
      await eventually('more load', () => answers.fresh > before.fresh + 20 && answers.kept > before.kept + 200);
      isOver = true;
      await Promise.all([...load, ...fresh]);
    } finally {
      isOver = true;
      for (const client of keeping) client.close();
      for (const node of nodes) await node.stop();
    }
  });

  test('accept no callers before they can serve', async () => {
    const first = await start(shared);
    const other = await startTestControlPlane();
    other.tamper = (path, data) => path === '/gateway/configuration' && Reflect.deleteProperty(data, 'drain');
    const starting = startNodeOf(other.url, other.newRegistrationToken(), {
      ...shared,
      MILLRACE_GATEWAY_PORT: new URL(first.url).port,
    });
    try {
      await eventually('it to have asked', () => (other.calls['/gateway/configuration'] ?? 0) > 1);
      await eventually('it to have reported', () => other.heartbeats.length > 0);
      assert.deepEqual([other.heartbeats[0]!.ready, other.heartbeats[0]!.address], [false, undefined]);
      for (let call = 0; call < 40; call++) {
        const client = new Client();
        assert.equal((await client.get(first.url)).error, 'no_proxy');
        client.close();
      }
      other.tamper = null;
      assert.equal((await starting).address, first.url);
    } finally {
      other.tamper = null;
      await (await starting).stop();
      await other.stop();
      await first.stop();
    }
  });

  test('stop cleanly on a signal while they wait for their configuration', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-test-node-'));
    const other = await startTestControlPlane();
    other.tamper = (path, data) => path === '/gateway/configuration' && Reflect.deleteProperty(data, 'drain');
    try {
      const waiting = await startProcess(
        join(import.meta.dirname, 'main.ts'),
        { ...nodeEnvironment(other.url, folder), ...shared, MILLRACE_GATEWAY_TOKEN: other.newRegistrationToken() },
        /will listen once it has its configuration/,
      );
      assert.equal(await waiting.end('SIGTERM'), 0, waiting.output());
      assert.doesNotMatch(waiting.output(), /Not everything stopped/);
    } finally {
      await other.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('all need the setting', async () => {
    const alone = await start({});
    const port = new URL(alone.url).port;
    try {
      await assert.rejects(start({ ...shared, MILLRACE_GATEWAY_PORT: port }), {
        message: new RegExp(
          `^Port ${port} is in use by a program that doesn’t share it. .*MILLRACE_GATEWAY_SHARE_PORT=1`,
        ),
      });
    } finally {
      await alone.stop();
    }
  });
});

test('an error says what to do if the system can’t share a port', () => {
  const error = Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' });
  assert.match(
    sharingFault(error, 4300) ?? '',
    /^This system can’t share a port between programs. Set MILLRACE_GATEWAY_SHARE_PORT to 0/,
  );
  assert.equal(sharingFault(new Error('another'), 4300), null);
});
