import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { TestCaller } from '@millrace/control/testing';
import { eventually } from '@millrace/eventually';
import { checkAccessibility, withoutBrowser } from '@millrace/ui/testing';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../../../test/console.ts';

const documentation = join(import.meta.dirname, '../../../../../docs');

/** Keeps a picture of the screen for the documentation, where it is asked for. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env.MILLRACE_SCREENSHOTS !== '1') return;
  // The messages of what was done come and go.
  await page.waitForFunction(() => document.querySelector('.mantine-Notification-root') === null);
  await page.screenshot({ path: join(documentation, `console-${name}.png`) });
}

suite('publish an API proxy in the browser', { skip: withoutBrowser }, () => {
  let tested: TestConsole;
  let author: TestCaller;
  let approver: TestCaller;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    tested = await startTestConsole(import.meta.filename);
    const { control } = tested;
    const organization = await control.addOrganization('harbour-trade');
    const administrator = await control.addUser(organization, ['organization_administrator']);
    author = await control.addUser(organization, ['developer']);
    approver = await control.addUser(organization, ['operations_engineer']);
    for (const [name, production] of [
      ['test', false],
      ['production', true],
    ] as const) {
      const environment = { name, displayName: name === 'test' ? 'Test' : 'Production', production };
      const { data } = await administrator.call('POST', '/environments', environment);
      const target = { environmentId: data.id, name: 'orders-backend', host: `orders.${name}.example`, port: 443 };
      assert.equal((await administrator.call('POST', '/target-servers', target)).status, 201);
    }
    ({ page, problems } = await tested.open({ caller: author }));
  });
  after(() => tested.stop());

  const button = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name });
  const field = (name: string, within: Page | Locator = page) => within.getByRole('textbox', { name, exact: true });
  const section = (name: string) =>
    page.getByRole('navigation', { name: 'Sections of the API proxy' }).getByRole('link', { name, exact: true });

  test('create an API proxy', async () => {
    await page.goto(`${tested.control.baseUrl}/proxies`);
    await button('Create API proxy').click();
    const form = page.getByRole('dialog', { name: 'Create API proxy' });
    await form.getByLabel('Display name').fill('Orders');
    assert.equal(await field('Name', form).inputValue(), 'orders', 'a name follows from the title');
    await form.getByLabel('Base path').fill('/orders');
    await button('Use /v1/orders').click();
    await button('Create', form).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page.waitForURL(/\/proxies\/prx_\w+\/routes/);
    await page.waitForFunction(() => document.title.startsWith('Orders'));
  });

  test('a rejected field shows the reason at the field', async () => {
    await button('Add route').click();
    const drawer = page.getByRole('dialog', { name: 'Add route' });
    await field('Path', drawer).fill('orderId}');
    await drawer.getByRole('combobox', { name: 'Target server' }).fill('orders-backend');
    await button('Add', drawer).click();
    const path = field('Path', drawer);
    await drawer.getByText('Use a path such as').waitFor();
    assert.equal(await path.getAttribute('aria-invalid'), 'true');
    await path.fill('/{orderId}');
    await drawer.getByLabel('Summary').fill('Read an order');
    await button('Add', drawer).click();
    await drawer.waitFor({ state: 'detached' });
    await button('Add route').click();
    const second = page.getByRole('dialog', { name: 'Add route' });
    await second.getByRole('combobox', { name: 'Target server' }).fill('orders-backend');
    await second.getByLabel('Summary').fill('List orders');
    await button('Add', second).click();
    await second.waitFor({ state: 'detached' });
    await page.getByText('2 total').waitFor();
    await checkAccessibility(page, 'routes');
    await picture(page, 'routes');
  });

  test('attach policies with forms generated from their schemas', async () => {
    await section('Policies').click();
    for (const kind of ['Quota', 'Quota', 'Spike Arrest']) {
      await button('Attach policy to the request flow').click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: new RegExp(`^${kind}`) })
        .click();
      const form = page.getByRole('dialog', { name: `Attach ${kind}` });
      await button('Attach', form).click();
      await form.waitFor({ state: 'detached' });
    }
    await policiesAre('Quota', 'Quota 2', 'Spike Arrest');

    await page.getByRole('button', { name: 'Quota 2', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Quota' });
    await drawer.getByLabel('Limit').fill('0');
    await button('Save', drawer).click();
    await drawer.locator('[aria-invalid="true"]').first().waitFor();
    await drawer.getByLabel('Limit').fill('100000');
    await field('Name', drawer).fill('Monthly quota');
    await button('Save', drawer).click();
    await drawer.waitFor({ state: 'detached' });
    await policiesAre('Quota', 'Monthly quota', 'Spike Arrest');
  });

  test('move a policy with the keyboard', async () => {
    await drag('Quota', 'ArrowDown');
    await page.waitForFunction(
      () => document.querySelector('ol button[aria-label^="Move"]')?.ariaLabel === 'Move Monthly quota',
    );
    await policiesAre('Monthly quota', 'Quota', 'Spike Arrest');
    await page.reload();
    await button('Move Quota').waitFor();
    await policiesAre('Monthly quota', 'Quota', 'Spike Arrest');
  });

  test('an order that is not allowed is rejected with the server’s message, and nothing moves', async () => {
    await drag('Spike Arrest', 'ArrowUp');
    const alert = page.getByRole('alert').filter({ hasText: 'This order is not allowed' });
    await alert.waitFor();
    const [, proxyId] = /(prx_\w+)/.exec(page.url())!;
    const { data } = await author.call('GET', `/proxies/${proxyId}/policies`);
    const ids = data.policies.map(({ id }: { id: string }) => id) as string[];
    const order = { flow: 'request', policyIds: [ids[0], ids[2], ids[1]] };
    const refused = await author.call('PUT', `/proxies/${proxyId}/policies/order`, order);
    assert.equal(refused.status, 400);
    const said = Object.values(refused.data.errors)[0] as string;
    assert((await alert.textContent())?.includes(said), said);
    await policiesAre('Monthly quota', 'Quota', 'Spike Arrest');
    await checkAccessibility(page, 'policies');
    await picture(page, 'policies');
    await button('Dismiss', alert).click();
  });

  test('generate the specification and edit it', async () => {
    await section('Specification').click();
    await button('Generate specification').click();
    await button(/GET.*Read an order/).click();
    await button('Edit GET /{orderId}').click();
    const drawer = page.getByRole('dialog', { name: 'GET /{orderId}' });
    await drawer.getByLabel('Summary').fill('Read one order');
    await button('Save', drawer).click();
    await drawer.waitFor({ state: 'detached' });
    await button(/GET.*Read one order/).waitFor();
    await checkAccessibility(page, 'specification');
    await picture(page, 'specification');
  });

  test('blocking findings stop the request and link to their fixes', async () => {
    await button('Request approval').click();
    const dialog = page.getByRole('dialog', { name: 'Request approval' });
    await dialog.getByText(/^Blocked by \d+ findings?$/).waitFor();
    await dialog.getByText('Anybody can call GET /{orderId}').waitFor();
    assert.equal(await button('Request approval', dialog).isDisabled(), true);
    await checkAccessibility(page, 'governance stop');
    await picture(page, 'governance-stop');

    await dialog.getByRole('link', { name: 'Attach policy' }).first().click();
    await page.waitForURL(/\/policies\?attach=request/);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Verify API Key/ })
      .click();
    const form = page.getByRole('dialog', { name: 'Attach Verify API Key' });
    await button('Attach', form).click();
    await form.waitFor({ state: 'detached' });
    await policiesAre('Verify API Key', 'Monthly quota', 'Quota', 'Spike Arrest');

    await section('Specification').click();
    await button('Regenerate').click();
    await page.getByText('The routes or policies have changed since it was generated').waitFor({ state: 'detached' });
    await button(/GET.*Read one order/).waitFor();
    await button('Publish').click();
    await page.getByText('Published', { exact: true }).first().waitFor();

    await section('Governance').click();
    await button('Evaluate now').click();
    await page.getByText(/Score \d+ of 100 .*0 blocking/).waitFor();
    await checkAccessibility(page, 'governance');
    await picture(page, 'governance');
  });

  test('request approval, which the author can’t give', async () => {
    await button('Request approval').click();
    const dialog = page.getByRole('dialog', { name: 'Request approval' });
    await dialog.getByText('No blocking findings').waitFor();
    await dialog.getByLabel('Note').fill('First release');
    await button('Request approval', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open the review' }).click();
    await page.getByRole('heading', { level: 1, name: /orders: Draft → Approved/ }).waitFor();
    const approve = button('Approve');
    assert.equal(await approve.getAttribute('aria-disabled'), 'true');
    assert.match((await approve.getAttribute('aria-description')) ?? '', /permission lifecycle\.approve/);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Please look at the quota above all.');
    await button('Comment').click();
    await page.getByRole('article').filter({ hasText: 'Please look at the quota above all.' }).waitFor();
  });

  test('another user approves, and the revision may go to production', async () => {
    const review = page.url();
    const window = await tested.open({ caller: approver });
    await window.page.goto(`${tested.control.baseUrl}/review-queue?approvable=true`);
    await window.page.getByRole('link', { name: 'orders', exact: true }).click();
    await window.page.waitForURL(review);
    await window.page.getByRole('article').filter({ hasText: 'Please look at the quota above all.' }).waitFor();
    await window.page.getByRole('heading', { name: 'Changes' }).waitFor();
    await checkAccessibility(window.page, 'review');
    await picture(window.page, 'review');
    await button('Approve', window.page).click();
    const dialog = window.page.getByRole('dialog', { name: 'Approve orders' });
    await dialog.getByLabel('Reason').fill('The limits are right.');
    await button('Approve', dialog).click();
    await window.page.getByText(/^Approved by/).waitFor();
    assert.deepEqual(window.problems, []);

    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await page
      .getByRole('list', { name: 'Lifecycle' })
      .getByRole('listitem')
      .and(page.locator('[aria-current="step"]'))
      .filter({ hasText: 'Approved' })
      .waitFor();
    await section('Revisions').click();
    await page.getByText('Approved for production').waitFor();
    await page.getByText('No differences.').waitFor();
    await checkAccessibility(page, 'revisions');
    await picture(page, 'revisions');
  });

  test('an edit after that voids the approval and shows what it changed', async () => {
    await section('Routes').click();
    await page.getByRole('button', { name: '/{orderId}', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit route' });
    await field('Path', drawer).fill('/{orderId}/full');
    await button('Save', drawer).click();
    await button('Save edit').click();
    await drawer.waitFor({ state: 'detached' });
    await page.locator('#content').getByText('Draft', { exact: true }).waitFor();
    await section('Revisions').click();
    await page.getByText('breaking change').first().waitFor();
    await page.getByText('GET /{orderId} is no longer handled.').waitFor();
    await picture(page, 'diff');
  });

  /** Waits until the page shows these policies of the request flow, in this order. */
  async function policiesAre(...names: readonly string[]): Promise<void> {
    const handles = page.getByRole('region', { name: 'Request flow' }).getByRole('button', { name: /^Move / });
    const wanted = names.map((name) => `Move ${name}`).join();
    await eventually(wanted, async () => {
      const labels = await handles.evaluateAll((elements) => elements.map((element) => element.ariaLabel ?? ''));
      return labels.join() === wanted;
    });
  }

  async function drag(name: string, key: 'ArrowUp' | 'ArrowDown'): Promise<void> {
    const handle = page.getByRole('button', { name: `Move ${name}`, exact: true });
    await handle.focus();
    await page.keyboard.press('Space');
    await page.getByText(`${name} picked up`).waitFor({ state: 'attached' });
    await page.keyboard.press(key);
    await page
      .locator('[id^=DndLiveRegion]')
      .filter({ hasText: /moved over position|must come before/ })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
  }

  test('no error went unseen', () => {
    assert.deepEqual(problems, []);
  });
});
