import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService } from '../../http/testing.ts';

describe('columns of the list of documents', () => {
  let service: TestService;
  let browser: TestBrowser;
  before(async () => {
    service = await startTestService();
    browser = await signInAs(service, { role: 'member' });
  });
  after(() => service?.stop());

  const read = async (reader = browser) => (await reader.call('GET', '/documents/columns')).body;

  test('are the usual ones until a user chooses others, for themselves', async () => {
    const usual = ['type', 'state', 'confidence', 'to_check', 'source', 'pages', 'arrived'];
    assert.deepEqual((await read()).columns, usual);
    const chosen = ['field.total_amount', 'type', 'supplier'];
    const { status, body } = await browser.call('PUT', '/documents/columns', { columns: chosen });
    assert.deepEqual([status, body.columns], [200, chosen]);
    assert.deepEqual((await read()).columns, chosen);
    const colleague = await signInAs(service, { role: 'member' });
    assert.deepEqual((await read(colleague)).columns, usual);
    await browser.call('PUT', '/documents/columns', { columns: null });
    assert.deepEqual((await read()).columns, usual);
  });

  test('may be of any field, which is listed with its types', async () => {
    const { fields } = await read();
    const date = fields.find(({ name }: { name: string }) => name === 'invoice_date');
    assert.deepEqual([date.label, date.kind], ['Invoice date', 'date']);
    assert.ok(date.docTypes.includes('invoice') && !date.docTypes.includes('receipt'));
    assert.equal(new Set(fields.map(({ name }: { name: string }) => name)).size, fields.length);
  });

  test('are refused where they do not exist, or are chosen twice', async () => {
    const { status, body } = await browser.call('PUT', '/documents/columns', {
      columns: ['type', 'colour', 'field.nothing', 'type'],
    });
    assert.equal(status, 400);
    assert.deepEqual(
      body.error.fields.map(({ path }: { path: string }) => path),
      ['columns.1', 'columns.2', 'columns.3'],
    );
  });

  test('show the values that the list is asked for, as corrected', async () => {
    await service.extract({ name: 'invoice.pdf', bytes: invoicePdf }, { form: { doc_type: 'invoice' } });
    const list = async (query: string) => (await browser.call('GET', `/documents?${query}`)).body.items[0];
    const asked = await list('values=invoice_number,total_amount,patient_name');
    assert.deepEqual(asked.values, { invoice_number: 'INV-2041', total_amount: 1428 });
    assert.equal(asked.supplier, 'Northwind Paper Ltd');
    assert.equal('values' in (await list('')), false);
    const changes = [
      { field: 'total_amount', value: 7 },
      { field: 'vendor_name', value: 'Southwind' },
    ];
    await browser.call('PATCH', `/documents/${asked.id}/values`, { version: 0, changes });
    const corrected = await list('values=total_amount&supplier=southw');
    assert.deepEqual([corrected.values, corrected.supplier], [{ total_amount: 7 }, 'Southwind']);
    assert.equal((await list('supplier=northw')) ?? null, null);
  });
});
