import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { type Developer, developerOf } from './developer.ts';
import { type RunningPortal, startPortal } from './portal.ts';

suite('the panel that tries an operation', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  let developer: Developer;
  let key: string;
  before(async () => {
    running = await startPortal(import.meta.filename);
    developer = await developerOf(running, 'developer');
    const { id: appId } = await developer.call('POST', '/portal/apps', { displayName: 'Warehouse' });
    const { id: productId, plans } = running.apis.orders;
    await developer.call('POST', '/portal/subscriptions', { appId, productId, ratePlanId: plans.starter });
    key = (await developer.call('POST', `/portal/apps/${appId}/credentials`, { name: 'First' })).key;
  });
  after(() => running?.stop());

  async function open(page: Page, operation: string): Promise<void> {
    await page.goto(`${running.baseUrl}/products/orders/operations/${operation}`);
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
  }

  const send = async (page: Page) => {
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Response', exact: true }).waitFor();
  };

  test('sends a request with an own key, its parameters and headers', async () => {
    const { page } = developer;
    await open(page, 'listOrders');
    await page.getByLabel('Key', { exact: true }).selectOption({ index: 0 });
    await page.getByLabel('state').selectOption('open');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Header name').fill('x-shop');
    await page.getByLabel('Header value').fill('vienna');
    await send(page);
    await page.getByRole('status').getByText('200', { exact: true }).waitFor();
    const sent = running.target.requests.at(-1)!;
    assert.equal(sent.path.endsWith('/orders?state=open'), true, sent.path);
    assert.equal(sent.headers['x-shop'], 'vienna');
    await page.getByText('Response headers').click();
    await checkAccessibility(page, 'an operation that was tried');
    assert.ok(!(await page.content()).includes(key));
    assert.ok(!page.url().includes(key));
    assert.match(
      (await page.getByRole('region', { name: 'Request: curl' }).textContent()) ?? '',
      /x-api-key: YOUR_API_KEY/,
    );
  });

  test('fills in the specification’s examples', async () => {
    const { page } = developer;
    await open(page, 'getOrder');
    assert.equal(await page.getByLabel(/^orderId/).inputValue(), 'ord_1');
    await page.getByLabel(/^orderId/).fill('absent');
    await send(page);
    await page.getByRole('status').getByText('404', { exact: true }).waitFor();
    await open(page, 'placeOrder');
    const body = page.getByLabel('application/json');
    assert.deepEqual(JSON.parse(await body.inputValue()), { orderId: 'ord_7', quantity: 2 });
    await body.fill('{"orderId": ');
    await page.getByText('This is not valid JSON.').waitFor();
    await body.fill('{"orderId":"ord_8"}');
    await send(page);
    assert.equal(running.target.requests.at(-1)!.body.toString(), '{"orderId":"ord_8"}');
  });

  test('uploads a file', async () => {
    const { page } = developer;
    await open(page, 'readDocument');
    await page
      .getByLabel(/^file/)
      .setInputFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 test') });
    await page.getByLabel('kind').fill('invoice');
    await send(page);
    await page.getByRole('region', { name: 'application/json' }).getByText('"invoice"').waitFor();
    const { body, headers } = running.target.requests.at(-1)!;
    assert.match(String(headers['content-type']), /^multipart\/form-data/);
    assert.match(body.toString(), /filename="invoice\.pdf"[\s\S]+%PDF-1\.7 test/);
    await page
      .getByLabel(/^file/)
      .setInputFiles({ name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(1_200_000) });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('at most 1 MB').waitFor();
    await developer.leave();
  });

  test('asks visitors to sign in, unless the product is a sandbox', async () => {
    await using window = await running.open();
    const { page, problems } = window;
    await open(page, 'listOrders');
    assert.equal(await page.getByRole('button', { name: 'Send' }).count(), 0);
    const link = page.locator('[data-portal-try]').getByRole('link', { name: 'Sign in' });
    assert.match((await link.getAttribute('href')) ?? '', /next=%2Fproducts%2Forders%2Foperations%2FlistOrders$/);
    const sandbox = { sandboxProductIds: [running.apis.orders.id] };
    assert.equal((await running.administrator.call('PATCH', '/portal-settings', sandbox)).status, 200);
    await open(page, 'listOrders');
    await page.getByText('You can try this without an account.').waitFor();
    await send(page);
    await page.getByRole('status').getByText('200', { exact: true }).waitFor();
    assert.deepEqual(problems, []);
  });
});
