import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { done } from '../../consumers/products/testing.ts';
import {
  addBilled,
  addCalls,
  closeNext,
  openPeriods,
  pastMonths,
  setUpBilling,
} from '../../money/billing-periods/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addPortalUser, openPortal, type PortalTestCaller } from '../testing-callers.ts';

describe('invoices and balances in the portal', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let owner: PortalTestCaller;
  let stranger: PortalTestCaller;
  const [, , month] = pastMonths();
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    await openPortal(control, organizationId);
    stranger = await addPortalUser(control, administrator);
    await setUpBilling(administrator, { timeZone: 'UTC' });
  });
  after(() => control.stop());

  test('an issued invoice is shown and downloaded by its account alone; a draft by nobody', async () => {
    const terms = { charges: [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }] };
    const billed = await addBilled(control, administrator, terms, { startsAt: `${month}T00:00:00Z` });
    owner = await addPortalUser(control, administrator, { developerId: billed.developerId });
    await addCalls(control, organizationId, billed, { at: `${month}T12:00:00Z`, requests: 1_000 });
    await openPeriods(administrator, month);
    await closeNext(administrator);
    const { invoices, total } = await done(owner, 'GET', '/portal/invoices');
    assert.deepEqual([total, invoices[0].linesMinor, invoices[0].totalMinor], [1, 1_000, 1_190]);
    const of = `/portal/invoices/${invoices[0].id}`;
    const whole = await done(owner, 'GET', of);
    assert.deepEqual([whole.lines.length, whole.lines[0].quantity, whole.buyer.name], [1, '1000', 'Example Shops']);
    assert.equal(JSON.stringify(whole).includes('developerId') || 'voidReason' in whole, false);
    const pdf = await owner.call('GET', `${of}/pdf`);
    assert.deepEqual([pdf.status, pdf.data.slice(0, 5)], [200, '%PDF-']);
    const xml = await owner.call('GET', `${of}/xml`);
    assert.match(xml.data, /CrossIndustryInvoice/);

    for (const id of [invoices[0].id, newId('ivc')]) {
      for (const path of ['', '/pdf', '/xml']) {
        const answer = await stranger.call('GET', `/portal/invoices/${id}${path}`);
        assert.deepEqual([answer.status, answer.data.message], [404, 'Not found. Check the id or path.']);
      }
    }
    assert.equal((await done(stranger, 'GET', '/portal/invoices')).total, 0);
    const viewer = await addPortalUser(control, administrator, { role: 'viewer', developerId: owner.developerId });
    assert.equal((await viewer.call('GET', of)).status, 403);

    await sql`update invoices set state = 'draft', number = null, number_prefix = null, number_sequence = null,
      issue_date = null, due_date = null where organization_id = ${organizationId}`.execute(
      control.opened.database.system,
    );
    assert.equal((await done(owner, 'GET', '/portal/invoices')).total, 0);
    assert.equal((await owner.call('GET', of)).status, 404);
  });

  test('a top-up is asked for by e-mail, and credits nothing', async () => {
    const terms = {
      type: 'prepaid',
      charges: [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '1' }],
    };
    const { subscriptionId, appId, productId, ratePlanId } = await addBilled(control, administrator, terms, {
      startsAt: new Date().toISOString(),
      developerId: owner.developerId,
    });
    await sql`
      with s as (insert into subscriptions (id, organization_id, app_id, product_id, rate_plan_id, state, requested_by,
        requested_by_name, author_ids)
      values (${subscriptionId}, ${organizationId}, ${appId}, ${productId}, ${ratePlanId}, 'approved', '', '', '{}'))
      insert into prepaid_accounts (organization_id, subscription_id, currency)
      values (${organizationId}, ${subscriptionId}, 'EUR')`.execute(control.opened.database.system);
    await done(administrator, 'POST', `/subscriptions/${subscriptionId}/top-ups`, { amountMinor: 500, note: 'Secret' });
    const before = await countMails();
    const asked = { subscriptionId, amountMinor: 5_000, note: 'Order 4711' };
    const request = await done(owner, 'POST', '/portal/balance/top-up-requests', asked);
    assert.deepEqual([request.currency, request.amountMinor, await countMails()], ['EUR', 5_000, before + 1]);
    const balance = await done(owner, 'GET', '/portal/balance');
    assert.deepEqual(
      [balance.accounts[0].balanceMinor, balance.movements.length, balance.topUpRequests.length],
      ['500', 1, 1],
    );
    assert.equal(JSON.stringify(balance).includes('Secret'), false);
    for (let count = 1; count < 10; count++) await done(owner, 'POST', '/portal/balance/top-up-requests', asked);
    assert.equal((await owner.call('POST', '/portal/balance/top-up-requests', asked)).status, 429);
    assert.equal((await stranger.call('POST', '/portal/balance/top-up-requests', asked)).status, 404);
    assert.equal((await stranger.call('GET', `/portal/balance?subscriptionId=${subscriptionId}`)).status, 404);
    assert.equal((await owner.call('DELETE', `/portal/apps/${appId}`)).status, 409);
    const none = await done(stranger, 'GET', '/portal/balance');
    assert.deepEqual([none.total, none.accounts, none.topUpRequests], [0, [], []]);
  });

  async function countMails(): Promise<number> {
    const { rows } = await sql`select from outbox where organization_id = ${organizationId}`.execute(
      control.opened.database.system,
    );
    return rows.length;
  }
});
