import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestRedis, type TestRedis, withoutRedis } from '@millrace/counters/testing';
import { openDatabase } from '@millrace/postgres';
import { type EmbeddedPostgres, startEmbedded, urlOf } from '@millrace/postgres/embedded';
import {
  type Answer,
  addConsumer,
  addEnvironment,
  addNode,
  addProxy,
  addRevision,
  Client,
  deploy,
  done,
  eventually,
  isLive,
  keyed,
  type Manager,
  nodeEnvironment,
  startProcess,
  startTarget,
  type TestConsumer,
  type TestProcess,
  type TestProxy,
  type TestTarget,
} from './testing-platform.ts';

const controlEntry = resolve(import.meta.dirname, '../../control/src/main.ts');
const gatewayEntry = join(import.meta.dirname, 'main.ts');

/** A kind of call, and what is true of every answer to it. */
interface Case {
  readonly name: string;
  readonly proxy: TestProxy;
  readonly key: string | null;
  isRight(answer: Answer): boolean;
}

describe('faults', { skip: withoutRedis }, () => {
  const password = randomBytes(16).toString('hex');
  const encryptionKey = randomBytes(32).toString('hex');
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-faults-'));
  let postgres: EmbeddedPostgres;
  let databaseUrl: string;
  let redis: TestRedis;
  let target: TestTarget;
  let control: TestProcess | null = null;
  let controlUrl = '';
  let manager: Manager;
  let environmentId: string;
  const nodes: RunningNode[] = [];

  /** Without limits that Redis could keep from being counted. */
  let open: TestProxy;
  let strict: TestProxy;
  let scarce: TestProxy;
  const scarceLimit = 40;
  let consumer: TestConsumer;
  let revoked: TestConsumer;
  let cases: readonly Case[];

  before(async () => {
    [postgres, redis, target] = await Promise.all([
      startEmbedded({ dataDirectory: join(folder, 'postgres') }),
      startTestRedis({ persistent: true }),
      startTarget(),
    ]);
    databaseUrl = urlOf(postgres.owner);
    await startControl();
    manager = await signIn();
    environmentId = await addEnvironment(manager, target);
    const month = { unit: 'month', count: 1 };
    const quota = (configuration: object) => ({ kind: 'quota', configuration: { window: month, ...configuration } });
    const rate = { ratePerSecond: 100_000, burst: 100_000, mode: 'fast', failOpen: true };
    const fast = quota({ limit: 10_000_000, mode: 'fast', failOpen: true });
    open = await addProxy(manager, [keyed, fast, { kind: 'spike-arrest', configuration: rate }]);
    strict = await addProxy(manager, [keyed, quota({ limit: 10_000_000 })]);
    scarce = await addProxy(manager, [keyed, quota({ limit: scarceLimit })]);
    const proxies = [open, strict, scarce];
    nodes.push(...(await Promise.all([startNode('first'), startNode('second')])));
    for (const { proxyId } of proxies) {
      await isLive(manager, await deploy(manager, { proxyId, environmentId, revision: 1 }));
    }
    const proxyIds = proxies.map(({ proxyId }) => proxyId);
    consumer = await addConsumer(manager, proxyIds);
    revoked = await addConsumer(manager, proxyIds);
    const { appId, credentialId } = revoked;
    await done(manager, 'POST', `/apps/${appId}/credentials/${credentialId}/revoke`);
    cases = casesOf();
    // Not counted, for nobody is known yet by whom.
    const client = new Client();
    for (const { address } of nodes) {
      await eventually('the consumers to be known', async () => {
        const answer = await client.get(`${address}${open.basePath}/orders`, { 'x-api-key': consumer.key });
        answered += 1;
        return answer.status === 200;
      });
    }
    client.close();
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await control?.end('SIGKILL');
    await postgres?.stop();
    await redis?.remove();
    target?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startControl(): Promise<void> {
    control = await startProcess(controlEntry, {
      DATABASE_URL: databaseUrl,
      MILLRACE_DATA_DIR: join(folder, 'control'),
      MILLRACE_CONTROL_PORT: controlUrl === '' ? '0' : new URL(controlUrl).port,
      MILLRACE_SEED: '0',
      MILLRACE_ENCRYPTION_KEY: encryptionKey,
      MILLRACE_ADMIN_PASSWORD: password,
    });
    controlUrl = control.address;
  }
  async function killControl(): Promise<void> {
    await control?.end('SIGKILL');
    control = null;
  }
  /** It stays away until {@link startPostgres}. */
  async function killPostgres(): Promise<void> {
    process.kill(postgres.processId, 'SIGKILL');
    await postgres.stop();
  }
  async function startPostgres(): Promise<void> {
    postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  }

  /** An administrator of an organization that is made now. */
  async function signIn(): Promise<Manager> {
    const callWith =
      (headers: Readonly<Record<string, string>>): Manager['call'] =>
      async (method, path, body) => {
        const response = await fetch(`${controlUrl}/api${path}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const { data } = JSON.parse(await response.text());
        return { status: response.status, data, headers: response.headers };
      };
    const credentials = { email: 'admin@millrace.local', password };
    const { status, headers } = await callWith({})('POST', '/auth/login', credentials);
    assert.equal(status, 200);
    const cookie = headers
      .getSetCookie()
      .map((set) => set.split(';', 1)[0])
      .join('; ');
    const organization = { name: 'harbour', displayName: 'Harbour' };
    const { id } = await done({ call: callWith({ cookie }) }, 'POST', '/organizations', organization);
    return { call: callWith({ cookie, 'x-organization-id': id }) };
  }

  /** A node as a process, which may be started again on what it keeps. */
  interface RunningNode {
    readonly address: string;
    end(signal: NodeJS.Signals): Promise<number | null>;
    /** On the same port. */
    start(): Promise<void>;
  }

  async function startNode(name: string): Promise<RunningNode> {
    const { registrationToken } = await addNode(manager, environmentId);
    const settings = { ...nodeEnvironment(controlUrl, join(folder, name)), REDIS_URL: redis.url };
    let running = await startProcess(gatewayEntry, { ...settings, MILLRACE_GATEWAY_TOKEN: registrationToken });
    const { address } = running;
    return {
      address,
      end: (signal) => running.end(signal),
      async start() {
        running = await startProcess(gatewayEntry, { ...settings, MILLRACE_GATEWAY_PORT: new URL(address).port });
      },
    };
  }

  function casesOf(): readonly Case[] {
    const passes = ({ status }: Answer) => status === 200;
    const withoutStore = ({ error }: Answer) => error === 'policy_unavailable';
    return [
      { name: 'open', proxy: open, key: consumer.key, isRight: passes },
      { name: 'keyless', proxy: open, key: null, isRight: ({ error }) => error === 'key_missing' },
      {
        name: 'strict',
        proxy: strict,
        key: consumer.key,
        isRight: (answer) => passes(answer) || withoutStore(answer),
      },
      { name: 'revoked', proxy: strict, key: revoked.key, isRight: ({ error }) => error === 'key_invalid' },
      {
        name: 'scarce',
        proxy: scarce,
        key: consumer.key,
        isRight: (answer) => passes(answer) || withoutStore(answer) || answer.error === 'quota_exceeded',
      },
    ];
  }

  /** Answers that every test has got from the nodes. */
  let answered = 0;
  let passedScarce = 0;

  /** What callers got who called without a break. */
  interface Load {
    readonly answers: ReadonlyMap<string, number>;
    /** What was not as it has to be, in words. */
    readonly wrong: readonly string[];
    readonly toldToClose: number;
    /** Calls for which there was no answer. */
    readonly lost: number;
  }

  /** Calls both nodes by keep-alive connections, in all cases in turn, while the work is being done. */
  async function underLoad(work: () => Promise<void>, { callers = 4, delayMs = 0 } = {}): Promise<Load> {
    const answers = new Map<string, number>();
    const wrong: string[] = [];
    let toldToClose = 0;
    let lost = 0;
    let isOver = false;
    const call = async (index: number): Promise<void> => {
      const clients = nodes.map(() => new Client());
      for (let round = index; !isOver; round++) {
        const { name, proxy, key, isRight } = cases[round % cases.length]!;
        const headers = {
          'x-test-case': name,
          ...(delayMs > 0 ? { 'x-test-delay': String(delayMs) } : {}),
          ...(key === null ? {} : { 'x-api-key': key }),
        };
        try {
          const answer = await callOne(clients, round + index, `${proxy.basePath}/orders`, headers);
          answered += 1;
          if (name === 'scarce' && answer.status === 200) passedScarce += 1;
          if (answer.headers.connection === 'close') toldToClose += 1;
          const outcome = `${name} ${answer.error ?? answer.status}`;
          answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
          if (!isRight(answer)) wrong.push(outcome);
        } catch (error) {
          lost += 1;
          wrong.push(`${name}: ${error instanceof Error ? error.message : error}`);
        }
        await sleep(2);
      }
      for (const client of clients) client.close();
    };
    const calling = Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
    try {
      await work();
    } finally {
      isOver = true;
      await calling;
    }
    return { answers, wrong, toldToClose, lost };
  }

  /** By one node; by the other where that one takes no connection, as callers do behind a load balancer. */
  async function callOne(clients: readonly Client[], first: number, path: string, headers: Record<string, string>) {
    for (let attempt = 0; ; attempt++) {
      const index = (first + attempt) % nodes.length;
      try {
        return await clients[index]!.get(`${nodes[index]!.address}${path}`, headers);
      } catch (error) {
        const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
        if (!isRefused || attempt === 1) throw error;
      }
    }
  }

  /** Requests that are counted where bills are made from. */
  async function counted(): Promise<number> {
    const [connection, schema] = [{ connectionString: databaseUrl }, 'control'];
    const database = openDatabase({ connection, schema, tenantConnections: 1, systemConnections: 1 });
    try {
      const text = 'select coalesce(sum(requests), 0)::int as requests from traffic_aggregates';
      const [row] = await database.prepared<{ requests: number }>({ name: 'counted', text }, []);
      return row!.requests;
    } finally {
      await database.close();
    }
  }

  /** Waits until the usage of all that was answered is where bills are made from, and sees that no more follows. */
  async function everythingIsCounted(): Promise<void> {
    let last = -1;
    await eventually(
      'the usage of all answers',
      async () => {
        last = await counted();
        return last >= answered;
      },
      20_000,
    ).catch(() => undefined);
    assert.equal(last, answered);
    await sleep(1_200);
    assert.equal(await counted(), answered, 'nothing is counted twice');
  }

  /** Nobody got through whom a policy has to refuse. */
  function nothingUnpoliced(): void {
    assert.equal(target.seen.get('keyless'), undefined);
    assert.equal(target.seen.get('revoked'), undefined);
    assert.ok(passedScarce <= scarceLimit, `${passedScarce} passed`);
  }

  test('a deployment, a change, a drain and the end of a node lose no request', async (context) => {
    const load = await underLoad(
      async () => {
        const revision = await addRevision(manager, open, '/revision-2');
        await isLive(manager, await deploy(manager, { proxyId: open.proxyId, environmentId, revision }));
        const { targetServers } = await done(manager, 'GET', `/target-servers?environmentId=${environmentId}`);
        await done(manager, 'PATCH', `/target-servers/${targetServers[0].id}`, { weight: 2 });
        const { gatewayNodes } = await done(manager, 'GET', '/gateway-nodes');
        const healthOf = async () => (await done(manager, 'GET', `/gateway-nodes/${gatewayNodes[0].id}`)).health;
        await done(manager, 'POST', `/gateway-nodes/${gatewayNodes[0].id}/drain`);
        await eventually('the drained node', async () => (await healthOf()) === 'drained');
        await done(manager, 'POST', `/gateway-nodes/${gatewayNodes[0].id}/resume`);
        await eventually('the resumed node', async () => (await healthOf()) === 'healthy');
        const beganMs = performance.now();
        assert.equal(await nodes[0]!.end('SIGTERM'), 0);
        context.diagnostic(`the node ended in ${Math.round(performance.now() - beganMs)} ms`);
        await nodes[0]!.start();
      },
      { delayMs: 30 },
    );
    context.diagnostic(JSON.stringify(Object.fromEntries(load.answers)));
    assert.deepEqual(load.wrong, []);
    assert.equal(load.lost, 0);
    assert.ok(load.toldToClose > 0);
    nothingUnpoliced();
    await everythingIsCounted();
  });

  test('the control plane, PostgreSQL and Redis are killed, one by one and together', async (context) => {
    const load = await underLoad(async () => {
      await redis.stop('SIGKILL');
      await sleep(500);
      await redis.start();

      await killControl();
      await sleep(500);
      await startControl();

      process.kill(postgres.processId, 'SIGKILL');
      await sleep(500);
      await eventually('the database to be asked again', async () => {
        const { status } = await manager.call('GET', '/environments').catch(() => ({ status: 0 }));
        return status === 200;
      });

      await Promise.all([killControl(), killPostgres(), redis.stop('SIGKILL')]);
      for (const node of nodes) {
        assert.equal(await node.end('SIGTERM'), 0);
        await node.start();
      }
      await Promise.all([startPostgres(), redis.start()]);
      await startControl();
    });
    context.diagnostic(JSON.stringify(Object.fromEntries(load.answers)));
    assert.deepEqual(load.wrong, []);
    assert.equal(load.lost, 0);
    assert.ok((load.answers.get('strict policy_unavailable') ?? 0) > 0, 'strict limits are not guessed');
    assert.ok((load.answers.get('strict 200') ?? 0) > 0);
    nothingUnpoliced();
    await everythingIsCounted();
  });
});
