import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate } from './operator.ts';

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

  async function subscribe(operator: Operator, productId: string, ratePlanId: string): Promise<void> {
    const developer = await operator.post('/developers', { name: 'Sam Example', email: 'sam@example.com' });
    const app = await operator.post('/apps', {
      developerId: developer.id,
      name: 'shop',
      displayName: 'Shop front end',
    });
    await operator.post('/subscriptions', { appId: app.id, productId, ratePlanId });
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
      assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /Up to of tier 2/);

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
});
