import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestRedis, type TestRedis, withoutRedis } from '@millrace/counters/testing';
import { eventually } from '@millrace/eventually';
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
  const scarceLimit = 300;
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
    const starting = Promise.all([startNode('first'), startNode('second')]);
    open = await addProxy(manager, [keyed, fast, { kind: 'spike-arrest', configuration: rate }]);
    strict = await addProxy(manager, [keyed, quota({ limit: 10_000_000 })]);
    scarce = await addProxy(manager, [keyed, quota({ limit: scarceLimit })]);
    const proxies = [open, strict, scarce];
    nodes.push(...(await starting));
    for (const { proxyId } of proxies) {
      await isLive(manager, await deploy(manager, { proxyId, environmentId, revision: 1 }));
    }
    const proxyIds = proxies.map(({ proxyId }) => proxyId);
    revoked = await addConsumer(manager, proxyIds);
    const { appId, credentialId } = revoked;
    await done(manager, 'POST', `/apps/${appId}/credentials/${credentialId}/revoke`);
    // Changes come in their order: whoever knows this one knows of the revocation.
    consumer = await addConsumer(manager, proxyIds);
    cases = casesOf(consumer);
    await isAdmitted(consumer);
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
  /** The status by which a call is answered that asks the database; 0: it is not answered. */
  async function listEnvironments(): Promise<number> {
    return (await manager.call('GET', '/environments').catch(() => ({ status: 0 }))).status;
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
    readonly id: string;
    readonly address: string;
    end(signal: NodeJS.Signals): Promise<number | null>;
    /** On the same port. */
    start(): Promise<void>;
  }

  async function startNode(name: string): Promise<RunningNode> {
    const { id, registrationToken } = await addNode(manager, environmentId);
    const settings = { ...nodeEnvironment(controlUrl, join(folder, name)), REDIS_URL: redis.url };
    let running = await startProcess(gatewayEntry, { ...settings, MILLRACE_GATEWAY_TOKEN: registrationToken });
    const { address } = running;
    return {
      id,
      address,
      end: (signal) => running.end(signal),
      async start() {
        running = await startProcess(gatewayEntry, { ...settings, MILLRACE_GATEWAY_PORT: new URL(address).port });
      },
    };
  }

  /** @param scarcely who uses the scarce quota up */
  function casesOf(scarcely: TestConsumer): readonly Case[] {
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
        key: scarcely.key,
        isRight: (answer) => passes(answer) || withoutStore(answer) || answer.error === 'quota_exceeded',
      },
    ];
  }

  /** Answers that all tests have got from the nodes, by their status. */
  const statuses = new Map<number, number>();
  let passedScarce = 0;
  const answered = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const note = (answer: Answer): Answer => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer;
  };
  const call = async (client: Client, { address }: RunningNode, key: string, more: Record<string, string> = {}) =>
    note(await client.get(`${address}${open.basePath}/orders`, { 'x-api-key': key, ...more }));

  /** Waits until both nodes let a consumer in. */
  async function isAdmitted({ key }: TestConsumer): Promise<void> {
    const client = new Client();
    for (const node of nodes) {
      await eventually('the consumer to be known', async () => (await call(client, node, key)).status === 200);
    }
    client.close();
  }

  /** What callers got who called without a break. */
  interface Load {
    readonly answers: ReadonlyMap<string, number>;
    /** What was not as it has to be, in words. */
    readonly wrong: readonly string[];
    /** Why there was no answer, of each call without one. */
    readonly lost: readonly string[];
    readonly askedToClose: number;
  }

  /** Calls both nodes by keep-alive connections, in all cases in turn, while the work is being done. */
  async function underLoad(work: () => Promise<void>, { callers = 4, delayMs = 0 } = {}): Promise<Load> {
    const answers = new Map<string, number>();
    const wrong: string[] = [];
    const lost: string[] = [];
    let askedToClose = 0;
    let isOver = false;
    const caller = async (index: number): Promise<void> => {
      const clients = nodes.map(() => new Client());
      for (let round = index; !isOver; round++) {
        const { name, proxy, key, isRight } = cases[round % cases.length]!;
        const headers = {
          'x-test-case': name,
          'x-test-call': `${name} ${index} ${round} ${performance.now()}`,
          ...(delayMs > 0 ? { 'x-test-delay': String(delayMs) } : {}),
          ...(key === null ? {} : { 'x-api-key': key }),
        };
        try {
          const answer = note(await callOne(clients, round + index, `${proxy.basePath}/orders`, headers));
          if (name === 'scarce' && answer.status === 200) passedScarce += 1;
          if (answer.headers.connection === 'close') askedToClose += 1;
          const outcome = `${name} ${answer.error ?? answer.status}`;
          answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
          if (!isRight(answer)) wrong.push(outcome);
        } catch (error) {
          lost.push(`${name}: ${error instanceof Error ? error.message : error}`);
        }
        await sleep(2);
      }
      for (const client of clients) client.close();
    };
    const calling = Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
    try {
      await work();
    } finally {
      isOver = true;
      await calling;
    }
    return { answers, wrong, lost, askedToClose };
  }

  /**
   * By one node; by the other where that one takes no connection, as load balancers do. It is the same where a new
   * connection is reset: the system does that to one that it let in the moment before the node stopped listening, which
   * has not been read. (Of a connection in use, the client has repeated the request already.)
   */
  async function callOne(clients: readonly Client[], first: number, path: string, headers: Record<string, string>) {
    for (let attempt = 0; ; attempt++) {
      const index = (first + attempt) % nodes.length;
      try {
        return await clients[index]!.get(`${nodes[index]!.address}${path}`, headers);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : null;
        if ((code !== 'ECONNREFUSED' && code !== 'ECONNRESET') || attempt === 1) throw error;
      }
    }
  }

  /** No request that a caller had to send again was carried out before. */
  function nothingTwice(): void {
    const twice = [...target.calls].filter(([, times]) => times > 1);
    assert.deepEqual(twice, []);
  }

  /** What is counted where bills are made from. */
  async function counted() {
    const [connection, schema] = [{ connectionString: databaseUrl }, 'control'];
    const database = openDatabase({ connection, schema, tenantConnections: 1, systemConnections: 1 });
    try {
      const sums = ['requests', 'status_2xx', 'status_4xx', 'status_5xx', 'limited'].map(
        (name) => `coalesce(sum(${name}), 0)::int as ${name}`,
      );
      const text = `select ${sums.join(', ')} from traffic_aggregates`;
      const [row] = await database.prepared<Record<string, number>>({ name: 'counted', text }, []);
      return { ...row };
    } finally {
      await database.close();
    }
  }

  /** Waits until the usage of so many requests is counted. */
  async function isCounted(requests: number): Promise<void> {
    await eventually('the usage', async () => (await counted()).requests! >= requests).catch(async () =>
      assert.equal((await counted()).requests, requests),
    );
  }

  /** Waits until the usage of everything is counted, and sees to it that nothing is counted twice. */
  async function everythingIsCounted(): Promise<void> {
    await isCounted(answered());
    await sleep(1_200);
    const of = (...wanted: readonly number[]) => wanted.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
    assert.deepEqual(await counted(), {
      requests: answered(),
      status_2xx: of(200),
      status_4xx: of(401, 403, 429),
      status_5xx: of(503),
      limited: of(429),
    });
  }

  /** Nobody got through whom a policy has to refuse. */
  function nothingUnpoliced(): void {
    assert.equal(target.seen.get('keyless'), undefined);
    assert.equal(target.seen.get('revoked'), undefined);
    assert.ok(passedScarce <= scarceLimit, `${passedScarce} passed`);
  }

  test('a deployment, a change, a drain and a node’s stop lose no request', async (context) => {
    const [first] = nodes as [RunningNode, RunningNode];
    const patient = new Client();
    const load = await underLoad(
      async () => {
        const revision = await addRevision(manager, open, '/revision-2');
        await isLive(manager, await deploy(manager, { proxyId: open.proxyId, environmentId, revision }));
        const { targetServers } = await done(manager, 'GET', `/target-servers?environmentId=${environmentId}`);
        await done(manager, 'PATCH', `/target-servers/${targetServers[0].id}`, { weight: 2 });
        const healthOf = async () => (await done(manager, 'GET', `/gateway-nodes/${first.id}`)).health;
        await done(manager, 'POST', `/gateway-nodes/${first.id}/drain`);
        await eventually('the drained node', async () => (await healthOf()) === 'drained');
        await done(manager, 'POST', `/gateway-nodes/${first.id}/resume`);
        await eventually('the resumed node', async () => (await healthOf()) === 'healthy');

        const slow = call(patient, first, consumer.key, { 'x-test-case': 'patient', 'x-test-delay': '700' });
        await eventually('the slow call to be in flight', () => target.seen.has('patient'));
        const beganMs = performance.now();
        assert.equal(await first.end('SIGTERM'), 0);
        context.diagnostic(`the node ended in ${Math.round(performance.now() - beganMs)} ms`);
        const { status, path, headers } = await slow;
        assert.deepEqual([status, path, headers.connection], [200, '/revision-2', 'close']);
        await first.start();
      },
      { delayMs: 30 },
    );
    patient.close();
    context.diagnostic(JSON.stringify(Object.fromEntries(load.answers)));
    assert.deepEqual([load.wrong, load.lost], [[], []]);
    assert.ok(load.askedToClose > 0);
    nothingUnpoliced();
    nothingTwice();
    await isCounted(answered());
  });

  test('the gateway survives the control plane, PostgreSQL and Redis being killed, one by one and together', async (context) => {
    const [, second] = nodes as [RunningNode, RunningNode];
    const another = await addConsumer(manager, [open.proxyId, scarce.proxyId]);
    await isAdmitted(another);
    cases = casesOf(another);
    passedScarce = 0;
    const phases: string[] = [];
    const phase = async (name: string, work: () => Promise<unknown>) => {
      const beganMs = performance.now();
      await work();
      phases.push(`${name} ${Math.round(performance.now() - beganMs)} ms`);
    };
    const load = await underLoad(async () => {
      await phase('Redis hangs', async () => {
        redis.pause();
        await sleep(600);
        redis.resume();
      });
      await phase('Redis is killed', async () => {
        await redis.stop('SIGKILL');
        await sleep(400);
        await redis.start();
      });
      await phase('PostgreSQL is killed', async () => {
        process.kill(postgres.processId, 'SIGKILL');
        await eventually('the database to be gone', async () => (await listEnvironments()) !== 200);
        await eventually('the database to be asked again', async () => (await listEnvironments()) === 200);
      });
      await phase('the control plane is killed', async () => {
        await killControl();
        await sleep(400);
      });
      await phase('all are gone, and a node starts from its disk', async () => {
        await Promise.all([killPostgres(), redis.stop('SIGKILL')]);
        assert.equal(await second.end('SIGTERM'), 0);
        await second.start();
        const client = new Client();
        assert.equal((await call(client, second, consumer.key)).status, 200);
        client.close();
      });
      await phase('all are back', async () => {
        await Promise.all([startPostgres(), redis.start()]);
        await startControl();
      });
    });
    context.diagnostic(`${phases.join(', ')}; ${JSON.stringify(Object.fromEntries(load.answers))}`);
    assert.deepEqual([load.wrong, load.lost], [[], []]);
    assert.ok((load.answers.get('strict policy_unavailable') ?? 0) > 0, 'strict limits are not guessed');
    assert.ok((load.answers.get('strict 200') ?? 0) > 0);
    nothingUnpoliced();
    await everythingIsCounted();
  });

  test('a killed node loses the usage of one turn at most, and applies changes made meanwhile', async (context) => {
    const [first] = nodes as [RunningNode, RunningNode];
    const callers = 4;
    const leaving = await addConsumer(manager, [open.proxyId]);
    const client = new Client();
    const ask = async () => {
      const { error, status } = await call(client, first, leaving.key);
      return error ?? status;
    };
    await eventually('the new consumer to be known', async () => (await ask()) === 200);
    let refusedAfterMs = 0;
    const load = await underLoad(
      async () => {
        await sleep(300);
        await first.end('SIGKILL');
        await done(manager, 'POST', `/apps/${leaving.appId}/suspend`);
        await first.start();
        const startedMs = performance.now();
        await eventually('the suspension to hold', async () => (await ask()) === 'suspended');
        refusedAfterMs = performance.now() - startedMs;
      },
      { callers },
    );
    client.close();
    const outcomes = JSON.stringify(Object.fromEntries(load.answers));
    context.diagnostic(`${load.lost.length} lost, refused after ${Math.round(refusedAfterMs)} ms; ${outcomes}`);
    assert.deepEqual(load.wrong, []);
    assert.ok(load.lost.length <= callers, load.lost.join(', '));
    // It asks as it starts, and not only 25 seconds later.
    assert.ok(refusedAfterMs < 12_000, `${refusedAfterMs} ms`);
    nothingUnpoliced();
    await isCounted(answered() - callers);
    await sleep(1_200);
    const { requests = 0 } = await counted();
    assert.ok(requests <= answered() + load.lost.length, `${requests} are counted, ${answered()} were answered`);
  });
});
