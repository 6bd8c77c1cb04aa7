import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { withoutBrowser } from '@millrace/ui/testing';
import { type Developer, developerOf } from './developer.ts';
import { type RunningPortal, startPortal } from './portal.ts';
import { openBilling } from './scenario.ts';

suite('self-service in the portal', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  let owner: Developer;
  /** An app with a key, subscribed to Orders. */
  let appId: string;
  let key: string;

  before(async () => {
    running = await startPortal(import.meta.filename);
    await openBilling(running.administrator);
    owner = await developerOf(running);
    appId = (await owner.call('POST', '/portal/apps', { displayName: 'Warehouse' })).id;
    const body = { appId, productId: running.apis.orders.id, ratePlanId: running.apis.orders.plans.starter };
    await owner.call('POST', '/portal/subscriptions', body);
    key = (await owner.call('POST', `/portal/apps/${appId}/credentials`, { name: 'First' })).key;
  });
  after(() => running?.stop());

  const callGateway = async (path: string, withKey = key) => {
    const response = await fetch(`${running.apis.gatewayUrl}/v1/shop${path}`, { headers: { 'x-api-key': withKey } });
    await response.text();
    return response.status;
  };

  /** Nodes learn of a key within a second. */
  async function statusBecomes(expected: number, withKey: string): Promise<void> {
    const isThere = async () => (await callGateway('/orders', withKey)) === expected;
    await eventually(`the status ${expected}`, isThere);
  }

  test('an app is created, changed and deleted', async () => {
    await owner.goto('/account/apps', 'Apps');
    await owner.press('Create app');
    await owner.dialog('Create app').getByLabel('Name').fill('Till');
    await owner.dialog('Create app').getByLabel('Callback URL').fill('https://till.example/back');
    await owner.button('Create app', owner.dialog('Create app')).click();
    await owner.heading('Till');
    await owner.press('Edit');
    await owner.dialog('Edit app').getByLabel('Name').fill('Till 2');
    await owner.send('Edit app', 'Save');
    await owner.heading('Till 2');
    const { apps } = await owner.get('/portal/apps?search=Till');
    assert.equal(apps[0].callbackUrl, 'https://till.example/back');
    await owner.press('Delete');
    const question = owner.dialog('Delete Till 2?');
    await question.getByLabel('Type Till 2 to confirm').fill('Till 2');
    await owner.send('Delete Till 2?', 'Delete');
    await owner.heading('Apps');
    assert.equal((await owner.get('/portal/apps?search=Till')).total, 0);
  });

  test('a key is created, rotated with an overlap, and revoked', async () => {
    await owner.goto(`/account/apps/${appId}`, 'Warehouse');
    await owner.press('Create key');
    await owner.dialog('Create key').getByLabel('Name').fill('Staging');
    await owner.choose(owner.dialog('Create key').getByLabel('Expires'), 'In 30 days');
    await owner.button('Create key', owner.dialog('Create key')).click();
    const shown = owner.dialog('Your new key');
    await shown.getByText('Shown only once').waitFor();
    const first = (await shown.locator('[data-secret]').textContent()) ?? '';
    await owner.button('Done', shown).click();
    await statusBecomes(200, first);

    await owner.press('Rotate Staging');
    await owner.choose(owner.dialog('Rotate Staging').getByLabel('Overlap'), '1 hour');
    await owner.button('Rotate', owner.dialog('Rotate Staging')).click();
    const second = (await shown.locator('[data-secret]').textContent()) ?? '';
    await owner.button('Done', shown).click();
    await owner.shown('Previous key until');
    await statusBecomes(200, second);
    assert.equal(await callGateway('/orders', first), 200);

    await owner.press('Revoke Staging');
    await owner.send('Revoke Staging?', 'Revoke');
    await statusBecomes(401, second);
    const { credentials } = await owner.get(`/portal/apps/${appId}/credentials?state=revoked`);
    assert.equal(credentials[0].name, 'Staging');
  });

  test('a subscription waits for approval, changes its plan with a preview, and is cancelled', async () => {
    await owner.goto('/account/subscriptions', 'Subscriptions');
    await owner.press('Subscribe');
    const form = owner.dialog('Subscribe');
    await owner.choose(form.getByLabel('App'), 'Warehouse');
    await owner.choose(form.getByLabel('Product'), 'Stock');
    await form.getByText('needs approval').waitFor();
    await form.getByRole('radio', { name: /^Business/ }).click();
    await owner.button('Subscribe', form).click();
    await form.waitFor({ state: 'detached' });
    await owner.shown('Pending');
    const [pending] = (await owner.get('/portal/subscriptions?state=pending')).subscriptions;
    assert.equal(pending.ratePlanName, 'Business');

    const [active] = (await owner.get('/portal/subscriptions?state=approved')).subscriptions;
    await owner.goto(`/account/subscriptions/${active.id}`, 'Orders');
    await owner.shown('Plan: Starter');
    await owner.press('Change plan');
    const change = owner.dialog('Change plan');
    await change.getByRole('radio', { name: /^Business/ }).click();
    await change.getByText('Changing to Business').waitFor();
    await owner.send('Change plan', 'Change plan');
    await owner.shown('Plan: Business');
    await owner.press('Cancel subscription');
    await owner.send('Cancel the subscription to Orders?', 'Cancel subscription');
    await owner.shown('Cancelled');
    assert.equal((await owner.get(`/portal/subscriptions/${active.id}`)).state, 'cancelled');
    await statusBecomes(403, key);

    await owner.goto('/account/start', 'Get an API key');
    await owner.page.getByRole('radio', { name: /^Orders/ }).click();
    await owner.page.getByRole('radio', { name: /^Starter/ }).waitFor();
    await owner.press('Create key');
    await owner.heading('Your key is ready');
    await owner.page.getByRole('link', { name: 'Go to the app' }).click();
    await owner.heading('Warehouse');
    await owner.press('Subscribe');
    await owner.dialog('Subscribe').getByText('Product').first().waitFor();
    await owner.button('Cancel', owner.dialog('Subscribe')).click();
    await statusBecomes(200, key);
  });

  test('usage is shown by day, product and API, and recent requests by status', async () => {
    await callGateway('/orders/absent');
    await eventually('the request', async () => (await owner.get('/portal/requests?failed=true')).total > 0);
    await owner.goto('/account/usage', 'Usage');
    await owner.page.getByRole('figure', { name: 'Calls by day' }).waitFor();
    await owner.shown('By product');
    await owner.choose(owner.page.getByRole('combobox', { name: 'Time range' }), 'Last 7 days');
    await owner.page.waitForURL(/days=7d/);
    await owner.choose(owner.page.getByRole('combobox', { name: 'App' }), 'Warehouse');
    await owner.page.waitForURL(/appId=app_/);
    await owner.page.getByRole('link', { name: 'Recent requests' }).click();
    await owner.shown('/v1/shop/orders/{orderId}');
    await owner.choose(owner.page.getByRole('combobox', { name: 'Outcome' }), 'Failed');
    await owner.page.waitForURL(/failed=/);
    await owner.page.getByRole('cell').getByText('404').first().waitFor();
    await owner.goto('/account', 'Welcome, Robin Doe');
    await owner.shown('The last 30 days');
  });

  test('failures by route are exact, however many there are, and of the account’s own apps', async () => {
    const { apis } = running;
    const busy = await developerOf(running);
    const neighbour = await developerOf(running);
    const keyOf = async (developer: Developer) => {
      const { id } = await developer.call('POST', '/portal/apps', { displayName: 'Busy' });
      const body = { appId: id, productId: apis.orders.id, ratePlanId: apis.orders.plans.starter };
      await developer.call('POST', '/portal/subscriptions', body);
      return (await developer.call('POST', `/portal/apps/${id}/credentials`, { name: 'First' })).key as string;
    };
    const [own, foreign] = [await keyOf(busy), await keyOf(neighbour)];
    await statusBecomes(200, own);
    await statusBecomes(200, foreign);
    // More than the last requests that are kept of an app, and then as many that succeed.
    const paths = [
      ...Array.from({ length: 130 }, () => '/orders/absent'),
      ...Array.from({ length: 3 }, () => '/orders?state=absent'),
      ...Array.from({ length: 110 }, () => '/orders'),
    ];
    const statuses = new Map<number, number>();
    for (const path of paths) {
      const status = await callGateway(path, own);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual([...statuses].toSorted(), [
      [200, 110],
      [404, 133],
    ]);
    assert.equal(await callGateway('/orders/absent', foreign), 404);
    const isCounted = (developer: Developer, requests: number) =>
      eventually('all calls to be reported', async () => {
        const { total } = await developer.get('/portal/usage');
        return total.requests >= requests;
      });
    // One more that showed that the node knew the key.
    await isCounted(busy, paths.length + 1);
    await isCounted(neighbour, 2);

    const rowsOf = async (developer: Developer) => {
      await developer.goto('/account/usage', 'Usage');
      const table = developer.page.getByRole('region', { name: 'Errors by route' }).getByRole('table');
      await table.waitFor();
      const rows = await table.getByRole('row').all();
      return Promise.all(rows.slice(1).map(async (row) => row.getByRole('cell').allTextContents()));
    };
    assert.deepEqual(await rowsOf(busy), [
      ['GET /v1/shop/orders/{orderId}', '130', '0'],
      ['GET /v1/shop/orders', '3', '0'],
    ]);
    assert.deepEqual(await rowsOf(neighbour), [['GET /v1/shop/orders/{orderId}', '1', '0']]);
    // Nodes report the last requests apart from the usage.
    const isReported = async () => (await neighbour.get('/portal/requests?failed=true')).total > 0;
    await eventually('the failed request', isReported);
    await neighbour.page.getByRole('link', { name: 'GET /v1/shop/orders/{orderId}' }).click();
    await neighbour.page.waitForURL(/usage\/requests\?.*failed=/);
    await neighbour.page.getByRole('cell').getByText('404').first().waitFor();
    await busy.leave();
    await neighbour.leave();
  });

  test('a viewer is offered nothing that changes anything', async () => {
    const viewer = await developerOf(running, 'viewer', { developerId: owner.user.developerId });
    for (const [path, heading] of [
      ['/account/apps', 'Apps'],
      [`/account/apps/${appId}`, 'Warehouse'],
      ['/account/subscriptions', 'Subscriptions'],
      ['/account/team', 'Team'],
    ] as const) {
      await viewer.goto(path, heading);
      const offered = viewer.page
        .locator('#root')
        .getByRole('button', { name: /Create|Edit|Delete|Rotate|Revoke|Subscribe|Invite/ });
      assert.equal(await offered.count(), 0, path);
    }
    assert.equal(await viewer.page.getByRole('link', { name: 'Invoices' }).count(), 0);
    await viewer.goto('/account/start', 'Get an API key');
    await viewer.shown('Your role can’t create apps.');
    await viewer.leave();
    await owner.leave();
  });
});
