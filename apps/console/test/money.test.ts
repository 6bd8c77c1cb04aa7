import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  addBilled,
  addCalls,
  closeNext,
  openPeriods,
  pastMonths,
  setUpBilling,
} from '@millrace/control/billing-periods/testing';
import { addNode } from '@millrace/control/gateway-nodes/testing';
import { addTopUpRequests, addUnassigned } from '@millrace/control/products/testing';
import { withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate, operatorOf } from './operator.ts';

suite('money, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  /** A published product whose subscriptions need no approval; its id. */
  async function addProduct(operator: Operator): Promise<string> {
    const proxy = { name: 'pages', displayName: 'Pages API', basePath: '/v1/pages', protocol: 'rest' };
    const { id: proxyId } = await operator.post('/proxies', { ...proxy, authScheme: 'api_key' });
    const texts = { name: 'pages', displayName: 'Pages' };
    const { id } = await operator.post('/products', { ...texts, autoApprove: true, unitsHeader: 'x-pages' });
    await operator.call('PUT', `/products/${id}/proxies/${proxyId}`, {});
    await operator.post(`/products/${id}/publish`);
    return id;
  }

  async function subscribe(operator: Operator, productId: string, ratePlanId: string): Promise<string> {
    const developer = await operator.post('/developers', { name: 'Sam Example', email: 'sam@example.com' });
    const app = await operator.post('/apps', {
      developerId: developer.id,
      name: 'shop',
      displayName: 'Shop front end',
    });
    return (await operator.post('/subscriptions', { appId: app.id, productId, ratePlanId })).id;
  }

  const link = ({ page }: Operator, name: string) => page.getByRole('link', { name, exact: true });
  const total = ({ page }: Operator) => page.locator('[data-total]');

  test('a rate plan is drafted with its price beside it, and published', () =>
    operate(running, async (operator) => {
      const productId = await addProduct(operator);
      const { page } = operator;
      await operator.goto(`/products/${productId}/pricing`);
      await link(operator, 'Create rate plan').click();
      await operator.heading('Create rate plan');
      await page.getByLabel('Display name').fill('By the page');
      await page.getByRole('radio', { name: /^Tiered/ }).click();
      await page.getByLabel('Recurring fee').fill('20');
      const charge = page.getByRole('group', { name: 'Charge 1', exact: true });
      await charge.getByLabel('Name').fill('pages');
      await operator.choose(charge.getByRole('combobox', { name: 'Meter' }), 'Units');
      await operator.choose(charge.getByRole('combobox', { name: 'Model' }), 'Graduated tiers');
      await charge.getByLabel('Price per unit of tier 1').fill('0.05');
      await operator.button('Add tier', charge).click();
      await charge.getByLabel('Up to of tier 2').fill('500');
      await charge.getByLabel('Price per unit of tier 2').fill('0.03');
      await charge.getByLabel('Price per unit of tier 3').fill('0.01');
      await operator.press('Create draft');
      await charge.getByText('This tier ends at or before 1000').waitFor();
      await charge.getByLabel('Up to of tier 2').and(page.locator(':focus')).waitFor();

      await charge.getByLabel('Up to of tier 2').fill('5000');
      await page.getByLabel('Usage of pages').fill('6000');
      await total(operator).filter({ hasText: '€200.00' }).waitFor();
      await page.getByRole('figure', { name: 'Price per period' }).waitFor();
      await page.getByText('Per unit', { exact: true }).click();
      await page.getByRole('figure', { name: 'Average price per unit' }).waitFor();

      await operator.press('Create draft');
      await operator.heading('By the page');
      const [plan] = (await operator.get('/rate-plans')).ratePlans;
      assert.deepEqual(
        [plan.name, plan.type, plan.currency, plan.recurringFee, plan.state],
        ['by-the-page', 'tiered', 'EUR', '20', 'draft'],
      );
      assert.deepEqual(
        plan.charges[0].tiers.map((tier: { upTo: string; unitPrice: string }) => [tier.upTo, tier.unitPrice]),
        [
          ['1000', '0.05'],
          ['5000', '0.03'],
          [null, '0.01'],
        ],
      );
      await page.getByLabel('Usage of pages').fill('5100');
      await operator.press('Estimate');
      await total(operator).filter({ hasText: '€191.00' }).waitFor();
      await operator.press('Publish');
      await operator.confirm('Publish By the page?', 'Publish');
      await operator.shown('Published');
      assert.equal((await operator.get(`/rate-plans/${plan.id}`)).state, 'published');

      await operator.goto(`/products/${productId}/pricing`);
      await page.getByRole('article', { name: 'By the page' }).getByText('€20.00').waitFor();
    }));

  test('a published rate plan gets a version for existing subscribers, and is retired', () =>
    operate(running, async (operator) => {
      const productId = await addProduct(operator);
      const { page } = operator;
      const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' };
      const terms = { type: 'pay_as_you_go', currency: 'EUR', charges: [charge] };
      const texts = { name: 'standard', displayName: 'Standard' };
      const { id } = await operator.post('/rate-plans', { productId, ...texts, ...terms });
      const plan = () => operator.get(`/rate-plans/${id}`);
      await operator.post(`/rate-plans/${id}/publish`);
      await subscribe(operator, productId, id);
      await operator.goto('/rate-plans');
      await link(operator, 'Standard').click();
      await link(operator, 'New version').click();
      await operator.heading('Version 2 of Standard');
      const charges = page.getByRole('group', { name: 'Charges' });
      await operator.choose(charges.getByRole('combobox', { name: 'Model' }), 'Price per package');
      await charges.getByLabel('Price per package').fill('0.5');
      await operator.press('Save draft');
      await operator.shown('Version 2 drafted');
      await page.getByText('Version 2, draft').click();
      await operator.shown('€0.50 per 100 requests');

      await operator.press('Delete draft');
      await operator.confirm('Delete version 2?', 'Delete draft');
      await link(operator, 'New version').waitFor();
      assert.equal((await plan()).draft, null);
      await operator.call('PATCH', `/rate-plans/${id}`, { charges: [{ ...charge, unitPrice: '0.02' }] });
      await page.reload();
      await operator.press('Publish version 2');
      const publish = operator.dialog('Publish version 2 of Standard');
      await publish.getByLabel('Move to this version').check();
      await publish.getByLabel('From').fill('2020-01-01T00:00');
      await operator.button('Publish', publish).click();
      await publish.getByText('Choose a time in the future.').waitFor();
      const next = `${new Date().getUTCFullYear() + 1}-03-01`;
      await publish.getByLabel('From').fill(`${next}T00:00`);
      await operator.send('Publish version 2 of Standard', 'Publish');
      await link(operator, 'New version').waitFor();
      assert.equal((await plan()).versions[0].appliesToSubscribersFrom, `${next}T00:00:00.000Z`);

      await link(operator, 'Versions').click();
      await operator.press('Show terms of version 1');
      const terms1 = operator.dialog('Version 1 of Standard');
      await terms1.getByText('€0.01 per request').waitFor();
      await operator.button('Close', terms1).click();
      await link(operator, 'Subscribers').click();
      await link(operator, 'Shop front end').waitFor();
      await page.getByText(/^Version 2 from/).waitFor();

      await operator.press('Retire');
      await operator.confirm('Retire Standard?', 'Retire');
      await operator.shown('Retired');
      assert.equal((await plan()).state, 'retired');
    }));

  test('a drafted rate plan is deleted', () =>
    operate(running, async (operator) => {
      const productId = await addProduct(operator);
      const plan = { productId, name: 'draft', displayName: 'Draft plan', type: 'flat', currency: 'JPY' };
      const { id } = await operator.post('/rate-plans', { ...plan, recurringFee: '25000' });
      await operator.goto(`/rate-plans/${id}`);
      await operator.shown('¥25,000 per period, billed after it');
      await operator.press('Delete');
      await operator.confirm('Delete Draft plan?', 'Delete');
      await operator.heading('Rate plans');
      assert.equal(await operator.statusOf(`/rate-plans/${id}`), 404);
    }));

  test('charges and tiers are removed from a draft', () =>
    operate(running, async (operator) => {
      const productId = await addProduct(operator);
      const { page } = operator;
      const tiers = [
        { upTo: '10', unitPrice: '3' },
        { upTo: '20', unitPrice: '2' },
        { upTo: null, unitPrice: '1' },
      ];
      const charges = [
        { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '1' },
        { name: 'pages', meter: 'units', model: 'volume', tiers },
      ];
      const plan = { productId, name: 'draft', displayName: 'Draft plan', type: 'tiered', currency: 'EUR', charges };
      const { id } = await operator.post('/rate-plans', plan);
      await operator.goto(`/rate-plans/${id}/edit`);
      await operator.press('Remove tier 2');
      await operator.press('Remove charge 1');
      await page.getByRole('group', { name: 'Charge 2', exact: true }).waitFor({ state: 'detached' });
      await operator.press('Save draft');
      await operator.heading('Draft plan');
      const saved = await operator.get(`/rate-plans/${id}`);
      assert.deepEqual(
        saved.charges.map(({ name, tiers: left }: { name: string; tiers: typeof tiers }) => [
          name,
          left.map(({ upTo, unitPrice }) => [upTo, unitPrice]),
        ]),
        [
          [
            'pages',
            [
              ['10', '3'],
              [null, '1'],
            ],
          ],
        ],
      );
    }));

  test('a prepaid balance is topped up and edited on its subscription', () =>
    operate(running, async (operator) => {
      const productId = await addProduct(operator);
      const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }];
      const terms = { name: 'prepaid', displayName: 'Prepaid', type: 'prepaid', currency: 'EUR', charges };
      const { id: ratePlanId } = await operator.post('/rate-plans', { productId, ...terms });
      await operator.post(`/rate-plans/${ratePlanId}/publish`);
      const subscriptionId = await subscribe(operator, productId, ratePlanId);
      const balance = () => operator.get(`/subscriptions/${subscriptionId}/balance`);
      await operator.goto(`/subscriptions/${subscriptionId}`);
      await operator.press('Top up');
      const form = operator.dialog('Top up balance');
      await form.getByLabel('Amount').fill('19,999');
      await operator.button('Top up', form).click();
      await form.getByText('Enter an amount such as 250.00.').waitFor();
      await form.getByLabel('Amount').fill('19.99');
      await form.getByLabel('Note').fill('Bank transfer');
      await operator.send('Top up balance', 'Top up');
      await operator.shown('+€19.99');
      assert.equal((await balance()).balanceMinor, '1999');

      await operator.press('Edit how the balance is counted');
      const counting = operator.dialog('Edit prepaid balance');
      await operator.choose(counting.getByRole('combobox', { name: 'Counting' }), /^Fast/);
      await counting.getByLabel('Report as low below').fill('20');
      await operator.send('Edit prepaid balance', 'Save');
      await operator.shown('Below €20.00');
      const { counting: saved, lowBalanceMinor } = await balance();
      assert.deepEqual([saved, lowBalanceMinor], ['fast', 2_000]);
      await link(operator, 'Prepaid').click();
      await operator.shown('€0.01 per request');
    }));

  test('a prepaid rate plan’s credit expires, and a top-up’s when it says so', () =>
    operate(running, async (operator) => {
      const productId = await addProduct(operator);
      const { page } = operator;
      await operator.goto(`/products/${productId}/pricing`);
      await link(operator, 'Create rate plan').click();
      await operator.heading('Create rate plan');
      await page.getByLabel('Display name').fill('Prepaid');
      await page.getByRole('radio', { name: /^Prepaid/ }).click();
      const charge = page.getByRole('group', { name: 'Charge 1', exact: true });
      await charge.getByLabel('Name').fill('calls');
      await charge.getByLabel('Price per unit').fill('0.01');
      await page.getByLabel('Credit expires').check();
      await page.getByLabel('Good for').fill('30');
      await operator.choose(page.getByRole('combobox', { name: 'Unit of the expiry' }), 'days');
      await operator.press('Create draft');
      await operator.heading('Prepaid');
      await operator.shown('30 days after a top-up');
      const [{ id: ratePlanId, creditExpiry }] = (await operator.get('/rate-plans')).ratePlans;
      assert.deepEqual(creditExpiry, { count: 30, unit: 'day' });
      await operator.post(`/rate-plans/${ratePlanId}/publish`);

      const subscriptionId = await subscribe(operator, productId, ratePlanId);
      await operator.goto(`/subscriptions/${subscriptionId}`);
      const topUp = async (amount: string, expires?: string, count?: string) => {
        await operator.press('Top up');
        const form = operator.dialog('Top up balance');
        await form.getByLabel('Amount').fill(amount);
        if (expires) await operator.choose(form.getByRole('combobox', { name: 'Expires' }), expires);
        if (count) await form.getByLabel('Good for').fill(count);
        await operator.send('Top up balance', 'Top up');
        await operator.shown(`+€${amount}`);
      };
      await topUp('20.00');
      await topUp('30.00', 'After a time of its own', '6');
      await topUp('40.00', 'Never');
      const { topUps } = await operator.get('/billing/top-ups?sort=amountMinor');
      assert.deepEqual(
        topUps.map((one: { creditExpiry: object | null }) => one.creditExpiry),
        [{ count: 30, unit: 'day' }, { count: 6, unit: 'month' }, null],
      );
      const expiring = page.getByRole('region', { name: 'Table of expiring credit' });
      await expiring.getByText('€20.00').first().waitFor();
      assert.equal(await expiring.getByText('€40.00').count(), 0);
      await expiring.getByRole('link').first().click();
      await operator.shown('Expires');
    }));

  test('a developer’s prepaid money is topped up above the limit once another person approves', () =>
    operate(running, async (operator) => {
      const { organizationId } = operator;
      const productId = await addProduct(operator);
      const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }];
      const terms = { name: 'prepaid', displayName: 'Prepaid', type: 'prepaid', currency: 'EUR', charges };
      const { id: ratePlanId } = await operator.post('/rate-plans', { productId, ...terms });
      await operator.post(`/rate-plans/${ratePlanId}/publish`);
      const subscriptionId = await subscribe(operator, productId, ratePlanId);
      const { developerId } = await operator.get(`/subscriptions/${subscriptionId}`);
      const app = await operator.post('/apps', { developerId, name: 'till', displayName: 'Till' });
      const other = await operator.post('/subscriptions', { appId: app.id, productId, ratePlanId });
      await addUnassigned(running.control, organizationId, developerId, 3_000);
      const leftOf = async (id: string) => (await operator.get(`/subscriptions/${id}/balance`)).balanceMinor;

      await operator.goto(`/developers/${developerId}/balance`);
      await operator.shown('€30.00');
      await operator.press('Top up');
      const form = operator.dialog('Top up balance');
      await operator.choose(form.getByRole('combobox', { name: 'Subscription' }), 'Till to Pages');
      await form.getByLabel('Amount').fill('20.00');
      await form.getByLabel('Take it from the €30.00 that are unassigned').check();
      await operator.send('Top up balance', 'Top up');
      await operator.shown('€10.00');
      assert.deepEqual([await leftOf(other.id), await leftOf(subscriptionId)], ['2000', '0']);

      await operator.call('PATCH', '/billing/settings', { approvalAboveMinor: 5_000 });
      for (const amount of ['75.00', '60.00']) {
        await operator.goto(`/subscriptions/${subscriptionId}`);
        await operator.press('Top up');
        await operator.dialog('Top up balance').getByLabel('Amount').fill(amount);
        await operator.send('Top up balance', 'Top up');
        await operator.shown(`€${amount}`);
      }
      assert.equal(await leftOf(subscriptionId), '0');
      await link(operator, '€75.00').click();
      await operator.heading('Top-up of Shop front end');
      assert.equal(await operator.button('Approve').getAttribute('aria-disabled'), 'true');

      const approver = await operatorOf(running, { organizationId });
      await approver.goto('/invoices');
      await link(approver, 'Top-ups').click();
      await approver.page
        .getByRole('row', { name: /€75.00/ })
        .getByRole('link', { name: 'Shop front end' })
        .click();
      await approver.press('Approve');
      await approver.confirm('Add €75.00?', 'Approve');
      await approver.shown('Credited');
      const { topUps } = await approver.get('/billing/top-ups?state=pending');
      await approver.goto(`/invoices/top-ups/${topUps[0].id}`);
      await approver.press('Reject');
      const title = 'Reject the top-up of Shop front end?';
      await approver.dialog(title).getByLabel('Reason').fill('No such transfer.');
      await approver.send(title, 'Reject');
      await approver.shown('No such transfer.');
      assert.equal(await leftOf(subscriptionId), '7500');
      assert.deepEqual(approver.problems, []);
      await approver.close();
    }));

  test('a top-up request of a developer is credited or declined', () =>
    operate(running, async (operator) => {
      const { page, organizationId } = operator;
      const productId = await addProduct(operator);
      const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }];
      const terms = { name: 'prepaid', displayName: 'Prepaid', type: 'prepaid', currency: 'EUR', charges };
      const { id: ratePlanId } = await operator.post('/rate-plans', { productId, ...terms });
      await operator.post(`/rate-plans/${ratePlanId}/publish`);
      const subscriptionId = await subscribe(operator, productId, ratePlanId);
      const { developerId } = await operator.get(`/subscriptions/${subscriptionId}`);
      await addTopUpRequests(running.control, { organizationId, developerId, subscriptionId }, [25_000, 1_200]);
      const row = (amount: string) => page.getByRole('row', { name: new RegExp(amount) });

      await operator.goto('/invoices');
      await link(operator, 'Top-up requests (2)').click();
      await operator.press('Credit €250.00 of Sam Example');
      const form = operator.dialog('Top up balance');
      assert.equal(await form.getByLabel('Amount').inputValue(), '250.00');
      await form.getByLabel('Amount').fill('240');
      await operator.send('Top up balance', 'Top up');
      await row('€250.00').getByText('Credited').waitFor();
      assert.equal((await operator.get(`/subscriptions/${subscriptionId}/balance`)).balanceMinor, '24000');
      await link(operator, 'Top-up requests (1)').waitFor();

      await operator.press('Decline €12.00 of Sam Example');
      const title = 'Decline the request of Sam Example?';
      await operator.dialog(title).getByLabel('Reason').fill('Please pay invoice 1042 first.');
      await operator.send(title, 'Decline');
      await row('€12.00').getByText('Please pay invoice 1042 first.').waitFor();
      await link(operator, 'Top-up requests').waitFor();
      await row('€250.00').getByRole('link', { name: '€240.00' }).click();
      await operator.heading('Top-up of Shop front end');
      await link(operator, 'Top-up requests of Sam Example').click();
      await operator.heading('Top-up requests');
      assert.deepEqual(operator.problems, []);
    }));

  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  test('billing is set up: seller, bank account, logo, and a customer', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const settings = () => operator.get('/billing/settings');
      await operator.goto('/settings');
      await link(operator, 'Billing').click();
      await page.getByLabel('Payment term, in days').fill('30');
      await page.getByLabel('Approval above').fill('500');
      const seller = page.getByRole('group', { name: 'Seller', exact: true });
      await seller.getByLabel('Company', { exact: false }).first().fill('Acme GmbH');
      await seller.getByLabel('Email').fill('billing@acme.example');
      await seller.getByLabel('Contact name').fill('Robin Example');
      await seller.getByLabel('Street').fill('Musterstraße 1');
      await seller.getByLabel('City').fill('Berlin');
      await seller.getByLabel('Country').fill('DE');
      await seller.getByLabel('IBAN').fill('DE02120300000000202052');
      await seller.getByLabel('Account holder').fill('Acme GmbH');
      await operator.press('Save');
      await seller.getByText('The check digits of this IBAN are wrong.').waitFor();
      await seller.getByLabel('IBAN').fill('DE02120300000000202051');
      await operator.press('Save');
      await page.getByRole('alert').filter({ hasText: 'Billing settings saved.' }).waitFor();
      const saved = await settings();
      assert.deepEqual(
        [saved.paymentTermDays, saved.approvalAboveMinor, saved.seller.bank.iban, saved.seller.address.lines],
        [30, 50_000, 'DE02120300000000202051', ['Musterstraße 1']],
      );

      const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByAltText('Logo on invoices').waitFor();
      assert.equal((await operator.get('/billing/settings/logo')).png, png);
      await operator.press('Remove logo');
      await operator.shown('No logo');
      assert.equal((await settings()).logo, null);

      const { id } = await operator.post('/developers', { name: 'Sam Example', email: 'sam@example.com' });
      await operator.goto(`/developers/${id}`);
      await link(operator, 'Billing').last().click();
      const profile = page.getByRole('group', { name: /^Billing profile/ });
      await profile.getByLabel('Street').fill('12 High Street');
      await profile.getByLabel('City').fill('Dublin');
      await profile.getByLabel('Country').fill('IE');
      await operator.choose(profile.getByRole('combobox', { name: 'Tax' }), /^Reverse charge/);
      await profile.getByLabel('VAT number').fill('IE1234567T');
      await operator.press('Save');
      await page.getByRole('alert').filter({ hasText: 'Billing profile saved.' }).waitFor();
      const { billing } = await operator.get(`/developers/${id}`);
      assert.deepEqual(
        [billing.name, billing.taxTreatment, billing.vatId],
        ['Sam Example', 'reverse_charge', 'IE1234567T'],
      );
    }));

  /** A customer’s app that has called an API for 100 EUR in each of the last three months, whose periods are open. */
  async function addCustomer(operator: Operator, settings: object = {}): Promise<void> {
    const { caller, organizationId } = operator;
    await setUpBilling(caller, settings);
    const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' };
    const since = `${pastMonths()[0]}T00:00:00Z`;
    const billed = await addBilled(running.control, caller, { charges: [charge] }, { startsAt: since });
    for (const month of pastMonths()) {
      const at = `${month}T10:00:00Z`;
      await addCalls(running.control, organizationId, billed, { at, requests: 10_000 });
      await addCalls(running.control, organizationId, billed, { at, requests: 20, statusClass: 5 });
    }
  }

  test('a billing period is opened, previewed and closed', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const [month] = pastMonths();
      await addCustomer(operator);
      await operator.goto('/billing-periods');
      await operator.press('Open period');
      await operator.dialog('Open period').getByLabel('First day').fill(month);
      await operator.send('Open period', 'Open');
      await operator.shown('Ended');
      const cell = (title: string) => page.locator(`td[data-title="${title}"]`);
      assert.deepEqual(
        [
          await cell('Admitted').textContent(),
          await cell('Billed').textContent(),
          await cell('Difference').textContent(),
        ],
        ['10,020', '10,000', '0'],
      );
      await cell('Not billable').getByText('20 status not billed').waitFor();
      await page.getByRole('navigation', { name: 'Sections of the billing period' }).getByText('Invoices').click();
      await page.getByText('Nothing is written.').waitFor();
      await operator.shown('€119.00');

      await operator.press('Close period');
      await operator.send('Close period', 'Close period');
      await operator.shown('Closed');
      await link(operator, 'INV-1').waitFor();
      const { periods } = await operator.get('/billing/periods?sort=startsAt');
      assert.deepEqual([periods[0].state, periods[0].totals.currencies[0].totalMinor], ['closed', 11_900]);
    }));

  test('a billing period is closed without waiting for the grace time and for nodes behind', () =>
    operate(running, async (operator) => {
      const { caller, organizationId } = operator;
      await setUpBilling(caller, { period: 'week', graceHours: 168 });
      const { id: environmentId } = await operator.post('/environments', { name: 'test', displayName: 'Test' });
      const node = await addNode(running.control, caller, environmentId);
      await running.control.opened.database.system
        .updateTable('gateway_nodes')
        .set({ registered_at: new Date(Date.now() - 30 * 86_400_000) })
        .where('id', '=', node.id)
        .execute();
      // The week that ended last, so that its grace time of a week is not over.
      const now = new Date();
      const monday = new Date(now.getTime() - (((now.getUTCDay() + 6) % 7) + 7) * 86_400_000)
        .toISOString()
        .slice(0, 10);
      const { id } = await operator.post('/billing/periods', { firstDay: monday });
      assert.equal((await operator.get(`/billing/periods/${id}`)).nodesBehind.length, 1, organizationId);

      await operator.goto(`/billing-periods/${id}`);
      await operator.press('Close period');
      const form = operator.dialog('Close period');
      const close = () => operator.button('Close period', form).click();
      await close();
      await form.getByText(/^Late usage is awaited until/).waitFor();
      await form.getByLabel('Don’t wait for the grace time').check();
      await close();
      await form.getByText(`Usage of these gateway nodes may be missing: ${node.name}.`, { exact: false }).waitFor();
      assert.equal((await operator.get(`/billing/periods/${id}`)).state, 'open');
      await form.getByLabel('Don’t wait for the gateway node behind').check();
      await operator.send('Close period', 'Close period');
      await operator.shown('Closed');
      assert.equal((await operator.get(`/billing/periods/${id}`)).state, 'closed');
    }));

  test('an invoice is issued, sent, paid in parts and exported, and another is void', () =>
    operate(running, async (operator) => {
      await addCustomer(operator, { autoIssue: false });
      await openPeriods(operator.caller, pastMonths()[0]);
      for (const period of [await closeNext(operator.caller), await closeNext(operator.caller)]) {
        assert.equal(period.state, 'closed');
      }
      const { invoices } = await operator.get('/billing/invoices?sort=createdAt');
      const invoice = () => operator.get(`/billing/invoices/${invoices[0].id}`);
      // Public buyers in Germany name their Leitweg-ID, which XRechnung needs.
      const { developerId } = await invoice();
      const { billing } = await operator.get(`/developers/${developerId}`);
      const reference = '04011000-1234512345-06';
      await operator.call('PATCH', `/developers/${developerId}`, { billing: { ...billing, reference } });
      await operator.goto('/invoices');
      await link(operator, 'Draft').last().click();
      await operator.heading('Draft invoice');
      await operator.press('Issue');
      await operator.confirm('Issue this invoice?', 'Issue');
      await operator.heading('INV-1');
      assert.match((await operator.saved(() => operator.press('Download PDF'))).text, /^%PDF/);
      for (const [item, name] of [
        ['Download PDF', 'INV-1.pdf'],
        ['Download XML (Factur-X)', 'INV-1.xml'],
        ['Download XML (XRechnung)', 'INV-1-xrechnung.xml'],
      ] as const) {
        const saved = await operator.saved(() => operator.chooseItem('More', item));
        assert.equal(saved.name, name);
        if (name.endsWith('-xrechnung.xml')) assert.match(saved.text, /urn:xeinkauf\.de:kosit:xrechnung_3\.0/);
      }
      await operator.press('Send');
      await operator.confirm('Send INV-1?', 'Send');
      await operator.button('Send again').waitFor();
      assert.match((await invoice()).sentTo, /@example\.com$/);

      await operator.press('Record payment');
      const payment = operator.dialog('Record payment');
      assert.equal(await payment.getByLabel('Amount').inputValue(), '119.00');
      await payment.getByLabel('Amount').fill('a lot');
      await operator.button('Record payment', payment).click();
      await payment.getByText('Enter an amount such as 250.00.').waitFor();
      await payment.getByLabel('Amount').fill('19');
      await payment.getByLabel('Reference').fill('Bank transfer');
      await operator.send('Record payment', 'Record payment');
      await operator.shown('Bank transfer');
      assert.equal((await invoice()).dueMinor, 10_000);
      await operator.press('Mark as paid');
      await operator.confirm('Mark as paid?', 'Mark as paid');
      await operator.shown('Paid');
      assert.equal((await invoice()).state, 'paid');

      await operator.goto(`/invoices/${invoices[1].id}`);
      await operator.chooseItem('More', 'Void');
      await operator.dialog('Void the draft?').getByLabel('Reason').fill('The customer left.');
      await operator.send('Void the draft?', 'Void');
      await operator.shown('The customer left.');
      assert.equal((await operator.get(`/billing/invoices/${invoices[1].id}`)).state, 'void');

      await operator.goto('/invoices');
      await operator.press('Export CSV');
      await operator.choose(operator.dialog('Export invoices').getByRole('combobox', { name: 'State' }), 'Paid');
      const { name, text } = await operator.saved(() =>
        operator.button('Export', operator.dialog('Export invoices')).click(),
      );
      assert.equal(name, 'invoices.csv');
      assert.match(text, /"INV-1"/);
    }));

  test('an invoice is credited in parts, some of them once another person approves', () =>
    operate(running, async (operator) => {
      await addCustomer(operator, { approvalAboveMinor: 2_000 });
      await openPeriods(operator.caller, pastMonths()[0]);
      await closeNext(operator.caller);
      const [{ id, developerId }] = (await operator.get('/billing/invoices')).invoices;
      const credit = async (scope: string, amount: readonly [label: string, text: string] | null) => {
        await operator.press('Credit');
        const form = operator.dialog('Credit INV-1');
        await form.getByLabel(scope).check();
        if (amount) await form.getByLabel(amount[0]).fill(amount[1]);
        await form.getByLabel('Reason').fill('A load test.');
        await operator.button('Credit', form).click();
        return form;
      };
      const detached = { state: 'detached' } as const;
      await operator.goto(`/developers/${developerId}/invoices`);
      await link(operator, 'INV-1').click();
      const tooMuch = await credit('An amount, spread over all lines', ['Amount with tax', '200']);
      await tooMuch.getByText('€119.00 is left to credit.').first().waitFor();
      await tooMuch.getByLabel('Amount with tax').fill('11.90');
      await operator.button('Credit', tooMuch).click();
      await tooMuch.waitFor(detached);
      await link(operator, 'CN-1').waitFor();
      await (await credit('Parts of lines', ['Amount of line 1', '50.00'])).waitFor(detached);
      await (await credit('Everything that is left', null)).waitFor(detached);
      const { creditedMinor, creditNotes } = await operator.get(`/billing/invoices/${id}`);
      assert.deepEqual(
        [creditedMinor, ...creditNotes.map(({ state }: { state: string }) => state)],
        [1_190, 'issued', 'pending', 'pending'],
      );

      await operator.goto('/invoices');
      await link(operator, 'Credit notes').click();
      await link(operator, 'CN-1').click();
      await operator.heading('CN-1');
      assert.match((await operator.saved(() => operator.button('Download PDF').first().click())).text, /^%PDF/);
      await operator.goto(`/invoices/credit-notes/${creditNotes[1].id}`);
      assert.equal(await operator.button('Approve').getAttribute('aria-disabled'), 'true');

      const approver = await operatorOf(running, { organizationId: operator.organizationId });
      await approver.goto(`/invoices/credit-notes/${creditNotes[1].id}`);
      await approver.press('Approve');
      await approver.confirm('Credit €59.50?', 'Approve');
      await approver.heading('CN-2');
      await approver.goto(`/invoices/credit-notes/${creditNotes[2].id}`);
      await approver.press('Reject');
      const title = 'Reject the credit of INV-1?';
      await approver.dialog(title).getByLabel('Reason').fill('Not agreed.');
      await approver.send(title, 'Reject');
      await approver.shown('Not agreed.');
      assert.equal((await operator.get(`/billing/invoices/${id}`)).creditedMinor, 1_190 + 5_950);

      await approver.goto('/revenue');
      await approver.page.getByRole('figure', { name: 'Revenue by month in EUR' }).waitFor();
      await approver.shown('€40.00');
      await approver.page.getByText('Developer', { exact: true }).click();
      await approver.page.getByRole('region', { name: 'Table of revenue by developer' }).getByText('€60.00').waitFor();
      assert.deepEqual(approver.problems, []);
      await approver.close();
    }));
});
