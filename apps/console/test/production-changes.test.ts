import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestCaller } from '@millrace/control/testing';
import { eventually } from '@millrace/eventually';
import { checkAccessibility, type TestWindow, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';

describe('changes to production in the console', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  let administrator: TestCaller;
  let operator: TestCaller;
  let requesting: TestWindow;
  let approving: TestWindow;
  let targetId: string;

  before(async () => {
    running = await startTestConsole(import.meta.filename);
    const organizationId = await running.control.addOrganization('acme');
    administrator = await running.control.addUser(organizationId, ['organization_administrator']);
    operator = await running.control.addUser(organizationId, ['operations_engineer']);
    const environment = await post('/environments', { name: 'live', displayName: 'Live', production: true });
    const target = { environmentId: environment.id, name: 'orders', host: 'orders.example', port: 443 };
    targetId = (await post('/target-servers', target)).id;
    requesting = await running.open({ caller: administrator });
    approving = await running.open({ caller: operator });
  });
  after(() => running?.stop());

  async function post(path: string, body: object) {
    const { status, data } = await administrator.call('POST', path, body);
    assert.equal(status, 201, `POST ${path}: ${JSON.stringify(data)}`);
    return data;
  }

  const get = async (path: string) => (await administrator.call('GET', path)).data;
  /** Loads the page: what others have changed meanwhile shows at once. */
  const goto = (page: Page, path: string) => page.goto(`${running.control.baseUrl}${path}`);
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const productionChanges = (setting: boolean) => async () => {
    const settings = await get(`/organizations/${administrator.organizationId}/settings`);
    return settings.approval.productionChanges === setting;
  };

  /** Follows the link in the message of a form or dialog to the change that waits; its id. */
  async function follow({ page }: TestWindow): Promise<string> {
    const notice = page.getByRole('status').filter({ hasText: 'Waiting for approval' });
    await notice.getByRole('link', { name: 'Show the change' }).click();
    await page.waitForURL(/\/production-changes\/pch_/);
    return page.url().split('/').at(-1)!;
  }

  test('a setting makes changes to production wait for approval', async () => {
    const { page } = requesting;
    await goto(page, '/settings');
    const toggle = page.getByLabel(/^Production changes need approval/);
    await toggle.check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually('the setting', productionChanges(true));
    await page.reload();
    await toggle.and(page.locator(':checked')).waitFor();
  });

  test('a form shows that its change waits, and its requester can withdraw but not approve it', async () => {
    const { page } = requesting;
    await goto(page, `/target-servers/${targetId}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Host/).fill('second.example');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const id = await follow(requesting);
    await heading(page, /orders/);
    await page.getByText('You can’t approve this').waitFor();
    await page.getByText('second.example').first().waitFor();
    await checkAccessibility(page, 'a change to production');
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText(/^Withdrawn by/).waitFor();
    assert.equal((await get(`/production-changes/${id}`)).state, 'withdrawn');
    assert.equal((await get(`/target-servers/${targetId}`)).host, 'orders.example');
  });

  test('a dialog shows that its change waits, and someone else finds and approves it', async () => {
    const { page } = requesting;
    await goto(page, `/target-servers/${targetId}`);
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
    const id = await follow(requesting);
    assert.equal((await get(`/target-servers/${targetId}`)).enabled, true);

    const other = approving.page;
    await goto(other, '/');
    const main = other.getByRole('navigation', { name: 'Main' });
    await main.getByLabel('1 waiting for you').waitFor();
    await main.getByRole('link', { name: /^Production changes/ }).click();
    await heading(other, 'Production changes');
    await checkAccessibility(other, '/production-changes');
    await other
      .getByRole('row', { name: /Pending/ })
      .getByRole('link')
      .click();
    await other.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = other.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('It is replaced.');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await other.getByText(/^Approved by/).waitFor();
    assert.equal((await get(`/production-changes/${id}`)).state, 'approved');
    assert.equal((await get(`/target-servers/${targetId}`)).enabled, false);
  });

  test('a button shows that its change waits, and someone else rejects it', async () => {
    const { page } = requesting;
    await goto(page, `/target-servers/${targetId}`);
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('link', { name: 'Show the change' }).click();
    await page.waitForURL(/\/production-changes\/pch_/);
    const id = page.url().split('/').at(-1)!;
    const other = approving.page;
    await goto(other, `/production-changes/${id}`);
    await other.getByRole('button', { name: 'Reject', exact: true }).click();
    const dialog = other.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Not before the weekend.');
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
    await other.getByText(/^Rejected by/).waitFor();
    assert.equal((await get(`/production-changes/${id}`)).state, 'rejected');
    assert.equal((await get(`/target-servers/${targetId}`)).enabled, false);
  });

  test('a notification’s link stays in the organization that a Super Admin has open', async () => {
    const elsewhere = await running.control.addOrganization();
    const superAdmin = await running.control.addUser(elsewhere, ['super_admin']);
    await using window = await running.open({ caller: superAdmin });
    const { page, problems } = window;
    await goto(page, `/o/${administrator.organizationId}/target-servers/${targetId}`);
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Show the change' }).click();
    await page.waitForURL(new RegExp(`/o/${administrator.organizationId}/production-changes/pch_`));
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText(/^Withdrawn by/).waitFor();
    assert.deepEqual(problems, []);
  });

  test('turning the setting off waits as well', async () => {
    const { page } = requesting;
    await goto(page, '/settings');
    await page.getByLabel(/^Production changes need approval/).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const id = await follow(requesting);
    assert(await productionChanges(true)());
    const other = approving.page;
    await goto(other, `/production-changes/${id}`);
    await other.getByRole('button', { name: 'Approve', exact: true }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await eventually('the setting', productionChanges(false));
  });

  test('no error occurred that users don’t see', () => {
    assert.deepEqual([...requesting.problems, ...approving.problems], []);
  });
});
