import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@millrace/identifiers';
import { startEmbedded, urlOf } from '@millrace/postgres/embedded';
import { newSecret } from '@millrace/sign-in/secrets';
import pg from 'pg';
import { sessionCookieName } from '../apps/control/src/frame/authenticate.ts';
import { exampleSeller } from '../apps/control/src/money/billing-settings/contract.ts';
import { median, quantile } from './statistics/quantile.ts';

const subscriptions = Number(process.env.SUBSCRIPTIONS ?? 10_000);
/** Rows of each subscription, each of a quarter of an hour of its own. */
const quarters = Number(process.env.QUARTERS ?? 1_000);
const floorRounds = 3;
const idleSeconds = 10;
/** Between two calls of the lists that are measured, one after the other. */
const pauseMs = 25;
const callsOfARow = 7;

/** The benchmark of closing a billing period; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-billing-'));
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
  const database = new pg.Client({ ...postgres.owner, options: '-c search_path=control -c millrace.tenant=*' });
  await database.connect();
  stack.defer(() => database.end());
  const filled = await fill(database);

  const floorMs: number[] = [];
  for (let round = 0; round < floorRounds; round++) floorMs.push(await groupUsage(database, filled));
  const call = callerOf(control, filled.sessionToken);
  const idle = await measureLists(call, () => sleep(idleSeconds * 1_000));
  const before = memoryOf(control);
  const begun = performance.now();
  await call('POST', `billing/periods/${filled.periodId}/close`, { ignoreGrace: true, ignoreNodesBehind: true });
  let closedMs = 0;
  const during = await measureLists(call, async () => {
    closedMs = await closed(database, filled.periodId, begun);
  });
  const { peakMegabytes } = memoryOf(control);
  const { rows: totals } = await database.query<{ invoices: number; numbers: number; net: string }>(
    `select count(*)::int as invoices, count(distinct number)::int as numbers, sum(lines_minor) as net from invoices
     where organization_id = $1`,
    [filled.organizationId],
  );
  const wanted = subscriptions * Math.round(quarters * callsOfARow * 0.1);
  const { invoices, numbers, net } = totals[0]!;
  if (invoices !== subscriptions || numbers !== subscriptions || Number(net) !== wanted) {
    throw new Error(`${invoices} invoices with ${numbers} numbers over ${net}, not ${subscriptions} over ${wanted}`);
  }
  const reconciled = await reconciliationMs(call, filled.periodId);
  const rows = (subscriptions * quarters).toLocaleString('en');
  const floor = median(floorMs);
  return `A period of ${subscriptions.toLocaleString('en')} subscriptions, each of a developer of its own, and ${rows} metered rows is closed on an embedded
PostgreSQL: every invoice is priced, taxed, numbered and issued. The management API runs in a process of its own. The
floor is one statement over the same rows, \`select … group by term_id, proxy_id, status_class\` with the four sums, the
median of ${floorRounds} runs on a connection of its own.

| | seconds |
|---|---|
| floor: plain group by | ${(floor / 1_000).toFixed(1)} (${floorMs.map((ms) => (ms / 1_000).toFixed(1)).join(', ')}) |
| from the call to the closed period | ${(closedMs / 1_000).toFixed(1)} |
| closing ÷ floor | ${(closedMs / floor).toFixed(1)} |

Lists of rate plans and developers by one caller, a call every ${pauseMs} ms, for ${idleSeconds} s before the closing and all the while:

| | calls | p50 ms | p95 ms | longest ms |
|---|---|---|---|---|
| idle | ${figures(idle)} |
| during the closing | ${figures(during)} |

The service’s resident memory was ${before.megabytes} MB before, and at most ${peakMegabytes} MB. The first page of the
period’s reconciliation, 25 terms, took ${reconciled.toFixed(0)} ms.`;
}

function figures(latencies: readonly number[]): string {
  const [p50, p95, most] = [median(latencies), quantile(latencies, 0.95), Math.max(...latencies)];
  return `${latencies.length} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${most.toFixed(0)}`;
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

function memoryOf({ child }: Server) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const megabytes = (name: string) => Math.round(Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))?.[1]) / 1_024);
  return { megabytes: megabytes('VmRSS'), peakMegabytes: megabytes('VmHWM') };
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

function callerOf({ address }: Server, sessionToken: string): Call {
  return async (method, path, body) => {
    const response = await fetch(`${address}/api/${path}`, {
      method,
      headers: {
        cookie: `${sessionCookieName}=${sessionToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text).data;
  };
}

/** How long each call of the lists took until the work had ended, in ms. */
async function measureLists(call: Call, work: () => Promise<unknown>): Promise<readonly number[]> {
  const latencies: number[] = [];
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  for (let turn = 0; !isDone; turn++) {
    const begun = performance.now();
    await call('GET', turn % 2 === 0 ? 'rate-plans' : 'developers?search=developer-77');
    latencies.push(performance.now() - begun);
    await sleep(pauseMs);
  }
  await working;
  return latencies;
}

/** How long after `begun` the period is closed, in ms. */
async function closed(database: pg.Client, periodId: string, begun: number): Promise<number> {
  for (;;) {
    const { rows } = await database.query('select state from billing_periods where id = $1', [periodId]);
    if (rows[0].state === 'closed') return performance.now() - begun;
    await sleep(50);
  }
}

async function reconciliationMs(call: Call, periodId: string): Promise<number> {
  const begun = performance.now();
  await call('GET', `billing/periods/${periodId}`);
  return performance.now() - begun;
}

interface Filled {
  readonly organizationId: string;
  readonly sessionToken: string;
  readonly periodId: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

async function groupUsage(database: pg.Client, { organizationId, startsAt, endsAt }: Filled): Promise<number> {
  const begun = performance.now();
  const { rows } = await database.query(
    `select term_id, proxy_id, status_class, sum(requests), sum(request_bytes), sum(response_bytes), sum(units)
     from metered_usage where organization_id = $1 and quarter >= $2 and quarter < $3 group by 1, 2, 3`,
    [organizationId, startsAt, endsAt],
  );
  if (rows.length !== subscriptions) throw new Error(`${rows.length} groups`);
  return performance.now() - begun;
}

const terms = {
  type: 'pay_as_you_go',
  currency: 'EUR',
  recurringFee: null,
  feeTiming: 'arrears',
  proration: 'second',
  setupFee: null,
  minimumSpend: null,
  maximumSpend: null,
  trialDays: 0,
  creditExpiry: null,
  charges: [
    {
      name: 'calls',
      meter: 'requests',
      statusClasses: [2, 3],
      proxyIds: null,
      allowance: '0',
      model: 'per_unit',
      unitPrice: '0.001',
    },
  ],
};

/** An organization whose last month is over: its developers, their subscriptions, and their rows as nodes send them. */
async function fill(database: pg.Client): Promise<Filled> {
  const [organizationId, userId, periodId] = [newId('org'), newId('usr'), newId('bpd')];
  const { secret, hash } = newSecret();
  const now = new Date();
  const [startsAt, endsAt] = [1, 0].map((back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString(),
  ) as [string, string];
  const run = (text: string, ...values: readonly unknown[]) => database.query(text, [organizationId, ...values]);
  const tax = { name: 'VAT', ratePercent: '19', registrationId: null };
  await run(`insert into organizations (id, name, display_name, settings) values ($1, 'bench', 'Bench', $2)`, { tax });
  await run(
    `insert into users (id, organization_id, email, name) values ($2, $1, 'bench@example.com', 'Bench')`,
    userId,
  );
  await run(`insert into user_roles values ($1, $2, 'organization_administrator')`, userId);
  await run(
    `insert into sessions (id, organization_id, user_id, token_hash, ip, user_agent, absolute_expires_at)
     values ($2, $1, $3, $4, '127.0.0.1', 'bench', now() + interval '1 day')`,
    newId('ses'),
    userId,
    hash,
  );
  await run(`insert into billing_settings (organization_id, settings) values ($1, $2)`, { seller: exampleSeller });
  await run(
    `insert into billing_periods (id, organization_id, unit, time_zone, starts_at, ends_at)
     values ($2, $1, 'month', 'UTC', $3, $4)`,
    periodId,
    startsAt,
    endsAt,
  );
  await run(
    `insert into products (id, organization_id, name, display_name) values ('prd_bench', $1, 'orders', 'Orders')`,
  );
  await run(
    `insert into rate_plans (id, organization_id, product_id, name, display_name, state, terms)
     values ('rpl_bench', $1, 'prd_bench', 'standard', 'Standard', 'published', $2)`,
    terms,
  );
  await run(
    `insert into rate_plan_versions (organization_id, rate_plan_id, plan_version, display_name, description, terms)
     values ($1, 'rpl_bench', 1, 'Standard', '', $2)`,
    terms,
  );
  const billing = {
    name: 'Example Shops',
    contactName: null,
    address: { lines: ['12 High Street'], postalCode: 'D02 XY00', city: 'Dublin', countryCode: 'IE' },
    vatId: null,
    email: null,
    reference: null,
    language: 'en',
    taxTreatment: 'standard',
  };
  const each = `from generate_series(1, ${subscriptions}) n`;
  await run(
    `insert into developers (id, organization_id, email, name, billing)
     select 'dev_' || n, $1, 'developer-' || n || '@example.com', 'developer-' || n, $2 ${each}`,
    billing,
  );
  await run(
    `insert into apps (id, organization_id, developer_id, name, display_name)
     select 'app_' || n, $1, 'dev_' || n, 'app-' || n, 'App ' || n ${each}`,
  );
  await run(
    `insert into subscription_terms (organization_id, id, subscription_id, developer_id, app_id, app_name, product_id,
       rate_plan_id, plan_version, starts_at)
     select $1, 'trm_' || n, 'sub_' || n, 'dev_' || n, 'app_' || n, 'App ' || n, 'prd_bench', 'rpl_bench', 1, $2 ${each}`,
    startsAt,
  );
  // In the order of time, as batches arrive: rows of one term lie far apart.
  for (let first = 0; first < quarters; first += 50) {
    await run(
      `insert into metered_usage (organization_id, term_id, quarter, environment_id, proxy_id, status_class, requests,
         request_bytes, response_bytes, units, without_units, unreadable_units)
       select $1, 'trm_' || n, $2::timestamptz + q * interval '15 minutes', 'env_bench', 'prx_bench', 2, ${callsOfARow}, 700,
         7000, 0, 0, 0
       from generate_series($3::int, $4::int) q cross join generate_series(1, ${subscriptions}) n`,
      startsAt,
      first,
      Math.min(first + 50, quarters) - 1,
    );
  }
  await database.query('vacuum analyze');
  await database.query('checkpoint');
  return { organizationId, sessionToken: secret, periodId, startsAt, endsAt };
}
