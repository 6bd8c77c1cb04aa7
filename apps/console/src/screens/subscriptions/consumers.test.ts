import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { TestCaller } from '@millrace/control/testing';
import { checkAccessibility, visit, withoutBrowser } from '@millrace/ui/testing';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../../../test/console.ts';

suite('onboarding a consumer, in the browser', { skip: withoutBrowser }, () => {
  let tested: TestConsole;
  let administrator: TestCaller;
  let approver: TestCaller;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    tested = await startTestConsole(import.meta.filename);
    const { control } = tested;
    const organization = await control.addOrganization('harbour-trade');
    administrator = await control.addUser(organization, ['organization_administrator']);
    approver = await control.addUser(organization, ['organization_administrator']);
    const environment = await administrator.call('POST', '/environments', { name: 'test', displayName: 'Test' });
    const backend = { environmentId: environment.data.id, name: 'orders-backend', host: 'orders.example', port: 443 };
    assert.equal((await administrator.call('POST', '/target-servers', backend)).status, 201);
    const proxy = { name: 'orders', displayName: 'Orders API', basePath: '/v1/orders', protocol: 'rest' };
    const { data, status } = await administrator.call('POST', '/proxies', { ...proxy, authScheme: 'api_key' });
    assert.equal(status, 201, JSON.stringify(data));
    for (const method of ['GET', 'DELETE']) {
      const route = { method, pathPattern: '/{orderId}', targetServer: 'orders-backend' };
      assert.equal((await administrator.call('POST', `/proxies/${data.id}/routes`, route)).status, 201);
    }
    ({ page, problems } = await tested.open({ caller: administrator }));
  });
  after(() => tested.stop());

  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const shown = (text: string, on = page) => on.locator('#content').getByText(text, { exact: true }).first().waitFor();
  const goto = (path: string) => visit(page, `${tested.control.baseUrl}${path}`);
  const go = (place: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place, exact: true }).click();
  const section = (name: string) => page.getByRole('navigation', { name: /^Sections of/ }).getByRole('link', { name });
  const choose = async (field: Locator, option: string | RegExp) => {
    await field.click();
    await page.getByRole('option', { name: option }).click();
  };
  /** The id of the entity whose screen is open. */
  const idOf = (prefix: string) => new RegExp(`${prefix}_\\w+`).exec(page.url())![0];

  test('a product with a quota and some routes of an API is published', async () => {
    await goto('/');
    await go('API products');
    await button('Create API product').click();
    const create = dialog('Create API product');
    await create.getByLabel('Display name').fill('Orders, read only');
    const name = create.getByRole('textbox', { name: 'Name', exact: true });
    assert.equal(await name.inputValue(), 'orders-read-only', 'a name follows from the title');
    await name.fill('Not a name');
    await create.getByRole('switch', { name: 'Quota' }).check();
    await create.getByLabel('Calls').fill('500');
    await button('Create', create).click();
    await name.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    await name.fill('orders-reading');
    await choose(create.getByRole('combobox', { name: 'Window' }), 'hour');
    await checkAccessibility(page, 'the form of a product');
    await button('Create', create).click();
    await heading('Orders, read only');
    await shown('500 calls per hour');

    const publish = button('Publish');
    assert.equal(await publish.getAttribute('aria-disabled'), 'true', 'it has no API proxy yet');
    await button('Add API proxy').click();
    const bundle = dialog('Add API proxy');
    await choose(bundle.getByRole('combobox', { name: 'API proxy' }), /^Orders API/);
    await bundle.getByLabel('Only selected routes').check();
    assert.equal(await button('Add', bundle).isDisabled(), true, 'no route is selected yet');
    await bundle.getByRole('checkbox', { name: /GET/ }).check();
    await button('Add', bundle).and(page.locator(':enabled')).waitFor();
    await checkAccessibility(page, 'routes of a product');
    await button('Add', bundle).click();
    await bundle.waitFor({ state: 'detached' });
    await shown('1 selected');
    await publish.click();
    await shown('Published');
  });

  test('a developer is created with an app', async () => {
    await go('Developers');
    await button('Create developer').click();
    const register = dialog('Create developer');
    await register.getByLabel('Name').fill('Sam Example');
    await register.getByLabel('Email').fill('sam@example.com');
    await button('Create', register).click();
    await heading('Sam Example');
    await button('Create app').click();
    const app = dialog('Create app');
    await app.getByLabel('Display name').fill('Shop front end');
    await button('Create', app).click();
    await heading('Shop front end');
    await page.getByText('No credentials yet.').waitFor();
  });

  test('the app’s key is shown once, with a command that uses it', async () => {
    await button('Issue credential').click();
    const issue = dialog('Issue credential');
    await issue.getByLabel('Name').fill('Production');
    await button('Issue', issue).click();
    await page.getByText('Anyone who has it can call as this app', { exact: true }).waitFor();
    const key = (await page.locator('[data-secret]').textContent()) ?? '';
    assert.match(key, /^mrk_[\w-]{43}$/);
    await page.getByText('unless the API proxy expects it elsewhere').waitFor();
    await checkAccessibility(page, 'a new key');
    await page.keyboard.press('Escape');
    await button('Done').click();
    await page.locator('[data-secret]').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Production', exact: true }).waitFor();
    assert.equal((await page.content()).includes(key), false);
    await page.reload();
    await page.getByRole('cell', { name: 'Production', exact: true }).waitFor();
    assert.equal((await page.content()).includes(key), false);
  });

  test('a subscription waits in the queue until someone other than its requester approves it', async () => {
    await section('Subscriptions').click();
    await button('Subscribe to product').click();
    const subscribe = dialog('Subscribe to product');
    await choose(subscribe.getByRole('combobox', { name: 'API product' }), /^Orders, read only/);
    await button('Subscribe', subscribe).click();
    await heading('Shop front end to Orders, read only');
    await shown('Pending');
    const own = page.getByRole('button', { name: /^Approve/ });
    assert.equal(await own.getAttribute('aria-disabled'), 'true');

    const { page: other, problems: others } = await tested.open({ caller: approver });
    await other.goto(`${tested.control.baseUrl}/subscriptions`);
    await other.getByRole('link', { name: 'Waiting for approval (1)' }).click();
    await other.getByRole('button', { name: 'Approve Shop front end to Orders, read only' }).click();
    await other.getByText('Nothing waits for approval.').waitFor();
    await other.getByRole('link', { name: 'Waiting for approval (0)' }).waitFor();
    assert.deepEqual(others, []);
    await other.context().close();

    await page.reload();
    await shown('Approved');
    await page.getByText(/^0 of 500 \(0%\)$/).waitFor();
  });

  test('a subscription’s own quota replaces the product’s', async () => {
    await button('Set quota').click();
    const quota = dialog('Quota of Shop front end');
    await quota.getByLabel('Calls').fill('40');
    await button('Save', quota).click();
    await quota.waitFor({ state: 'detached' });
    await shown('40 calls per day');
    await page.getByText(/^0 of 40 \(0%\)$/).waitFor();
    await button('Remove quota').click();
    await button('Remove quota', dialog('Remove quota?')).click();
    await page.getByText(/^0 of 500 \(0%\)$/).waitFor();
  });

  test('a key is rotated with a grace period, revealed on the record, and revoked', async () => {
    await page.getByRole('link', { name: 'Shop front end', exact: true }).click();
    await button('Rotate Production').click();
    const rotate = dialog('Rotate Production');
    await choose(rotate.getByRole('combobox', { name: 'Grace period' }), '1 hour');
    await button('Rotate', rotate).click();
    await page.getByText('Anyone who has it can call as this app', { exact: true }).waitFor();
    const key = (await page.locator('[data-secret]').textContent()) ?? '';
    await page.getByText(`curl -H 'x-api-key: ${key}'`).waitFor();
    await button('Done').click();
    await shown('Rotating');

    await button('Reveal Production').click();
    const reveal = dialog('Reveal Production?');
    await reveal.getByText('The audit trail records, at high severity').waitFor();
    await button('Reveal', reveal).click();
    await page.locator('[data-secret]').filter({ hasText: key }).waitFor();
    const { data } = await administrator.call('GET', '/audit?operation=revealCredential');
    assert.equal(data.entries.length, 1);
    await button('Done').click();

    await button('Revoke Production').click();
    await button('Revoke', dialog('Revoke Production?')).click();
    await shown('Revoked');
    await button('Rotate Production').waitFor({ state: 'detached' });
  });

  test('a developer without a prepaid plan has no balance to top up', async () => {
    await page.getByRole('link', { name: 'Sam Example' }).click();
    await section('Balance').click();
    await shown('No subscription has a prepaid rate plan.');
    assert.equal(await button('Top up').getAttribute('aria-disabled'), 'true');
  });

  test('a suspended developer is marked as such, and activated again', async () => {
    await button('Suspend').click();
    await button('Suspend', dialog('Suspend Sam Example?')).click();
    await shown('Suspended');
    await button('Activate').click();
    await shown('Active');
    assert.match(page.url(), new RegExp(`/developers/${idOf('dev')}/balance`));
  });

  test('no error occurred that users don’t see', () => {
    assert.deepEqual(problems, []);
  });
});
