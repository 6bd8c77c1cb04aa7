import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { addRatePlan } from '@millrace/control/products/testing';
import { withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate, operatorOf } from './operator.ts';

suite('products and their consumers, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  /** A published product of one proxy. */
  async function productOf(operator: Operator): Promise<{ readonly id: string; readonly proxyId: string }> {
    const proxy = { name: 'orders', displayName: 'Orders API', basePath: '/v1/orders', protocol: 'rest' };
    const { id: proxyId } = await operator.post('/proxies', { ...proxy, authScheme: 'api_key' });
    const { id } = await operator.post('/products', { name: 'orders', displayName: 'Orders' });
    await operator.call('PUT', `/products/${id}/proxies/${proxyId}`, {});
    await operator.post(`/products/${id}/publish`);
    return { id, proxyId };
  }
  const developerOf = (operator: Operator) =>
    operator.post('/developers', { name: 'Sam Example', email: 'sam@example.com' });
  const appOf = async (operator: Operator, developerId: string) =>
    operator.post('/apps', { developerId, name: 'shop', displayName: 'Shop front end' });
  /** A pending subscription of an app to a product. */
  async function subscriptionOf(operator: Operator): Promise<{ readonly id: string; readonly productId: string }> {
    const { id: productId } = await productOf(operator);
    const app = await appOf(operator, (await developerOf(operator)).id);
    const { id } = await operator.post('/subscriptions', { appId: app.id, productId });
    return { id, productId };
  }

  test('a product is edited, emptied, unpublished, suspended, activated and deleted', () =>
    operate(running, async (operator) => {
      const { id } = await productOf(operator);
      const product = () => operator.get(`/products/${id}`);
      await operator.goto(`/products/${id}`);
      await operator.press('Edit');
      await operator.dialog('Edit API product').getByLabel('Display name').fill('Orders and returns');
      await operator.dialog('Edit API product').getByLabel('Auto-approve subscriptions').check();
      await operator.send('Edit API product', 'Save');
      await operator.heading('Orders and returns');
      assert.equal((await product()).autoApprove, true);

      await operator.press('Suspend');
      await operator.confirm('Suspend Orders and returns?', 'Suspend');
      await operator.shown('Suspended');
      assert.equal((await product()).state, 'suspended');
      await operator.press('Activate');
      await operator.button('Suspend').waitFor();
      assert.equal((await product()).state, 'active');

      await operator.press('Unpublish');
      await operator.confirm('Unpublish Orders and returns?', 'Unpublish');
      await operator.button('Publish').waitFor();
      assert.equal((await product()).published, false);

      await operator.press('Remove Orders API');
      await operator.confirm('Remove Orders API?', 'Remove');
      assert.deepEqual((await product()).proxies, []);

      await operator.press('Delete');
      await operator.confirm('Delete Orders and returns?', 'Delete', 'orders');
      await operator.heading('API products');
      assert.equal(await operator.statusOf(`/products/${id}`), 404);
    }));

  test('a developer is edited and deleted', () =>
    operate(running, async (operator) => {
      const { id } = await developerOf(operator);
      await operator.goto(`/developers/${id}`);
      await operator.press('Edit');
      await operator.dialog('Edit developer').getByLabel('Company').fill('Harbour Trade');
      await operator.send('Edit developer', 'Save');
      await operator.shown('sam@example.com, Harbour Trade');
      await operator.press('Delete');
      await operator.confirm('Delete Sam Example?', 'Delete', 'sam@example.com');
      await operator.heading('Developers');
      assert.equal(await operator.statusOf(`/developers/${id}`), 404);
    }));

  test('an app is edited, suspended, activated and deleted', () =>
    operate(running, async (operator) => {
      const { id } = await appOf(operator, (await developerOf(operator)).id);
      const app = () => operator.get(`/apps/${id}`);
      await operator.goto(`/apps/${id}`);
      await operator.press('Edit');
      await operator.dialog('Edit app').getByLabel('Callback URL').fill('https://shop.example/callback');
      await operator.send('Edit app', 'Save');
      await operator.shown('https://shop.example/callback');
      await operator.press('Suspend');
      await operator.confirm('Suspend Shop front end?', 'Suspend');
      await operator.shown('Suspended');
      assert.equal((await app()).state, 'suspended');
      await operator.press('Activate');
      await operator.shown('Active');
      assert.equal((await app()).state, 'active');
      await operator.press('Delete');
      await operator.confirm('Delete Shop front end?', 'Delete', 'shop');
      await operator.heading('Apps');
      assert.equal(await operator.statusOf(`/apps/${id}`), 404);
    }));

  test('a revoked credential shows when it was revoked, and has no actions', () =>
    operate(running, async (operator) => {
      const { id } = await appOf(operator, (await developerOf(operator)).id);
      const credential = await operator.post(`/apps/${id}/credentials`, { name: 'Production' });
      const cell = (title: string) => operator.page.locator(`td[data-title="${title}"]`);
      await operator.goto(`/apps/${id}`);
      await operator.shown('Never');
      await operator.post(`/apps/${id}/credentials/${credential.id}/revoke`);
      await operator.page.reload();
      await cell('State').getByText('Revoked').waitFor();
      assert.equal(await cell('State').getByRole('time').count(), 1);
      assert.equal(await cell('Expires').textContent(), '–');
      assert.equal(await cell('Actions').textContent(), '');
    }));

  test('a subscription is rejected for a reason in the queue', () =>
    operate(running, async (operator) => {
      const { id } = await subscriptionOf(operator);
      const approver = await operatorOf(running, { organizationId: operator.organizationId });
      await approver.goto('/subscriptions/queue');
      await approver.press('Reject Shop front end to Orders');
      const title = 'Reject Shop front end to Orders?';
      await approver.dialog(title).getByLabel('Reason').fill('Ask for the sandbox first.');
      await approver.send(title, 'Reject');
      await approver.page.getByText('Nothing waits for approval.').waitFor();
      const { state, reason } = await approver.get(`/subscriptions/${id}`);
      assert.deepEqual([state, reason], ['rejected', 'Ask for the sandbox first.']);
      assert.deepEqual(approver.problems, []);
      await approver.close();
    }));

  test('a subscription gets another rate plan, and is revoked for a reason', () =>
    operate(running, async (operator) => {
      const { id, productId } = await subscriptionOf(operator);
      const planId = await addRatePlan(running.control, operator.organizationId, productId, 'published');
      const { ratePlans } = await operator.get(`/products/${productId}/rate-plans`);
      const approver = await operatorOf(running, { organizationId: operator.organizationId });
      await approver.post(`/subscriptions/${id}/approve`);
      await operator.goto(`/subscriptions/${id}`);
      await operator.press('Change rate plan');
      const plan = operator.dialog('Rate plan of Shop front end');
      await operator.choose(plan.getByRole('combobox', { name: 'Rate plan' }), ratePlans[0].displayName);
      await operator.send('Rate plan of Shop front end', 'Save');
      await operator.shown(ratePlans[0].displayName);
      assert.equal((await operator.get(`/subscriptions/${id}`)).ratePlanId, planId);

      await operator.press('Revoke');
      const title = 'Revoke Shop front end to Orders?';
      await operator.dialog(title).getByLabel('Reason').fill('The contract ended.');
      await operator.send(title, 'Revoke');
      await operator.shown('Revoked');
      await operator.shown('The contract ended.');
      assert.equal((await operator.get(`/subscriptions/${id}`)).state, 'revoked');
      await approver.close();
    }));
});
