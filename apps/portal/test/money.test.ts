import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { withoutBrowser } from '@millrace/ui/testing';
import { type Developer, developerOf } from './developer.ts';
import { type RunningPortal, startPortal } from './portal.ts';
import { addInvoice } from './scenario.ts';

suite('money in the portal', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  let billing: Developer;
  let subscriptionId: string;
  before(async () => {
    running = await startPortal(import.meta.filename);
    const owner = await running.portal.addUser('owner', await running.addDeveloper());
    const { data: app } = await owner.call('POST', '/portal/apps', { displayName: 'Warehouse' });
    const { id: productId, plans } = running.apis.orders;
    const body = { appId: app.id, productId, ratePlanId: plans.prepaid };
    subscriptionId = (await owner.call('POST', '/portal/subscriptions', body)).data.id;
    billing = await developerOf(running, 'billing', { developerId: owner.developerId });
    await addInvoice(running.control, running.administrator, owner.developerId);
  });
  after(() => running?.stop());

  async function saved(name: string): Promise<string> {
    const [download] = await Promise.all([billing.page.waitForEvent('download'), billing.press(name)]);
    return (await readFile(await download.path(), 'latin1')).slice(0, 2_000);
  }

  test('an invoice is shown with its lines, and saved as PDF and XML', async () => {
    await billing.goto('/account/invoices', 'Invoices');
    const [invoice] = (await billing.get('/portal/invoices')).invoices;
    await billing.page.getByRole('link', { name: invoice.number }).click();
    await billing.heading(invoice.number);
    await billing.shown('€71.40');
    assert.match(await saved('Download PDF'), /^%PDF-/);
    assert.match(await saved('Download XML'), /CrossIndustryInvoice/);
  });

  test('a budget is set, shown and removed', async () => {
    await billing.goto('/account/balance', 'Budget and balance');
    const set = async (amount: string, done: string) => {
      await billing.press('Set budget');
      await billing.dialog('Set budget').getByLabel('Budget per billing period').fill(amount);
      await billing.button('Save', billing.dialog('Set budget')).click();
      await billing.page.getByText(done).waitFor();
    };
    await billing.press('Set budget');
    await billing.dialog('Set budget').getByLabel('Budget per billing period').fill('much');
    await billing.button('Save', billing.dialog('Set budget')).click();
    await billing.page.getByText('Enter an amount such as 50.00.').waitFor();
    await billing.dialog('Set budget').getByLabel('Budget per billing period').fill('50');
    await billing.send('Set budget', 'Save');
    await billing.shown('of €50.00');
    const amount = async () => (await billing.get('/portal/budget')).currencies[0]?.amountMinor;
    assert.equal(await amount(), 5_000);
    await set('', 'Budget removed.');
    assert.equal((await amount()) ?? null, null);
  });

  test('a top-up is requested, and its answer is shown', async () => {
    await billing.goto('/account/team', 'Team');
    await billing.goto('/account/balance', 'Budget and balance');
    await billing.page.getByRole('button', { name: /^Request top-up: / }).click();
    const form = billing.dialog('Request top-up');
    await form.getByLabel('Amount in EUR').fill('250.00');
    await form.getByLabel('Note').fill('Purchase order 4711');
    await billing.send('Request top-up', 'Request top-up');
    await billing.shown('Purchase order 4711');
    const { topUpRequests } = await billing.get('/portal/balance');
    assert.equal(topUpRequests[0].amountMinor, 25_000);
    assert.equal(topUpRequests[0].subscriptionId, subscriptionId);
    await billing.shown('Open');
    const creditExpiry = { count: 30, unit: 'day' };
    const paid = { amountMinor: 24_000, requestId: topUpRequests[0].id, creditExpiry };
    const { status } = await running.administrator.call('POST', `/subscriptions/${subscriptionId}/top-ups`, paid);
    assert.equal(status, 201);
    const second = { subscriptionId, amountMinor: 9_900 };
    const other = await billing.call('POST', '/portal/balance/top-up-requests', second);
    const decline = `/billing/top-up-requests/${other.id}/decline`;
    await running.administrator.call('POST', decline, { reason: 'Please pay invoice 1042 first.' });
    await billing.page.reload();
    await billing.shown('Movements');
    await billing.shown('€240.00 credited');
    const { accounts } = await billing.get('/portal/balance');
    assert.equal(accounts[0].expiring[0].leftMinor, '24000');
    const account = billing.page.getByRole('row', { name: /Request top-up/ });
    await account
      .getByText(new RegExp(`€240.00: .*${new Date(accounts[0].expiring[0].expiresAt).getUTCFullYear()}`))
      .waitFor();
    const declined = billing.page.getByRole('row', { name: /€99.00/ });
    await declined.getByText('Declined').waitFor();
    await declined.getByText('Please pay invoice 1042 first.').waitFor();
    await billing.leave();
  });
});
