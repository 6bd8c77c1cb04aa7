import { sql } from 'kysely';
import { Client } from 'pg';
import type { TenantTransaction } from '../apps/extraction/src/database/schema.ts';
import { openExtractionTestDatabase } from '../apps/extraction/src/database/testing.ts';
import {
  type DocumentFilter,
  type ListPosition,
  listDashboardDocuments,
  listReviewQueue,
} from '../apps/extraction/src/resources/documents/dashboard-store.ts';
import { tenantTransaction } from '../packages/postgres/src/database.ts';

const documentCount = 100_000;
const rounds = 7;
const threshold = 90;

/** How long the dashboard's list of documents takes over a hundred thousand of them, by filter. */
export async function run(): Promise<string> {
  const opened = await openExtractionTestDatabase();
  try {
    const accountId = await opened.addAccount();
    const neighbour = await opened.addAccount();
    for (const [account, count] of [
      [accountId, documentCount],
      [neighbour, documentCount / 10],
    ] as const) {
      await fill(opened.database.system, account, count);
    }

    const owner = new Client({ ...opened.owner });
    await owner.connect();
    await owner.query('vacuum analyze documents');
    await owner.end();

    const list =
      (filter: DocumentFilter, after: ListPosition | null = null) =>
      (transaction: TenantTransaction) =>
        listDashboardDocuments(transaction, filter, { limit: 50, after, threshold });
    const cases: readonly (readonly [
      string,
      (transaction: TenantTransaction) => Promise<{ readonly total: number | null; readonly rows: readonly unknown[] }>,
    ])[] = [
      ['all', list({})],
      ['the page behind the 50,000th', list({}, { id: idOf(documentCount / 2), total: null })],
      ['one type', list({ type: 'receipt' })],
      ['a type that is rare', list({ type: 'resume' })],
      ['state `error`', list({ state: 'error' })],
      ['source `inbox` and a type', list({ source: 'inbox', type: 'invoice' })],
      ['a month, two years ago', list({ from: new Date('2024-02-01'), until: new Date('2024-03-01') })],
      ['confidence below 40', list({ maxConfidence: 40 })],
      ['waits for review', list({ needsReview: true })],
      ['a text that many names have', list({ text: 'invoice' })],
      ['a text that one name has', list({ text: 'file-77777-' })],
      ['a text that no name has', list({ text: 'nowhere' })],
      ['a reference', list({ text: 'mr-054321' })],
      [
        'every filter at once',
        list({
          text: 'scan',
          type: 'receipt',
          state: 'done',
          source: 'api',
          minConfidence: 10,
          maxConfidence: 95,
          needsReview: true,
          from: new Date('2024-01-01'),
          until: new Date('2026-01-01'),
        }),
      ],
      [
        'the review queue',
        (transaction) => listReviewQueue(transaction, undefined, { limit: 50, after: null, threshold }),
      ],
      [
        'the review queue of a rare type',
        (transaction) => listReviewQueue(transaction, 'resume', { limit: 50, after: null, threshold }),
      ],
    ];
    const rows: string[] = [];
    for (const [name, work] of cases) {
      const ms: number[] = [];
      let found = { total: null as number | null, rows: [] as readonly unknown[] };
      for (let round = 0; round < rounds; round++) {
        const startedMs = performance.now();
        found = await tenantTransaction(opened.database, accountId, work, { access: 'read only' });
        ms.push(performance.now() - startedMs);
      }
      ms.sort((a, b) => a - b);
      rows.push(
        `| ${name} | ${found.total ?? 'over 10,000'} | ${found.rows.length} | ${ms[rounds >> 1]!.toFixed(1)} | ${ms.at(-1)!.toFixed(1)} |`,
      );
    }
    return `Pages of 50 of an account's ${documentCount.toLocaleString('en-US')} documents (another account has a tenth of that), each with the number of
all that match, ${rounds} times one after the other: what the store takes, with row-level security, on the embedded
PostgreSQL. Each document has a result of some 5 KB.

| Filter | Matches | On the page | ms, median | ms, longest |
|---|---|---|---|---|
${rows.join('\n')}`;
  } finally {
    await opened.close();
  }
}

function idOf(number: number): string {
  return `doc_${String(number).padStart(26, '0')}`;
}

async function fill(system: Parameters<ReturnType<typeof sql>['execute']>[0], accountId: string, count: number) {
  await sql`
    insert into documents (id, account_id, reference, source, file_name, media_type, size_bytes, sha256, page_count,
      doc_type, state, result, blob_key, created_at, finished_at, confidences, lowest_confidence, confirmed_at)
    select 'doc_' || lpad(n::text, 26, '0'), ${accountId}, 'MR-' || lpad(n::text, 6, '0'),
      (array['api', 'api', 'api', 'inbox', 'dashboard'])[1 + n % 5],
      (array['scan', 'invoice', 'Rechnung', 'document'])[1 + n % 4] || ' file-' || n || '-' || substr(md5(n::text), 1, 10) || '.pdf',
      'application/pdf', 48000, sha256(n::text::bytea), 1 + n % 3,
      case when n % 997 = 0 then 'resume' when n % 3 = 0 then 'receipt' else 'invoice' end,
      case when n % 50 = 0 then 'error' else 'done' end,
      jsonb_build_object('fields', jsonb_build_object('a', repeat(md5(n::text), 150))),
      'key', '2024-01-01'::timestamptz + n * interval '10 minutes', now(),
      array[(n * 7919) % 100, 99]::real[], (n * 7919) % 100,
      case when n % 4 = 0 then now() end
    from generate_series(1, ${count}::int) as n`.execute(system);
}
