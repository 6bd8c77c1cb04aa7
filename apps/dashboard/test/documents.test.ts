import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@millrace/eventually';
import { checkAccessibility, visit, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';
import { picture } from './picture.ts';

const samples = join(import.meta.dirname, '../../../samples');
const sample = (name: string) => join(samples, name);

describe('documents in the dashboard', { skip: withoutBrowser }, () => {
  let running: TestDashboard;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    running = await startTestDashboard(import.meta.filename);
    ({ page, problems } = await running.open(await running.signIn(), {
      permissions: ['clipboard-read', 'clipboard-write'],
    }));
  });
  after(() => running?.stop());

  const goto = async (path: string, name: string | RegExp) => {
    await visit(page, `${running.service.baseUrl}${path}`);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  };
  const rowOf = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text }).first();
  const isRead = (name: string) => rowOf(name).getByText('Done').waitFor();

  test('a new account sees its first steps', async () => {
    await goto('/', 'Home');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByText('No documents in the last 30 days.').waitFor();
    await checkAccessibility(page, 'home of a new account');
    await picture(page, 'first-steps');
    await page.getByRole('link', { name: 'Send the first document' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  });

  test('many files are uploaded at once, each with its own outcome', async () => {
    await goto('/documents', 'Documents');
    await checkAccessibility(page, 'documents of a new account');
    await page.setInputFiles('input[type=file]', [
      sample('invoice-en.pdf'),
      sample('letter.pdf'),
      sample('payslip.pdf'),
      sample('receipt.jpg'),
      sample('README.md'),
    ]);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('status').getByText('4 of 5 uploaded, 1 failed').waitFor();
    await uploads.getByRole('listitem').filter({ hasText: 'README.md' }).getByText(/PDF/).waitFor();
    await checkAccessibility(page, 'uploads');
    await picture(page, 'upload');
    await uploads.getByRole('button', { name: 'Remove README.md' }).click();
    await uploads.getByRole('button', { name: 'Clear uploaded' }).click();
    await uploads.waitFor({ state: 'detached' });
    for (const name of ['invoice-en.pdf', 'letter.pdf', 'payslip.pdf', 'receipt.jpg']) await isRead(name);
    await rowOf('invoice-en.pdf').getByText('Invoice', { exact: true }).waitFor();
    await rowOf('invoice-en.pdf').getByText('Dashboard').waitFor();
    await rowOf('receipt.jpg').getByText('Receipt', { exact: true }).waitFor();
    await checkAccessibility(page, 'documents');
    await picture(page, 'documents');
  });

  test('dropped and pasted files are uploaded', async () => {
    const send = (kind: 'drop' | 'paste', name: string) =>
      page.evaluate(`
        const letters = atob(${JSON.stringify(readFileSync(sample('invoice-de.pdf')).toString('base64'))});
        const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], ${JSON.stringify(name)}, { type: 'application/pdf' }));
        const options = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
        const event = ${kind === 'drop'} ? new DragEvent('drop', options) : new ClipboardEvent('paste', options);
        void document.body.dispatchEvent(event);
      `);
    await send('drop', 'dropped.pdf');
    await send('paste', 'pasted.pdf');
    await isRead('dropped.pdf');
    await isRead('pasted.pdf');
  });

  test('search and filters are part of the address', async () => {
    await goto('/documents', 'Documents');
    // A row that is not shown yet would count as one that is gone.
    await rowOf('invoice-en.pdf').waitFor();
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('receipt');
    await page.waitForURL(/search=receipt/);
    await rowOf('invoice-en.pdf').waitFor({ state: 'detached' });
    await rowOf('receipt.jpg').waitFor();
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('');
    await rowOf('invoice-en.pdf').waitFor();
    await page.getByRole('combobox', { name: 'Type', exact: true }).click();
    await page.getByRole('option', { name: 'Payslip' }).click();
    await rowOf('receipt.jpg').waitFor({ state: 'detached' });
    await rowOf('payslip.pdf').waitFor();
    await page.reload();
    await rowOf('payslip.pdf').waitFor();
    await page.getByText('1 total').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('textbox', { name: 'Supplier' }).fill('nobody');
    await page.getByText('No documents match.').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await rowOf('receipt.jpg').waitFor();
    await goto('/documents?limit=2', 'Documents');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/cursor=/);
    await page.getByRole('button', { name: 'Previous page' }).waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByRole('button', { name: 'Previous page' }).waitFor({ state: 'detached' });
  });

  async function open(name: string): Promise<void> {
    await goto('/documents', 'Documents');
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Fields' }).waitFor();
  }

  test('search, filters and actions fit on one line at 1280 px', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await goto('/documents', 'Documents');
    await rowOf('receipt.jpg').waitFor();
    const first = await page.getByRole('searchbox', { name: 'Search documents' }).boundingBox();
    const last = await page.getByRole('button', { name: 'Columns' }).boundingBox();
    assert.ok(first && last && last.x > first.x && last.y < first.y + first.height, `${first?.y}, ${last?.y}`);
  });

  test('a phone shows the filters on demand, and how many are set', async () => {
    await using opened = await running.open(await running.signIn(), { viewport: { width: 360, height: 740 } });
    const { page: phone } = opened;
    await phone.goto(`${running.service.baseUrl}/documents?type=receipt`);
    const type = phone.getByRole('combobox', { name: 'Type', exact: true });
    const filters = phone.getByRole('button', { name: 'Filters (1)' });
    await filters.waitFor();
    assert.equal(await type.isVisible(), false);
    await filters.click();
    await type.waitFor();
    await checkAccessibility(phone, 'documents on a phone, with filters');
    assert.equal(await widthAtRest(phone), 360);
  });

  test('selecting a field shows its box on the page, and the reverse', async () => {
    await open('invoice-en.pdf');
    const drawn = page.getByRole('img', { name: 'Page 1 of 1' });
    await drawn.waitFor();
    await eventually('the page to be drawn', () =>
      page.evaluate('document.querySelector(\'img[alt^="Page "]\').naturalWidth > 0'),
    );
    await page.getByLabel('Invoice number').focus();
    const selected = page.locator('button[data-selected]');
    await selected.waitFor();
    assert.match((await selected.getAttribute('title')) ?? '', /^Invoice number: /);
    const [box, frame] = [await selected.boundingBox(), await drawn.boundingBox()];
    assert.ok(box && frame && box.x > frame.x && box.y > frame.y && box.x + box.width < frame.x + frame.width);
    assert.equal(await isPrinted(), true);
    await page.locator('button[title^="Total amount: "]').first().click();
    await page.locator('#value-field-total_amount:focus').waitFor();
    await checkAccessibility(page, 'document');
    await picture(page, 'document');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByText('150 %').waitFor();
  });

  /** Whether something dark is printed within the box that is selected. */
  const isPrinted = () =>
    page.evaluate(`(() => {
      const box = document.querySelector('button[data-selected]').getBoundingClientRect();
      const image = document.querySelector('img[alt^="Page "]');
      const frame = image.getBoundingClientRect();
      const scale = image.naturalWidth / frame.width;
      const canvas = document.createElement('canvas');
      canvas.width = Math.ceil(box.width * scale);
      canvas.height = Math.ceil(box.height * scale);
      const drawing = canvas.getContext('2d');
      drawing.drawImage(image, (frame.x - box.x) * scale, (frame.y - box.y) * scale);
      const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value, index) => index % 4 === 0 && value < 100);
    })()`);

  test('a correction is validated immediately and stored with its author', async () => {
    await open('invoice-en.pdf');
    const checks = page.getByRole('list', { name: 'Checks' });
    await checks.getByRole('img', { name: 'Holds:' }).first().waitFor();
    assert.equal(await checks.getByRole('img', { name: 'Fails:' }).count(), 0);
    const total = page.getByLabel('Total amount', { exact: true });
    const right = await total.inputValue();
    await total.fill('1,00');
    await total.press('Enter');
    await checks.getByRole('img', { name: 'Fails:' }).first().waitFor();
    await checkAccessibility(page, 'document with a failing check');
    await total.fill(right);
    await total.press('Enter');
    await checks.getByRole('img', { name: 'Fails:' }).first().waitFor({ state: 'detached' });
    const date = page.getByLabel('Invoice date', { exact: true });
    const before = await date.inputValue();
    await date.fill('next week');
    await date.press('Enter');
    await date.and(page.locator('[aria-invalid="true"]')).waitFor();
    await date.press('Escape');
    assert.equal(await date.inputValue(), before);
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText(`Total amount: changed from ${right} to 1.00.`).waitFor();
    await page.getByText('by Robin Tester').first().waitFor();
    await checkAccessibility(page, 'details of a document');
  });

  test('line items are edited in their table', async () => {
    await open('invoice-en.pdf');
    const cell = page.getByLabel('Row 1, Description');
    await cell.fill('Blue paper');
    await page.getByLabel('Row 1, Quantity').focus();
    await page.getByText('✎ Checked').first().waitFor();
    const rows = () => page.getByRole('button', { name: /^Remove row/ }).count();
    const before = await rows();
    await page.getByRole('button', { name: 'Add row' }).click();
    await page.getByRole('button', { name: `Remove row ${before + 1}` }).waitFor();
    await page.getByRole('button', { name: `Remove row ${before + 1}` }).click();
    await page.getByRole('button', { name: `Remove row ${before + 1}` }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByLabel('Row 1, Description').waitFor();
    assert.equal(await page.getByLabel('Row 1, Description').inputValue(), 'Blue paper');
  });

  test('the raw result is shown and copied as a working command', async () => {
    await open('invoice-en.pdf');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = page.getByRole('region', { name: 'Result as JSON' });
    await json.waitFor();
    const result = JSON.parse((await json.textContent()) ?? '');
    assert.equal(result.lines[0].description, 'Blue paper');
    await checkAccessibility(page, 'JSON of a document');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      env: { ...process.env, MILLRACE_API_KEY: running.service.apiKey },
    });
    assert.equal(JSON.parse(stdout).meta.document_id, result.meta.document_id);
  });

  test('a document is deleted after a question', async () => {
    await open('dropped.pdf');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('permanently deleted').waitFor();
    await checkAccessibility(page, 'deletion');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documents', exact: true }).waitFor();
    await rowOf('pasted.pdf').waitFor();
    await rowOf('dropped.pdf').waitFor({ state: 'detached' });
  });

  test('a document is extracted again as another type', async () => {
    await open('letter.pdf');
    await page.getByRole('button', { name: 'Extract again' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Contract' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Extract again' }).click();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page
      .locator('dl > div')
      .filter({ hasText: /^Type\s*Contract$/ })
      .waitFor();
  });

  test('home shows the figures of the last 30 days', async () => {
    await goto('/', 'Home');
    await page.getByRole('figure', { name: 'Documents by day and type' }).waitFor();
    await page.getByText('Show as table').click();
    await page
      .getByRole('region', { name: 'Documents by day and type, as a table' })
      .getByRole('cell')
      .first()
      .waitFor();
    assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0);
    await checkAccessibility(page, 'home');
    await picture(page, 'home');
  });

  test('no page had an error or called another host', () => assert.deepEqual(problems, []));

  for (const [name, options] of [
    ['on a phone', { viewport: { width: 360, height: 740 } }],
    ['in dark mode', { colorScheme: 'dark' }],
  ] as const) {
    test(`every screen is usable ${name}`, async () => {
      await using window = await running.open(await running.signIn(), options);
      const base = running.service.baseUrl;
      await window.page.goto(`${base}/documents`);
      await window.page.getByRole('link', { name: 'invoice-en.pdf' }).waitFor();
      const document = await window.page.getByRole('link', { name: 'receipt.jpg' }).getAttribute('href');
      for (const path of ['/', '/documents', document!, `${document}?view=json`, `${document}?view=details`]) {
        await visit(window.page, `${base}${path}`);
        await window.page.getByRole('heading', { level: 2 }).or(window.page.getByRole('table')).first().waitFor();
        await window.page.waitForLoadState('networkidle');
        assert.equal(await widthAtRest(window.page), window.page.viewportSize()?.width, path);
        await checkAccessibility(window.page, `${path} ${name}`);
        if (path === document) await picture(window.page, name === 'on a phone' ? 'document-phone' : 'document-dark');
      }
      assert.deepEqual(window.problems, []);
    });
  }
});
