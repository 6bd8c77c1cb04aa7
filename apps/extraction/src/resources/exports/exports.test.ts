import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService, textPdf } from '../../http/testing.ts';
import { readWorkbook } from './testing-workbook.ts';

/** The records of a CSV file (RFC 4180), by their headings. */
function recordsOf(text: string): Record<string, string>[] {
  const fields = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)];
  const lines: string[][] = [[]];
  for (const [, quoted, bare, end] of fields) {
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!);
    if (end === '\r\n') lines.push([]);
  }
  const [headings = [], ...records] = lines.slice(0, -1);
  return records.map((record) => Object.fromEntries(headings.map((heading, index) => [heading, record[index]!])));
}

const receiptPdf = textPdf([
  ['Corner Café', 'Receipt', 'Date: 2026-03-02', '2 Espresso 5.00', 'Total EUR 5.00', 'Thank you'],
]);

describe('exports', () => {
  let service: TestService;
  let browser: TestBrowser;
  const ids: string[] = [];

  before(async () => {
    service = await startTestService();
    browser = await signInAs(service, { role: 'member' });
    for (const [name, bytes, docType] of [
      ['=invoice.pdf', invoicePdf, 'invoice'],
      ['receipt.pdf', receiptPdf, 'receipt'],
      ['blank.pdf', textPdf([['']]), 'invoice'],
    ] as const) {
      await service.extract({ name, bytes }, { form: { doc_type: docType } });
    }
    const { rows } = await sql<{ id: string }>`select id from documents order by id desc`.execute(
      service.opened.database.system,
    );
    ids.push(...rows.map(({ id }) => id));
  });
  after(() => service?.stop());

  const download = (path: string) =>
    fetch(`${service.baseUrl}/api/dashboard/v1${path}`, { headers: { cookie: browser.cookie() } });

  async function workbookOf(path: string) {
    const response = await download(path);
    assert.equal(response.status, 200);
    const sheets = readWorkbook(new Uint8Array(await response.arrayBuffer()));
    return { response, sheets };
  }

  test('have a row for each document, and a column for each field of their types', async () => {
    const response = await download('/documents.csv');
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(
      response.headers.get('content-disposition') ?? '',
      /^attachment; filename="documents-[\d-]{10}\.csv"$/,
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    const records = recordsOf(new TextDecoder().decode(bytes));
    assert.deepEqual(
      records.map((record) => record['Document ID']),
      ids,
    );
    const [blank, receipt, invoice] = records;
    assert.equal(invoice!['File name'], "'=invoice.pdf");
    assert.equal(invoice!['Document type'], 'Invoice');
    assert.equal(invoice!['Invoice number'], 'INV-2041');
    assert.equal(invoice!['Invoice date'], '2026-03-14');
    assert.equal(invoice!['Total amount'], '1428');
    assert.equal(invoice!.Currency, 'EUR');
    assert.equal(receipt!['Document type'], 'Receipt');
    assert.equal(receipt!['Invoice number'], '');
    assert.equal(receipt!['Total amount'], '5');
    assert.equal(blank!['Document state'], 'Error');
  });

  test('have a row for each line item, with its document', async () => {
    const records = recordsOf(await (await download('/documents.csv?rows=lines&type=invoice')).text());
    const document = (await browser.call('GET', `/documents/${ids[2]}`)).body;
    assert.equal(records.length, document.rows.rows.length);
    assert.deepEqual(
      records.map((record) => [record['Document ID'], record.Row, record.Currency, record.Description, record.Amount]),
      document.rows.rows.map((row: Record<string, { value: unknown }>, index: number) => [
        ids[2],
        String(index + 1),
        'EUR',
        row.description!.value,
        String(row.amount!.value),
      ]),
    );
  });

  test('are workbooks with typed cells', async () => {
    const { response, sheets } = await workbookOf(`/documents.xlsx?ids=${ids[2]}`);
    assert.match(response.headers.get('content-disposition') ?? '', /filename="MR-000001\.xlsx"$/);
    const [{ name, rows }] = sheets as [(typeof sheets)[number]];
    assert.equal(name, 'Documents');
    assert.equal(rows.length, 2);
    const cell = (heading: string) => rows[1]![rows[0]!.findIndex((each) => each?.text === heading)];
    assert.deepEqual(cell('File name'), { text: '=invoice.pdf' });
    assert.deepEqual(cell('Total amount'), { number: 1428, format: '#,##0.00##' });
    assert.deepEqual(cell('Invoice date'), { number: 46_095, format: 'yyyy\\-mm\\-dd' });
    assert.equal(cell('Arrived at')!.format, 'yyyy\\-mm\\-dd\\ hh:mm:ss');
  });

  test('are of the documents that a filter matches, or that are named', async () => {
    const documentsOf = async (query: string) =>
      recordsOf(await (await download(`/documents.csv?${query}`)).text()).map((record) => record['Document ID']);
    assert.deepEqual(await documentsOf('type=receipt'), [ids[1]]);
    assert.deepEqual(await documentsOf('state=error'), [ids[0]]);
    assert.deepEqual(await documentsOf('q=receipt'), [ids[1]]);
    assert.deepEqual(await documentsOf(`ids=${ids[0]},${ids[2]}`), [ids[0], ids[2]]);
    assert.deepEqual(await documentsOf(`ids=${ids[0]}&state=done`), []);
    assert.deepEqual(await documentsOf('supplier=NORTHWIND'), [ids[2]]);
    assert.equal((await download('/documents.csv?type=leaflet')).status, 400);
  });

  test('are given to programs with the API’s own names, without a byte order mark', async () => {
    const response = await service.call('/documents.csv?doc_type=invoice&state=done');
    const text = await response.text();
    assert.ok(text.startsWith('document_id,document_reference,'), text);
    const [record] = recordsOf(text);
    assert.deepEqual(
      [record!.document_id, record!.document_type, record!.invoice_number, record!.total_amount],
      [ids[2], 'invoice', 'INV-2041', '1428'],
    );
    assert.match(response.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/);
    const workbook = await service.call(`/documents.xlsx?rows=lines&ids=${ids[2]}`);
    const [sheet] = readWorkbook(new Uint8Array(await workbook.arrayBuffer()));
    assert.deepEqual([sheet!.name, sheet!.rows.length], ['Lines', 3]);
    assert.equal((await fetch(`${service.baseUrl}/api/external/v1/documents.csv`)).status, 401);
  });

  test('show nothing of another account', async () => {
    const stranger = await signInAs(service, { role: 'member', accountId: await service.opened.addAccount() });
    const response = await fetch(`${service.baseUrl}/api/dashboard/v1/documents.csv?ids=${ids.join(',')}`, {
      headers: { cookie: stranger.cookie() },
    });
    assert.deepEqual(recordsOf(await response.text()), []);
  });

  test('go through many documents batch by batch, each once', async () => {
    const accountId = await service.opened.addAccount();
    const many = await signInAs(service, { role: 'member', accountId });
    const result = {
      fields: { invoice_number: 'N', total_amount: 1.5, currency: 'EUR' },
      lines: [
        { description: 'Paper', amount: 1 },
        { description: 'Ink', amount: 0.5 },
      ],
    };
    await tenantTransaction(service.opened.database, accountId, (transaction) =>
      sql`
        insert into documents (id, account_id, reference, source, file_name, media_type, size_bytes, sha256, doc_type,
          state, blob_key, result)
        select 'doc_' || lpad(n::text, 26, '0'), ${accountId}, 'MR-' || n, 'api', n || '.pdf', 'application/pdf', 1, '',
          'invoice', 'done', 'x', ${JSON.stringify(result)}::jsonb
        from generate_series(1, 1_250) as n`.execute(transaction),
    );
    const read = async (path: string) =>
      (await fetch(`${service.baseUrl}/api/dashboard/v1${path}`, { headers: { cookie: many.cookie() } })).text();
    const records = recordsOf(await read('/documents.csv?rows=lines'));
    assert.equal(records.length, 2_500);
    assert.equal(new Set(records.map((record) => `${record['Document ID']} ${record.Row}`)).size, 2_500);
    assert.equal(recordsOf(await read('/documents.csv')).length, 1_250);
  });

  test('of an account are few at once, and free their place when a caller hangs up', async () => {
    const accountId = await service.opened.addAccount();
    const eager = await signInAs(service, { role: 'member', accountId });
    // Long enough not to fit into what connections buffer.
    const fields = { invoice_number: 'x'.repeat(50_000) };
    await tenantTransaction(service.opened.database, accountId, (transaction) =>
      sql`
        insert into documents (id, account_id, reference, source, file_name, media_type, size_bytes, sha256, doc_type,
          state, blob_key, result)
        select 'doc_' || lpad(n::text, 26, '0'), ${accountId}, 'MR-' || n, 'api', n || '.pdf', 'application/pdf', 1, '',
          'invoice', 'done', 'x', ${JSON.stringify({ fields, lines: [] })}::jsonb
        from generate_series(1, 600) as n`.execute(transaction),
    );
    const url = `${service.baseUrl}/api/dashboard/v1/documents.csv`;
    const headers = { cookie: eager.cookie() };
    const hangUp = new AbortController();
    const started = await Promise.all([1, 2, 3].map(() => fetch(url, { headers, signal: hangUp.signal })));
    assert.deepEqual(
      started.map(({ status }) => status),
      [200, 200, 200],
    );
    const refused = await fetch(url, { headers });
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /3 exports of this account are running/);
    hangUp.abort();
    for (;;) {
      const next = await fetch(url, { headers });
      await next.body?.cancel();
      if (next.status === 200) break;
    }
  });
});
