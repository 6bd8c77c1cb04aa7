import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { invoicePdf } from '@millrace/extraction/testing';
import { checkAccessibility, visit, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';

/** As long as names may be, without a place to break. */
const longName = `${'invoice_of_the_harbour_book_traders'.repeat(4)}.pdf`;
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenrente'.repeat(2).slice(0, 100);

const asInvoice = { form: { doc_type: 'invoice' } };

describe('conventions of every screen of the dashboard', { skip: withoutBrowser }, () => {
  let tested: TestDashboard;
  let session: Awaited<ReturnType<TestDashboard['signIn']>>;
  let page: Page;
  let documentId = '';
  let webhookId = '';

  before(async () => {
    tested = await startTestDashboard(import.meta.filename);
    session = await tested.signIn();
    ({ page } = await tested.open(session, { timezoneId: 'Asia/Tokyo', acceptDownloads: true }));
    assert.equal((await tested.service.extract({ name: longName, bytes: invoicePdf }, asInvoice)).status, 200);
    documentId = (await session.call('GET', '/documents')).body.items[0].id;
    const added = await session.call('POST', '/webhooks', { url: `https://receiver.example/${longName}` });
    webhookId = added.body.webhook.id;
    await session.call('POST', '/keys', { name: longWord.slice(0, 64) });
    await session.call('PATCH', '/account', { name: longWord });
    await session.call('PATCH', '/session/user', { name: longWord });
    await session.call('POST', '/members', { email: `${longWord.slice(0, 60)}@${'harbour-books'.repeat(4)}.example` });
    await session.call('POST', `/webhooks/${webhookId}/test`);
  });
  after(() => tested?.stop());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const goto = async (path: string, name: string | RegExp, on = page) => {
    await visit(on, `${tested.service.baseUrl}${path}`);
    await on.getByRole('heading', { level: 1, name }).waitFor();
  };

  test('an unknown address keeps the navigation', async () => {
    await goto('/no-such-screen/at-all', 'Page not found');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Documents' }).waitFor();
    await checkAccessibility(page, 'an unknown address');
    await goto('/settings/no-such-part', 'Page not found');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('the logo links home where no other app is set', async () => {
    await goto('/documents', 'Documents');
    await page.getByRole('link', { name: /^Millrace/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    assert.equal(await button(/switch app/).count(), 0);
  });

  test('the header links to the API reference', async () => {
    await goto('/', 'Home');
    const link = page.getByRole('link', { name: 'API reference' });
    assert.equal(await link.getAttribute('href'), '/api-docs');
    await link.click();
    await page
      .getByRole('heading', { name: /Millrace/ })
      .first()
      .waitFor();
  });

  test('days and times are in the reader’s time zone, which is named', async () => {
    const { system } = tested.service.opened.database;
    // The last minute of the 3rd in Tokyo, and the first of the 4th.
    const ids = ['doc_tokyo_third', 'doc_tokyo_fourth'];
    for (const [index, at] of ['2026-01-03T14:59:00Z', '2026-01-03T15:00:00Z'].entries()) {
      await system
        .insertInto('documents')
        .values({
          id: ids[index]!,
          account_id: tested.service.accountId,
          reference: ids[index]!,
          source: 'api',
          file_name: `${ids[index]}.pdf`,
          media_type: 'application/pdf',
          size_bytes: 1,
          sha256: Buffer.alloc(0),
          page_count: 1,
          doc_type: 'invoice',
          state: 'error',
          result: null,
          error_code: null,
          error_message: null,
          blob_key: ids[index]!,
          api_key_id: null,
          created_at: new Date(at),
        })
        .execute();
    }
    await goto('/documents?from=2026-01-03&to=2026-01-03', 'Documents');
    await page.getByRole('row', { name: /doc_tokyo_third.*Jan 3, 2026/ }).waitFor();
    await page.getByText('1 total').waitFor();
    await page.getByRole('main').getByText('Times are in Asia/Tokyo.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-01-04');
    await page.getByRole('row', { name: /doc_tokyo_fourth.*Jan 4, 2026/ }).waitFor();
  });

  test('filters that are cleared at the same time are all cleared', async () => {
    await goto('/documents?type=invoice&state=done', 'Documents');
    const clear = page.locator('button[aria-label="Clear Type"], button[aria-label="Clear Status"]');
    await clear.nth(1).waitFor();
    // In one turn: the list is not rendered between the two.
    await clear.evaluateAll((buttons) => {
      for (const button of buttons) button.dispatchEvent(new Event('click', { bubbles: true }));
    });
    await clear.first().waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
  });

  test('an empty list mentions filters only if some are set', async () => {
    await goto('/settings/suppliers?view=open', 'Settings: Suppliers');
    await page.getByText('Nothing learned yet.').waitFor();
    await goto('/documents?q=&type=resume', 'Documents');
    await page.getByText('No documents match.').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('row', { name: longName.slice(0, 20) }).waitFor();
  });

  test('closing a filled form asks first, closing an empty one doesn’t', async () => {
    await goto('/developer/keys', 'API keys');
    await button('Create key').click();
    await dialog('Create API key').waitFor();
    await page.keyboard.press('Escape');
    await dialog('Create API key').waitFor({ state: 'hidden' });
    await button('Create key').click();
    const form = dialog('Create API key');
    await form.getByLabel('Name').fill('Bookkeeping');
    const question = dialog('Discard your changes?');
    await page.keyboard.press('Escape');
    await question.waitFor();
    await checkAccessibility(page, 'a form about to be discarded');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    assert.equal(await form.getByLabel('Name').inputValue(), 'Bookkeeping');
    await page.mouse.click(5, 400);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'hidden' });
    await form.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'hidden' });
    await button('Create key').click();
    assert.equal(await form.getByLabel('Name').inputValue(), '');
    await page.keyboard.press('Escape');
  });

  test('the error of a rejected form is in view and has the focus', async () => {
    await page.setViewportSize({ width: 1280, height: 320 });
    await goto('/developer/webhooks', 'Webhooks');
    await button('Add endpoint').click();
    const form = dialog('Add endpoint');
    await form.getByLabel('URL').fill('https://receiver.example/');
    for (const box of await form.getByRole('checkbox').all()) await box.uncheck();
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByRole('checkbox').first().and(page.locator(':focus')).waitFor();
    const message = form.locator('[id$="-error"]');
    const { y = -1, height = 0 } = (await message.boundingBox()) ?? {};
    assert.ok(y >= 0 && y + height <= 320, `the message stands at ${y}`);
    await page.setViewportSize({ width: 1280, height: 800 });
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  test('a rejected value keeps the focus, and Enter doesn’t move on', async () => {
    await goto(`/documents/${documentId}`, longName);
    const total = page.getByRole('textbox', { name: /^Total/ }).first();
    const before = await total.inputValue();
    await total.fill('a lot of money');
    await page.keyboard.press('Enter');
    await total.and(page.locator('[aria-invalid="true"]')).waitFor();
    await total.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await total.inputValue(), before);
  });

  test('a browser that takes itself for offline still saves, and an unreachable server is an error', async () => {
    await using opened = await tested.open(session);
    const { page: own } = opened;
    await goto('/settings', 'Settings', own);
    const name = own.getByLabel('Your name');
    const you = own.locator('section').filter({ hasText: 'Your name' });
    const save = you.getByRole('button', { name: 'Save' });
    const saved = async () => (await session.call('GET', '/session')).body.user.name;
    // Without a route to the internet, browsers call themselves offline; the server may be on the same machine.
    await own.evaluate("dispatchEvent(new Event('offline'))");
    await name.fill('Offline Olga');
    await save.click();
    await own.getByText('Profile saved.').waitFor();
    assert.equal(await saved(), 'Offline Olga');

    await own.context().setOffline(true);
    await name.fill('Unreachable Olga');
    await save.click();
    await own.getByText('The server can’t be reached. Nothing was changed; try again.').waitFor();
    await own.context().setOffline(false);
    assert.equal(await saved(), 'Offline Olga');
    await save.click();
    await eventually('the name to be saved', async () => (await saved()) === 'Unreachable Olga');
    await own.context().close();
  });

  test('a confirmed document can’t be confirmed again until a value changes', async () => {
    await goto(`/review/${documentId}`, longName);
    await button(/^Confirm/).click();
    await page
      .getByRole('alert')
      .getByText(/confirmed\./)
      .waitFor();
    await goto(`/review/${documentId}`, longName);
    await page.getByText('If you change a value, it has to be confirmed again.').waitFor();
    assert.equal(await button(/^Confirm/).count(), 0);
    await checkAccessibility(page, 'a confirmed document');
    const { body } = await session.call('GET', `/documents/${documentId}`);
    assert.notEqual(body.confirmedAt, null);
  });

  test('what was learned about a supplier is forgotten on demand', async () => {
    const learned = async () => (await session.call('GET', '/senders')).body.items.length;
    await eventually('the supplier to be learned', async () => (await learned()) === 1);
    await goto('/settings/suppliers', 'Settings: Suppliers');
    await button(/^Forget/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
    await page.getByText('Nothing learned yet.').waitFor();
    assert.equal(await learned(), 0);
  });

  test('the original is downloaded unchanged, under its name', async () => {
    await goto(`/documents/${documentId}`, longName);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), longName);
    assert.deepEqual(readFileSync(await download.path()), Buffer.from(invoicePdf));
  });

  test('the navigation, Home and the review show the same number of waiting documents', async () => {
    for (const name of ['first.pdf', 'second.pdf'])
      await tested.service.extract({ name, bytes: invoicePdf }, asInvoice);
    await tested.service.opened.database.system
      .updateTable('documents')
      .set({ lowest_confidence: 10, confirmed_at: null })
      .where('file_name', 'in', ['first.pdf', 'second.pdf'])
      .execute();
    // Loaded again: an open page knows nothing of a change that the service did not make.
    await page.goto(`${tested.service.baseUrl}/review`);
    await page.getByText('2 total').waitFor();
    await page.getByRole('link', { name: 'first.pdf' }).click();
    await page.getByText('2 documents to review').waitFor();
    await page.getByRole('link', { name: 'Review 2 waiting' }).waitFor();
    await goto('/', 'Home');
    await page.getByText('Waiting for review').locator('..').getByText('2', { exact: true }).waitFor();
  });

  test('the status of a revoked key shows when it was revoked', async () => {
    const { body } = await session.call('POST', '/keys', { name: 'Old program' });
    await session.call('DELETE', `/keys/${body.key.id}`);
    await goto('/developer/keys', 'API keys');
    const cell = page.getByRole('row', { name: /Old program/ }).locator('[data-title="Status"]');
    await cell.getByText('Revoked').waitFor();
    assert.equal(await cell.locator('time').count(), 1);
    assert.equal(
      await page
        .getByRole('row', { name: /Old program/ })
        .locator('[data-title="Actions"] time')
        .count(),
      0,
    );
  });

  test('long names break on a phone, on every screen', async () => {
    await using opened = await tested.open(session, { viewport: { width: 360, height: 740 } });
    const { page: phone } = opened;
    const delivery = (await session.call('GET', `/deliveries?endpointId=${webhookId}`)).body.items[0];
    const paths = [
      '/',
      '/documents',
      `/documents/${documentId}`,
      `/documents/${documentId}?view=json`,
      `/documents/${documentId}?view=details`,
      '/review',
      `/review/${documentId}`,
      '/developer/keys',
      '/developer/webhooks',
      `/developer/webhooks/${webhookId}`,
      ...(delivery ? [`/developer/deliveries/${delivery.id}`] : []),
      '/developer/logs',
      '/settings',
      ...['members', 'limits', 'provider', 'sign-in', 'inbox', 'suppliers', 'sessions'].map(
        (part) => `/settings/${part}`,
      ),
      `/${longName}`,
    ];
    const wide: string[] = [];
    for (const path of paths) {
      await visit(phone, `${tested.service.baseUrl}${path}`);
      await phone.getByRole('heading', { level: 1 }).waitFor();
      await phone.waitForLoadState('networkidle');
      const width = await widthAtRest(phone);
      if (width !== 360) wide.push(`${path}: ${width}`);
    }
    assert.deepEqual(wide, []);
    await phone.goto(`${tested.service.baseUrl}/developer/keys`);
    await phone.getByRole('button', { name: /^Revoke Donau/ }).click();
    await phone.getByRole('dialog').waitFor();
    assert.equal(
      await phone.evaluate(
        `[...document.querySelectorAll('[role=dialog]')].every((box) => box.scrollWidth <= box.clientWidth)`,
      ),
      true,
    );
  });
});
