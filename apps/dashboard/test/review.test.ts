import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkAccessibility, visit, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';
import { picture } from './picture.ts';

const samples = join(import.meta.dirname, '../../../samples');

describe('the review in the dashboard', { skip: withoutBrowser }, () => {
  let running: TestDashboard;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    running = await startTestDashboard(import.meta.filename);
    // What no proof and no real document confirms stays below this, so that several values of each sample are doubtful.
    await running.service.opened.database.system
      .updateTable('accounts')
      .set({ review_threshold: 90 })
      .where('id', '=', running.service.accountId)
      .execute();
    ({ page, problems } = await running.open(await running.signIn()));
  });
  after(() => running?.stop());

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const focused = (id: string) => page.locator(`#${id}:focus`).waitFor();
  const left = async () => {
    const text = (await page.getByRole('status').filter({ hasText: /check/ }).textContent()) ?? '';
    return text.startsWith('Everything') ? 0 : Number.parseInt(text, 10);
  };

  async function extract(name: string, docType: string): Promise<void> {
    const bytes = new Uint8Array(readFileSync(join(samples, name)));
    const answer = await running.service.extract({ name, bytes }, { form: { doc_type: docType } });
    assert.equal(answer.status, 200);
  }

  test('the queue of a new account is empty', async () => {
    await visit(page, `${running.service.baseUrl}/review`);
    await heading('Review');
    await page.getByText('Nothing to review.').waitFor();
    await checkAccessibility(page, 'empty queue');
  });

  test('low-confidence documents are reviewed one after another by keyboard', async () => {
    await extract('receipt.jpg', 'receipt');
    await extract('receipt-turned.jpg', 'receipt');
    await visit(page, `${running.service.baseUrl}/review`);
    await page.getByRole('row').filter({ hasText: 'receipt-turned.jpg' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('img', { name: '2 waiting' }).waitFor();
    await checkAccessibility(page, 'queue');
    await picture(page, 'review-queue');
    await page.getByRole('link', { name: 'Start review' }).focus();
    await page.keyboard.press('Enter');
    await heading('receipt.jpg');
    await page.locator('[data-value][data-doubtful]').first().waitFor();
    await page.locator('[data-value][data-doubtful]:focus').waitFor();
    await checkAccessibility(page, 'review');
    await picture(page, 'review');

    const doubtful = await left();
    assert.ok(doubtful > 1);
    const [first, second] = await page
      .locator('[data-value][data-doubtful]')
      .evaluateAll((inputs) => inputs.map(({ id }) => id));
    assert.ok(first && second);
    await focused(first);
    assert.equal((await page.locator('button[data-selected]').count()) > 0, true);
    await page.keyboard.press('Tab');
    await focused(second);
    await page.keyboard.press('Shift+Tab');
    await focused(first);
    // Accepting a value marks it as checked.
    await page.keyboard.press('Enter');
    await focused(second);
    await page.locator(`#${first}[data-doubtful]`).waitFor({ state: 'detached' });
    assert.equal(await left(), doubtful - 1);
    for (let step = 0; step < doubtful - 1; step++) await page.keyboard.press('Enter');
    await page.getByText('All values checked').waitFor();
    await page.getByRole('button', { name: 'Confirm and continue' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');

    await heading('receipt-turned.jpg');
    await page.locator('[data-value][data-doubtful]:focus').waitFor();
  });

  test('a correction is stored, and the last document ends the queue', async () => {
    await page.getByLabel('Merchant name', { exact: true }).fill('Sonnfeld');
    await page.keyboard.press('Control+Enter');
    await heading('Review');
    // Meanwhile, Millrace reads it again to learn from it.
    await page.getByText('Nothing to review.').waitFor();
    const counted = page.getByRole('navigation', { name: 'Main' }).getByRole('img', { name: /waiting/ });
    await counted.waitFor({ state: 'detached' });
    await visit(page, `${running.service.baseUrl}/documents?search=receipt-turned`);
    await page.getByRole('row').filter({ hasText: 'receipt-turned.jpg' }).getByText('Confirmed').waitFor();
    await page.getByRole('link', { name: 'receipt-turned.jpg' }).click();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByText(/^Merchant name: changed from .* to Sonnfeld/).waitFor();
    assert.deepEqual(problems, []);
  });

  test('the review is usable on a phone and in dark mode', async () => {
    await extract('invoice-scan.pdf', 'invoice');
    await extract('payslip.pdf', 'payslip');
    for (const [name, options] of [
      ['phone', { viewport: { width: 360, height: 740 } }],
      ['dark', { colorScheme: 'dark' }],
    ] as const) {
      await using window = await running.open(await running.signIn(), options);
      await window.page.goto(`${running.service.baseUrl}/review`);
      await window.page.getByRole('link', { name: 'Start review' }).waitFor();
      await checkAccessibility(window.page, `queue, ${name}`);
      await window.page.getByRole('link', { name: 'Start review' }).click();
      await window.page.getByRole('heading', { name: 'To check' }).waitFor();
      await window.page.waitForLoadState('networkidle');
      assert.equal(await widthAtRest(window.page), window.page.viewportSize()?.width);
      await checkAccessibility(window.page, `review, ${name}`);
      await picture(window.page, `review-${name}`);
      assert.deepEqual(window.problems, []);
    }
  });
});
