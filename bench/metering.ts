import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, openSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { type EmbeddedPostgres, startEmbedded, urlOf } from '@millrace/postgres/embedded';
import { Client as Database } from 'pg';
import {
  addConsumer,
  addEnvironment,
  addNode,
  addProxy,
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
} from '../apps/gateway/src/testing-platform.ts';
import { signIn } from './administrator/sign-in.ts';

const requests = Number(process.env.REQUESTS ?? 1_000_000);
const seed = Number(process.env.SEED ?? 1);
const nodeCount = 3;
/** Each of these callers waits for its answer before it calls again. */
const callers = 24;
/** How often something is killed, on average. */
const killEveryMs = 8_000;
const controlEntry = resolve(import.meta.dirname, '../apps/control/src/main.ts');
const gatewayEntry = resolve(import.meta.dirname, '../apps/gateway/src/main.ts');

/** Requests that were answered, as their callers saw it, and what became of the others. */
interface Calls {
  begun: number;
  answered: number;
  admitted: number;
  /** Without an answer: those in flight when their node was killed, which it may have counted or not. */
  cut: number;
}

/**
 * Counts every request through three nodes while nodes, the management API and PostgreSQL are killed at random, and
 * compares what callers saw, the access logs, the rows and the reconciliation of the billing period.
 */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-metering-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const random = randomOf(seed);
  const platform = await startPlatform(stack, folder);
  const { manager, nodes } = platform;
  const proxy = await addProxy(manager, [keyed]);
  await isLive(
    manager,
    await deploy(manager, { proxyId: proxy.proxyId, environmentId: platform.environmentId, revision: 1 }),
  );
  const addOne = () => addConsumer(manager, [proxy.proxyId]);
  const [lasting, revoked, prepaid] = [await addOne(), await addOne(), await addOne()];
  const consumers = [lasting, revoked, prepaid];
  for (const consumer of [lasting, revoked]) await changePlan(manager, consumer, 'pay_as_you_go', '0.01');
  await changePlan(manager, prepaid, 'prepaid', '0.01');
  await topUp(manager, prepaid, requests);
  const path = `${proxy.basePath}/orders`;
  for (const node of nodes) {
    for (const { key } of consumers) {
      const client = new Client();
      const isAdmitted = async () =>
        (await client.get(`${node.address()}${path}`, { 'x-api-key': key }).catch(() => null))?.status === 200;
      await eventually('the consumer to be known', isAdmitted);
      client.close();
    }
  }
  await sleep(2_000);

  const calls: Calls = { begun: 0, answered: 0, admitted: 0, cut: 0 };
  const beganMs = performance.now();
  const middle = changeInTheMiddle(platform, calls, { lasting, revoked, prepaid });
  const killing = killAtRandom(platform, calls, random);
  await Promise.all(Array.from({ length: callers }, (_, index) => callUntilDone(index, nodes, path, consumers, calls)));
  const seconds = (performance.now() - beganMs) / 1_000;
  const kills = await killing;
  await middle;

  for (const node of nodes) await node.stop();
  const database = new Database({ connectionString: urlOf(platform.postgres().owner) });
  await database.connect();
  stack.defer(() => database.end());
  const logged = await readLogs(folder);
  const apps = consumers.map(({ appId }) => appId);
  const sum = async (text: string) => Number((await database.query({ text, values: [apps] })).rows[0].sum);
  const metered = await sum(`select coalesce(sum(m.requests), 0) as sum from control.metered_usage m
    join control.subscription_terms t on t.id = m.term_id where t.app_id = any($1)`);
  const traffic = await sum(
    'select coalesce(sum(requests), 0) as sum from control.traffic_aggregates where app_id = any($1)',
  );
  const periodId = await eventually(
    'the billing period to be open',
    async () => (await done(manager, 'GET', '/billing/periods?state=open')).periods[0]?.id,
  );
  const { terms } = await done(manager, 'GET', `/billing/periods/${periodId}?pageSize=100`);
  const { invoices } = await done(manager, 'POST', `/billing/periods/${periodId}/preview`, {});
  const invoiced = invoices
    .flatMap(({ lines }: { lines: readonly { quantity: string }[] }) => lines)
    .reduce((all: number, { quantity }: { quantity: string }) => all + Number(quantity), 0);
  const { usedMinor, paidInMinor } = await done(manager, 'GET', `/subscriptions/${prepaid.subscriptionId}/balance`);
  const ofPrepaid = terms.reduce(
    (all: number, term: { notBillable: { prepaid?: number } }) => all + (term.notBillable.prepaid ?? 0),
    0,
  );
  const total = (name: 'admitted' | 'metered' | 'notMetered' | 'unexplained') =>
    terms.reduce((all: number, term: Record<typeof name, number>) => all + term[name], 0);

  return `
Three gateway nodes as processes, each with its journal on disk, one management API and one PostgreSQL, all on this
machine; ${callers} callers, each waiting for its answer. Every ${killEveryMs / 1_000} s on average one of them is ended with SIGKILL and
started again, chosen at random (seed ${seed}). In the middle a subscription changes its plan, another is revoked, and the
prepaid balance of a third is topped up. At the end the nodes are stopped and everything is compared. The access log is read
from the nodes' output. It may lack lines of requests in flight when a node was killed, as callers lack their answers.

${requests.toLocaleString('en')} requests in ${seconds.toFixed(0)} s; killed: ${kills.node} × a node, ${kills.control} × the management API, ${kills.postgres} × PostgreSQL.

| What | Requests |
|---|---|
| Begun by callers | ${calls.begun} |
| Answered | ${calls.answered} |
| Without an answer, since the node was killed | ${calls.cut} |
| In the access logs, of the three apps | ${logged.ofApps} |
| – with a term | ${logged.ofTerms} |
| Lines that the access logs dropped | ${logged.dropped} |
| In the hourly traffic rows | ${traffic} |
| In the metered rows | ${metered} |
| Reconciliation: admitted | ${total('admitted')} |
| Reconciliation: metered | ${total('metered')} |
| Reconciliation: not metered | ${total('notMetered')} |
| Reconciliation: unexplained | ${total('unexplained')} |
| Reconciliation: not billable, since it is prepaid | ${ofPrepaid} |
| Debited from the prepaid balance of ${paidInMinor}, at 1 a request | ${usedMinor} |
| In the lines of the invoices, as they are previewed | ${invoiced} |
| Metered − in the access logs | ${metered - logged.ofTerms} |
`;
}

interface Node {
  address(): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Platform {
  readonly manager: Manager;
  readonly environmentId: string;
  readonly nodes: readonly Node[];
  postgres(): EmbeddedPostgres;
  restartControl(): Promise<void>;
}

async function startPlatform(stack: AsyncDisposableStack, folder: string): Promise<Platform> {
  const dataDirectory = join(folder, 'postgres');
  const postgres = await startEmbedded({ dataDirectory });
  stack.defer(() => postgres.stop());
  const target = await startTarget();
  stack.defer(() => target.stop());
  const password = randomBytes(16).toString('hex');
  const settings = {
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: join(folder, 'control'),
    MILLRACE_SEED: '0',
    MILLRACE_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    MILLRACE_ADMIN_PASSWORD: password,
  };
  let control: TestProcess = await startProcess(controlEntry, { ...settings, MILLRACE_CONTROL_PORT: '0' });
  stack.defer(async () => void (await control.end('SIGKILL')));
  const controlUrl = control.address;
  const manager = await signIn(controlUrl, password);
  const environmentId = await addEnvironment(manager, target);
  const nodes: Node[] = [];
  for (let number = 0; number < nodeCount; number++) {
    const { registrationToken } = await addNode(manager, environmentId);
    const node = await startNode(folder, number, controlUrl, registrationToken);
    nodes.push(node);
    stack.defer(() => node.kill());
  }
  return {
    manager,
    environmentId,
    nodes,
    postgres: () => postgres,
    async restartControl() {
      await control.end('SIGKILL');
      control = await startProcess(controlEntry, { ...settings, MILLRACE_CONTROL_PORT: new URL(controlUrl).port });
    },
  };
}

/** A node whose output, with its access log, goes to files. */
async function startNode(folder: string, number: number, controlUrl: string, token: string): Promise<Node> {
  const settings: Record<string, string> = {
    ...nodeEnvironment(controlUrl, join(folder, `node-${number}`)),
    MILLRACE_GATEWAY_ACCESS_LOG: '1',
  };
  let starts = 0;
  let port = '0';
  let address = '';
  let ended: Promise<unknown> = Promise.resolve();
  let end = (_signal: NodeJS.Signals): void => {};
  const start = async () => {
    const file = join(folder, `node-${number}-${starts++}.log`);
    const output = openSync(file, 'w');
    const own = Object.entries(process.env).filter(([name]) => !/^(MILLRACE_|DATABASE_URL|REDIS_URL)/.test(name));
    const child = spawn(process.execPath, [gatewayEntry], {
      env: {
        ...Object.fromEntries(own),
        ...settings,
        MILLRACE_GATEWAY_PORT: port,
        ...(starts === 1 ? { MILLRACE_GATEWAY_TOKEN: token } : {}),
      },
      stdio: ['ignore', output, output],
    });
    ended = once(child, 'exit');
    end = (signal) => void child.kill(signal);
    address = await eventually(
      'the node to start',
      () => /(?:is ready|listens) at (\S+)/.exec(readFileSync(file, 'utf8').slice(0, 100_000))?.[1],
    );
    port = new URL(address).port;
  };
  await start();
  const stopBy = async (signal: NodeJS.Signals) => {
    end(signal);
    await ended;
  };
  return { address: () => address, start, kill: () => stopBy('SIGKILL'), stop: () => stopBy('SIGTERM') };
}

async function changePlan(
  manager: Manager,
  { productId, subscriptionId }: TestConsumer,
  type: string,
  unitPrice: string,
) {
  const name = `plan-${randomBytes(5).toString('hex')}`;
  const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice }];
  const plan = { productId, name, displayName: name, type, currency: 'EUR', charges };
  const { id } = await done(manager, 'POST', '/rate-plans', plan);
  await done(manager, 'POST', `/rate-plans/${id}/publish`);
  await done(manager, 'PUT', `/subscriptions/${subscriptionId}/rate-plan`, { ratePlanId: id });
}

function topUp(manager: Manager, { subscriptionId }: TestConsumer, amountMinor: number) {
  return done(manager, 'POST', `/subscriptions/${subscriptionId}/top-ups`, { amountMinor });
}

async function changeInTheMiddle(
  { manager }: Platform,
  calls: Calls,
  { lasting, revoked, prepaid }: Readonly<Record<'lasting' | 'revoked' | 'prepaid', TestConsumer>>,
) {
  while (calls.begun < requests / 2) await sleep(100);
  await changePlan(manager, lasting, 'pay_as_you_go', '0.02');
  await topUp(manager, prepaid, 1_000);
  await done(manager, 'POST', `/subscriptions/${revoked.subscriptionId}/revoke`, { reason: 'The end.' });
}

async function killAtRandom(platform: Platform, calls: Calls, random: () => number) {
  const kills = { node: 0, control: 0, postgres: 0 };
  while (calls.begun < requests) {
    await sleep(killEveryMs * (0.5 + random()));
    const choice = random();
    if (calls.begun >= requests) break;
    if (choice < 0.5) {
      kills.node++;
      const node = platform.nodes[Math.floor(random() * nodeCount)]!;
      await node.kill();
      await node.start();
    } else if (choice < 0.8) {
      kills.control++;
      await platform.restartControl();
    } else {
      // Its own recovery starts it again.
      kills.postgres++;
      process.kill(platform.postgres().processId, 'SIGKILL');
    }
  }
  return kills;
}

async function callUntilDone(
  index: number,
  nodes: readonly Node[],
  path: string,
  [lasting, revoked, prepaid]: readonly TestConsumer[],
  calls: Calls,
) {
  const clients = nodes.map(() => new Client());
  for (let round = index; calls.begun < requests; round++) {
    calls.begun++;
    const node = round % nodes.length;
    const consumer = [revoked, prepaid][round % 7] ?? lasting;
    try {
      const { status } = await clients[node]!.get(`${nodes[node]!.address()}${path}`, { 'x-api-key': consumer!.key });
      calls.answered++;
      if (status === 200) calls.admitted++;
    } catch {
      calls.cut++;
      await sleep(50);
    }
  }
  for (const client of clients) client.close();
}

/** What the access logs of all nodes say, counted apart from the product's own code. */
async function readLogs(folder: string) {
  const counted = { ofApps: 0, ofTerms: 0, dropped: 0 };
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.log')) continue;
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      if (!line.includes('"type":"access"')) continue;
      if (line.includes('"dropped":')) counted.dropped += Number(/"dropped":(\d+)/.exec(line)?.[1] ?? 0);
      if (line.includes('"appId":"')) counted.ofApps++;
      if (line.includes('"termId":"')) counted.ofTerms++;
    }
  }
  return counted;
}

/** Mulberry32. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
