import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@millrace/postgres';
import { startEmbedded, urlOf } from '@millrace/postgres/embedded';
import { newSecret } from '@millrace/sign-in/secrets';
import pg from 'pg';
import { Agent } from 'undici';
import { migrations } from '../apps/extraction/src/database/migrations.ts';
import { dashboardCookie } from '../apps/extraction/src/http/dashboard-cookie.ts';
import { newId } from '../apps/extraction/src/identifiers.ts';
import { quantile } from './statistics/quantile.ts';

const documentCount = 100_000;
/** All of them within the days that the home page shows. */
const secondsApart = 25;
const loads = [
  { connections: 1, requests: 60 },
  { connections: 10, requests: 300 },
] as const;
const warmUpRequests = 10;

/** How long the dashboard's home page and lists take over a hundred thousand documents; see the report's own words. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-documents-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  await migrate({ connection: { ...postgres.owner }, migrations });
  const client = new pg.Client({ ...postgres.owner, options: '-c millrace.tenant=*' });
  await client.connect();
  stack.defer(() => client.end());
  const accountId = await addAccount(client, documentCount);
  await addAccount(client, documentCount / 10);
  await client.query('vacuum analyze');

  const { address } = await startServer(stack, {
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: folder,
    MILLRACE_EXTRACTION_PORT: '0',
    MILLRACE_INBOX_PORT: 'off',
    MILLRACE_WORKERS: '1',
  });
  while ((await client.query('select from document_count_marks where account_id = $1', [accountId])).rowCount === 0) {
    await sleep(100);
  }

  const rows: string[] = [];
  for (const [name, path] of paths()) {
    // A session may make so many calls a minute; each path has one of its own.
    const cookie = await signIn(client, accountId);
    const url = new URL(`/api/dashboard/v1/${path}`, address);
    const { first } = await load(url, cookie, { connections: 1, requests: warmUpRequests });
    const figures: string[] = [];
    for (const each of loads) {
      const { ms } = await load(url, cookie, each);
      figures.push(quantile(ms, 0.5).toFixed(1), quantile(ms, 0.95).toFixed(1));
    }
    const found = first.items ? `${first.total ?? 'over 10,000'} | ${first.items.length}` : '– | –';
    rows.push(`| ${name} | ${found} | ${figures.join(' | ')} |`);
  }
  return `The dashboard's calls over HTTP, with a session cookie, for an account with ${documentCount.toLocaleString('en-US')} documents received within
29 days (another account has a tenth of that): pages of 50 with the total number of matches, and the home page.
The service runs with all its roles in one process, with row-level security, on the embedded PostgreSQL with
fsync; service, database and client share this machine. Each document has a result of about 5 KB. Milliseconds from
the request to the last byte of the response: after ${warmUpRequests} calls to warm up ${loads.map(({ connections, requests }) => `${requests} on ${connections} keep-alive ${connections === 1 ? 'connection' : 'connections'}`).join(', then ')}, each
connection making its next call as soon as it has the response.

| What | Matches | On the page | 1 connection: median | p95 | 10 connections: median | p95 |
|---|---|---|---|---|---|---|
${rows.join('\n')}`;
}

/** What is called, by name. */
function paths(): readonly (readonly [string, string])[] {
  const dayStart = (daysAgo: number) =>
    `${new Date(Date.now() - daysAgo * 24 * 3_600_000).toISOString().slice(0, 10)}T00:00:00Z`;
  const cursor = Buffer.from(JSON.stringify([idOf(documentCount / 2), null])).toString('base64url');
  return [
    ['the home page', 'home'],
    ['all', 'documents'],
    ['the page behind the 50,000th', `documents?cursor=${cursor}`],
    ['one type', 'documents?type=receipt'],
    ['a type that is rare', 'documents?type=resume'],
    ['state `error`', 'documents?state=error'],
    ['source `inbox` and a type', 'documents?source=inbox&type=invoice'],
    ['a day, two weeks ago', `documents?from=${dayStart(14)}&to=${dayStart(13)}`],
    ['confidence below 40', 'documents?maxConfidence=40'],
    ['waits for review', 'documents?needsReview=true'],
    ['a text that many names have', 'documents?q=invoice'],
    ['a text that one name has', 'documents?q=file-77777-'],
    ['a text that no name has', 'documents?q=nowhere'],
    ['a reference', 'documents?q=mr-054321'],
    [
      'every filter at once',
      `documents?q=scan&type=receipt&state=done&source=api&minConfidence=10&maxConfidence=95&needsReview=true&from=${dayStart(20)}&to=${dayStart(0)}`,
    ],
    ['the review queue', 'review'],
    ['the review queue of a rare type', 'review?type=resume'],
  ];
}

/** The extraction service in a process of its own. */
export async function startServer(stack: AsyncDisposableStack, environment: Readonly<Record<string, string>>) {
  const child = fork(join(import.meta.dirname, 'documents/server.ts'), {
    env: { ...process.env, ...environment },
    execArgv: [],
  });
  stack.defer(async () => {
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  });
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  return { address, processId: child.pid! };
}

/** A page of a list; the home page is another answer and has no items. */
interface Page {
  readonly items?: readonly unknown[];
  readonly total?: number | null;
}

/**
 * Calls a path a number of times, on a number of connections, and returns the milliseconds of each call and the first
 * response.
 */
async function load(
  url: URL,
  cookie: string,
  { connections, requests }: { readonly connections: number; readonly requests: number },
): Promise<{ readonly ms: readonly number[]; readonly first: Page }> {
  await using stack = new AsyncDisposableStack();
  const agent = new Agent({ connections, pipelining: 1 });
  stack.defer(() => agent.close());
  const ms: number[] = [];
  let left = requests;
  let first: Page | null = null;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const startedMs = performance.now();
        const answer = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: 'GET',
          headers: { cookie },
        });
        const text = await answer.body.text();
        ms.push(performance.now() - startedMs);
        if (answer.statusCode !== 200) throw new Error(`${url.href} was answered ${answer.statusCode}: ${text}`);
        first ??= JSON.parse(text) as Page;
      }
    }),
  );
  return { ms, first: first ?? {} };
}

function idOf(number: number): string {
  return `doc_${String(number).padStart(26, '0')}`;
}

/** The cookie of a new user of an account. */
export async function signIn(client: pg.Client, accountId: string): Promise<string> {
  const userId = newId('usr');
  const { secret, hash } = newSecret();
  await client.query(
    `insert into users (id, account_id, email, password_hash, role) values ($1, $2, $3, '', 'member')`,
    [userId, accountId, `${userId}@example.com`],
  );
  await client.query(
    `insert into sessions (id, account_id, user_id, token_hash, address, user_agent, expires_at)
     values ($1, $2, $3, $4, '127.0.0.1', 'bench', now() + interval '1 day')`,
    [newId('ses'), accountId, userId, hash],
  );
  return `${dashboardCookie(false).name}=${secret}`;
}

/** Adds an account with so many documents, the last of which has just arrived. */
export async function addAccount(client: pg.Client, count: number): Promise<string> {
  const accountId = newId('acc');
  await client.query(`insert into accounts (id, name) values ($1, 'Benchmark')`, [accountId]);
  await client.query(
    `insert into documents (id, account_id, reference, source, file_name, media_type, size_bytes, sha256, page_count,
       doc_type, state, result, blob_key, created_at, finished_at, confidences, lowest_confidence, confirmed_at)
     select 'doc_' || lpad(n::text, 26, '0'), $1, 'MR-' || lpad(n::text, greatest(6, length(n::text)), '0'),
       (array['api', 'api', 'api', 'inbox', 'dashboard'])[1 + n % 5],
       (array['scan', 'invoice', 'Rechnung', 'document'])[1 + n % 4] || ' file-' || n || '-' || substr(md5(n::text), 1, 10) || '.pdf',
       'application/pdf', 48000, sha256(n::text::bytea), 1 + n % 3,
       case when n % 997 = 0 then 'resume' when n % 3 = 0 then 'receipt' else 'invoice' end,
       case when n % 50 = 0 then 'error' else 'done' end,
       jsonb_build_object('fields', jsonb_build_object('a', repeat(md5(n::text), 150))),
       'key', arrived_at, arrived_at + n % 600 * interval '0.1 seconds',
       array[(n::bigint * 7919) % 100, 99]::real[], (n::bigint * 7919) % 100,
       case when n % 4 = 0 then now() end
     from (
       select n, now() - interval '1 minute' - ($2::int - n) * $3::int * interval '1 second' as arrived_at
       from generate_series(1, $2::int) as n
     ) as made`,
    [accountId, count, secondsApart],
  );
  return accountId;
}
