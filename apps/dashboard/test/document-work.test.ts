import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@millrace/eventually';
import { invoicePdf, textPdf } from '@millrace/extraction/testing';
import { checkAccessibility, visit, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';
import { picture } from './picture.ts';

const asInvoice = { form: { doc_type: 'invoice' } };
const names = ['north.pdf', 'south.pdf', 'east.pdf'];

describe('work on many documents', { skip: withoutBrowser }, () => {
  let running: TestDashboard;
  let session: Awaited<ReturnType<TestDashboard['signIn']>>;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    running = await startTestDashboard(import.meta.filename);
    session = await running.signIn();
    ({ page, problems } = await running.open(session, { acceptDownloads: true }));
    for (const name of names) await running.service.extract({ name, bytes: invoicePdf }, asInvoice);
    await running.service.extract({ name: 'blank.pdf', bytes: textPdf([['']]) }, asInvoice);
  });
  after(() => running?.stop());

  const goto = async (path = '/documents') => {
    await visit(page, `${running.service.baseUrl}${path}`);
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
    await page
      .getByRole('link', { name: /\.pdf$/ })
      .first()
      .waitFor();
  };
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const bar = () => page.getByRole('region', { name: 'Bulk actions' });
  const outcome = () => page.getByRole('region', { name: 'Bulk action', exact: true });
  const documentOf = async (name: string) => (await session.call('GET', `/documents?q=${name}`)).body.items[0];

  async function download(menu: ReturnType<Page['getByRole']>, item: string) {
    await menu.click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    const file = await downloading;
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  }

  test('chosen columns of any field apply on every device', async () => {
    await goto();
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await dialog.getByRole('button', { name: 'Remove Pages' }).click();
    await dialog.getByRole('combobox', { name: 'Add a column' }).fill('Total amount');
    await page.getByRole('option', { name: 'Total amount', exact: true }).click();
    await dialog.getByRole('button', { name: 'Move Total amount up' }).click();
    await checkAccessibility(page, 'columns of documents');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: /north\.pdf/ })
      .getByText('1428.00 EUR')
      .waitFor();
    const titles = await page.getByRole('columnheader').allTextContents();
    assert.deepEqual(titles.slice(-3), ['Source', 'Total amount', 'Arrived']);
    const { body } = await session.call('GET', '/documents/columns');
    assert.deepEqual(body.columns.slice(-2), ['field.total_amount', 'arrived']);
    await using opened = await running.open(session, { viewport: { width: 360, height: 740 } });
    const { page: phone } = opened;
    await phone.goto(`${running.service.baseUrl}/documents`);
    await phone.getByText('1428.00 EUR').first().waitFor();
    assert.equal(await widthAtRest(phone), 360);
    await checkAccessibility(phone, 'documents with chosen columns on a phone');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('columnheader', { name: 'Pages' }).waitFor();
  });

  test('documents that match a filter are exported, values and line items', async () => {
    await goto('/documents?state=done');
    const menu = page.getByRole('button', { name: 'Export', exact: true });
    const values = await download(menu, 'Values as CSV');
    assert.match(values.name, /^documents-[\d-]{10}\.csv$/);
    const lines = values.bytes.toString().trim().split('\r\n');
    assert.equal(lines.length, 4);
    assert.match(lines[1]!, /INV-2041/);
    const items = await download(menu, 'Line items as CSV');
    assert.equal(items.bytes.toString().trim().split('\r\n').length, 7);
    const workbook = await download(menu, 'Values as Excel');
    assert.equal(workbook.bytes.subarray(0, 2).toString(), 'PK');
    assert.match((await download(menu, 'Line items as Excel')).name, /^lines-.*\.xlsx$/);
  });

  test('selected documents are exported, and a single one from its page', async () => {
    await goto();
    await select('south.pdf');
    const south = await documentOf('south.pdf');
    const { name, bytes } = await download(bar().getByRole('button', { name: 'Export selected' }), 'Values as CSV');
    assert.equal(name, `${south.reference}.csv`);
    assert.ok(bytes.toString().includes(south.id));
    await page.goto(`${running.service.baseUrl}/documents/${south.id}`);
    const own = await download(page.getByRole('button', { name: 'Export' }), 'Line items as CSV');
    assert.equal(own.name, `${south.reference}-lines.csv`);
  });

  test('a bulk confirmation names the documents it skipped', async () => {
    await goto();
    await select('north.pdf');
    await select('blank.pdf');
    await bar().getByText('2 selected').waitFor();
    await checkAccessibility(page, 'chosen documents');
    await picture(page, 'documents-selected');
    await bar().getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await outcome().getByText('Confirmed: 1 of 2 · 1 skipped').waitFor();
    await outcome()
      .getByText(/^blank\.pdf: Only an extracted document/)
      .waitFor();
    await checkAccessibility(page, 'outcome of a bulk action');
    assert.notEqual((await documentOf('north.pdf')).confirmedAt, null);
    assert.equal((await documentOf('south.pdf')).confirmedAt, null);
    await page.reload();
    await outcome().getByText('Confirmed: 1 of 2 · 1 skipped').waitFor();
    await outcome().getByRole('button', { name: 'Dismiss' }).click();
    await outcome().waitFor({ state: 'detached' });
  });

  test('documents are extracted again as another type', async () => {
    await goto();
    await select('east.pdf');
    await bar().getByRole('button', { name: 'Extract again' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Receipt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Extract again' }).click();
    await outcome().getByText('Queued for extraction: 1 of 1').waitFor();
    await eventually('the second extraction', async () => (await documentOf('east.pdf')).docType === 'receipt');
  });

  test('all matching documents are deleted, also those on other pages', async () => {
    await goto('/documents?limit=2');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bar().getByRole('button', { name: 'Select all 4 that match' }).click();
    await bar().getByText('All 4 documents that match are selected.').waitFor();
    await bar().getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 4 documents?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await outcome().getByText('Deleted: 4 of 4').waitFor();
    await page.getByText('No documents yet.').waitFor();
    assert.equal((await session.call('GET', '/documents')).body.total, 0);
  });

  test('the search finds documents, keys, webhooks, settings and the reference, whose command works', async () => {
    await running.service.extract({ name: 'searched.pdf', bytes: invoicePdf }, asInvoice);
    await session.call('POST', '/keys', { name: 'Searched key' });
    await session.call('POST', '/webhooks', { url: 'https://searched.example/hook' });
    await visit(page, `${running.service.baseUrl}/`);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+K');
    const field = page.getByRole('textbox', { name: 'Go to, or search' });
    await field.fill('searched');
    for (const name of ['searched.pdf', 'Searched key', 'https://searched.example/hook']) {
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor();
    }
    await field.fill('limits');
    await page.getByRole('button', { name: /^Limits and retention/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings: Limits and retention' }).waitFor();
    await page.keyboard.press('Control+K');
    await field.fill('api ref');
    await page.getByRole('button', { name: /^API reference/ }).click();
    await page.waitForURL(/\/api-docs\/?$/);

    const example = page.locator('code', { hasText: "--form 'document=@invoice.pdf'" }).first();
    const shown = (await example.textContent())!;
    const { raw } = await running.service.addKey();
    const command = shown
      .slice(shown.indexOf('curl'))
      .replace('/api/external', `${running.service.baseUrl}/api/external`)
      .replace('YOUR_SECRET_TOKEN', raw);
    const folder = mkdtempSync(join(tmpdir(), 'millrace-reference-'));
    writeFileSync(join(folder, 'invoice.pdf'), invoicePdf);
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder });
    rmSync(folder, { recursive: true });
    assert.equal(JSON.parse(stdout).meta.doc_type, 'invoice', stdout);
  });

  test('no page had an error or called another host', () => assert.deepEqual(problems, []));
});
