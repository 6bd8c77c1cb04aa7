import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SlotRow } from '@millrace/gateway-configuration/reports';
import { Histogram } from '@millrace/histograms';
import { newId } from '@millrace/identifiers';
import { openDatabase, tenantTransaction } from '@millrace/postgres';
import { startEmbedded, urlOf } from '@millrace/postgres/embedded';
import { newSecret } from '@millrace/sign-in/secrets';
import pg from 'pg';
import { Agent, request } from 'undici';
import { schemaName } from '../apps/control/src/database/migrations.ts';
import type { ControlDatabase, Schema } from '../apps/control/src/database/schema.ts';
import { nodeTokenPrefix } from '../apps/control/src/frame/authenticate.ts';
import { slotMs } from '../apps/control/src/watch/slots/rules.ts';
import { readLive, readSlots } from '../apps/control/src/watch/slots/store.ts';
import { familyOf, secondsOf } from './statistics/processor-time.ts';
import { median } from './statistics/quantile.ts';

const nodeCount = Number(process.env.NODES ?? 200);
const proxyCount = Number(process.env.PROXIES ?? 500);
const environmentCount = 4;
/** Requests of a proxy that a node serves in ten seconds. */
const requestsOfSlot = 20;
const slots = Number(process.env.SLOTS ?? 6);
const idleSeconds = 20;
/** Nodes send their batches this long after a slot's end. */
const sendMs = { from: 300, to: 1_000 } as const;
/** The merger works 2.5 seconds after a slot's end. */
const mergedMs = 6_000;
/** Bodies of one node serve others too. */
const templates = 8;

/** The benchmark of taking in reports of ten seconds; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-slots-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  const control = await startServer({
    ...process.env,
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: folder,
    MILLRACE_CONTROL_PORT: '0',
    MILLRACE_SEED: '0',
  });
  stack.defer(() => void control.child.kill());
  const client = new pg.Client({ ...postgres.owner, options: '-c search_path=control -c millrace.tenant=*' });
  await client.connect();
  stack.defer(() => client.end());
  const filled = await fill(client);
  const spent = () => ({ node: secondsOf([control.child.pid!]), postgres: secondsOf(familyOf(postgres.processId)) });

  const idleFrom = spent();
  await sleep(idleSeconds * 1_000);
  const idle = since(idleFrom, spent(), idleSeconds);
  const agent = new Agent({ connections: 32, pipelining: 1 });
  stack.defer(() => agent.destroy());
  await sendSlot(control.address, agent, filled, 0);
  await sleep(mergedMs);

  await sleep(slotMs - (Date.now() % slotMs));
  const from = spent();
  const answerMs: number[] = [];
  for (let slot = 1; slot <= slots; slot++) {
    const begunMs = Date.now();
    answerMs.push(...(await sendSlot(control.address, agent, filled, slot)));
    const restMs = slotMs - (Date.now() - begunMs);
    if (restMs < 0) throw new Error(`the reports of a slot took ${Date.now() - begunMs} ms`);
    await sleep(restMs);
  }
  const busy = since(from, spent(), (slots * slotMs) / 1_000);
  await sleep(mergedMs);

  const { rows: stored } = await client.query(
    `select count(*)::int as rows, sum(requests) filter (where proxy_id <> '') as requests from traffic_slots`,
  );
  const rowsOfSlot = environmentCount * (proxyCount + 1);
  const wanted = (slots + 1) * nodeCount * proxyCount * requestsOfSlot;
  if (Number(stored[0].requests) !== wanted) throw new Error(`${stored[0].requests} requests, not ${wanted}`);
  const sizes = await client.query<{ heap: string; indexes: string }>(`
    select sum(pg_table_size(inhrelid)) as heap, sum(pg_indexes_size(inhrelid)) as indexes
    from pg_inherits where inhparent = 'traffic_slots'::regclass`);
  const { rows: waiting } = await client.query<{ size: string }>(
    `select pg_total_relation_size('traffic_reports') as size`,
  );
  const bytesOfRow = (Number(sizes.rows[0]!.heap) + Number(sizes.rows[0]!.indexes)) / stored[0].rows;
  const indexBytesOfRow = Number(sizes.rows[0]!.indexes) / stored[0].rows;
  const twoDays = (bytesOfRow * rowsOfSlot * 48 * 360) / 1024 ** 3;

  const database: ControlDatabase = openDatabase({
    connection: postgres.owner,
    schema: schemaName,
    tenantConnections: 1,
    systemConnections: 1,
  });
  stack.defer(() => database.close());
  const dropping = await measureDropping(client, filled, stored[0].rows);
  await fillQuarter(client, filled);
  const reading = await measureReading(database, filled);
  const perCent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return `${nodeCount} gateway nodes of ${environmentCount} environments, each serving ${proxyCount} proxies, ${requestsOfSlot} requests of each in ten seconds: ${(
    (nodeCount * proxyCount * requestsOfSlot) / 10
  ).toLocaleString('en')} requests
a second. Every ten seconds each node sends its batch of ${proxyCount} rows between ${sendMs.from / 1_000} and ${sendMs.to / 1_000} s after the slot’s end, over
HTTP: it is authenticated, parsed, checked, stored in its transaction, and merged in the background by the management API,
which runs in a process of its own on an embedded PostgreSQL. The figures are processor time of ${slots} slots (${(slots * slotMs) / 1_000} s), from
/proc; what the same processes took for ${idleSeconds} s before, without reports, is not subtracted. All rows are counted afterwards.

| Processor time, of one core | idle | taking in reports |
|---|---|---|
| Node (the management API) | ${perCent(idle.node)} | ${perCent(busy.node)} |
| PostgreSQL | ${perCent(idle.postgres)} | ${perCent(busy.postgres)} |
| Both | ${perCent(idle.node + idle.postgres)} | ${perCent(busy.node + busy.postgres)} |
| Of a row of a node’s report, in µs | | ${(((busy.node + busy.postgres) / ((nodeCount * proxyCount) / 10)) * 1e6).toFixed(1)} |

A batch is ${(filled.bytes / 1024).toFixed(0)} KB of JSON; half of the batches were answered within ${median(answerMs).toFixed(0)} ms.

| Table | |
|---|---|
| Rows of a slot, of all nodes together, with a sum of each environment | ${rowsOfSlot.toLocaleString('en')} |
| Rows stored for ${slots + 1} slots | ${stored[0].rows.toLocaleString('en')} |
| Bytes of a row, with its part of the index | ${bytesOfRow.toFixed(0)}, of which ${indexBytesOfRow.toFixed(0)} index |
| Two days | ${twoDays.toFixed(1)} GB |
| Reports that wait to be merged: largest size of their table | ${(Number(waiting[0]!.size) / 1024 ** 2).toFixed(1)} MB |

| What retention costs for an hour of ${dropping.rows.toLocaleString('en')} rows (${dropping.megabytes.toFixed(0)} MB) | ms |
|---|---|
| Dropping its partition | ${dropping.dropMs.toFixed(0)} |
| Beside it: \`delete\` of the same rows, without the vacuum that follows | ${dropping.deleteMs.toFixed(0)} |

| Reading, median of 5 | ms |
|---|---|
| The last slot of every proxy and environment (${rowsOfSlot.toLocaleString('en')} rows) | ${reading.slotMs.toFixed(0)} |
| Five minutes of one proxy | ${reading.proxyMs.toFixed(0)} |
| Live view: 15 minutes of one environment (${(90 * (proxyCount + 1)).toLocaleString('en')} rows) | ${reading.environmentMs.toFixed(0)} |
| Live view: 15 minutes of everything (${(90 * rowsOfSlot).toLocaleString('en')} rows) | ${reading.liveMs.toFixed(0)} |
`;
}

interface Server {
  readonly address: string;
  readonly child: ChildProcess;
}

async function startServer(env: NodeJS.ProcessEnv): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'control/server.ts'), ['control'], { env, execArgv: [] });
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  return { address, child };
}

interface Filled {
  readonly organizationId: string;
  readonly environmentIds: readonly string[];
  readonly tokens: readonly string[];
  /** Parts of bodies between which the slot and the number of the batch stand. */
  readonly bodies: readonly string[];
  readonly streams: readonly string[];
  /** Of a batch. */
  readonly bytes: number;
}

async function fill(client: pg.Client): Promise<Filled> {
  const organizationId = newId('org');
  await client.query(`insert into organizations (id, name, display_name) values ($1, 'bench', 'Bench')`, [
    organizationId,
  ]);
  const environmentIds = Array.from({ length: environmentCount }, () => newId('env'));
  for (const [index, id] of environmentIds.entries()) {
    await client.query(
      'insert into environments (id, organization_id, name, display_name, production) values ($1, $2, $3, $3, false)',
      [id, organizationId, `stage-${index}`],
    );
  }
  const proxyIds = Array.from({ length: proxyCount }, () => newId('prx'));
  await client.query(
    `insert into proxies (id, organization_id, name, display_name, base_path, protocol, auth_scheme, content_hash, created_by)
     select id, $1, 'api-' || n, 'API ' || n, '/v1/api-' || n, 'rest', 'none', '', 'usr_bench'
     from unnest($2::text[]) with ordinality as given (id, n)`,
    [organizationId, proxyIds],
  );
  const secrets = Array.from({ length: nodeCount }, () => newSecret(nodeTokenPrefix));
  for (const [index, { hash }] of secrets.entries()) {
    await client.query(
      `insert into gateway_nodes (id, organization_id, environment_id, name, token_hash, registered_at, last_heartbeat_at)
       values ($1, $2, $3, $4, $5, now(), now())`,
      [newId('gwn'), organizationId, environmentIds[index % environmentCount], `node-${index}`, hash],
    );
  }
  await client.query('vacuum analyze');
  const bodies = Array.from({ length: templates }, () => {
    const rows = proxyIds.map((proxyId) => rowOf(proxyId));
    return JSON.stringify({
      streamId: 'STREAM',
      sequence: 0,
      traffic: [],
      deployments: [],
      routes: [],
      metered: [],
      slots: rows,
    });
  });
  return {
    organizationId,
    environmentIds,
    tokens: secrets.map(({ secret }) => secret),
    bodies,
    streams: secrets.map(() => newId('usb')),
    bytes: bodies[0]!.length,
  };
}

/** Times are log-normal: 60 µs in the gateway and 20 ms at the target in the middle. */
function rowOf(proxyId: string): SlotRow {
  const [gatewayTime, targetTime, latency] = [new Histogram(), new Histogram(), new Histogram()];
  for (let count = 0; count < requestsOfSlot; count++) {
    const [gatewayUs, targetUs] = [60 * Math.exp(normal() / 2), 20_000 * Math.exp(normal() / 2)];
    gatewayTime.record(gatewayUs);
    targetTime.record(targetUs);
    latency.record(gatewayUs + targetUs);
  }
  return {
    slot: 'SLOT',
    proxyId,
    requests: requestsOfSlot,
    status2xx: requestsOfSlot - 2,
    status3xx: 0,
    status4xx: 1,
    status5xx: 1,
    limited: 0,
    requestBytes: 12_345,
    responseBytes: 123_456,
    gatewayTime: gatewayTime.encode(),
    targetTime: targetTime.encode(),
    latency: latency.encode(),
  };
}

/** By Box and Muller (https://en.wikipedia.org/wiki/Box–Muller_transform). */
function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

/** Sends every node's batch of the slot that ended last; how long each took, in ms. */
function sendSlot(address: string, agent: Agent, filled: Filled, sequence: number): Promise<readonly number[]> {
  const slot = new Date(Math.floor(Date.now() / slotMs - 1) * slotMs).toISOString();
  const bodies = filled.bodies.map((body) =>
    body.replaceAll('SLOT', slot).replace('"sequence":0', `"sequence":${sequence}`),
  );
  return Promise.all(
    filled.tokens.map(async (token, index) => {
      await sleep(sendMs.from + Math.random() * (sendMs.to - sendMs.from));
      const begun = performance.now();
      const { statusCode, body } = await request(`${address}/api/gateway/usage`, {
        dispatcher: agent,
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: bodies[index % templates]!.replace('STREAM', filled.streams[index]!),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`a batch was answered ${statusCode}: ${text}`);
      return performance.now() - begun;
    }),
  );
}

/** What an hour of rows takes to drop and to delete: a copy of those that are there, as often as needed. */
async function measureDropping(client: pg.Client, { organizationId }: Filled, stored: number) {
  const rows = environmentCount * (proxyCount + 1) * 360;
  const hour = new Date(Math.floor(Date.now() / 3_600_000 - 30) * 3_600_000);
  await client.query('select add_traffic_slot_hours(array[$1::timestamptz])', [hour]);
  const fillHour = () =>
    client.query(
      `insert into traffic_slots
       select organization_id, $1::timestamptz + (n % 360) * interval '10 s', environment_id, proxy_id, requests, status_2xx,
         status_3xx, status_4xx, status_5xx, limited, request_bytes, response_bytes, gateway_time, target_time, latency
       from traffic_slots, generate_series(0, $2::int) n
       where organization_id = $3 and slot > now() - interval '20 minutes' limit $4`,
      [hour, Math.ceil(rows / stored), organizationId, rows],
    );
  await fillHour();
  await client.query('checkpoint');
  const partition = (
    await client.query<{ name: string }>(
      `select tableoid::regclass::text as name from traffic_slots where slot >= $1 and slot < $1::timestamptz + interval '1 hour' limit 1`,
      [hour],
    )
  ).rows[0]!.name;
  const { rows: sizes } = await client.query<{ size: string }>(`select pg_total_relation_size($1::regclass) as size`, [
    partition,
  ]);
  const timed = async (text: string, values: readonly unknown[]) => {
    const begun = performance.now();
    await client.query(text, [...values]);
    return performance.now() - begun;
  };
  const deleteMs = await timed(
    "delete from traffic_slots where slot >= $1 and slot < $1::timestamptz + interval '1 hour'",
    [hour],
  );
  await fillHour();
  await client.query('checkpoint');
  const dropMs = await timed('select drop_traffic_slot_hours($1)', [new Date(hour.getTime() + 3_600_000)]);
  return { rows, megabytes: Number(sizes[0]!.size) / 1024 ** 2, deleteMs, dropMs };
}

/** Copies the slots that are there to those before, so that a quarter of an hour is full. */
async function fillQuarter(client: pg.Client, { organizationId }: Filled): Promise<void> {
  await client.query(`select add_traffic_slot_hours(array[now(), now() - interval '1 hour'])`);
  await client.query(
    `insert into traffic_slots
     select organization_id, slot - n * interval '10 s', environment_id, proxy_id, requests, status_2xx, status_3xx,
       status_4xx, status_5xx, limited, request_bytes, response_bytes, gateway_time, target_time, latency
     from traffic_slots, generate_series(1, 100) n
     where organization_id = $1 and slot = (select min(slot) from traffic_slots where organization_id = $1)`,
    [organizationId],
  );
  await client.query('vacuum analyze traffic_slots');
}

/** Reads that the evaluator and the live view make, of full fifteen minutes. */
async function measureReading(database: ControlDatabase, filled: Filled) {
  const to = new Date(Math.floor(Date.now() / slotMs) * slotMs);
  const before = (ms: number) => new Date(to.getTime() - ms);
  const [environmentId] = filled.environmentIds;
  const { system } = database;
  const lastSlot = (
    await system.selectFrom('traffic_slots').select('slot').orderBy('slot', 'desc').limit(1).executeTakeFirstOrThrow()
  ).slot;
  const { proxy_id: proxyId } = await system
    .selectFrom('traffic_slots')
    .select('proxy_id')
    .where('proxy_id', '<>', '')
    .limit(1)
    .executeTakeFirstOrThrow();
  const timed = async (read: Parameters<typeof tenantTransaction<Schema, unknown>>[2]) => {
    const ms: number[] = [];
    for (let round = 0; round < 5; round++) {
      const begun = performance.now();
      await tenantTransaction(database, filled.organizationId, read, { access: 'read only' });
      ms.push(performance.now() - begun);
    }
    return median(ms);
  };
  return {
    slotMs: await timed((transaction) => readSlots(transaction, { from: lastSlot, to })),
    proxyMs: await timed((transaction) => readSlots(transaction, { from: before(300_000), to, proxyId })),
    environmentMs: await timed((transaction) => readLive(transaction, { from: before(900_000), to, environmentId })),
    liveMs: await timed((transaction) => readLive(transaction, { from: before(900_000), to })),
  };
}

type Spent = Readonly<Record<'node' | 'postgres', number>>;

/** Shares of a core. */
function since(from: Spent, to: Spent, seconds: number): Spent {
  return { node: (to.node - from.node) / seconds, postgres: (to.postgres - from.postgres) / seconds };
}
