import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded, urlOf } from '@millrace/postgres/embedded';
import pg from 'pg';
import { sessionCookieName } from '../../apps/control/src/frame/authenticate.ts';
import { fillOrganization, type Made, startServer } from '../control.ts';
import { type Cost, costCells, costHeadings, costOf, get, spent, tenfold } from './cost.ts';

const calls = 40;
const idleSeconds = 30;
const proxiesOfTenant = 5;

export interface ManagementGrowth {
  readonly tenants: string;
  readonly background: string;
  readonly proxies: string;
  readonly mostTenants: number;
  /** Shares of a core that the background work takes with most tenants, without traffic. */
  readonly idle: { readonly service: number; readonly postgres: number };
  readonly mostProxies: number;
  readonly slowestOfProxies: { readonly name: string; readonly cost: Cost };
}

/** Tenants with some proxies and an alert rule each, then the proxies of one of them. */
export async function growManagement(
  folder: string,
  mostTenants: number,
  mostProxies: number,
): Promise<ManagementGrowth> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startEmbedded({ dataDirectory: `${folder}/management` });
  stack.defer(() => postgres.stop());
  const { address, child } = await startServer('control', {
    ...process.env,
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: folder,
    MILLRACE_CONTROL_PORT: '0',
    MILLRACE_SEED: '0',
  });
  stack.defer(() => void child.kill());
  const measured = { serviceIds: () => [child.pid!], postgresId: () => postgres.processId };
  const client = new pg.Client({
    ...postgres.owner,
    options: '-c search_path=control -c millrace.tenant=* -c synchronous_commit=off',
  });
  await client.connect();
  stack.defer(() => client.end());
  const one = await fillOrganization(client);
  const cookie = `${sessionCookieName}=${one.sessionToken}`;
  const cost = (path: string) => costOf(measured, calls, () => get(`${address}/api/${path}`, { cookie }));

  const tenants: string[] = [];
  const background: string[] = [];
  let idle = { service: 0, postgres: 0 };
  let present = 0;
  for (const count of tenfold(10, mostTenants)) {
    await addTenants(client, present + 1, count);
    present = count;
    await client.query('vacuum analyze');
    // The first look at new tenants is not what they cost from then on.
    await sleep(15_000);
    const before = spent(measured);
    await sleep(idleSeconds * 1_000);
    const after = spent(measured);
    idle = {
      service: (after.service - before.service) / idleSeconds,
      postgres: (after.postgres - before.postgres) / idleSeconds,
    };
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    background.push(`| ${count.toLocaleString('en')} | ${percent(idle.service)} | ${percent(idle.postgres)} |`);
    for (const [name, measuredCost] of [
      ['a read with a session', await cost(`target-servers/${one.targetServerId}`)],
      ['an audited write', await costOf(measured, calls, () => write(address, cookie))],
      ['its list of proxies', await cost('proxies')],
      ['its traffic of a week', await cost('analytics/summary?range=7d')],
    ] as const) {
      tenants.push(`| ${count.toLocaleString('en')} | ${name} | ${costCells(measuredCost)} |`);
    }
  }

  const proxies: string[] = [];
  const costs = new Map<string, Cost>();
  present = 0;
  for (const count of tenfold(10, mostProxies)) {
    await addProxies(client, one, present + 1, count);
    present = count;
    await client.query('vacuum analyze');
    for (const [name, path] of [
      ['one proxy', `proxies/prx_grown_${count}`],
      ['first page of the list', 'proxies'],
      ['last page of the list', `proxies?pageSize=25&page=${Math.ceil(count / 25)}`],
      ['a search', `proxies?search=proxy-${count}`],
    ] as const) {
      const measuredCost = await cost(path);
      costs.set(name, measuredCost);
      proxies.push(`| ${count.toLocaleString('en')} | ${name} | ${costCells(measuredCost)} |`);
    }
  }
  const [name, slowest] = [...costs].reduce((first, second) => (first[1].p95Ms > second[1].p95Ms ? first : second));
  const table = (first: string, lines: readonly string[]) =>
    `| ${first} | Call | ${costHeadings} |\n|---|---|---|---|---|---|\n${lines.join('\n')}`;
  return {
    tenants: table('Tenants', tenants),
    background: `| Tenants | management API | PostgreSQL |\n|---|---|---|\n${background.join('\n')}`,
    proxies: table('Proxies', proxies),
    mostTenants,
    idle,
    mostProxies,
    slowestOfProxies: { name, cost: slowest },
  };
}

let templates = 0;

async function write(address: string, cookie: string): Promise<void> {
  const response = await fetch(`${address}/api/policy-templates`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `grown-${templates++}`,
      kind: 'verify-api-key',
      configuration: { location: 'query', name: 'key' },
    }),
  });
  if (response.status !== 201) throw new Error(`a write was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function addTenants(client: pg.Client, from: number, to: number): Promise<void> {
  const condition = {
    metric: 'error_rate',
    latencyPart: 'total',
    operator: '>',
    threshold: 5,
    clearThreshold: null,
    durationSeconds: 60,
    keepFiringSeconds: 60,
    minimumRequests: 50,
    noData: 'ok',
  };
  await client.query(`
    create temporary table grown as select n, 'org_grown_' || n as organization_id from generate_series(${from}, ${to}) n;
    insert into organizations (id, name, display_name) select organization_id, 'grown-' || n, 'Grown ' || n from grown;
    insert into users (id, organization_id, email, name)
      select 'usr_grown_' || n, organization_id, 'grown-' || n || '@example.com', 'Sam' from grown;
    insert into environments (id, organization_id, name, display_name, production)
      select 'env_grown_' || n, organization_id, 'production', 'Production', true from grown;
    insert into proxies (id, organization_id, name, display_name, base_path, protocol, auth_scheme, content_hash, created_by)
      select 'prx_grown_' || n || '_' || p, organization_id, 'api-' || p, 'API ' || p, '/api-' || p, 'rest', 'none', '', ''
      from grown, generate_series(1, ${proxiesOfTenant}) p;
    insert into alert_rules (id, organization_id, name, description, condition, severity, integration_ids, enabled)
      select 'alr_grown_' || n, organization_id, 'errors', '', '${JSON.stringify(condition)}', 'warning', '{}', true from grown;
    drop table grown`);
}

async function addProxies(client: pg.Client, { organizationId }: Made, from: number, to: number): Promise<void> {
  await client.query(
    `insert into proxies (id, organization_id, name, display_name, base_path, protocol, auth_scheme, stage, content_hash, created_by)
     select 'prx_grown_' || n, $1, 'proxy-' || n, 'Proxy ' || n, '/v1/proxy-' || n, 'rest', 'api_key',
       (array['draft', 'review', 'approved', 'published'])[1 + n % 4], md5(n::text), 'usr_bench'
     from generate_series($2::int, $3::int) n`,
    [organizationId, from, to],
  );
}
