import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@millrace/identifiers';
import { type EmbeddedPostgres, startEmbedded, urlOf } from '@millrace/postgres/embedded';
import { newSecret } from '@millrace/sign-in/secrets';
import autocannon from 'autocannon';
import pg from 'pg';
import { operations } from '../apps/control/src/contracts.ts';
import { sessionCookieName } from '../apps/control/src/frame/authenticate.ts';
import { fillTrail, verifyTrail } from './control/trail.ts';
import { median, quantile } from './statistics/quantile.ts';

const proxyCount = 20_000;
const auditCount = 1_000_000;
/** Of an organization of its own, whose trail is genuine. */
const verifiedCount = 500_000;
/** Short rounds in turn: whatever else the machine does meets both servers of a round alike. */
const rounds = 16;
const roundsToWarmUp = 6;
const callsARound = 1_000;
const secondsAList = 4;
const starts = 5;
/** Writers belong to so many organizations: one organization's audited writes follow each other by design. */
const organizationCount = 10;
const connections = 10;

/** The benchmark of the management API; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-control-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  const environment = {
    ...process.env,
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: folder,
    MILLRACE_CONTROL_PORT: '0',
    MILLRACE_SEED: '0',
  };

  // The first start runs the migrations and, as it ends cleanly, keeps what it compiled; the others are what a restart costs.
  await stopped(await startServer('control', environment));
  const readyMs: number[] = [];
  for (let count = 0; count < starts; count++) {
    const restarted = await startServer('control', environment);
    readyMs.push(restarted.readyMs);
    await stopped(restarted);
  }
  const control = await startServer('control', environment);
  stack.defer(() => void control.child.kill());
  const bare = await startServer('bare', environment);
  stack.defer(() => void bare.child.kill());
  const { made, trailOrganizationId } = await fill(postgres, environment);

  const [first] = made as readonly [Made, ...Made[]];
  const cookie = `${sessionCookieName}=${first.sessionToken}`;
  let turn = 0;
  const nextOrganization = () => made[turn++ % made.length]!;
  const path = `target-servers/${first.targetServerId}`;
  const reads = await inTurns(
    () => measure(control, { url: `${control.address}/api/${path}`, headers: { cookie } }),
    () => measure(bare, { url: `${bare.address}/api/${first.organizationId}/${path}` }),
  );
  const json = { 'content-type': 'application/json' };
  const template = () => ({
    name: newName(),
    kind: 'verify-api-key',
    configuration: { location: 'query', name: 'key' },
  });
  const writes = await inTurns(
    () =>
      measure(control, {
        url: `${control.address}/api/policy-templates`,
        post: () => ({
          headers: { ...json, cookie: `${sessionCookieName}=${nextOrganization().sessionToken}` },
          body: template(),
        }),
      }),
    () =>
      measure(bare, {
        url: `${bare.address}/api/${first.organizationId}/policy-templates`,
        post: () => ({ headers: json, body: { id: newId('tpl'), ...template() } }),
      }),
  );

  const lists: string[] = [];
  for (const [what, query] of listQueries) {
    const result = await load(
      { url: `${control.address}/api/${query}`, headers: { cookie } },
      { duration: secondsAList },
    );
    if (result.non2xx > 0) throw new Error(`${query} was answered ${result.non2xx} times with an error`);
    lists.push(
      `| ${what} | ${result.latency.p50} | ${result.latency.p97_5} | ${Math.round(result.requests.average)} |`,
    );
  }

  const verified = await verifyTrail(environment, trailOrganizationId);

  return `Both servers run in separate processes on one embedded PostgreSQL, ${connections} connections each. In each of
${rounds} rounds both answer ${callsARound.toLocaleString('en')} calls, one after the other, following ${roundsToWarmUp} warm-up rounds. CPU is the server
process's own, user and system, per request; the ratio is computed within each round. Figures are medians over
the rounds, for the ratio also quartiles. The baseline is a Fastify route that runs one statement through pg, without a
session, a tenant or an audit row. The write is a new policy template, by administrators of ${organizationCount} organizations in turn.

| | management API, CPU µs | bare, CPU µs | ratio | quartiles |
|---|---|---|---|---|
| a read with a session | ${comparison(reads)} |
| an audited write | ${comparison(writes)} |

Lists over ${auditCount.toLocaleString('en')} audit rows and ${proxyCount.toLocaleString('en')} proxies of one organization, ${connections} connections:

| list | p50 ms | p97.5 ms | requests/s |
|---|---|---|---|
${lists.join('\n')}

\`npm run audit:verify\` verified the trail of another organization, ${verifiedCount.toLocaleString('en')} entries, at ${verified} entries a second.

The server was ready ${median(readyMs).toFixed(0)} ms after its process began, with ${operations.length} operations, on a migrated, running
database: the median of ${starts} restarts, which took ${Math.min(...readyMs).toFixed(0)} to ${Math.max(...readyMs).toFixed(0)} ms.`;
}

const listQueries = [
  ['audit, newest first', 'audit'],
  ['audit, page 1,000', 'audit?page=1000'],
  ['audit of one category', 'audit?category=security'],
  ['audit of one actor', 'audit?actorId=usr_bench_7'],
  ['proxies', 'proxies'],
  ['proxies, searched', 'proxies?search=proxy-1234'],
  ['proxies, of a stage, last page', 'proxies?stage=draft&page=200&sort=-createdAt'],
] as const;

export interface Server {
  readonly address: string;
  readonly child: ChildProcess;
  /** From the process's beginning to its address. */
  readonly readyMs: number;
}

/** A server of the benchmark in a process of its own. */
export async function startServer(kind: 'control' | 'bare', env: NodeJS.ProcessEnv): Promise<Server> {
  const begun = performance.now();
  const child = fork(join(import.meta.dirname, 'control/server.ts'), [kind], { env, execArgv: [] });
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  return { address, child, readyMs: performance.now() - begun };
}

async function stopped({ child }: Server): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}

async function cpuMicroseconds({ child }: Server): Promise<number> {
  child.send('cpu');
  const [{ cpuMicroseconds: used }] = (await once(child, 'message')) as [{ cpuMicroseconds: number }];
  return used;
}

interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes it a POST, with headers and a body of its own each time. */
  readonly post?: () => { readonly headers: Readonly<Record<string, string>>; readonly body: object };
}

function load(
  { url, headers = {}, post }: Load,
  length: { readonly duration: number } | { readonly amount: number },
): Promise<autocannon.Result> {
  return autocannon({
    url,
    connections,
    ...length,
    headers,
    ...(post === undefined
      ? {}
      : { method: 'POST' as const, requests: [{ setupRequest: (request) => posted(request, post) }] }),
  });
}

function posted(request: autocannon.Request, post: NonNullable<Load['post']>): autocannon.Request {
  const { headers, body } = post();
  return { ...request, headers: { ...request.headers, ...headers }, body: JSON.stringify(body) };
}

/** One round of both servers: CPU µs for each answered request. */
interface Round {
  readonly own: number;
  readonly floor: number;
}

/** CPU µs of the server for each answered request of a round. */
async function measure(server: Server, what: Load): Promise<number> {
  const before = await cpuMicroseconds(server);
  const result = await load(what, { amount: callsARound });
  const used = (await cpuMicroseconds(server)) - before;
  const answered = result['2xx'];
  if (result.non2xx > 0) throw new Error(`${what.url} was answered ${result.non2xx} times with an error`);
  return used / answered;
}

/** Measures both in turn, round by round; the rounds to warm up are not counted. */
async function inTurns(own: () => Promise<number>, floor: () => Promise<number>): Promise<readonly Round[]> {
  const all: Round[] = [];
  for (let round = 0; round < roundsToWarmUp + rounds; round++) all.push({ own: await own(), floor: await floor() });
  return all.slice(roundsToWarmUp);
}

function comparison(all: readonly Round[]): string {
  const ratios = all.map(({ own, floor }) => own / floor);
  return [
    median(all.map(({ own }) => own)).toFixed(0),
    median(all.map(({ floor }) => floor)).toFixed(0),
    median(ratios).toFixed(2),
    `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`,
  ].join(' | ');
}

let names = 0;
function newName(): string {
  return `bench-${names++}-${Math.random().toString(36).slice(2, 10)}`;
}

export interface Made {
  readonly organizationId: string;
  readonly environmentId: string;
  readonly targetServerId: string;
  readonly sessionToken: string;
}

/** Organizations with an administrator who is signed in; the first of them has 20,000 proxies and a million audit rows. */
async function fill(
  postgres: EmbeddedPostgres,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly made: readonly Made[]; readonly trailOrganizationId: string }> {
  const client = new pg.Client({ ...postgres.owner, options: '-c search_path=control -c millrace.tenant=*' });
  await client.connect();
  try {
    const made: Made[] = [];
    for (let count = 0; count < organizationCount; count++) made.push(await fillOrganization(client));
    const { organizationId } = made[0]!;
    await client.query(
      `insert into proxies (id, organization_id, name, display_name, base_path, protocol, auth_scheme, stage, content_hash, created_by, created_at, updated_at)
       select 'prx_' || n, $1, 'proxy-' || n, 'Proxy ' || n, '/v1/proxy-' || n, 'rest', 'api_key',
              (array['draft', 'review', 'approved', 'published'])[1 + n % 4], md5(n::text), 'usr_bench',
              now() - n * interval '1 minute', now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [organizationId, proxyCount],
    );
    await client.query(
      `insert into audit_entries (organization_id, sequence, id, at, actor_kind, actor_id, actor_name, operation, entity_type,
         entity_id, category, severity, outcome, ip, user_agent, request_id, changes, hash)
       select $1, n, 'aud_' || n, now() - ($2::int - n) * interval '10 seconds', 'user', 'usr_bench_' || n % 50, 'User ' || n % 50,
         'updateProxy', 'proxy', 'prx_' || n % 20000, (array['configuration', 'deployment', 'security', 'governance'])[1 + n % 4],
         'low', 'done', '127.0.0.1', 'bench', 'req_' || n, '[{"path":"displayName","before":"a","after":"b"}]', ''
       from generate_series(1, $2::int) n`,
      [organizationId, auditCount],
    );
    await client.query(`insert into audit_heads values ($1, $2, '', '')`, [organizationId, auditCount]);
    const trail = await fillOrganization(client);
    await fillTrail(client, environment, trail.organizationId, verifiedCount);
    await client.query('vacuum analyze');
    return { made, trailOrganizationId: trail.organizationId };
  } finally {
    await client.end();
  }
}

/** An organization with an administrator who is signed in. */
export async function fillOrganization(client: pg.Client): Promise<Made> {
  const [organizationId, userId, environmentId, targetServerId] = [
    newId('org'),
    newId('usr'),
    newId('env'),
    newId('tgt'),
  ];
  const { secret, hash } = newSecret();
  const name = organizationId.replace('_', '-');
  await client.query(`insert into organizations (id, name, display_name) values ($1, $2, $2)`, [organizationId, name]);
  await client.query(`insert into users (id, organization_id, email, name) values ($1, $2, $3, 'Bench')`, [
    userId,
    organizationId,
    `${userId}@example.com`,
  ]);
  await client.query(`insert into user_roles values ($1, $2, 'organization_administrator')`, [organizationId, userId]);
  await client.query(
    `insert into sessions (id, organization_id, user_id, token_hash, ip, user_agent, absolute_expires_at)
     values ($1, $2, $3, $4, '127.0.0.1', 'bench', now() + interval '1 day')`,
    [newId('ses'), organizationId, userId, hash],
  );
  await client.query(
    `insert into environments (id, organization_id, name, display_name, production) values ($1, $2, 'test', 'Test', false)`,
    [environmentId, organizationId],
  );
  await client.query(
    `insert into target_servers (id, organization_id, environment_id, name, scheme, host, port)
     values ($1, $2, $3, 'orders', 'https', 'orders.example', 443)`,
    [targetServerId, organizationId, environmentId],
  );
  return { organizationId, environmentId, targetServerId, sessionToken: secret };
}
