import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addApp, addProduct, done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { openTestPortal, portalTestSettings, type TestPortalUser } from '../testing.ts';

describe('a top-up request', () => {
  let control: TestControl;
  let organizationId: string;
  let caller: TestCaller;
  let approver: TestCaller;
  let owner: TestPortalUser;
  let stranger: TestPortalUser;
  before(async () => {
    control = await startTestControl(portalTestSettings);
  });
  after(() => control.stop());
  beforeEach(async () => {
    const portal = await openTestPortal(control);
    organizationId = portal.organizationId;
    caller = await control.addUser(organizationId, ['organization_administrator']);
    approver = await control.addUser(organizationId, ['organization_administrator']);
    owner = await portal.addUser('owner');
    stranger = await portal.addUser('owner');
  });

  /** A subscription to a prepaid plan; its id. */
  async function addPrepaid(developerId: string, currency = 'EUR'): Promise<string> {
    const productId = await addProduct(caller, { autoApprove: true });
    const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '1' }];
    const plan = { productId, name: 'prepaid', displayName: 'Prepaid', type: 'prepaid', currency, charges };
    const { id: ratePlanId } = await done(caller, 'POST', '/rate-plans', plan);
    await done(caller, 'POST', `/rate-plans/${ratePlanId}/publish`);
    const appId = await addApp(caller, developerId);
    return (await done(caller, 'POST', '/subscriptions', { appId, productId, ratePlanId })).id;
  }
  const ask = async (by: TestPortalUser, subscriptionId: string, amountMinor = 5_000) =>
    (await by.call('POST', '/portal/balance/top-up-requests', { subscriptionId, amountMinor, note: 'Order 4711' })).data
      .id as string;
  const balance = async () => (await owner.call('GET', '/portal/balance')).data;
  const credit = (subscriptionId: string, requestId: string, amountMinor = 5_000) =>
    caller.call('POST', `/subscriptions/${subscriptionId}/top-ups`, { amountMinor, requestId });
  const decline = (id: string, reason = 'Pay invoice 1 first.') =>
    caller.call('POST', `/billing/top-up-requests/${id}/decline`, { reason });
  const listed = async (query = '') => (await done(caller, 'GET', `/billing/top-up-requests${query}`)).topUpRequests;
  const shown = async () => (await balance()).topUpRequests[0];

  test('is credited with its top-up, once', async () => {
    const subscriptionId = await addPrepaid(owner.developerId);
    const id = await ask(owner, subscriptionId);
    const [open] = await listed('?state=open&search=4711');
    assert.deepEqual([open.id, open.amountMinor, open.appName.length > 0, open.topUpId], [id, 5_000, true, null]);
    assert.deepEqual([(await shown()).state, (await shown()).answeredAt], ['open', null]);

    const answers = await Promise.all([1, 2, 3].map(() => credit(subscriptionId, id, 4_000)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
    assert.match(answers.find(({ status }) => status === 409)!.data.message, /credited already/);
    assert.equal((await decline(id)).status, 409);
    const { accounts, movements } = await balance();
    assert.deepEqual([accounts[0].balanceMinor, movements.length], ['4000', 1]);
    const { state, creditedMinor, declineReason } = await shown();
    assert.deepEqual([state, creditedMinor, declineReason], ['credited', 4_000, null]);
    assert.equal('answeredByName' in (await shown()), false, 'the organization’s people aren’t named in the portal');
    assert.deepEqual(await listed('?state=open'), []);
    const [credited] = await listed('?state=credited');
    const topUp = await done(caller, 'GET', `/billing/top-ups/${credited.topUpId}`);
    assert.deepEqual([topUp.requestId, topUp.amountMinor], [id, 4_000]);
    const audit = await done(caller, 'GET', `/audit?entityId=${credited.topUpId}`);
    assert.deepEqual(
      audit.entries.map(({ operation }: { operation: string }) => operation),
      ['topUpSubscription'],
    );
  });

  test('is declined with a reason that the portal shows', async () => {
    const subscriptionId = await addPrepaid(owner.developerId);
    const id = await ask(owner, subscriptionId);
    assert.equal((await decline(id, ' ')).status, 400);
    const answers = await Promise.all([decline(id), credit(subscriptionId, id), decline(id)]);
    assert.equal(answers.filter(({ status }) => status < 300).length, 1, 'one answer');
    const other = await ask(owner, subscriptionId, 700);
    assert.equal((await decline(other)).data.state, 'declined');
    const { state, declineReason } = await shown();
    assert.deepEqual([state, declineReason], ['declined', 'Pay invoice 1 first.']);
    const refused = await credit(subscriptionId, other);
    assert.deepEqual([refused.status, /declined already/.test(refused.data.message)], [409, true]);
    const audit = await done(caller, 'GET', `/audit?entityId=${other}&operation=declineTopUpRequest`);
    assert.equal(audit.entries.length, 1);
  });

  test('whose top-up waits for approval stays open until it is approved', async () => {
    const subscriptionId = await addPrepaid(owner.developerId);
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 0 });
    const id = await ask(owner, subscriptionId);
    const { data: waiting } = await credit(subscriptionId, id);
    assert.deepEqual([waiting.state, waiting.requestId], ['pending', id]);
    assert.equal((await shown()).state, 'open');
    for (const refused of [await credit(subscriptionId, id), await decline(id)]) {
      assert.deepEqual([refused.status, /waits for approval/.test(refused.data.message)], [409, true]);
    }
    const reason = { reason: 'No transfer.' };
    assert.equal((await approver.call('POST', `/billing/top-ups/${waiting.id}/reject`, reason)).status, 200);
    assert.deepEqual([(await shown()).state, (await listed())[0].topUpId], ['open', null]);

    const { data: second } = await credit(subscriptionId, id);
    assert.equal((await approver.call('POST', `/billing/top-ups/${second.id}/approve`)).status, 200);
    assert.equal((await shown()).state, 'credited');
    assert.notEqual((await listed('?state=credited'))[0].answeredByName, null);
  });

  test('credits neither another developer’s balance, nor another subscription’s', async () => {
    const own = await addPrepaid(owner.developerId);
    const sibling = await addPrepaid(owner.developerId);
    const foreign = await addPrepaid(stranger.developerId);
    const id = await ask(owner, own);
    for (const [subscriptionId, message] of [
      [foreign, /no such top-up request/],
      [sibling, /another subscription/],
    ] as const) {
      const { status, data } = await credit(subscriptionId, id);
      assert.deepEqual([status, message.test(data.errors.requestId)], [400, true]);
    }
    assert.equal((await credit(own, 'tur_00000000000000000000000000')).status, 400);
    const viaDeveloper = { subscriptionId: own, amountMinor: 1, requestId: await ask(stranger, foreign) };
    const path = `/developers/${owner.developerId}/balance/top-ups`;
    assert.equal((await caller.call('POST', path, viaDeveloper)).status, 400);
    assert.equal((await shown()).state, 'open');
  });

  test('in another currency than the balance can only be declined', async () => {
    const subscriptionId = await addPrepaid(owner.developerId, 'CHF');
    const id = await ask(owner, subscriptionId);
    await control.opened.database.system
      .updateTable('top_up_requests')
      .set({ currency: 'EUR' })
      .where('organization_id', '=', organizationId)
      .execute();
    const { status, data } = await credit(subscriptionId, id);
    assert.deepEqual([status, /in EUR, the balance in CHF/.test(data.errors.requestId)], [400, true]);
    assert.equal((await decline(id)).status, 200);
  });
});
