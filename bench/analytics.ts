import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbedded, urlOf } from '@millrace/postgres/embedded';
import { connectDatabase } from '@millrace/postgres/server';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { migrations, schemaName } from '../apps/control/src/database/migrations.ts';
import type { Schema, TenantTransaction } from '../apps/control/src/database/schema.ts';
import { type Question, readFigures } from '../apps/control/src/watch/analytics/figures.ts';
import { spanOf } from '../apps/control/src/watch/analytics/spans.ts';
import { keepTraffic } from '../apps/control/src/watch/rollups/roller.ts';
import { readHead } from '../apps/control/src/watch/rollups/store.ts';
import { startProcess, type TestProcess } from '../apps/gateway/src/testing-platform.ts';
import { quantile } from './statistics/quantile.ts';

const wantedRows = Number(process.env.ROWS ?? 10_000_000);
/** Of each case; its filters are others every time. */
const calls = Number(process.env.CALLS ?? 30);
const months = Number(process.env.MONTHS ?? 13);
/** Where the rows are kept once they are generated and summed, so that a run that is broken off need not do so again; by default nowhere. */
const keptFolder = process.env.FOLDER;
/** Whether only the calls are measured, so that the folder's rows remain whole for another run. */
const onlyCalls = process.env.ONLY_CALLS === '1';
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const organizationId = 'org_00000000000000000000000bench';
const controlEntry = resolve(import.meta.dirname, '../apps/control/src/main.ts');

/** How many of each the organization has. */
const counts = { environments: 3, proxies: 60, apps: 300, products: 20, countries: 30 };
/** Of every ten callers of an hour, so many call. */
const activeTenths = 7;
/** What no plain query may take, in milliseconds. */
const longestPlainMs = 60_000;

/** See the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), 'millrace-bench-analytics-')));
  if (keptFolder === undefined) stack.defer(() => rm(folder, { recursive: true, force: true }));
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  const owner = await openOwner(postgres, stack);
  const prepared = (await readJson<Prepared>(preparedFile(folder))) ?? (await prepare(postgres, owner, folder, stack));
  const { generatedMs, rolledMs, rows } = prepared;
  const now = new Date();
  const { control, call } = await startControl(postgres, folder, prepared, stack);
  await rolled(owner);
  const lines: string[] = [];
  for (const one of cases) {
    lines.push(await measure(one, call, owner, now));
    log(lines.at(-1)!);
  }
  if (onlyCalls) return callsTable(lines);
  const sizes = await sizesOf(owner);
  const plans = await plansOf(postgres, owner, now);
  await control.end('SIGTERM');
  // From here on the rows are no longer all of them.
  await rm(preparedFile(folder), { force: true });
  const retention = await retain(postgres, owner, now);
  return `
One organization with ${rows.toLocaleString('en')} hourly rows of ${months} months: ${counts.environments} environments, ${counts.proxies} API proxies, ${counts.apps} apps,
${counts.products} products, ${counts.countries} countries, about ${Math.round(rows / (months * 30.4 * 24)).toLocaleString('en')} rows an hour, each with two histograms of 8 to 20 buckets. Generated in SQL in
${seconds(generatedMs)}. The embedded PostgreSQL, with its own settings, and the management API as its own process, on this machine.

Each case is called ${calls} times over HTTP, one after the other, after two calls that don't count; where it has a filter,
each call has another value. *Plain SQL* is the same question as one statement over the hourly rows with their indexes:
sums by the same keys, and for latency the merged histograms by step; the median of three, or the first where it takes more than five seconds.

${callsTable(lines)}

## Sizes

| Table | Rows | Partitions | Table and indexes MB | Indexes MB |
|---|---|---|---|---|
${sizes}

The background task summed everything from nothing in ${seconds(rolledMs)}, a day at a time; an organization in operation has one hour of
about ${Math.round(rows / (months * 30.4 * 24)).toLocaleString('en')} rows to sum every hour, and one day every day.

## Retention

${retention}

## Plans

The statements of three questions, as \`explain (analyze, buffers)\` shows them; partitions that were not read are left out.

${plans}
`;
}

function callsTable(lines: readonly string[]): string {
  return `| Operation | Question | p50 ms | p95 ms | Plain SQL ms | Answer KB |
|---|---|---|---|---|---|
${lines.join('\n')}`;
}

/** The rows of a folder, and how to start a management API on them. */
interface Prepared {
  readonly generatedMs: number;
  readonly rolledMs: number;
  readonly rows: number;
  readonly password: string;
  readonly encryptionKey: string;
}

type Generated = Omit<Prepared, 'rolledMs'>;

function preparedFile(folder: string): string {
  return join(folder, 'prepared.json');
}

async function readJson<Content>(file: string): Promise<Content | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}

async function prepare(
  postgres: EmbeddedPostgres,
  owner: Client,
  folder: string,
  stack: AsyncDisposableStack,
): Promise<Prepared> {
  const generatedFile = join(folder, 'generated.json');
  let generated = await readJson<Generated>(generatedFile);
  if (generated === null) {
    await migrateEmpty(postgres);
    const generatedMs = await timed(() => generate(postgres, owner, new Date()));
    const rows = Number((await owner.query('select count(*) from traffic_aggregates')).rows[0].count);
    log(`${rows} rows in ${seconds(generatedMs)}`);
    const secrets = { password: randomBytes(16).toString('hex'), encryptionKey: randomBytes(32).toString('hex') };
    generated = { generatedMs, rows, ...secrets };
    await writeFile(generatedFile, JSON.stringify(generated));
  }
  const { control } = await startControl(postgres, folder, generated, stack);
  const rolledMs = await timed(() => rolled(owner));
  log(`rolled in ${seconds(rolledMs)}`);
  await control.end('SIGTERM');
  await owner.query('vacuum analyze');
  await owner.query('checkpoint');
  const prepared = { ...generated, rolledMs };
  await writeFile(preparedFile(folder), JSON.stringify(prepared));
  return prepared;
}

function log(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}

async function openOwner(postgres: EmbeddedPostgres, stack: AsyncDisposableStack): Promise<Client> {
  const client = new Client({
    ...postgres.owner,
    options: `-c millrace.tenant=* -c search_path=${schemaName} -c timezone=UTC -c maintenance_work_mem=1GB -c synchronous_commit=off`,
  });
  await client.connect();
  stack.defer(() => client.end());
  return client;
}

function connect(postgres: EmbeddedPostgres) {
  return connectDatabase<Schema>({
    server: { ...postgres, serviceLogin: { servicePassword: postgres.service.password } },
    schema: schemaName,
    migrations,
    connections: 4,
    onConnectionError: () => undefined,
  });
}

async function migrateEmpty(postgres: EmbeddedPostgres): Promise<void> {
  const database = await connect(postgres);
  await database.close();
}

const idOf = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 26, '0')`;

/** Fills the tables as nodes would, past the API: callers, each of an environment, proxy, app, product and country, that are active in most hours. */
async function generate(postgres: EmbeddedPostgres, owner: Client, now: Date): Promise<void> {
  const to = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const from = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - months, to.getUTCDate()));
  const hours = (to.getTime() - from.getTime()) / hourMs;
  const callers = Math.round((wantedRows / hours) * (10 / activeTenths));
  await owner.query(`
    insert into organizations (id, name, display_name) values ('${organizationId}', 'bench', 'Bench');
    insert into environments (id, organization_id, name, display_name, production)
      select ${idOf('env', 'n')}, '${organizationId}', 'env-' || n, 'Environment ' || n, false
      from generate_series(0, ${counts.environments - 1}) n;
    insert into proxies (id, organization_id, name, display_name, base_path, protocol, auth_scheme, content_hash, created_by)
      select ${idOf('prx', 'n')}, '${organizationId}', 'api-' || n, 'API ' || n, '/api-' || n, 'rest', 'none', '', ''
      from generate_series(0, ${counts.proxies - 1}) n;
    insert into developers (id, organization_id, email, name) values ('dev_1', '${organizationId}', 'sam@example.com', 'Sam');
    insert into apps (id, organization_id, developer_id, name, display_name)
      select ${idOf('app', 'n')}, '${organizationId}', 'dev_1', 'app-' || n, 'App ' || n
      from generate_series(0, ${counts.apps - 1}) n;
    insert into products (id, organization_id, name, display_name)
      select ${idOf('prd', 'n')}, '${organizationId}', 'product-' || n, 'Product ' || n
      from generate_series(0, ${counts.products - 1}) n;
    select add_traffic_months('${from.toISOString().slice(0, 10)}', now()::date);
    drop index traffic_by_app, traffic_by_proxy;
    alter table traffic_aggregates drop constraint traffic_aggregates_pkey;
    /* Each app has a product and calls some of the proxies from some countries. */
    create unlogged table bench_callers as
      select distinct on (2, 3, 4, 5, 6) n, ${idOf('env', `(n * 7) % 10 / 4 % ${counts.environments}`)} as environment_id,
        ${idOf('prx', `(n * 31 + n / 7) % ${counts.proxies}`)} as proxy_id,
        ${idOf('app', `(n * 17) % ${counts.apps}`)} as app_id,
        ${idOf('prd', `(n * 17) % ${counts.apps} % ${counts.products}`)} as product_id,
        chr(65 + (n * 13 + n / 11) % ${counts.countries} / 6) || chr(65 + (n * 13 + n / 11) % 6) as country
      from generate_series(1, ${callers}) n;
    create unlogged table bench_times as
      select v, sum(count)::bigint as requests, array_agg(x order by bucket, o) filter (where kind = 0) as gateway_time,
        array_agg(x order by bucket, o) filter (where kind = 1) as target_time
      from (select v, kind, 40 + kind * 60 + b * (1 + v % 3) as bucket, 1 + (v * 7 + b * 5) % 9 as count
        from generate_series(0, 63) v, generate_series(0, 1) kind, generate_series(0, 7 + v % 13) b) buckets,
        lateral (values (0, bucket), (1, count)) as pairs (o, x)
      group by v`);
  // Two at a time, without indexes, and without a log since a partition is emptied in the same transaction.
  const spans: { readonly from: Date; readonly to: Date }[] = [];
  for (let at = from; at < to; at = spans.at(-1)!.to) {
    spans.push({
      from: at,
      to: new Date(Math.min(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1), to.getTime())),
    });
  }
  const fill = async () => {
    await using own = new AsyncDisposableStack();
    const client = await openOwner(postgres, own);
    for (let span = spans.shift(); span !== undefined; span = spans.shift()) await generateMonth(client, span);
  };
  await Promise.all([fill(), fill()]);
  await owner.query(`
    alter table traffic_aggregates add primary key (organization_id, hour, environment_id, proxy_id, app_id, product_id, country);
    create index traffic_by_app on traffic_aggregates (organization_id, app_id, hour);
    create index traffic_by_proxy on traffic_aggregates (organization_id, proxy_id, hour);
    insert into route_traffic select organization_id, hour, environment_id, proxy_id, 'rte_' || right(proxy_id, 26),
      sum(requests), sum(status_2xx), 0, sum(status_4xx), sum(status_5xx) from traffic_aggregates group by 1, 2, 3, 4;
    insert into node_traffic select organization_id, 'gwn_' || right(environment_id, 26), hour, environment_id, sum(requests),
      sum(status_2xx), 0, sum(status_4xx), sum(status_5xx), sum(limited), sum(request_bytes), sum(response_bytes)
      from traffic_aggregates group by 1, 2, 3, 4;
    analyze`);
}

async function generateMonth(client: Client, { from, to }: { readonly from: Date; readonly to: Date }): Promise<void> {
  const partition = `traffic_aggregates_${from.toISOString().slice(0, 7).replace('-', '')}`;
  await client.query('begin');
  await client.query(`truncate ${partition}`);
  await client.query(
    `insert into ${partition}
     select $1, hour, environment_id, proxy_id, app_id, product_id, country, requests,
       requests - requests / 10 - requests / 40, 0, requests / 10, requests / 40, requests / 20, requests * 400,
       requests * 2100, gateway_time, target_time
     from generate_series($2::timestamptz, $3::timestamptz - interval '1 hour', '1 hour') hour
     cross join lateral (
       select * from bench_callers where mod(abs(hashint8(n::bigint * 1000003 + extract(epoch from hour)::bigint / 3600)), 10) < ${activeTenths}
       order by environment_id, proxy_id, app_id, product_id, country) active
     join bench_times on v = (active.n + extract(epoch from hour)::bigint / 3600) % 64`,
    [organizationId, from, to],
  );
  await client.query('commit');
  log(`generated until ${to.toISOString()}`);
}

type Call = (path: string) => Promise<string>;

async function startControl(
  postgres: EmbeddedPostgres,
  folder: string,
  { password, encryptionKey }: Pick<Prepared, 'password' | 'encryptionKey'>,
  stack: AsyncDisposableStack,
): Promise<{ readonly control: TestProcess; readonly call: Call }> {
  const control = await startProcess(controlEntry, {
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: join(folder, 'control'),
    MILLRACE_SEED: '0',
    MILLRACE_ENCRYPTION_KEY: encryptionKey,
    MILLRACE_ADMIN_PASSWORD: password,
    MILLRACE_CONTROL_PORT: '0',
  });
  stack.defer(async () => void (await control.end('SIGKILL')));
  const base = `${control.address}/api`;
  const signedIn = await fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@millrace.local', password }),
  });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
  const call: Call = async (path) => {
    const response = await fetch(`${base}${path}`, { headers: { cookie, 'x-organization-id': organizationId } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  return { control, call };
}

/** Resolves when everything is summed. */
async function rolled(owner: Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(`
      select exists (select from traffic_heads where organization_id = '${organizationId}' and rolled_until is not null)
        and not exists (select from traffic_marks where organization_id = '${organizationId}') as is_done`);
    if (rows[0].is_done) return;
    await sleep(1_000);
  }
}

type Filter = 'environmentId' | 'proxyId' | 'appId' | 'productId' | 'country';

/** What is asked; `plain`: how the rows are split in plain SQL. */
interface Case {
  readonly operation: string;
  readonly path: string;
  readonly range: '24h' | '7d' | '30d' | '13mo';
  readonly more?: string;
  readonly filters?: readonly Filter[];
  readonly plain: { readonly keys: readonly string[]; readonly histograms?: boolean };
}

const byHour = "date_trunc('hour', hour)";
const byDay = "date_trunc('day', hour)";

const cases: readonly Case[] = [
  ...(['24h', '7d', '30d', '13mo'] as const).flatMap((range): Case[] => [
    { operation: 'summarizeTraffic', path: 'summary', range, plain: { keys: [], histograms: true } },
    {
      operation: 'getTrafficSeries',
      path: 'traffic',
      range,
      plain: { keys: [range === '24h' || range === '7d' ? byHour : byDay] },
    },
    {
      operation: 'getLatency',
      path: 'latency',
      range,
      plain: { keys: [range === '24h' || range === '7d' ? byHour : byDay], histograms: true },
    },
    { operation: 'listTopTraffic', path: 'top', range, more: '&by=app&limit=10', plain: { keys: ['app_id'] } },
    { operation: 'listTrafficErrors', path: 'errors', range, plain: { keys: ['proxy_id'] } },
    { operation: 'listTrafficCountries', path: 'countries', range, plain: { keys: ['country'] } },
  ]),
  {
    operation: 'summarizeTraffic',
    path: 'summary',
    range: '13mo',
    more: '&compare=previous',
    plain: { keys: [], histograms: true },
  },
  {
    operation: 'summarizeTraffic',
    path: 'summary',
    range: '13mo',
    filters: ['proxyId'],
    plain: { keys: [], histograms: true },
  },
  {
    operation: 'summarizeTraffic',
    path: 'summary',
    range: '13mo',
    filters: ['appId', 'country'],
    plain: { keys: [], histograms: true },
  },
  {
    operation: 'getTrafficSeries',
    path: 'traffic',
    range: '13mo',
    more: '&by=app',
    plain: { keys: [byDay, 'app_id'] },
  },
  {
    operation: 'getTrafficSeries',
    path: 'traffic',
    range: '13mo',
    more: '&by=app',
    filters: ['proxyId'],
    plain: { keys: [byDay, 'app_id'] },
  },
  {
    operation: 'getTrafficSeries',
    path: 'traffic',
    range: '7d',
    more: '&by=proxy',
    filters: ['productId'],
    plain: { keys: [byHour, 'proxy_id'] },
  },
  { operation: 'getTrafficSeries', path: 'traffic', range: '30d', more: '&step=hour', plain: { keys: [byHour] } },
  {
    operation: 'getLatency',
    path: 'latency',
    range: '30d',
    more: '&step=hour',
    plain: { keys: [byHour], histograms: true },
  },
  {
    operation: 'getLatency',
    path: 'latency',
    range: '13mo',
    filters: ['appId'],
    plain: { keys: [byDay], histograms: true },
  },
  {
    operation: 'listTopTraffic',
    path: 'top',
    range: '13mo',
    more: '&by=app',
    filters: ['proxyId'],
    plain: { keys: ['app_id'] },
  },
  {
    operation: 'listTopTraffic',
    path: 'top',
    range: '13mo',
    more: '&by=proxy',
    filters: ['country'],
    plain: { keys: ['proxy_id'] },
  },
  { operation: 'listTopTraffic', path: 'top', range: '13mo', more: '&by=route', plain: { keys: ['proxy_id'] } },
  {
    operation: 'listTrafficErrors',
    path: 'errors',
    range: '13mo',
    filters: ['productId'],
    plain: { keys: ['proxy_id'] },
  },
  {
    operation: 'listTrafficCountries',
    path: 'countries',
    range: '13mo',
    filters: ['environmentId'],
    plain: { keys: ['country'] },
  },
  { operation: 'listTrafficAggregates', path: 'aggregates', range: '13mo', plain: { keys: [] } },
  {
    operation: 'listTrafficAggregates',
    path: 'aggregates',
    range: '13mo',
    more: '&page=100&pageSize=100',
    filters: ['proxyId'],
    plain: { keys: [] },
  },
  {
    operation: 'exportTraffic',
    path: 'export',
    range: '24h',
    filters: ['proxyId'],
    plain: { keys: ['hour', 'app_id', 'country'] },
  },
  {
    operation: 'exportTraffic',
    path: 'export',
    range: '13mo',
    more: '&step=day',
    filters: ['appId', 'country'],
    plain: { keys: [byDay, 'proxy_id'] },
  },
  { operation: 'listAnalyticsViews', path: 'views', range: '24h', plain: { keys: [] } },
];

const columns: Readonly<Record<Filter, string>> = {
  environmentId: 'environment_id',
  proxyId: 'proxy_id',
  appId: 'app_id',
  productId: 'product_id',
  country: 'country',
};

/** A row of the report. */
async function measure(one: Case, call: Call, owner: Client, now: Date): Promise<string> {
  const { operation, path, range, more = '', filters = [], plain } = one;
  const { rows: callers } = await owner.query(`select * from bench_callers order by hashint4(n) limit ${calls + 2}`);
  const times: number[] = [];
  let kilobytes = 0;
  for (let index = 0; index < calls + 2; index++) {
    const caller = callers[index % callers.length];
    const given = filters.map((filter) => `&${filter}=${caller[columns[filter]]}`).join('');
    const query = path === 'views' ? '' : `?range=${range}${more}${given}`;
    const beganMs = performance.now();
    const text = await call(`/analytics/${path}${query}`);
    if (index >= 2) times.push(performance.now() - beganMs);
    kilobytes = text.length / 1_024;
  }
  const plainMs = path === 'views' || onlyCalls ? null : await plainTime(owner, range, plain, filters, callers, now);
  const asked = [
    range,
    more.replaceAll('&', ' ').trim(),
    filters.length === 0 ? '' : `of one ${filters.join(' and ')}`,
  ];
  const question = path === 'views' ? '' : asked.filter((text) => text !== '').join(', ');
  return `| ${operation} | ${question} | ${quantile(times, 0.5).toFixed(0)} | ${quantile(times, 0.95).toFixed(0)} | ${plainMs === null ? '–' : plainMs} | ${kilobytes.toFixed(0)} |`;
}

const rangeDays = { '24h': 1, '7d': 7, '30d': 30, '13mo': 396 } as const;

async function plainTime(
  owner: Client,
  range: Case['range'],
  { keys, histograms = false }: Case['plain'],
  filters: readonly Filter[],
  callers: readonly Readonly<Record<string, string>>[],
  now: Date,
): Promise<string> {
  const from = new Date(now.getTime() - rangeDays[range] * dayMs);
  const times: number[] = [];
  for (let index = 0; index < 3; index++) {
    const caller = callers[index % callers.length]!;
    const where = `organization_id = '${organizationId}' and hour >= '${from.toISOString()}'
      ${filters.map((filter) => `and ${columns[filter]} = '${caller[columns[filter]]}'`).join(' ')}`;
    const key = keys.length === 0 ? '1' : keys.join(', ');
    const text = histograms
      ? `select ${key}, place, bucket, sum(count) from traffic_aggregates,
           lateral (select 0 as place, gateway_time[i] as bucket, gateway_time[i + 1] as count
             from generate_series(1, cardinality(gateway_time), 2) i
             union all select 1, target_time[i], target_time[i + 1] from generate_series(1, cardinality(target_time), 2) i) pairs
         where ${where} group by ${[...keys, 'place', 'bucket'].join(', ')}`
      : `select ${key}, sum(requests), sum(status_2xx), sum(status_3xx), sum(status_4xx), sum(status_5xx), sum(limited),
           sum(request_bytes), sum(response_bytes) from traffic_aggregates where ${where}
         ${keys.length === 0 ? '' : `group by ${key}`}`;
    await owner.query(`set statement_timeout = ${longestPlainMs}`);
    try {
      times.push(await timed(() => owner.query(text)));
    } catch {
      return `> ${longestPlainMs.toLocaleString('en')}`;
    } finally {
      await owner.query('set statement_timeout = 0');
    }
    if (times[0]! > 5_000) break;
  }
  return quantile(times, 0.5).toFixed(0);
}

async function sizesOf(owner: Client): Promise<string> {
  const { rows } = await owner.query(`
    select parent.relname as name, count(*) as partitions, sum(pg_total_relation_size(part.oid)) as bytes,
      sum(pg_indexes_size(part.oid)) as index_bytes, sum(greatest(part.reltuples, 0))::bigint as rows
    from pg_inherits join pg_class parent on parent.oid = inhparent and parent.relkind = 'p'
    join pg_class part on part.oid = inhrelid
    where parent.relnamespace = '${schemaName}'::regnamespace and parent.relname in ('traffic_aggregates', 'route_traffic',
      'node_traffic', 'traffic_hour_sums', 'traffic_day_sums', 'traffic_days')
    group by 1 order by bytes desc`);
  const megabytes = (bytes: string) => (Number(bytes) / 1_048_576).toFixed(0);
  return rows
    .map(
      ({ name, partitions, bytes, index_bytes: indexBytes, rows: count }) =>
        `| ${name} | ${Number(count).toLocaleString('en')} | ${partitions} | ${megabytes(bytes)} | ${megabytes(indexBytes)} |`,
    )
    .join('\n');
}

/** The plans of some questions, from the statements that the store makes. */
async function plansOf(postgres: EmbeddedPostgres, owner: Client, now: Date): Promise<string> {
  const statements: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: new Pool({ ...postgres.owner, max: 1, options: `-c millrace.tenant=* -c search_path=${schemaName}` }),
    }),
    log: ({ query }) => {
      statements.push({ text: query.sql, values: query.parameters });
    },
  });
  const transaction = Object.assign(kysely, { tenantId: organizationId }) as unknown as TenantTransaction;
  const head = await readHead(transaction);
  const span = (range: Case['range']) => spanOf({ range }, 'hours', head, now);
  const questions: Readonly<Record<string, Question>> = {
    'Percentiles of 13 months': {
      source: 'hours',
      span: span('13mo'),
      filters: {},
      bySteps: false,
      histograms: true,
    },
    'Traffic of 13 months by day and app': {
      source: 'hours',
      span: span('13mo'),
      filters: {},
      bySteps: true,
      by: 'app',
      keep: { measure: 'requests', most: 5 },
    },
    'The apps of one proxy in 13 months': {
      source: 'hours',
      span: span('13mo'),
      filters: { proxyId: 'prx_00000000000000000000000007' },
      bySteps: false,
      by: 'app',
      keep: { measure: 'requests', most: 10 },
    },
  };
  const parts: string[] = [];
  for (const [name, question] of Object.entries(questions)) {
    await readFigures(transaction, question);
    const { text, values } = statements.at(-1)!;
    const { rows } = await owner.query(`explain (analyze, buffers, costs off) ${text}`, [...values]);
    const lines = rows.map((row) => row['QUERY PLAN']).filter((line) => !line.includes('never executed'));
    parts.push(`### ${name}\n\n\`\`\`\n${shortened(lines).join('\n')}\n\`\`\``);
  }
  await kysely.destroy();
  return parts.join('\n\n');
}

const mostPlanLines = 60;

function shortened(lines: readonly string[]): readonly string[] {
  const shown = lines.map((line) => (line.length > 160 ? `${line.slice(0, 160)}…` : line));
  if (shown.length <= mostPlanLines) return shown;
  return [...shown.slice(0, mostPlanLines - 4), `… ${shown.length - mostPlanLines} more lines`, ...shown.slice(-4)];
}

/** What a month's end costs, beside deleting the rows of a month. */
async function retain(postgres: EmbeddedPostgres, owner: Client, now: Date): Promise<string> {
  const database = await connect(postgres);
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2));
  const keptMs = await timed(() => keepTraffic(database, nextMonth));
  await database.close();
  const { rows } = await owner.query("select date_trunc('month', min(hour)) as first from traffic_aggregates");
  const first: Date = rows[0].first;
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
  let deleted = 0;
  const deletedMs = await timed(async () => {
    const { rowCount } = await owner.query('delete from traffic_aggregates where hour < $1', [next]);
    deleted = rowCount ?? 0;
  });
  return `At a month's end the background task makes the next partitions, lets go of the oldest month's hours and drops its partitions:
${seconds(keptMs)} in all, while nothing else waits for longer than a lock takes. Deleting a month's ${deleted.toLocaleString('en')} hourly rows instead took
${seconds(deletedMs)}, and leaves their space to be vacuumed.`;
}
