import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService, textPdf } from '../../http/testing.ts';
import { removeExpiredDocuments } from '../../work/retention.ts';

describe('documents in the dashboard', () => {
  let service: TestService;
  let browser: TestBrowser;
  before(async () => {
    service = await startTestService();
    browser = await signInAs(service, { role: 'member' });
  });
  after(() => service.stop());

  async function upload(name: string, bytes: Uint8Array<ArrayBuffer>, docType?: string) {
    const form = new FormData();
    if (docType) form.append('docType', docType);
    form.append('document', new Blob([bytes]), name);
    return browser.call('POST', '/documents', form);
  }

  async function uploaded(
    name: string,
    bytes: Uint8Array<ArrayBuffer> = invoicePdf,
    docType?: string,
  ): Promise<string> {
    const { status, body } = await upload(name, bytes, docType);
    assert.equal(status, 202, JSON.stringify(body));
    assert.equal(body.state, 'queued');
    await eventually('the extraction', async () => (await look(body.documentId)).state !== 'processing');
    return body.documentId;
  }

  const look = async (id: string) => (await browser.call('GET', `/documents/${id}`)).body;
  const list = async (query: string) => (await browser.call('GET', `/documents?${query}`)).body;
  const blobCount = async () =>
    Number(
      (
        await service.opened.database.system
          .selectFrom('documents')
          .select(({ fn }) => fn.countAll().as('n'))
          .where('purged_at', 'is', null)
          .executeTakeFirstOrThrow()
      ).n,
    );

  test('a file that pretends to be a program is listed and downloaded as what it is', async () => {
    const id = await uploaded('invoice\u202efdp.hta');
    assert.equal((await look(id)).fileName, 'invoicefdp.pdf');
    const { items } = await list('q=invoicefdp');
    assert.deepEqual(
      items.map(({ fileName }: { fileName: string }) => fileName),
      ['invoicefdp.pdf'],
    );
    // As it was kept before.
    await sql`update documents set file_name = 'invoice.hta' where id = ${id}`.execute(service.opened.database.system);
    const { headers } = await browser.call('GET', `/documents/${id}/original`);
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="invoice.pdf"; filename*=UTF-8''invoice.pdf`,
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-type'), 'application/pdf');
    await browser.call('DELETE', `/documents/${id}`);
  });

  test('an upload is detected, extracted and shown with values, places and checks', async () => {
    const id = await uploaded('Rechnung März.pdf');
    const document = await look(id);
    assert.equal(document.source, 'dashboard');
    assert.equal(document.docType, 'invoice');
    assert.equal(document.fileName, 'Rechnung März.pdf');
    assert.equal(document.fields.invoice_number.value, 'INV-2041');
    assert.equal(document.fields.total_amount.value, 1428);
    const [place] = document.fields.invoice_number.provenance;
    assert.equal(place.page, 1);
    assert.ok(place.box.x1 > place.box.x0 && place.box.y1 <= document.pages[0].height);
    assert.ok(document.checks.some((check: { kind: string; holds: boolean }) => check.kind === 'sum' && check.holds));
    assert.equal(document.rows.key, 'lines');
    assert.equal(document.rows.rows.length, 2);
    const definition = document.fieldDefinitions.find(({ name }: { name: string }) => name === 'vendor_tax_id');
    assert.equal(definition.label, 'Vendor tax ID');
    assert.match(document.curl.extract, /^curl -H "X-API-Key: \$MILLRACE_API_KEY" -F document=@'Rechnung März.pdf'/);
    assert.match(document.curl.fetch, new RegExp(`${service.baseUrl}/api/external/v1/documents/${id}$`));
    assert.deepEqual((await browser.call('GET', `/documents/${id}/result`)).body.fields.invoice_number, 'INV-2041');
    assert.equal((await service.call(`/documents/${id}`)).status, 200);
  });

  test('a file that is none is refused before it is stored', async () => {
    assert.equal(
      (await upload('note.txt', new TextEncoder().encode('hello'))).body.error.code,
      'unsupported_file_type',
    );
    const empty = new FormData();
    empty.append('docType', 'invoice');
    assert.equal((await browser.call('POST', '/documents', empty)).body.error.code, 'missing_document');
    assert.equal((await upload('a.pdf', invoicePdf, 'leaflet')).body.error.code, 'invalid_request');
  });

  test('the picture of a page and the original come with their own types', async () => {
    const id = await uploaded('a (new) name.pdf');
    const cookie = { cookie: browser.cookie() };
    const url = `${service.baseUrl}/api/dashboard/v1/documents/${id}`;
    const picture = await fetch(`${url}/pages/1/picture?width=700`, { headers: cookie });
    assert.equal(picture.headers.get('content-type'), 'image/webp');
    const first = Buffer.from(await picture.arrayBuffer());
    assert.equal(first.subarray(8, 12).toString(), 'WEBP');
    const again = await fetch(`${url}/pages/1/picture?width=800`, { headers: cookie });
    assert.deepEqual(Buffer.from(await again.arrayBuffer()), first);
    assert.equal((await fetch(`${url}/pages/2/picture`, { headers: cookie })).status, 404);
    assert.equal((await fetch(`${url}/pages/0/picture`, { headers: cookie })).status, 400);
    assert.equal(picture.headers.get('cache-control'), 'private, no-cache');
    const known = { 'if-none-match': picture.headers.get('etag') ?? '' };
    const address = `${url}/pages/1/picture?width=700`;
    const unchanged = await fetch(address, { headers: { ...cookie, ...known } });
    assert.deepEqual([unchanged.status, unchanged.headers.get('etag')], [304, picture.headers.get('etag')]);
    assert.equal((await unchanged.arrayBuffer()).byteLength, 0);
    assert.equal((await fetch(address, { headers: { ...cookie, 'if-none-match': '"other"' } })).status, 200);
    const stranger = await signInAs(service, { role: 'member', accountId: await service.opened.addAccount() });
    for (const [headers, status] of [
      [known, 401],
      [{ ...known, cookie: stranger.cookie() }, 404],
    ] as const) {
      const refused = await fetch(address, { headers });
      assert.deepEqual([refused.status, refused.headers.get('cache-control')], [status, 'no-store']);
    }
    const original = await fetch(`${url}/original`, { headers: cookie });
    assert.equal(original.headers.get('content-type'), 'application/pdf');
    assert.match(
      original.headers.get('content-disposition') ?? '',
      /^attachment; filename="a \(new\) name\.pdf"; filename\*=UTF-8''a%20%28new%29%20name\.pdf$/,
    );
    assert.deepEqual(new Uint8Array(await original.arrayBuffer()), invoicePdf);
    await browser.call('DELETE', `/documents/${id}`);
    assert.equal((await fetch(address, { headers: { ...cookie, ...known } })).status, 404);
  });

  test('another account sees nothing of a document', async () => {
    const id = await uploaded('mine.pdf');
    const stranger = await signInAs(service, { role: 'administrator', accountId: await service.opened.addAccount() });
    for (const path of ['', '/pages/1/picture', '/original', '/result']) {
      assert.equal((await stranger.call('GET', `/documents/${id}${path}`)).status, 404);
    }
    assert.equal((await stranger.call('DELETE', `/documents/${id}`)).status, 404);
    assert.equal((await stranger.call('POST', `/documents/${id}/retry`, {})).status, 404);
    const changes = [{ field: 'invoice_number', value: 'X' }];
    assert.equal((await stranger.call('PATCH', `/documents/${id}/values`, { version: 0, changes })).status, 404);
    assert.equal((await stranger.call('POST', `/documents/${id}/confirmation`, { version: 0 })).status, 404);
    assert.deepEqual((await stranger.call('GET', '/documents')).body.items, []);
  });

  test('a list is searched, filtered and paged', async () => {
    const accountId = await service.opened.addAccount();
    const other = await signInAs(service, { role: 'member', accountId });
    const ids: string[] = [];
    await tenantTransaction(service.opened.database, accountId, async (transaction) => {
      for (let number = 1; number <= 25; number++) {
        const id = `doc_${String(number).padStart(26, '0')}`;
        ids.push(id);
        await transaction
          .insertInto('documents')
          .values({
            id,
            account_id: accountId,
            reference: `MR-${number}`,
            source: number % 2 === 0 ? 'inbox' : 'api',
            file_name: number === 7 ? '100%_Sonder.PDF' : `file-${number}.pdf`,
            media_type: 'application/pdf',
            size_bytes: 1,
            sha256: Buffer.alloc(32),
            page_count: 1,
            doc_type: number % 5 === 0 ? 'receipt' : 'invoice',
            state: number === 25 ? 'processing' : 'done',
            result: null,
            error_code: null,
            error_message: null,
            blob_key: 'x',
            api_key_id: null,
            confidences: [number * 4, 99],
            lowest_confidence: number * 4,
            created_at: new Date(Date.UTC(2026, 0, number)),
          })
          .execute();
      }
    });
    ids.reverse();
    const of = async (query: string) => (await other.call('GET', `/documents?${query}`)).body;
    const numbers = (page: { items: { reference: string }[] }) =>
      page.items.map(({ reference }) => Number(reference.slice(3)));
    const seen: string[] = [];
    let query = 'limit=10';
    for (let pages = 0; pages < 5; pages++) {
      const page = await of(query);
      assert.equal(page.total, 25);
      seen.push(...page.items.map(({ id }: { id: string }) => id));
      if (page.nextCursor === null) break;
      query = `limit=10&cursor=${page.nextCursor}`;
    }
    assert.deepEqual(seen, ids);
    assert.deepEqual(numbers(await of('type=receipt&source=inbox')), [20, 10]);
    assert.deepEqual(numbers(await of('state=processing')), [25]);
    assert.deepEqual(numbers(await of('q=%25_sonder')), [7]);
    assert.deepEqual(numbers(await of('q=mr-11')), [11]);
    assert.deepEqual(numbers(await of('from=2026-01-03T00:00:00Z&to=2026-01-06T00:00:00Z')), [5, 4, 3]);
    assert.deepEqual(numbers(await of('minConfidence=80&maxConfidence=84')), [21, 20]);
    const waiting = await of('needsReview=true&limit=200');
    assert.equal(waiting.total, 19);
    assert.ok(waiting.items.every(({ doubtfulCount }: { doubtfulCount: number }) => doubtfulCount === 1));
    assert.deepEqual(numbers(await of('needsReview=false')), [25, 24, 23, 22, 21, 20]);
    assert.equal((await other.call('GET', '/documents?cursor=nonsense')).body.error.code, 'invalid_request');
    const review = (await other.call('GET', '/review?limit=2&type=receipt')).body;
    assert.deepEqual([numbers(review), review.total], [[5, 10], 3]);
    const next = (await other.call('GET', `/review?limit=2&type=receipt&cursor=${review.nextCursor}`)).body;
    assert.deepEqual([numbers(next), next.nextCursor], [[15], null]);
  });

  test('a text is found wherever it stands in a name or reference, by one account or many documents', async () => {
    const accountId = await service.opened.addAccount();
    const stranger = await service.opened.addAccount();
    const browsing = await signInAs(service, { role: 'member', accountId });
    const add = (account: string, first: number, last: number, name: string, type: string) =>
      sql`
        insert into documents (id, account_id, reference, source, file_name, media_type, size_bytes, sha256, doc_type,
          state, blob_key)
        select 'doc_' || lpad(n::text, 26, '0'), ${account}, 'MR-' || n, 'api', ${name} || n || '.pdf',
          'application/pdf', 1, '', ${type}, 'error', 'x'
        from generate_series(${first}::int, ${last}::int) as n`.execute(service.opened.database.system);
    await add(accountId, 1, 7_990, 'Rechnung ', 'invoice');
    await add(accountId, 7_991, 10_010, 'Rechnung ', 'receipt');
    await add(accountId, 10_011, 10_012, 'Öl_100%\\ ', 'receipt');
    await add(stranger, 1, 3, 'Öl_100%\\ ', 'receipt');
    const seen = await tenantTransaction(service.opened.database, stranger, (transaction) =>
      sql<{ count: number }>`
        select count(*)::int as count from document_searches union all
        select cardinality(search_documents('öl_100', 99)) as count`.execute(transaction),
    );
    assert.deepEqual(seen.rows, [{ count: 3 }, { count: 3 }], 'an account sees its own documents alone');
    const found = async (query: Record<string, string>) => {
      const { body } = await browsing.call('GET', `/documents?${new URLSearchParams({ limit: '2', ...query })}`);
      const references = body.items.map(({ reference }: { reference: string }) => reference);
      return { ...body, found: [references.join(' '), body.total] };
    };
    const totalOf = async (query: Record<string, string>) => (await found(query)).found;
    assert.deepEqual(await totalOf({ q: 'ÖL_100%\\' }), ['MR-10012 MR-10011', 2]);
    for (const wild of ['öl%100', 'öl_100_', 'öl_100%\\\\', 'nowhere'])
      assert.deepEqual(await totalOf({ q: wild }), ['', 0]);
    assert.deepEqual(await totalOf({ q: 'l_' }), ['MR-10012 MR-10011', 2]);
    assert.deepEqual(await totalOf({ q: 'mr-10011' }), ['MR-10011', 1]);
    assert.deepEqual(await totalOf({ q: 'mr-10011', type: 'invoice' }), ['', 0]);
    assert.deepEqual(await totalOf({ q: 'g 799' }), ['MR-7999 MR-7998', 11]);
    assert.deepEqual(await totalOf({ q: 'g 799', type: 'invoice' }), ['MR-7990 MR-799', 2]);
    assert.deepEqual(await totalOf({ q: 'rechnung' }), ['MR-10010 MR-10009', null]);
    assert.deepEqual(await totalOf({ q: 'rechnung', type: 'receipt' }), ['MR-10010 MR-10009', 2_020]);
    for (const q of ['g 799', 'rechnung', 'g']) {
      const first = await found({ q });
      const second = await found({ q, cursor: first.nextCursor });
      assert.deepEqual(second.total, first.total, q);
      assert.ok(second.items[0].id < first.items[1].id, q);
    }
    const [{ id }] = (await found({ q: 'mr-10011' })).items;
    await browsing.call('DELETE', `/documents/${id}`);
    assert.deepEqual(await totalOf({ q: 'öl_100%' }), ['MR-10012', 1]);
  });

  test('a document that could not be extracted is tried again, as another type too', async () => {
    const id = await uploaded('blank.pdf', textPdf([['']]));
    const failed = await look(id);
    assert.deepEqual([failed.state, failed.error.code], ['error', 'empty_document']);
    assert.equal((await browser.call('POST', `/documents/${id}/retry`, { docType: 'receipt' })).status, 202);
    await eventually('the second attempt', async () => (await look(id)).state !== 'processing');
    assert.deepEqual([(await look(id)).state, (await look(id)).docType], ['error', 'receipt']);
  });

  test('a deleted document leaves nothing that it said behind', async () => {
    const id = await uploaded('secret.pdf');
    const { system } = service.opened.database;
    const before = await blobCount();
    await browser.call('PATCH', `/documents/${id}/values`, {
      version: 0,
      changes: [{ field: 'vendor_name', value: 'Secret Supplier GmbH' }],
    });
    await browser.call('POST', `/documents/${id}/confirmation`, { version: 1 });
    assert.equal((await browser.call('GET', '/senders')).body.items.length, 1);
    assert.equal((await browser.call('DELETE', `/documents/${id}`)).status, 200);
    assert.equal((await browser.call('GET', `/documents/${id}`)).status, 404);
    assert.equal((await browser.call('DELETE', `/documents/${id}`)).status, 404);
    assert.equal((await service.call(`/documents/${id}`)).status, 404);
    assert.equal(await blobCount(), before - 1);
    assert.deepEqual((await browser.call('GET', '/senders')).body.items, []);
    const row = await system.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual(
      [row.result, row.extracted_result, row.entered, row.file_name, row.state, row.doc_type],
      [null, null, null, '', 'done', 'invoice'],
    );
    for (const table of ['corrections', 'jobs', 'notifications', 'sender_lessons'] as const) {
      assert.deepEqual(
        await system.selectFrom(table).select('document_id').where('document_id', '=', id).execute(),
        [],
      );
    }
    assert.ok(!(await list('q=secret')).items.length);
  });

  test("documents are deleted when their account's retention ends, and those of others are not", async () => {
    const old = await uploaded('old.pdf');
    const young = await uploaded('young.pdf');
    const { system } = service.opened.database;
    await system.updateTable('accounts').set({ retention_days: 30 }).where('id', '=', service.accountId).execute();
    const age = (id: string, days: number) =>
      system
        .updateTable('documents')
        .set({ created_at: new Date(Date.now() - days * 86_400_000) } as object)
        .where('id', '=', id)
        .execute();
    await age(old, 31);
    await age(young, 29);
    const deleted: string[] = [];
    const blobs = {
      delete: async (key: string) => void deleted.push(key),
      put: async () => undefined,
      get: async () => null,
      close: async () => undefined,
    };
    await removeExpiredDocuments({ database: service.opened.database, blobs }, new AbortController().signal);
    assert.deepEqual(deleted, [`${service.accountId}/${old}`]);
    assert.equal((await browser.call('GET', `/documents/${old}`)).status, 404);
    assert.equal((await browser.call('GET', `/documents/${young}`)).status, 200);
    await system.updateTable('accounts').set({ retention_days: null }).where('id', '=', service.accountId).execute();
  });
});
