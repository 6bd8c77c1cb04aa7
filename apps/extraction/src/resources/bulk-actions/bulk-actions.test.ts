import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sql } from 'kysely';
import { signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService, textPdf } from '../../http/testing.ts';

describe('bulk actions', () => {
  let service: TestService;
  let browser: TestBrowser & { readonly userId: string };
  before(async () => {
    service = await startTestService();
    browser = await signInAs(service, { role: 'member' });
  });
  after(() => service?.stop());

  async function extracted(name: string, bytes = invoicePdf): Promise<string> {
    const response = await service.extract({ name, bytes }, { form: { doc_type: 'invoice' } });
    const body = (await response.json()) as { meta?: { document_id: string } };
    if (body.meta) return body.meta.document_id;
    const { items } = (await browser.call('GET', `/documents?q=${name}`)).body;
    return items[0].id;
  }

  const look = (id: string) => browser.call('GET', `/documents/${id}`);

  async function ended(path: string, body: object) {
    const started = await browser.call('POST', path, body);
    assert.equal(started.status, 202, JSON.stringify(started.body));
    const read = async () => (await browser.call('GET', `/bulk-actions/${started.body.id}`)).body;
    await eventually('the bulk action', async () => (await read()).state === 'done');
    return read();
  }

  test('delete the named documents, and list those that no longer exist', async () => {
    const [first, second, kept] = [
      await extracted('first.pdf'),
      await extracted('second.pdf'),
      await extracted('kept.pdf'),
    ];
    await browser.call('DELETE', `/documents/${second}`);
    const action = await ended('/documents/deletions', { selection: { documentIds: [first, second, first] } });
    assert.deepEqual([action.total, action.finishedCount, action.failedCount], [2, 2, 1]);
    assert.deepEqual(action.failures, [
      {
        documentId: second,
        reference: '',
        fileName: '',
        code: 'not_found',
        message: 'This document no longer exists.',
      },
    ]);
    assert.ok(action.finishedAt >= action.createdAt);
    assert.deepEqual([(await look(first)).status, (await look(kept)).status], [404, 200]);
    const { rows } = await sql<{ purged: boolean }>`
      select purged_at is not null as purged from documents where id = ${first}`.execute(
      service.opened.database.system,
    );
    assert.deepEqual(rows, [{ purged: true }], 'its original is gone');
  });

  test('confirm what has values, as the user who asked for it', async () => {
    const [good, blank] = [await extracted('good.pdf'), await extracted('blank-one.pdf', textPdf([['']]))];
    const action = await ended('/documents/confirmations', { selection: { documentIds: [good, blank] } });
    assert.deepEqual([action.finishedCount, action.failedCount], [2, 1]);
    assert.deepEqual(
      [action.failures[0].documentId, action.failures[0].fileName, action.failures[0].code],
      [blank, 'blank-one.pdf', 'conflict'],
    );
    const { body } = await look(good);
    assert.notEqual(body.confirmedAt, null);
    assert.equal(body.confirmedBy.id, browser.userId);
    const again = await ended('/documents/confirmations', { selection: { documentIds: [good] } });
    assert.equal(again.failedCount, 0);
    assert.equal((await look(good)).body.confirmedAt, body.confirmedAt, 'the first confirmation stands');
  });

  test('extract again what nobody has confirmed, as another type too', async () => {
    const [plain, confirmed] = [await extracted('plain.pdf'), await extracted('sure.pdf')];
    await browser.call('POST', `/documents/${confirmed}/confirmation`, { version: 0 });
    const action = await ended('/documents/retries', {
      selection: { documentIds: [plain, confirmed] },
      docType: 'receipt',
    });
    assert.deepEqual(
      action.failures.map(({ documentId, code }: Record<string, string>) => [documentId, code]),
      [[confirmed, 'conflict']],
    );
    await eventually('the second extraction', async () => (await look(plain)).body.state === 'done');
    assert.equal((await look(plain)).body.docType, 'receipt');
    assert.equal((await look(confirmed)).body.docType, 'invoice');
  });

  test('act on every document that matches a filter, and on no other', async () => {
    const ids = [await extracted('batch-1.pdf'), await extracted('batch-2.pdf'), await extracted('other.pdf')];
    const action = await ended('/documents/deletions', { selection: { filter: { q: 'batch-' } } });
    assert.deepEqual([action.total, action.failedCount], [2, 0]);
    const states = await Promise.all(ids.map(async (id) => (await look(id)).status));
    assert.deepEqual(states, [404, 404, 200]);
  });

  test('go on where they were interrupted, and carry nothing out twice', async () => {
    const ids = [await extracted('one.pdf'), await extracted('two.pdf')];
    const { system } = service.opened.database;
    // As a process leaves it that ends behind the first document.
    await sql`
      insert into bulk_actions (id, account_id, user_id, action, document_ids, finished_count, state, attempts, run_at)
      values ('bulk_interrupted', ${service.accountId}, ${browser.userId}, 'delete', ${ids}, 1, 'processing', 1, now())`.execute(
      system,
    );
    const read = async () => (await browser.call('GET', '/bulk-actions/bulk_interrupted')).body;
    await eventually('the bulk action', async () => (await read()).state === 'done');
    assert.equal((await read()).finishedCount, 2);
    assert.deepEqual([(await look(ids[0]!)).status, (await look(ids[1]!)).status], [200, 404]);
  });

  test('are an account’s own', async () => {
    const id = await extracted('mine.pdf');
    const stranger = await signInAs(service, { role: 'administrator', accountId: await service.opened.addAccount() });
    const started = await stranger.call('POST', '/documents/deletions', { selection: { documentIds: [id] } });
    const read = async () => (await stranger.call('GET', `/bulk-actions/${started.body.id}`)).body;
    await eventually('the bulk action', async () => (await read()).state === 'done');
    assert.equal((await read()).failedCount, 1);
    assert.equal((await look(id)).status, 200);
    assert.equal((await browser.call('GET', `/bulk-actions/${started.body.id}`)).status, 404);
  });

  test('refuse a selection that is none, or too large', async () => {
    for (const selection of [
      {},
      { documentIds: [] },
      { documentIds: Array(201).fill('doc_x') },
      { filter: { colour: 'red' } },
    ]) {
      const { status } = await browser.call('POST', '/documents/deletions', { selection });
      assert.equal(status, 400, JSON.stringify(selection));
    }
    const accountId = await service.opened.addAccount();
    await sql`
      insert into documents (id, account_id, reference, source, file_name, media_type, size_bytes, sha256, doc_type,
        state, blob_key)
      select 'doc_' || lpad(n::text, 26, '0'), ${accountId}, 'MR-' || n, 'api', 'x.pdf', 'application/pdf', 1, '',
        'invoice', 'error', 'x' from generate_series(1, 10_001) as n`.execute(service.opened.database.system);
    const large = await signInAs(service, { role: 'member', accountId });
    const { status, body } = await large.call('POST', '/documents/deletions', { selection: { filter: {} } });
    assert.equal(status, 400);
    assert.equal(body.error.message, 'More than 10,000 documents match. Narrow the filter, for example by date.');
  });
});
