import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSealer } from '@millrace/encryption';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { openTestDatabase, type TestDatabase } from '@millrace/postgres/testing';
import { sql } from 'kysely';
import { Client } from 'pg';
import { createKeySealers } from '../../consumers/apps/key-sealers.ts';
import { migrations, schemaName } from '../../database/migrations.ts';
import type { Schema } from '../../database/schema.ts';
import { insertIntegration, secretContext } from '../integrations/store.ts';
import { addReports } from '../slots/store.ts';

/** What an evaluating process is started with. */
export interface EvaluatingProcessOptions {
  readonly url: string;
  /** Its database sessions have it. */
  readonly name: string;
  /** In hex. */
  readonly encryptionKey: string;
}

/** What came of an organization's rules, so that two runs can be compared: without ids. */
export interface RunResult {
  /** Incidents with their members, entries and notifications, each as text, in order. */
  readonly incidents: readonly string[];
  readonly notifications: readonly string[];
  /** Notifications that the receiver got, with the ids that each came with. */
  readonly received: ReadonlyMap<string, ReadonlySet<string>>;
  /** Requests beyond the first of a notification. */
  readonly repeats: number;
  readonly kills: number;
  /** Kills of a process that had written something and not committed it. */
  readonly killsInTransaction: number;
  /** Evaluated moments, and what is wrong with how they follow each other. */
  readonly moments: number;
  readonly faults: readonly string[];
}

const organizationId = 'org_00000000000000000000kills0';
const environmentId = 'env_00000000000000000000kills0';
const integrationId = 'int_00000000000000000000kills0';
const proxies = ['carts', 'invoices', 'orders', 'payments', 'prices', 'shipments'];
const proxyIdOf = (name: string) => `prx_00000000000000000${name.padStart(9, '0')}`;
const stepMs = 10_000;
/** Moments that the clock may be ahead of what is evaluated: fewer than an evaluator makes up for. */
const mostAhead = 25;
/** The clock of evaluating processes runs this much faster. */
const speed = 40;

let template: Promise<void> | null = null;

/**
 * Evaluates the same figures in processes of which one at random is killed again and again, until the last moment is
 * evaluated and every notification delivered.
 *
 * @param options.kills 0: one process that nobody kills
 * @param options.killEveryMs on average
 */
export async function runKilling({
  kills,
  moments,
  seed,
  killEveryMs = 3_000,
}: {
  readonly kills: number;
  readonly moments: number;
  readonly seed: number;
  readonly killEveryMs?: number;
}): Promise<RunResult> {
  await using stack = new AsyncDisposableStack();
  // Databases that are opened at once would each make the template that they are copies of.
  template ??= openTestDatabase<Schema>(migrations, { schema: schemaName }).then((first) => first.close());
  await template;
  const opened = await openTestDatabase<Schema>(migrations, { schema: schemaName });
  stack.defer(() => opened.close());
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const encryptionKey = randomBytes(32);
  // The same figures in every run, at moments for which there are partitions.
  const firstMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - (moments + 60) * stepMs;
  await addOrganization(opened, { receiverUrl: receiver.url, encryptionKey });
  await addFigures(opened, { firstMs, moments, seed: 1 });
  const owner = new Client({ ...opened.owner, options: `-c search_path=${schemaName} -c millrace.tenant=*` });
  await owner.connect();
  stack.defer(() => owner.end());
  await logEvaluations(owner);

  const random = randomOf(seed);
  let started = 0;
  const start = (): Evaluating =>
    startEvaluating({ url: opened.url, name: `evaluator-${++started}`, encryptionKey: encryptionKey.toString('hex') });
  const processes = Array.from({ length: kills === 0 ? 1 : 2 }, start);
  stack.defer(() => {
    for (const { child } of processes) child.kill('SIGKILL');
  });

  const lastMs = firstMs + (moments - 1) * stepMs;
  let isEnded = false;
  const driving = driveClock(owner, processes, { firstMs, lastMs });
  const ended = driving.finally(() => {
    isEnded = true;
  });
  let killed = 0;
  let killsInTransaction = 0;
  while (killed < kills && !isEnded) {
    await sleep(killEveryMs * (0.2 + 1.6 * random()));
    const writing = random() < 0.5 ? await writingProcess(owner) : null;
    const found = processes.findIndex(({ name }) => name === writing);
    const index = found >= 0 ? found : Math.floor(random() * processes.length);
    const { child } = processes[index]!;
    child.kill('SIGKILL');
    killed++;
    if (found >= 0) killsInTransaction++;
    processes[index] = start();
  }
  await ended;
  await isDelivered(owner);
  return {
    incidents: await incidentsOf(owner, firstMs),
    notifications: await notificationsOf(owner, firstMs),
    received: receiver.received(firstMs),
    repeats: receiver.repeats(),
    kills: killed,
    killsInTransaction,
    moments,
    faults: await faultsOf(owner, { firstMs, moments }),
  };
}

/** Compares what a run with kills came to with one without; each difference as a sentence. */
export function differences(expected: RunResult, actual: RunResult): readonly string[] {
  const faults = [...actual.faults];
  for (const what of ['incidents', 'notifications'] as const) {
    const [wanted, found] = [new Set(expected[what]), new Set(actual[what])];
    for (const one of wanted) if (!found.has(one)) faults.push(`lost: ${one}`);
    for (const one of found) if (!wanted.has(one)) faults.push(`not expected: ${one}`);
    if (found.size !== actual[what].length) faults.push(`${actual[what].length - found.size} ${what} are there twice`);
  }
  for (const key of expected.received.keys()) if (!actual.received.has(key)) faults.push(`never arrived: ${key}`);
  for (const [key, ids] of actual.received) {
    if (!expected.received.has(key)) faults.push(`arrived and was not expected: ${key}`);
    if (ids.size > 1) faults.push(`arrived with ${ids.size} ids: ${key}`);
  }
  return faults;
}

interface Evaluating {
  readonly name: string;
  readonly child: ChildProcess;
}

function startEvaluating(options: EvaluatingProcessOptions): Evaluating {
  const child = fork(new URL('testing-evaluating-process.ts', import.meta.url), [JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('error', () => undefined);
  return { name: options.name, child };
}

/** A process as soon as it has written something that it has not committed; null if none does in time. */
async function writingProcess(owner: Client): Promise<string | null> {
  const endMs = performance.now() + 2_000;
  while (performance.now() < endMs) {
    const { rows } = await owner.query(`
      select application_name as name from pg_stat_activity where application_name like 'evaluator-%' and backend_xid is not null
      and datname = current_database()`);
    if (rows.length > 0) return rows[0].name;
  }
  return null;
}

/** Moves the clock of all processes on, until the last moment is evaluated. */
async function driveClock(
  owner: Client,
  processes: readonly Evaluating[],
  { firstMs, lastMs }: { readonly firstMs: number; readonly lastMs: number },
): Promise<void> {
  const delayMs = 3_000;
  const tickMs = 50;
  let nowMs = firstMs + delayMs;
  for (;;) {
    const { rows } = await owner.query('select evaluated_until as at from alert_clocks');
    const doneMs = (rows[0]?.at as Date | undefined)?.getTime();
    if (doneMs !== undefined && doneMs >= lastMs) return;
    const most = doneMs === undefined ? firstMs : Math.min(doneMs + mostAhead * stepMs, lastMs);
    nowMs = Math.min(nowMs + tickMs * speed, most + delayMs);
    for (const { child } of processes) if (child.connected) child.send(nowMs, () => undefined);
    await sleep(tickMs);
  }
}

async function isDelivered(owner: Client): Promise<void> {
  await eventually('all deliveries', async () => {
    const { rows } = await owner.query(`select 1 from integration_deliveries where state = 'queued' limit 1`);
    return rows.length === 0;
  });
}

async function addOrganization(
  { database }: TestDatabase<Schema>,
  { receiverUrl, encryptionKey }: { readonly receiverUrl: string; readonly encryptionKey: Buffer },
): Promise<void> {
  const { system } = database;
  await system
    .insertInto('organizations')
    .values({ id: organizationId, name: 'kills', display_name: 'Kills' })
    .execute();
  await system
    .insertInto('environments')
    .values({
      id: environmentId,
      organization_id: organizationId,
      name: 'production',
      display_name: 'Production',
      production: true,
    })
    .execute();
  await system
    .insertInto('proxies')
    .values(
      proxies.map((name) => ({
        id: proxyIdOf(name),
        organization_id: organizationId,
        name,
        display_name: name,
        base_path: `/${name}`,
        protocol: 'rest' as const,
        auth_scheme: 'none' as const,
        content_hash: '',
        created_by: 'usr_test',
      })),
    )
    .execute();
  const keySealers = createKeySealers(encryptionKey, createSealer([encryptionKey], 'control secrets'));
  await tenantTransaction(database, organizationId, (transaction) =>
    insertIntegration(transaction, {
      id: integrationId,
      name: 'Receiver',
      settings: { kind: 'webhook', url: receiverUrl, events: [] },
      sealedSecret: keySealers(organizationId).seal(Buffer.from('secret'), secretContext(integrationId)),
      enabled: true,
    }),
  );
  const condition = {
    metric: 'error_rate',
    latencyPart: 'total',
    operator: '>',
    threshold: 5,
    clearThreshold: null,
    durationSeconds: 30,
    keepFiringSeconds: 30,
    minimumRequests: 1,
    noData: 'ok',
  };
  const rules = [
    ...proxies.map((name) => ({ name: `${name} fail`, proxyId: proxyIdOf(name), condition })),
    { name: 'Many fail', proxyId: null, condition: { ...condition, threshold: 20, keepFiringSeconds: 60 } },
    {
      name: 'Few calls',
      proxyId: null,
      condition: { ...condition, metric: 'request_rate', operator: '<', threshold: 3 },
    },
  ];
  for (const [index, { name, proxyId, condition: own }] of rules.entries()) {
    await sql`insert into alert_rules (id, organization_id, name, description, environment_id, proxy_id, condition,
        severity, integration_ids, enabled)
      values (${`alr_0000000000000000000kills${index}`}, ${organizationId}, ${name}, '', ${environmentId}, ${proxyId},
        ${JSON.stringify(own)}::jsonb, 'critical', ${[integrationId]}, true)`.execute(system);
  }
}

/** Traffic that is well and fails in turns. */
async function addFigures(
  { database }: TestDatabase<Schema>,
  { firstMs, moments, seed }: { readonly firstMs: number; readonly moments: number; readonly seed: number },
): Promise<void> {
  const random = randomOf(seed);
  const hours = Math.ceil((moments * stepMs) / 3_600_000) + 1;
  await sql`select add_traffic_slot_hours(array(select ${new Date(firstMs)}::timestamptz + hour * interval '1 hour'
    from generate_series(-1, ${hours}) hour))`.execute(database.system);
  const failing = new Map<string, number>();
  const rows = Array.from({ length: moments }, (_, index) =>
    proxies.map((name) => {
      const share = failing.get(name) ?? 0;
      if (random() < (share > 0 ? 0.12 : 0.05)) failing.set(name, share > 0 ? 0 : 0.02 + random() * 0.6);
      const requests = Math.floor(20 + random() * 40);
      const status5xx = Math.round(requests * (failing.get(name) ?? 0));
      return {
        // The ten seconds that end at the moment.
        slot: new Date(firstMs + (index - 1) * stepMs).toISOString(),
        proxyId: proxyIdOf(name),
        requests,
        status2xx: requests - status5xx,
        status3xx: 0,
        status4xx: 0,
        status5xx,
        limited: 0,
        requestBytes: 0,
        responseBytes: 0,
        gatewayTime: [],
        targetTime: [],
        latency: [],
      };
    }),
  ).flat();
  for (let index = 0; index < rows.length; index += 3_000) {
    await tenantTransaction(database, organizationId, (transaction) =>
      addReports(transaction, [{ environmentId, rows: rows.slice(index, index + 3_000) }]),
    );
  }
}

/** Records from when to when each evaluation was written, and by which process. */
async function logEvaluations(owner: Client): Promise<void> {
  await owner.query(`
    create table evaluation_log (process text, transaction xid8, moment timestamptz, began timestamptz, ended timestamptz);
    create function log_evaluation() returns trigger language plpgsql security definer set search_path from current as $$
    begin
      insert into evaluation_log values (current_setting('application_name'), pg_current_xact_id(), new.evaluated_until,
        clock_timestamp(), null);
      return null;
    end $$;
    create function log_end() returns trigger language plpgsql security definer set search_path from current as $$
    begin
      update evaluation_log set ended = clock_timestamp() where transaction = pg_current_xact_id();
      return null;
    end $$;
    create trigger log_evaluation after insert or update on alert_clocks for each row execute function log_evaluation();
    create constraint trigger log_end after insert or update on alert_clocks deferrable initially deferred
      for each row execute function log_end();`);
}

async function faultsOf(
  owner: Client,
  { firstMs, moments }: { readonly firstMs: number; readonly moments: number },
): Promise<readonly string[]> {
  const faults: string[] = [];
  const { rows: overlaps } = await owner.query(`
    select a.process as first, b.process as second from evaluation_log a join evaluation_log b
      on a.process < b.process and a.began < b.ended and b.began < a.ended`);
  for (const { first, second } of overlaps) faults.push(`${first} and ${second} evaluated at once`);
  const { rows } = await owner.query('select moment from evaluation_log order by moment');
  const found = rows.map(({ moment }) => (moment.getTime() - firstMs) / stepMs);
  for (let index = 0; index < moments; index++) {
    const times = found.filter((moment) => moment === index).length;
    if (times !== 1) faults.push(`moment ${index} was evaluated ${times} times`);
  }
  return faults;
}

async function incidentsOf(owner: Client, firstMs: number): Promise<readonly string[]> {
  const { rows } = await owner.query(
    `
    select i.title, i.opened_at, i.resolved_at, i.state, i.peak_value, i.reopenings,
      (select string_agg(m.proxy_name || ' ' || m.state || ' ' || extract(epoch from m.since) - $1 || ' ' || m.peak_value, ', '
         order by m.proxy_name) from incident_members m where m.incident_id = i.id) as members,
      (select string_agg(extract(epoch from date_trunc('seconds', e.at)) - $1 || ' ' || e.kind || ': ' || e.text, '; '
         order by e.at, e.kind, e.text) from incident_entries e where e.incident_id = i.id) as entries
    from incidents i order by i.title, i.opened_at`,
    [firstMs / 1_000],
  );
  return rows.map(
    ({ title, opened_at: openedAt, resolved_at: resolvedAt, state, peak_value: peak, members, entries, ...rest }) => {
      const seconds = (at: Date | null) => (at === null ? 'never' : (at.getTime() - firstMs) / 1_000);
      return `${title}, ${seconds(openedAt)} to ${seconds(resolvedAt)}, ${state}, ${peak}, ${rest.reopenings}: ${members}; ${entries}`;
    },
  );
}

async function notificationsOf(owner: Client, firstMs: number): Promise<readonly string[]> {
  const { rows } = await owner.query(`
    select i.title, i.opened_at, d.kind, split_part(d.notification_id, ':', 2) as number, d.state
    from integration_deliveries d left join incidents i on i.id = d.subject_id
    order by i.title, i.opened_at, 4`);
  return rows.map(
    ({ title, opened_at: openedAt, kind, number, state }) =>
      `${title}, ${(openedAt.getTime() - firstMs) / 1_000}: ${kind} ${number}, ${state}`,
  );
}

/** Receives notifications, and keeps which came with which ids. */
async function startReceiver() {
  const posts: { readonly openedAt: string; readonly title: string; readonly event: string; readonly id: string }[] =
    [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const { event, data } = JSON.parse(text);
      posts.push({ openedAt: data.openedAt, title: data.title, event, id: String(request.headers['x-svc-delivery']) });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: (firstMs: number): ReadonlyMap<string, ReadonlySet<string>> => {
      const byKey = Map.groupBy(
        posts,
        ({ title, openedAt, event }) => `${title}, ${(Date.parse(openedAt) - firstMs) / 1_000}: ${event}`,
      );
      return new Map([...byKey].map(([key, ofKey]) => [key, new Set(ofKey.map(({ id }) => id))]));
    },
    repeats: () => posts.length - new Set(posts.map(({ id }) => id)).size,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Mulberry32. */
export function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
