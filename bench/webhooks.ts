import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, openDatabase, tenantTransaction } from '@millrace/postgres';
import { startEmbedded } from '@millrace/postgres/embedded';
import { newSigningSecret } from '@millrace/webhooks';
import { sql } from 'kysely';
import { Agent } from 'undici';
import { migrations } from '../apps/extraction/src/database/migrations.ts';
import type { ExtractionDatabase, Schema } from '../apps/extraction/src/database/schema.ts';
import { type Deliverer, startDeliverer } from '../apps/extraction/src/delivery/deliverer.ts';
import { finishDocument } from '../apps/extraction/src/delivery/testing.ts';
import { newId } from '../apps/extraction/src/identifiers.ts';
import { checkNewEndpoint } from '../apps/extraction/src/resources/webhooks/rules.ts';
import { sealSecret, webhookSecretSealer } from '../apps/extraction/src/resources/webhooks/secrets.ts';
import { createEndpoint, removeEndpoint } from '../apps/extraction/src/resources/webhooks/store.ts';
import type { ReceiverReport } from './webhooks/receiver.ts';

const policy = { allowLoopback: true };
const sealer = webhookSecretSealer([randomBytes(32)]);
const backlog = 4000;
const commitsPerSecond = 20;
const quietSeconds = 15;
/** Beyond the 15 s after which the dead endpoints' attempts time out, all within moments. */
const besideDeadSeconds = 30;
const deadEndpoints = 1000;
const eventsPerDeadEndpoint = 3;

/** An invoice with ten line items. */
const result = {
  fields: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`field_${n}`, `a value of field ${n}`])),
  lines: Array.from({ length: 10 }, (_, n) => ({
    description: `Item ${n}`,
    quantity: n,
    price_unit: 12.5,
    amount: n * 12.5,
  })),
  confidence: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`field_${n}`, 97])),
};

/** The benchmark of webhook delivery; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const receiver = await startReceivers(stack);
  const database = await startDatabase(stack);
  const account = newId('acc');
  await database.system.insertInto('accounts').values({ id: account, name: 'Benchmark' }).execute();
  const { healthyPort, deadPort } = await report(receiver);
  const body = await sampleBody(database, account, healthyPort);

  const rows: string[] = [];
  for (const endpoints of [1, 16]) {
    const floor = await postLoop(`http://127.0.0.1:${healthyPort}/`, body, endpoints * 8);
    await report(receiver);
    const delivered = await deliverBacklog(database, account, healthyPort, endpoints);
    rows.push(`| ${endpoints} | ${delivered.toFixed(0)} | ${floor.toFixed(0)} | ${(floor / delivered).toFixed(1)} |`);
    await report(receiver);
  }

  const quiet = await latencies(database, receiver, account, healthyPort, quietSeconds, 0, deadPort);
  const beside = await latencies(database, receiver, account, healthyPort, besideDeadSeconds, deadEndpoints, deadPort);
  return `One process delivers to receivers in another process on loopback, over HTTP, from an embedded PostgreSQL with
fsync. Each delivery is claimed, signed, posted and recorded with its bodies; deliveries that end together are recorded in
one transaction. The body has ${body.length} bytes.

## Deliveries per second

A backlog of ${backlog} events is delivered. The baseline is a plain loop of undici POSTs of the same body, with the same concurrency
(8 per endpoint), unsigned and unrecorded, in the same run.

| Endpoints | Deliveries/s | Baseline/s | Baseline ÷ ours |
|---|---|---|---|
${rows.join('\n')}

## From commit to the receiver's first byte

${commitsPerSecond} events a second for one healthy endpoint; in the second row, next to ${deadEndpoints} endpoints that accept
connections and never respond, with ${eventsPerDeadEndpoint} events each, all due at the start, while their attempts time out and
are recorded.

| | Events | p50 | p99 | Longest |
|---|---|---|---|---|
| the healthy endpoint alone | ${describe(quiet)} |
| next to ${deadEndpoints} dead endpoints | ${describe(beside)} |
`;
}

async function startReceivers(stack: AsyncDisposableStack): Promise<ChildProcess> {
  const child = fork(new URL('webhooks/receiver.ts', import.meta.url));
  stack.defer(() => void child.disconnect());
  await once(child, 'message');
  return child;
}

/** What arrived since the last report. */
async function report(receiver: ChildProcess): Promise<ReceiverReport> {
  const answer = once(receiver, 'message');
  receiver.send('report');
  const [message] = (await answer) as [ReceiverReport];
  return message;
}

async function startDatabase(stack: AsyncDisposableStack): Promise<ExtractionDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const server = await startEmbedded({ dataDirectory: folder });
  stack.defer(() => server.stop());
  await migrate({ connection: { ...server.owner }, migrations, servicePassword: server.service.password });
  const database = openDatabase<Schema>({
    connection: { ...server.service },
    tenantConnections: 10,
    systemConnections: 10,
  });
  stack.defer(() => database.close());
  return database;
}

async function addEndpoint(database: ExtractionDatabase, account: string, url: string): Promise<string> {
  const { endpoint } = await tenantTransaction(database, account, (transaction) =>
    createEndpoint(transaction, sealer, checkNewEndpoint({ url }, policy)),
  );
  return endpoint.id;
}

/** The bytes of an event as the service makes them. */
async function sampleBody(database: ExtractionDatabase, account: string, port: number): Promise<Buffer> {
  const endpoint = await addEndpoint(database, account, `http://127.0.0.1:${port}/`);
  await finishDocument(database, account, { result });
  const { body } = await database.system.selectFrom('notifications').select('body').executeTakeFirstOrThrow();
  await tenantTransaction(database, account, (transaction) => removeEndpoint(transaction, endpoint));
  return body;
}

/** Posts a second by a bare client. */
async function postLoop(url: string, body: Buffer, concurrency: number): Promise<number> {
  const agent = new Agent();
  const { origin, pathname } = new URL(url);
  let left = backlog;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) {
        const headers = { 'content-type': 'application/json' };
        const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
        await answer.body.dump();
      }
    }),
  );
  const perSecond = (backlog * 1000) / (performance.now() - started);
  await agent.close();
  return perSecond;
}

async function withDeliverer(
  database: ExtractionDatabase,
  work: (deliverer: Deliverer) => Promise<void>,
): Promise<void> {
  const deliverer = startDeliverer({
    database,
    sealer,
    sending: policy,
    onAttempt: () => undefined,
    onEndpointsFailed: async () => undefined,
    onError: (error) => console.error(error),
  });
  try {
    await work(deliverer);
  } finally {
    await deliverer.stop(0);
  }
}

/** Deliveries a second, from the deliverer's start until the last one is recorded. */
async function deliverBacklog(
  database: ExtractionDatabase,
  account: string,
  port: number,
  endpoints: number,
): Promise<number> {
  const ids: string[] = [];
  for (let n = 0; n < endpoints; n++) ids.push(await addEndpoint(database, account, `http://127.0.0.1:${port}/${n}`));
  for (let queued = 0; queued < backlog; queued += endpoints * 10) {
    await Promise.all(Array.from({ length: 10 }, () => finishDocument(database, account, { result })));
  }
  const count = async () => {
    const { rows } = await sql<{ pending: number }>`
      select count(*)::int as pending from notifications where state = 'pending'`.execute(database.system);
    return rows[0]?.pending ?? 0;
  };
  const queued = await count();
  let elapsedMs = 0;
  await withDeliverer(database, async () => {
    const started = performance.now();
    while ((await count()) > 0) await sleep(20);
    elapsedMs = performance.now() - started;
  });
  for (const id of ids) await tenantTransaction(database, account, (transaction) => removeEndpoint(transaction, id));
  return (queued * 1000) / elapsedMs;
}

/** Times from commit to the arrival of the request, in milliseconds, ascending. */
async function latencies(
  database: ExtractionDatabase,
  receiver: ChildProcess,
  account: string,
  healthyPort: number,
  seconds: number,
  dead: number,
  deadPort: number,
): Promise<number[]> {
  const neighbour = newId('acc');
  await database.system.insertInto('accounts').values({ id: neighbour, name: 'Neighbour' }).execute();
  const healthy = await addEndpoint(database, account, `http://127.0.0.1:${healthyPort}/`);
  await queueForDead(database, neighbour, dead, deadPort);
  await report(receiver);
  const committedMs = new Map<string, number>();
  await withDeliverer(database, async (deliverer) => {
    for (let n = 0; n < seconds * commitsPerSecond; n++) {
      const { document, lanes } = await finishDocument(database, account, { result });
      committedMs.set(document.id, Number(process.hrtime.bigint()) / 1e6);
      deliverer.wake(lanes);
      await sleep(1000 / commitsPerSecond);
    }
    await sleep(2000);
  });
  await tenantTransaction(database, account, (transaction) => removeEndpoint(transaction, healthy));
  const { arrivals } = await report(receiver);
  const times = arrivals.map(({ documentId, atMs }) => atMs - (committedMs.get(documentId) ?? Number.NaN));
  if (times.length !== committedMs.size) throw new Error(`${times.length} of ${committedMs.size} events arrived`);
  return times.sort((a, b) => a - b);
}

/** One account may have 50 endpoints, so the dead ones are written to the tables directly. */
async function queueForDead(database: ExtractionDatabase, account: string, count: number, port: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const id = newId('whe');
    const url = `http://127.0.${1 + Math.floor(n / 250)}.${1 + (n % 250)}:${port}/`;
    await sql`insert into webhook_endpoints (id, account_id, url, events) values (${id}, ${account}, ${url}, '{}')`.execute(
      database.system,
    );
    const secretId = newId('sec');
    await database.system
      .insertInto('webhook_secrets')
      .values({
        id: secretId,
        account_id: account,
        endpoint_id: id,
        secret_encrypted: sealSecret(sealer, secretId, newSigningSecret()),
      })
      .execute();
    for (let event = 0; event < eventsPerDeadEndpoint; event++) {
      await database.system
        .insertInto('notifications')
        .values({
          id: newId('ntf'),
          account_id: account,
          endpoint_id: id,
          lane: id,
          event: 'extraction.completed',
          body: Buffer.alloc(500, 'x'),
        })
        .execute();
    }
  }
}

function describe(times: readonly number[]): string {
  const at = (share: number) =>
    `${(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)} ms`;
  return `${times.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)}`;
}
