import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../../database/testing.ts';
import { foldAllCounts, foldCounts } from '../documents/counts.ts';
import { resetDocument } from '../documents/dashboard-store.ts';
import { removeDocuments } from '../documents/removal.ts';
import { enqueueTestEvent } from '../webhooks/notifications.ts';
import { webhookSecretSealer } from '../webhooks/secrets.ts';
import { createEndpoint, removeEndpoint } from '../webhooks/store.ts';
import { homeHandlers } from './handlers.ts';
import { percentileSeconds } from './rules.ts';

describe('the home page', () => {
  let opened: ExtractionTestDatabase;
  before(async () => {
    opened = await openExtractionTestDatabase();
  });
  after(() => opened?.close());

  async function homeOf(accountId: string) {
    const caller = { accountId, userId: '', role: 'member', sessionId: '', signal: AbortSignal.abort() } as const;
    const { body } = await homeHandlers(opened).getHome({}, caller);
    return body;
  }

  /** Adds documents that ended so many minutes ago, each having taken so many seconds. */
  async function addDocuments(
    accountId: string,
    documents: { count: number; state: string; type: string; minutesAgo: number; seconds: number; confidence?: number },
  ) {
    const { count, state, type, minutesAgo, seconds, confidence = 99 } = documents;
    await sql`
      insert into documents (id, account_id, reference, source, file_name, media_type, size_bytes, sha256, doc_type,
        state, blob_key, created_at, finished_at, lowest_confidence)
      select id, ${accountId}, id, 'api', 'a.pdf', 'application/pdf', 1, '', ${type}, ${state}, id,
        now() - ${minutesAgo} * interval '1 minute' - ${seconds} * interval '1 second',
        case when ${state} = 'processing' then null else now() - ${minutesAgo} * interval '1 minute' end, ${confidence}
      from (select 'doc_' || gen_random_uuid() as id from generate_series(1, ${count}::int)) as made`.execute(
      opened.database.system,
    );
  }

  test('of a new account shows 30 empty days and the first steps', async () => {
    const home = await homeOf(await opened.addAccount());
    assert.equal(home.days.length, 30);
    assert.equal(home.days.at(-1)?.date, new Date().toISOString().slice(0, 10));
    assert.ok(
      home.days.every(({ done, error, byType }) => done === 0 && error === 0 && Object.keys(byType).length === 0),
    );
    assert.deepEqual([home.successRate, home.medianSeconds, home.p90Seconds, home.reviewCount], [null, null, null, 0]);
    assert.deepEqual(
      home.firstSteps.map(({ id, done }) => [id, done]),
      [
        ['create_key', false],
        ['send_document', false],
        ['add_webhook', false],
        ['review_document', false],
      ],
    );
  });

  test('counts documents by day and type, each once, however often it is looked at', async () => {
    const accountId = await opened.addAccount();
    const other = await opened.addAccount();
    const total = async () => {
      const { days } = await homeOf(accountId);
      return days.reduce((sum, { done, error }) => sum + done + error, 0);
    };
    await addDocuments(other, { count: 5, state: 'done', type: 'invoice', minutesAgo: 9, seconds: 1 });
    await addDocuments(accountId, { count: 7, state: 'done', type: 'invoice', minutesAgo: 3 * 1_440, seconds: 2 });
    await addDocuments(accountId, { count: 1, state: 'error', type: 'receipt', minutesAgo: 3 * 1_440, seconds: 2 });
    await addDocuments(accountId, {
      count: 2,
      state: 'done',
      type: 'invoice',
      minutesAgo: 0,
      seconds: 1,
      confidence: 40,
    });
    await addDocuments(accountId, { count: 3, state: 'done', type: 'invoice', minutesAgo: 40 * 1_440, seconds: 1 });
    await addDocuments(accountId, { count: 1, state: 'processing', type: 'general', minutesAgo: 0, seconds: 1 });
    assert.equal(await total(), 10);
    assert.equal(await total(), 10);
    // What ends later than the last look, and was counted as it was read, is counted as it is kept.
    await sql`update document_count_marks set counted_until = counted_until - interval '10 minutes'`.execute(
      opened.database.system,
    );
    await addDocuments(accountId, { count: 4, state: 'done', type: 'invoice', minutesAgo: 4, seconds: 1 });
    assert.equal(await total(), 14);
    assert.equal(await total(), 14);
    const home = await homeOf(accountId);
    const three = home.days.find(({ error }) => error === 1);
    assert.deepEqual([three?.done, three?.byType], [7, { invoice: 7, receipt: 1 }]);
    assert.equal(home.successRate, 13 / 14);
    assert.equal(home.reviewCount, 2);
    assert.equal(home.firstSteps[1]?.done, true);
  });

  test('shows the same where the clean-up counted before', async () => {
    const accountId = await opened.addAccount();
    const other = await opened.addAccount();
    await addDocuments(accountId, { count: 9, state: 'done', type: 'invoice', minutesAgo: 50, seconds: 2 });
    await addDocuments(accountId, { count: 1, state: 'done', type: 'invoice', minutesAgo: 0, seconds: 2 });
    await foldAllCounts(opened.database, new AbortController().signal);
    const marks = await opened.database.system.selectFrom('document_count_marks').select('account_id').execute();
    assert.ok(marks.some(({ account_id }) => account_id === accountId));
    assert.ok(!marks.some(({ account_id }) => account_id === other), 'has nothing to count');
    const { days, medianSeconds } = await homeOf(accountId);
    assert.equal(
      days.reduce((sum, { done }) => sum + done, 0),
      10,
    );
    assert.ok(Math.abs(medianSeconds! / 2 - 1) < 0.03, `${medianSeconds}`);
  });

  test('shows how long documents took, within 3 %', async () => {
    const accountId = await opened.addAccount();
    for (const [seconds, count] of [
      [0.4, 60],
      [2, 35],
      [30, 5],
    ] as const) {
      await addDocuments(accountId, { count, state: 'done', type: 'invoice', minutesAgo: 5, seconds });
    }
    await addDocuments(accountId, { count: 50, state: 'error', type: 'invoice', minutesAgo: 5, seconds: 300 });
    const { medianSeconds, p90Seconds } = await homeOf(accountId);
    assert.ok(Math.abs(medianSeconds! / 0.4 - 1) < 0.03, `${medianSeconds}`);
    assert.ok(Math.abs(p90Seconds! / 2 - 1) < 0.03, `${p90Seconds}`);
    assert.equal(percentileSeconds([], 0.5), null);
  });

  describe('of a document that is extracted again', () => {
    const reset = (accountId: string, id: string) =>
      tenantTransaction(opened.database, accountId, (transaction) => resetDocument(transaction, id, null));

    /** Ends it as a worker does, so many minutes ago. */
    const finish = (id: string, type: string, minutesAgo: number) =>
      sql`
        update documents set state = 'done', doc_type = ${type}, finished_at = now() - ${minutesAgo} * interval '1 minute'
        where id = ${id}`.execute(opened.database.system);

    /** An account with a document of yesterday that its counts hold, and one that they do not. */
    async function countedDocument() {
      const accountId = await opened.addAccount();
      await addDocuments(accountId, { count: 1, state: 'done', type: 'invoice', minutesAgo: 1_440, seconds: 2 });
      await homeOf(accountId);
      await addDocuments(accountId, { count: 1, state: 'done', type: 'resume', minutesAgo: 0, seconds: 2 });
      const { id } = await opened.database.system
        .selectFrom('documents')
        .select('id')
        .where('account_id', '=', accountId)
        .where('doc_type', '=', 'invoice')
        .executeTakeFirstOrThrow();
      return { accountId, id };
    }

    async function types(accountId: string) {
      const { days } = await homeOf(accountId);
      return days.flatMap(({ byType }) => Object.entries(byType)).sort();
    }

    /** Lets the counts take up what ended at least two minutes ago. */
    async function fold(accountId: string) {
      await sql`
        update document_count_marks set counted_until = counted_until - interval '2 minutes'
        where account_id = ${accountId}`.execute(opened.database.system);
      await tenantTransaction(opened.database, accountId, foldCounts);
    }

    test('counts it once, as what it was extracted as last', async () => {
      const { accountId, id } = await countedDocument();
      await reset(accountId, id);
      assert.deepEqual(await types(accountId), [['resume', 1]]);
      await finish(id, 'receipt', 0);
      const expected = [
        ['receipt', 1],
        ['resume', 1],
      ];
      assert.deepEqual(await types(accountId), expected);
      await finish(id, 'receipt', 3);
      await fold(accountId);
      assert.deepEqual(await types(accountId), expected);
      const { successRate, medianSeconds } = await homeOf(accountId);
      assert.equal(successRate, 1);
      assert.ok(medianSeconds! < 3, 'the first extraction’s time counts no more');
    });

    test('counts it once where it was in no count yet', async () => {
      const accountId = await opened.addAccount();
      await homeOf(accountId);
      await addDocuments(accountId, { count: 1, state: 'done', type: 'invoice', minutesAgo: 0, seconds: 2 });
      const { id } = await opened.database.system
        .selectFrom('documents')
        .select('id')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      await reset(accountId, id);
      assert.deepEqual(await types(accountId), []);
      await finish(id, 'invoice', 0);
      assert.deepEqual(await types(accountId), [['invoice', 1]]);
    });

    test('counts it once while the counts are brought up to date', async () => {
      const { accountId, id } = await countedDocument();
      await finish(id, 'invoice', 3);
      await sql`
        update document_count_marks set counted_until = now() - interval '10 minutes' where account_id = ${accountId}`.execute(
        opened.database.system,
      );
      await sql`delete from document_counts where account_id = ${accountId}`.execute(opened.database.system);
      const began = Promise.withResolvers<void>();
      const folding = tenantTransaction(opened.database, accountId, async (transaction) => {
        await foldCounts(transaction);
        began.resolve();
        await eventually('the reset, which has to wait for the counts', async () => (await waitingStatements()) > 0);
      });
      await began.promise;
      await Promise.all([folding, reset(accountId, id)]);
      assert.deepEqual(await types(accountId), [['resume', 1]]);
      await finish(id, 'invoice', 0);
      assert.deepEqual(await types(accountId), [
        ['invoice', 1],
        ['resume', 1],
      ]);
    });

    async function waitingStatements() {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(opened.database.system);
      return rows[0]!.count;
    }
  });

  test('keeps counting documents that were deleted', async () => {
    const accountId = await opened.addAccount();
    await addDocuments(accountId, { count: 3, state: 'done', type: 'invoice', minutesAgo: 0, seconds: 2 });
    await addDocuments(accountId, { count: 3, state: 'done', type: 'invoice', minutesAgo: 1_440, seconds: 2 });
    const documents = await opened.database.system
      .selectFrom('documents')
      .select('id')
      .where('account_id', '=', accountId)
      .execute();
    const ids = documents.map(({ id }) => id);
    await tenantTransaction(opened.database, accountId, (transaction) =>
      removeDocuments(transaction, ids, { lessons: true }),
    );
    const { days, firstSteps } = await homeOf(accountId);
    assert.equal(
      days.reduce((sum, { done }) => sum + done, 0),
      6,
    );
    assert.equal(firstSteps[1]?.done, true);
  });

  test('does not count failures of an endpoint that was removed', async () => {
    const accountId = await opened.addAccount();
    const within = <Result>(work: (transaction: TenantTransaction) => Promise<Result>) =>
      tenantTransaction(opened.database, accountId, work);
    const sealer = webhookSecretSealer([Buffer.alloc(32, 1)]);
    const urls = ['https://removed.example/hook', 'https://kept.example/hook'];
    const endpoints = await Promise.all(
      urls.map((url) =>
        within((transaction) => createEndpoint(transaction, sealer, { url, events: ['extraction.completed'] })),
      ),
    );
    for (const { endpoint } of endpoints) {
      const { notificationId } = await within((transaction) => enqueueTestEvent(transaction, endpoint.id));
      await opened.database.system
        .updateTable('notifications')
        .set({ state: 'failed' })
        .where('id', '=', notificationId)
        .execute();
    }
    assert.equal((await homeOf(accountId)).failingDeliveries, 2);
    await within((transaction) => removeEndpoint(transaction, endpoints[0]!.endpoint.id));
    assert.equal((await homeOf(accountId)).failingDeliveries, 1);
  });

  test('is the same for many who look at once', async () => {
    const accountId = await opened.addAccount();
    await addDocuments(accountId, { count: 20, state: 'done', type: 'invoice', minutesAgo: 6, seconds: 1 });
    const homes = await Promise.all(Array.from({ length: 8 }, () => homeOf(accountId)));
    for (const { days } of homes)
      assert.equal(
        days.reduce((sum, { done }) => sum + done, 0),
        20,
      );
  });
});
