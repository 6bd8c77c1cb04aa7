import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { startEmbedded, urlOf } from '@millrace/postgres/embedded';
import {
  addEnvironment,
  addNode,
  Client,
  deploy,
  done,
  isLive,
  type Manager,
  nodeEnvironment,
  startProcess,
} from '../apps/gateway/src/testing-platform.ts';
import { signIn } from './administrator/sign-in.ts';
import { quantile } from './statistics/quantile.ts';

const targets = Number(process.env.TARGETS ?? 50);
/** Calls of each API proxy per second. */
const rate = Number(process.env.RATE ?? 4);
/** The targets begin to fail at random within this time. */
const spreadMs = Number(process.env.SPREAD_MS ?? 60_000);
const durationSeconds = 20;
const allowedSeconds = 20;
const controlEntry = resolve(import.meta.dirname, '../apps/control/src/main.ts');
const gatewayEntry = resolve(import.meta.dirname, '../apps/gateway/src/main.ts');

/** How long after a target begins to fail its incident's notification arrives. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-detection-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const failing = new Set<string>();
  const target = await listen(stack, (path) => (failing.has(path.split('/')[1] ?? '') ? 500 : 200));
  const arrivedMs = new Map<string, number>();
  const receiver = await listen(stack, (_path, body) => {
    const { event, data } = JSON.parse(body);
    if (event === 'incident.opened' && !arrivedMs.has(data.ruleName)) arrivedMs.set(data.ruleName, performance.now());
    return 200;
  });

  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  const password = randomBytes(16).toString('hex');
  const control = await startProcess(controlEntry, {
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: join(folder, 'control'),
    MILLRACE_SEED: '0',
    MILLRACE_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    MILLRACE_ADMIN_PASSWORD: password,
    MILLRACE_CONTROL_PORT: '0',
  });
  stack.defer(async () => void (await control.end('SIGKILL')));
  const manager = await signIn(control.address, password);
  const environmentId = await addEnvironment(manager, { port: portOf(target) });
  const { registrationToken } = await addNode(manager, environmentId);
  // The node reports as often as one does without settings.
  const { MILLRACE_GATEWAY_USAGE_FLUSH_MS: _usual, ...settings } = nodeEnvironment(
    control.address,
    join(folder, 'node'),
  );
  const node = await startProcess(gatewayEntry, { ...settings, MILLRACE_GATEWAY_TOKEN: registrationToken });
  stack.defer(async () => void (await node.end('SIGKILL')));

  const webhook = { kind: 'webhook', url: `http://127.0.0.1:${portOf(receiver)}/` };
  const { id: integrationId } = await done(manager, 'POST', '/integrations', { name: 'Receiver', settings: webhook });
  const names = Array.from({ length: targets }, (_, index) => `api-${index}`);
  for (const name of names) await addWatched(manager, { name, environmentId, integrationId });

  let isEnded = false;
  let calls = 0;
  const calling = names.map(async (name, index) => {
    const client = new Client();
    await sleep((index / targets) * (1_000 / rate));
    while (!isEnded) {
      await Promise.all([client.get(`${node.address}/${name}/orders`), sleep(1_000 / rate)]);
      calls++;
    }
    client.close();
  });
  const beganMs = performance.now();
  await sleep(30_000);
  const failedMs = new Map<string, number>();
  await Promise.all(
    names.map(async (name) => {
      await sleep(Math.random() * spreadMs);
      failing.add(name);
      failedMs.set(name, performance.now());
    }),
  );
  await eventually('all notifications', () => arrivedMs.size === targets).catch(() => undefined);
  const seconds = (performance.now() - beganMs) / 1_000;
  isEnded = true;
  await Promise.all(calling);

  const { incidents } = await done(manager, 'GET', '/incidents?state=open&pageSize=100');
  const delivered = [];
  for (const { id } of incidents) {
    const { entries } = await done(manager, 'GET', `/incidents/${id}/timeline?kind=notification`);
    if (entries[0]?.notification.state === 'delivered') delivered.push(id);
  }
  const delays = names.flatMap((name) => {
    const arrived = arrivedMs.get(name);
    return arrived === undefined ? [] : [(arrived - failedMs.get(name)!) / 1_000 - durationSeconds];
  });
  const figure = (value: number) => value.toFixed(1);
  const late = delays.filter((delay) => delay > allowedSeconds).length + (targets - delays.length);
  return `
One gateway node and one management API as processes, with one PostgreSQL; a target and a receiver on loopback. ${targets} API
proxies, each called ${rate} times a second, ${Math.round(calls / seconds)} calls a second in all. Each has a rule: more than 20 % errors for
${durationSeconds} s open an incident and notify a webhook. Their targets begin to answer 500 at random within ${spreadMs / 1_000} s. Measured is
the time from a target's first failure to its notification at the receiver, less the rule's ${durationSeconds} s.

| What | Value |
|---|---|
| Targets that began to fail | ${targets} |
| Open incidents | ${incidents.length} |
| – with their notification delivered | ${delivered.length} |
| Seconds beyond the duration, shortest | ${figure(quantile(delays, 0))} |
| – median | ${figure(quantile(delays, 0.5))} |
| – 90th percentile | ${figure(quantile(delays, 0.9))} |
| – 99th percentile | ${figure(quantile(delays, 0.99))} |
| – longest | ${figure(Math.max(...delays))} |
| Later than ${allowedSeconds} s, or never | ${late} |

Evaluations are at multiples of ten seconds and run three seconds later, when nodes have reported; the condition holds from the
first ten seconds of which a fifth failed. That alone takes 3 to 15 s.
`;
}

/** An API proxy that is live, whose target knows it by its name, and a rule that watches it. */
async function addWatched(
  manager: Manager,
  { name, environmentId, integrationId }: Readonly<Record<'name' | 'environmentId' | 'integrationId', string>>,
): Promise<void> {
  const proxy = { name, displayName: name, basePath: `/${name}`, authScheme: 'none' };
  const { id: proxyId } = await done(manager, 'POST', '/proxies', proxy);
  const route = { method: 'GET', pathPattern: '/orders', targetServer: 'backend', targetPath: `/${name}` };
  await done(manager, 'POST', `/proxies/${proxyId}/routes`, route);
  await done(manager, 'POST', `/proxies/${proxyId}/revisions`, {});
  await isLive(manager, await deploy(manager, { proxyId, environmentId, revision: 1 }));
  const condition = { metric: 'error_rate', operator: '>', threshold: 20, durationSeconds, minimumRequests: 10 };
  const rule = { name, proxyId, environmentId, severity: 'critical', integrationIds: [integrationId], ...condition };
  await done(manager, 'POST', '/alert-rules', rule);
}

async function listen(stack: AsyncDisposableStack, answer: (path: string, body: string) => number): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      response.writeHead(answer(request.url ?? '', body), { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
