import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestCaller } from '@millrace/control/testing';
import { checkAccessibility, type TestWindow, visit, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';

describe('the screens of the console', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  let administrator: TestCaller;
  let window: TestWindow;
  let page: Page;
  /** The address of one entity of each kind. */
  const addresses: string[] = [];

  before(async () => {
    running = await startTestConsole(import.meta.filename);
    const organizationId = await running.control.addOrganization('acme');
    administrator = await running.control.addUser(organizationId, ['organization_administrator']);
    await fill();
    window = await running.open({ caller: administrator });
    ({ page } = window);
  });
  after(() => running?.stop());

  async function post(path: string, body: unknown = {}) {
    const { status, data } = await administrator.call('POST', path, body);
    assert.ok(status < 300, `POST ${path}: ${JSON.stringify(data)}`);
    return data;
  }

  /** Creates one of everything with the API. */
  async function fill(): Promise<void> {
    const environment = await post('/environments', {
      name: 'staging',
      displayName: 'Staging',
      hostNames: ['staging.api.example.com'],
    });
    const target = await post('/target-servers', {
      environmentId: environment.id,
      name: 'orders-backend',
      scheme: 'http',
      host: '127.0.0.1',
      port: 9,
    });
    const proxy = await post('/proxies', {
      name: 'orders',
      displayName: 'Orders',
      basePath: '/v1/orders',
      protocol: 'rest',
      authScheme: 'api_key',
    });
    await post(`/proxies/${proxy.id}/routes`, {
      method: 'GET',
      pathPattern: '/{orderId}',
      targetServer: 'orders-backend',
      summary: 'Show an order',
    });
    const specification = await post(`/proxies/${proxy.id}/specifications`);
    await post(`/proxies/${proxy.id}/revisions`, { note: 'First' });
    const deployment = await post('/deployments', {
      proxyId: proxy.id,
      environmentId: environment.id,
      revision: 1,
      note: 'First try',
    });
    const user = await post('/users', { name: 'Robin', email: 'robin@example.com', roleIds: ['developer'] });
    const role = await post('/roles', { name: 'Release manager', permissions: ['deployment.read'] });
    const account = await post('/service-accounts', { name: 'Pipeline', permissions: ['proxy.read'] });
    const template = await post('/policy-templates', {
      name: 'partner-quota',
      kind: 'quota',
      configuration: { limit: 1_000, window: { unit: 'day' } },
    });
    await post(`/proxies/${proxy.id}/governance/evaluate`);
    const product = await post('/products', { name: 'orders', displayName: 'Orders', autoApprove: true });
    const bundled = await administrator.call('PUT', `/products/${product.id}/proxies/${proxy.id}`, {});
    assert.equal(bundled.status, 200);
    await post(`/products/${product.id}/publish`);
    const consumer = await post('/developers', { name: 'Sam', email: 'sam@example.com' });
    const app = await post('/apps', { developerId: consumer.id, name: 'shop', displayName: 'Shop' });
    await post(`/apps/${app.id}/credentials`, { name: 'Production' });
    const subscription = await post('/subscriptions', { appId: app.id, productId: product.id });
    const node = await post('/gateway-nodes', { environmentId: environment.id, name: 'frankfurt-1' });
    const { data } = await administrator.call('GET', '/audit?pageSize=1');
    addresses.push(
      `/environments/${environment.id}`,
      `/target-servers/${target.id}`,
      `/deployments/${deployment.id}`,
      `/specifications/${specification.id}`,
      `/specifications/${specification.id}?view=json`,
      `/specifications/${specification.id}?view=lint`,
      `/users/${user.id}`,
      `/roles/${role.id}`,
      '/roles/developer',
      `/service-accounts/${account.id}`,
      `/policy-templates/${template.id}`,
      `/audit/${data.entries[0].id}`,
      `/products/${product.id}`,
      `/products/${product.id}/subscriptions`,
      `/products/${product.id}/pricing`,
      `/developers/${consumer.id}`,
      `/developers/${consumer.id}/usage`,
      `/developers/${consumer.id}/balance`,
      `/apps/${app.id}`,
      `/apps/${app.id}/subscriptions`,
      `/subscriptions/${subscription.id}`,
      `/gateway-nodes/${node.id}`,
      `/proxies/${proxy.id}/trace`,
    );
  }

  const goto = async (path: string, on = page) => {
    await visit(on, `${running.control.baseUrl}${path}`);
    await on.getByRole('heading', { level: 1 }).waitFor();
    await on.getByLabel('Loading').first().waitFor({ state: 'hidden' });
  };
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const dialog = () => page.getByRole('dialog');
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  /** On the screen itself, not in an open list of options. */
  const shown = (text: string) => page.locator('#content').getByText(text, { exact: true });
  const notified = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();

  test('an environment is created, with the server’s errors at their fields, and deleted', async () => {
    await goto('/environments');
    await button('Create environment').click();
    await dialog().getByLabel('Display name').fill('Pre-production');
    await dialog().getByLabel(/^Name/).fill('Not a name');
    await dialog().getByRole('button', { name: 'Create' }).click();
    const name = dialog().getByLabel(/^Name/);
    await name.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    await checkAccessibility(page, 'a form with an error');
    await name.fill('pre-production');
    await dialog().getByLabel('Host names').fill('pre.api.example.com');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading('Pre-production');

    await button('Add variable').click();
    await dialog().getByLabel('Name').fill('UPSTREAM_TOKEN');
    await dialog().getByLabel('Value').fill('do not show me');
    await dialog().getByLabel('Secret').check();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'UPSTREAM_TOKEN', exact: true }).waitFor();
    await dialog().waitFor({ state: 'hidden' });
    assert.equal(await page.getByText('do not show me').count(), 0);

    await button('Delete').click();
    const confirm = dialog().getByRole('button', { name: 'Delete' });
    assert.equal(await confirm.isDisabled(), true);
    await dialog().getByLabel('Type pre-production to confirm').fill('pre-production');
    await confirm.click();
    await heading('Environments');
    await notified('Pre-production deleted.');
  });

  test('leaving a form with unsaved input asks first', async () => {
    await goto('/settings');
    await page.getByLabel('Currency').fill('usd');
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Audit' }).click();
    await dialog().getByText('They haven’t been saved.').waitFor();
    await checkAccessibility(page, 'leaving a form');
    await dialog().getByRole('button', { name: 'Keep editing' }).click();
    await dialog().waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Currency').inputValue(), 'USD');
    await main.getByRole('link', { name: 'Audit' }).click();
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await heading('Audit');
  });

  test('something in use is not deleted, and the dialog shows why', async () => {
    await goto(addresses[0]!);
    await button('Delete').click();
    await dialog().getByLabel('Type staging to confirm').fill('staging');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await dialog().getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
  });

  test('an edit is rejected if someone else edited in the meantime', async () => {
    await goto(addresses[1]!);
    await button('Edit').click();
    const id = addresses[1]!.split('/').at(-1);
    await administrator.call('PATCH', `/target-servers/${id}`, { description: 'Changed meanwhile' });
    await dialog().getByLabel('Description').fill('Mine');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Someone changed this since you read it').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a target server is tested, disabled and enabled', async () => {
    await goto(addresses[1]!);
    await button('Test connection').click();
    await page.getByText('Not connected').waitFor();
    await button('Disable').click();
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await shown('Disabled').waitFor();
    await button('Enable').click();
    await shown('Enabled').waitFor();
    await page.getByText('/{orderId}').waitFor();
  });

  test('search and sorting of a list are kept in its address', async () => {
    await goto('/target-servers');
    await page.getByRole('searchbox', { name: 'Search target servers' }).fill('nothing of the kind');
    await page.getByText('No target servers match.').waitFor();
    assert.match(page.url(), /search=nothing/);
    await page.reload();
    await page.getByText('No target servers match.').waitFor();
    await button('Clear search and filters').click();
    await page.getByRole('link', { name: 'orders-backend' }).waitFor();
    await page.getByRole('button', { name: /^Name/ }).click();
    await page.waitForURL(/sort=name/);
    await page.getByRole('button', { name: /^Name/ }).click();
    await page.waitForURL(/sort=-name/);
    await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort="descending"]')).waitFor();
  });

  test('a role is created with permissions and given to a user', async () => {
    await goto('/roles');
    await button('Create role').click();
    await dialog().getByLabel('Name').fill('Reader');
    await dialog().getByRole('group', { name: 'Proxy' }).getByLabel('read').check();
    await checkAccessibility(page, 'permission matrix');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading('Reader');
    await goto(addresses.find((address) => address.startsWith('/users/'))!);
    await button('Set roles').click();
    await dialog().getByRole('combobox', { name: 'Roles' }).click();
    await page.getByRole('option', { name: 'Reader' }).click();
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'Set roles' }).click();
    await shown('Reader').waitFor();
    await button('Suspend').click();
    await dialog().getByRole('button', { name: 'Suspend' }).click();
    await shown('Suspended').waitFor();
  });

  test('a token is shown once, and its bearer can call the API', async () => {
    const address = addresses.find((candidate) => candidate.startsWith('/service-accounts/'))!;
    await goto(address);
    await button('Issue token').click();
    await dialog().getByLabel('Name').fill('Build server');
    await dialog().getByRole('button', { name: 'Issue' }).click();
    await page.getByText('Shown only once').waitFor();
    const token = (await page.locator('[data-secret]').textContent()) ?? '';
    await checkAccessibility(page, 'a new token');
    const { status } = await running.control.call('GET', '/proxies', undefined, { authorization: `Bearer ${token}` });
    assert.equal(status, 200);
    await button('Done').click();
    await page.locator('[data-secret]').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Build server', exact: true }).waitFor();
    assert.equal((await page.content()).includes(token), false);
    await button('Revoke Build server').click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No tokens yet').waitFor();
  });

  test('the audit trail is filtered, read with before and after, verified and exported', async () => {
    await goto('/audit');
    await page.getByRole('textbox', { name: 'Operation' }).fill('updateTargetServer');
    await page.waitForURL(/operation=updateTargetServer/);
    const others = page.locator('tbody tr').filter({ hasNotText: 'Update target server' });
    await others.first().waitFor({ state: 'detached' });
    await page
      .getByRole('cell', { name: /Update target server/ })
      .first()
      .waitFor();
    await page.getByRole('cell').getByRole('link').first().click();
    await heading('Update target server');
    await page.getByText('Changed meanwhile').waitFor();
    await page.goBack();
    await button('Verify trail').click();
    await page.getByText('The trail is intact').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()]);
    assert.equal(download.suggestedFilename(), 'audit.csv');
    await page.goto(`${running.control.baseUrl}/audit`);
    await page
      .getByRole('cell', { name: /Export audit/ })
      .first()
      .waitFor();
  });

  test('a specification is uploaded, published and unpublished', async () => {
    await goto('/specifications');
    await button('Upload specification').click();
    const shipments = {
      openapi: '3.0.3',
      info: { title: 'Shipments', version: '2.0.0' },
      paths: { '/{id}': { get: { summary: 'Read a shipment', responses: { 200: { description: 'It.' } } } } },
    };
    await dialog().getByRole('textbox', { name: 'Document' }).fill('{ no document');
    await dialog().getByRole('button', { name: 'Upload' }).click();
    await dialog().getByRole('textbox', { name: 'Document' }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await dialog().getByRole('textbox', { name: 'Document' }).fill(JSON.stringify(shipments));
    await dialog().getByRole('button', { name: 'Upload' }).click();
    await heading('Shipments 2.0.0');
    await page.getByText('Read a shipment').first().waitFor();
    await button('Publish').click();
    await shown('Published').waitFor();
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
    await dialog().getByRole('button', { name: 'Unpublish' }).click();
    await shown('Draft').waitFor();
  });

  test('a finding is waived for a reason until a date, and the waiver is ended', async () => {
    await goto('/governance/findings');
    await page
      .getByRole('button', { name: /^Waive / })
      .first()
      .click();
    await dialog().getByLabel('Reason').fill('Only until the partner can send keys.');
    await dialog().getByRole('button', { name: 'Waive' }).click();
    await notified('waived.');
    await page.getByRole('link', { name: 'Waivers' }).click();
    await page.getByText('Only until the partner can send keys.').waitFor();
    await page.getByRole('button', { name: /^End the waiver/ }).click();
    await dialog().getByRole('button', { name: 'End', exact: true }).click();
    await shown('Ended').waitFor();
  });

  test('a custom rule is created and edited, and a bad ruleset is rejected at its field', async () => {
    await goto('/governance/standards');
    await button('Create rule').click();
    await dialog().getByLabel('Code').fill('CUS-010');
    await dialog().getByLabel('Name').fill('A contact is named');
    await dialog().getByLabel('Spectral ruleset').fill('rules: [');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByLabel('Spectral ruleset').and(page.locator('[aria-invalid="true"]')).waitFor();
    const ruleset = '{"rules": {"contact": {"given": "$.info", "then": {"field": "contact", "function": "truthy"}}}}';
    await dialog().getByLabel('Spectral ruleset').fill(ruleset);
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading(/CUS-010/);
    await button('Edit').click();
    await dialog().getByLabel('Blocking').check();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await notified('CUS-010 saved.');
  });

  test('a policy template is created with the form of its kind', async () => {
    await goto('/policy-templates');
    await button('Create policy template').click();
    await dialog().getByRole('combobox', { name: 'Policy' }).click();
    await page.getByRole('option', { name: 'Spike Arrest' }).click();
    await dialog().getByLabel(/^Name/).fill('calm-down');
    await checkAccessibility(page, 'a policy template’s form');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading('calm-down');
  });

  test('settings are saved', async () => {
    await goto('/settings');
    await page.getByLabel('Currency').fill('chf');
    await button('Save').click();
    await notified('Settings saved.');
    await page.reload();
    assert.equal(await page.getByLabel('Currency').inputValue(), 'CHF');
  });

  test('a live deployment is undeployed after its name is typed', async () => {
    await goto(addresses.find((address) => address.startsWith('/deployments/'))!);
    await page.getByRole('row', { name: /frankfurt-1 Offline/ }).waitFor();
    await button('Undeploy').click();
    await dialog().getByLabel('Type orders to confirm').fill('orders');
    await dialog().getByRole('button', { name: 'Undeploy' }).click();
    await shown('Undeployed').waitFor();
  });

  test('the command palette finds screens and objects', async () => {
    await goto('/');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to, or search').fill('target');
    await page.getByRole('button', { name: /^Target servers/ }).waitFor();
    await page.keyboard.press('Enter');
    await heading('Target servers');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to, or search').fill('robin');
    await page.getByRole('button', { name: /^Robin/ }).click();
    await heading('Robin');
  });

  test('a keyboard reaches the content without passing through the navigation', async () => {
    await goto('/environments');
    await page.reload();
    await heading('Environments');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Tab');
    await page
      .locator(':focus')
      .and(page.getByText('Skip to content', { exact: true }))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#content:focus').waitFor();
  });

  test('a user with few permissions sees only their navigation, and which permission a button needs', async () => {
    const developer = await running.control.addUser(administrator.organizationId, ['developer']);
    await using opened = await running.open({ caller: developer });
    const { page: own } = opened;
    await goto('/environments', own);
    const main = own.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Deployments' }).waitFor();
    assert.equal(await main.getByRole('link', { name: 'Users' }).count(), 0);
    assert.equal(await main.getByRole('link', { name: 'Audit' }).count(), 0);
    const create = own.getByRole('button', { name: 'Create environment' });
    await create.focus();
    await own.getByRole('tooltip').getByText('You need the permission environment.write.').waitFor();
    await own.keyboard.press('Enter');
    assert.equal(await own.getByRole('dialog').count(), 0);
    await own.goto(`${running.control.baseUrl}/users`);
    await own.getByRole('alert').getByText('user.read').waitFor();
  });

  test('an unknown address, or one of a missing entity, shows that and where to go next', async () => {
    await goto('/no-such-page/at-all');
    await heading('Page not found');
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Deployments' }).waitFor();
    await checkAccessibility(page, 'no such page');
    await page.locator('#content').getByRole('link', { name: 'Go to the overview' }).click();
    await heading('Overview');
    for (const address of addresses) {
      const unknown = address.replace(/_\w+/, `_${'0'.repeat(25)}9`);
      if (unknown === address) continue;
      await goto(unknown);
      await heading('Not found');
      await main.getByRole('link', { name: 'Deployments' }).waitFor();
    }
    await checkAccessibility(page, 'no such entity');
    await goto('/users/usr_00000000000000000000000009');
    await page.getByRole('link', { name: 'Go to the list' }).click();
    await heading('Users');
  });

  test('a Super Admin opens another organization and returns', async () => {
    const platformId = await running.control.addOrganization('overseers');
    const superAdmin = await running.control.addUser(platformId, ['super_admin']);
    await using opened = await running.open({ caller: superAdmin });
    await goto('/organizations', opened.page);
    await checkAccessibility(opened.page, '/organizations');
    await opened.page.getByRole('button', { name: /^Organization overseers/ }).click();
    await opened.page.getByRole('menuitem', { name: 'acme' }).click();
    await opened.page.getByRole('button', { name: /^Organization acme/ }).waitFor();
    await opened.page.getByRole('link', { name: 'Target servers', exact: true }).click();
    await opened.page.getByRole('link', { name: 'orders-backend' }).waitFor();
    await opened.page.getByRole('button', { name: /^Organization acme/ }).click();
    await opened.page.getByRole('menuitem', { name: 'overseers' }).click();
    await opened.page.getByRole('button', { name: /^Organization overseers/ }).waitFor();
    await goto('/target-servers', opened.page);
    await opened.page.getByText('There are no target servers yet.').waitFor();
    assert.deepEqual(opened.problems, []);
  });

  test('no error occurred that users don’t see, and no other host was called', () => {
    assert.deepEqual(window.problems, []);
  });
});
