import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@millrace/postgres';
import { startEmbedded, urlOf } from '@millrace/postgres/embedded';
import pg from 'pg';
import { migrations } from '../../apps/extraction/src/database/migrations.ts';
import { addAccount, signIn, startServer } from '../documents.ts';
import { type Cost, costCells, costHeadings, costOf, get, tenfold } from './cost.ts';

/** What a session may do in a minute bounds the calls of each. */
const calls = 40;

export interface DocumentGrowth {
  readonly table: string;
  readonly most: number;
  readonly bytesEach: number;
  /** Of the slowest call with most documents. */
  readonly slowest: { readonly name: string; readonly cost: Cost };
  /** How its p95 grew from a tenth of the documents. */
  readonly growth: number;
}

/** One account after the other, each with ten times the documents of the one before, all in one database. */
export async function growDocuments(folder: string, most: number): Promise<DocumentGrowth> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startEmbedded({ dataDirectory: `${folder}/documents` });
  stack.defer(() => postgres.stop());
  await migrate({ connection: { ...postgres.owner }, migrations });
  const client = new pg.Client({ ...postgres.owner, options: '-c millrace.tenant=* -c synchronous_commit=off' });
  await client.connect();
  stack.defer(() => client.end());
  const accounts: { readonly count: number; readonly accountId: string }[] = [];
  for (const count of tenfold(1_000, most)) accounts.push({ count, accountId: await addAccount(client, count) });
  await client.query('vacuum analyze');
  const { rows } = await client.query("select pg_total_relation_size('documents') as bytes, count(*) from documents");
  const { address, processId } = await startServer(stack, {
    DATABASE_URL: urlOf(postgres.owner),
    MILLRACE_DATA_DIR: folder,
    MILLRACE_EXTRACTION_PORT: '0',
    MILLRACE_INBOX_PORT: 'off',
    MILLRACE_WORKERS: '1',
  });
  const measured = { serviceIds: () => [processId], postgresId: () => postgres.processId };
  const marks = async () =>
    (await client.query('select count(*)::int as count from document_count_marks')).rows[0].count;
  while ((await marks()) < accounts.length) await sleep(200);
  const lines: string[] = [];
  const costs = new Map<string, Cost[]>();
  for (const { count, accountId } of accounts) {
    for (const [name, path] of paths(count)) {
      const cookie = await signIn(client, accountId);
      const cost = await costOf(measured, calls, () => get(`${address}/api/dashboard/v1/${path}`, { cookie }));
      costs.set(name, [...(costs.get(name) ?? []), cost]);
      lines.push(`| ${count.toLocaleString('en')} | ${name} | ${costCells(cost)} |`);
    }
  }
  const [name, slowest] = [...costs].reduce((one, other) =>
    one[1].at(-1)!.p95Ms > other[1].at(-1)!.p95Ms ? one : other,
  );
  return {
    table: `| Documents | Call | ${costHeadings} |\n|---|---|---|---|---|---|\n${lines.join('\n')}`,
    most,
    bytesEach: Number(rows[0].bytes) / Number(rows[0].count),
    slowest: { name, cost: slowest.at(-1)! },
    growth: slowest.at(-1)!.p95Ms / (slowest.at(-2) ?? slowest.at(-1)!).p95Ms,
  };
}

const paths = (count: number) =>
  [
    ['home page', 'home'],
    ['first page', 'documents'],
    ['a rare type', 'documents?type=resume'],
    ['a text that many names have', 'documents?q=invoice'],
    ['a text that one name has', `documents?q=file-${Math.floor(count / 2)}-`],
    ['the review queue', 'review'],
  ] as const;
