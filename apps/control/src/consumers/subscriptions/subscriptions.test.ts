import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import {
  addApp,
  addDeveloper,
  addProduct,
  addRatePlan,
  addTraffic,
  done,
  publishedConsumers,
  storedConsumers,
} from '../products/testing.ts';
import { quotaWindow } from './rules.ts';

describe('subscriptions', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let approver: TestCaller;
  let anotherApprover: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    approver = await control.addUser(organizationId, ['organization_administrator']);
    anotherApprover = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  const published = async (id: string) => (await publishedConsumers(control, organizationId))[`subscription ${id}`];
  /** Sent by someone who didn't request the subscription. */
  const call = (id: string, move: string, body?: object) => approver.call('POST', `/subscriptions/${id}/${move}`, body);
  const reason = { reason: 'The contract has ended.' };

  /** What the approver's notice of a subscription says of the decision, and how much the approver has to look at. */
  async function decisionOf(id: string): Promise<readonly [string, number]> {
    const { notifications, unread } = (await approver.call('GET', '/notifications?kind=subscription')).data;
    const { decision } = notifications.find(({ link }: { link: string }) => link.endsWith(id));
    return [decision, unread];
  }

  async function subscribe(fields: { readonly autoApprove?: boolean } = {}) {
    const productId = await addProduct(administrator, fields);
    const appId = await addApp(administrator);
    return done(administrator, 'POST', '/subscriptions', { appId, productId });
  }

  test('a pending one notifies approvers, and reaches nodes once it is approved', async () => {
    const waiting = await subscribe();
    assert.deepEqual([waiting.state, waiting.requestedBy, waiting.decidedAt], ['pending', administrator.userId, null]);
    assert.equal(await published(waiting.id), undefined);
    const queue = await approver.call('GET', '/subscriptions?state=pending');
    assert.deepEqual([queue.data.total, queue.data.subscriptions[0].id], [1, waiting.id]);
    const { notifications } = (await approver.call('GET', '/notifications?kind=subscription')).data;
    assert.deepEqual(
      notifications.map(({ link, title, decision }: Record<string, unknown>) => [link, title, decision]),
      [[`/subscriptions/${waiting.id}`, `${waiting.appName} asks to use ${waiting.productName}`, 'open']],
    );
    const developer = await control.addUser(organizationId, ['developer']);
    assert.equal((await developer.call('POST', `/subscriptions/${waiting.id}/approve`)).status, 403);

    const approved = await done(approver, 'POST', `/subscriptions/${waiting.id}/approve`);
    assert.deepEqual(
      [approved.state, approved.decidedBy, approved.reason, approved.version],
      ['approved', approver.userId, null, 2],
    );
    const { id, appId, productId } = waiting;
    assert.deepEqual(await published(id), { id, appId, productId, quota: null, termId: null, prepaid: null });
    const heard = (await administrator.call('GET', '/notifications?kind=subscription_decision')).data;
    assert.equal(heard.total, 1, 'who asked hears of it');
    assert.deepEqual(await decisionOf(id), ['settled', 0]);
  });

  test('a notice about a subscription deleted with its app is settled', async () => {
    const { id, appId } = await subscribe();
    assert.deepEqual(await decisionOf(id), ['open', 1]);
    assert.equal((await administrator.call('DELETE', `/apps/${appId}`)).status, 200);
    assert.deepEqual(await decisionOf(id), ['settled', 0]);
  });

  test('one to an auto-approving product is approved immediately, by no one', async () => {
    const approved = await subscribe({ autoApprove: true });
    assert.deepEqual([approved.state, approved.decidedBy, typeof approved.decidedAt], ['approved', null, 'string']);
    assert.ok(await published(approved.id));
  });

  test('in an organization with one administrator, an operations engineer can approve', async () => {
    const organization = await control.addOrganization();
    const only = await control.addUser(organization, ['organization_administrator']);
    const engineer = await control.addUser(organization, ['operations_engineer']);
    const asked = { appId: await addApp(only), productId: await addProduct(only) };
    const { id } = await done(only, 'POST', '/subscriptions', asked);
    assert.equal((await only.call('POST', `/subscriptions/${id}/approve`)).status, 403);
    assert.equal((await done(engineer, 'POST', `/subscriptions/${id}/approve`)).state, 'approved');
  });

  /** A service account that somebody makes; a caller by a token that somebody issues. */
  async function addAccount(maker: TestCaller, issuer = maker): Promise<Pick<TestCaller, 'call'>> {
    const permissions = ['subscription.read', 'subscription.write', 'subscription.approve'];
    const account = { name: newId('sva'), permissions };
    const { id } = await done(maker, 'POST', '/service-accounts', account);
    const { token } = await done(issuer, 'POST', `/service-accounts/${id}/tokens`, { name: 'Build server' });
    const authorization = `Bearer ${token}`;
    return { call: (method, path, body) => control.call(method, path, body, { authorization }) };
  }

  test('the requester can’t approve it in any way, and nodes don’t get it', async () => {
    const { id } = await subscribe();
    const isRefused = async (caller: Pick<TestCaller, 'call'>, subscriptionId: string) => {
      const { status, data } = await caller.call('POST', `/subscriptions/${subscriptionId}/approve`);
      assert.deepEqual([status, /Ask someone/.test(data.message)], [403, true], data.message);
      assert.equal(await published(subscriptionId), undefined);
    };
    await isRefused(administrator, id);
    const denied = `/audit?operation=approveSubscription&outcome=denied&actorId=${administrator.userId}`;
    assert.equal((await done(administrator, 'GET', denied)).total, 1);

    await isRefused(await addAccount(administrator), id);
    await isRefused(await addAccount(approver, administrator), id);
    const ownAccount = await addAccount(administrator);
    const asked = { appId: await addApp(administrator), productId: await addProduct(administrator) };
    const { data: throughAccount } = await ownAccount.call('POST', '/subscriptions', asked);
    assert.equal(throughAccount.state, 'pending');
    await isRefused(administrator, throughAccount.id);
    await isRefused(ownAccount, throughAccount.id);
    await isRefused(await addAccount(administrator), throughAccount.id);
    const { data: approved } = await (await addAccount(approver)).call('POST', `/subscriptions/${id}/approve`);
    assert.equal(approved.state, 'approved');
    assert.equal((await call(throughAccount.id, 'approve')).status, 200);
  });

  test('whoever changes a request counts as a requester too', async () => {
    const quota = { limit: 5, window: { unit: 'day', count: 1 } };
    for (const change of [
      (id: string) => done(approver, 'PUT', `/subscriptions/${id}/quota`, quota),
      (id: string) => done(approver, 'PUT', `/subscriptions/${id}/rate-plan`, { ratePlanId: null }),
    ]) {
      const { id } = await subscribe();
      await change(id);
      assert.equal((await call(id, 'approve')).status, 403);
      assert.equal((await administrator.call('POST', `/subscriptions/${id}/approve`)).status, 403);
      await done(anotherApprover, 'POST', `/subscriptions/${id}/approve`);
    }
  });

  test('the requester may reject it', async () => {
    const { id } = await subscribe();
    const rejected = await done(administrator, 'POST', `/subscriptions/${id}/reject`, reason);
    assert.deepEqual([rejected.state, rejected.decidedBy], ['rejected', administrator.userId]);
  });

  test('a move that the state doesn’t allow is rejected with the allowed ones', async () => {
    const refusals: string[] = [];
    const quota = { limit: 5, window: { unit: 'day', count: 1 } };
    const refuse = async (id: string) => {
      for (const [method, move, body] of [
        ['POST', 'approve', undefined],
        ['POST', 'reject', reason],
        ['POST', 'revoke', reason],
        ['PUT', 'quota', quota],
        ['DELETE', 'quota', undefined],
        ['PUT', 'rate-plan', { ratePlanId: null }],
      ] as const) {
        const { status, data } = await administrator.call(method, `/subscriptions/${id}/${move}`, body);
        if (status === 409) refusals.push(`${method} ${move}: ${data.message}`);
      }
    };
    const final = (state: string) =>
      ['POST approve', 'POST reject', 'POST revoke', 'PUT quota', 'DELETE quota', 'PUT rate-plan'].map(
        (move) => `${move}: The subscription is ${state}, which is final. Subscribe again.`,
      );
    const rejected = await subscribe();
    await done(administrator, 'POST', `/subscriptions/${rejected.id}/reject`, reason);
    await refuse(rejected.id);
    assert.deepEqual(refusals.splice(0), final('rejected'));
    const revoked = await subscribe({ autoApprove: true });
    const after = await done(administrator, 'POST', `/subscriptions/${revoked.id}/revoke`, reason);
    assert.deepEqual([after.state, after.reason, await published(revoked.id)], ['revoked', reason.reason, undefined]);
    await refuse(revoked.id);
    assert.deepEqual(refusals.splice(0), final('revoked'));

    const pending = await subscribe();
    const early = await call(pending.id, 'revoke', reason);
    assert.deepEqual(
      [early.status, early.data.message],
      [409, 'The subscription is pending. Possible now: approve, reject, quota, rate-plan.'],
    );
    await done(approver, 'POST', `/subscriptions/${pending.id}/approve`);
    for (const [move, body] of [
      ['approve', undefined],
      ['reject', reason],
    ] as const) {
      const late = await call(pending.id, move, body);
      assert.deepEqual(
        [late.status, late.data.message],
        [409, 'The subscription is approved. Possible now: revoke, quota, rate-plan.'],
      );
    }
    assert.equal((await call((await subscribe()).id, 'reject', {})).status, 400, 'a rejection has a reason');
  });

  test('an unpublished or suspended product accepts none, and none can be approved', async () => {
    const productId = await addProduct(administrator);
    const appId = await addApp(administrator);
    const waiting = await done(administrator, 'POST', '/subscriptions', { appId, productId });
    const other = { appId: await addApp(administrator), productId };
    for (const [move, back, why] of [
      ['unpublish', 'publish', /not published.*publish it first/],
      ['suspend', 'activate', /suspended.*activate it first/],
    ] as const) {
      await done(administrator, 'POST', `/products/${productId}/${move}`);
      for (const refused of [
        await administrator.call('POST', '/subscriptions', other),
        await call(waiting.id, 'approve'),
      ]) {
        assert.deepEqual([refused.status, why.test(refused.data.message)], [409, true], refused.data.message);
      }
      await done(administrator, 'POST', `/products/${productId}/${back}`);
    }
    assert.equal((await call(waiting.id, 'approve')).status, 200);
  });

  test('an app has one pending or approved subscription per product, even if two are requested at once', async () => {
    const productId = await addProduct(administrator);
    const appId = await addApp(administrator);
    const body = { appId, productId };
    const both = await Promise.all([
      administrator.call('POST', '/subscriptions', body),
      administrator.call('POST', '/subscriptions', body),
    ]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409]);
    assert.match(both.find(({ status }) => status === 409)?.data.message, /pending or approved subscription/);
    const { id } = both.find(({ status }) => status === 201)?.data ?? {};
    await done(approver, 'POST', `/subscriptions/${id}/approve`);
    assert.equal((await administrator.call('POST', '/subscriptions', body)).status, 409);
    await done(administrator, 'POST', `/subscriptions/${id}/revoke`, reason);
    assert.equal((await administrator.call('POST', '/subscriptions', body)).status, 201, 'after the first has ended');
  });

  test('of two simultaneous decisions, exactly one succeeds', async () => {
    for (const [move, body] of [
      ['approve', undefined],
      ['reject', reason],
    ] as const) {
      const { id } = await subscribe();
      const both = await Promise.all([
        call(id, 'approve'),
        anotherApprover.call('POST', `/subscriptions/${id}/${move}`, body),
      ]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
      const { state, version } = await done(administrator, 'GET', `/subscriptions/${id}`);
      assert.deepEqual([version, (await published(id)) !== undefined], [2, state === 'approved']);
    }
  });

  test('a subscription approved while its app is deleted is deleted with it', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, appId } = await subscribe();
      const [approved, deleted] = await Promise.all([
        call(id, 'approve'),
        administrator.call('DELETE', `/apps/${appId}`),
      ]);
      assert.ok([200, 404].includes(approved.status), String(approved.status));
      assert.equal(deleted.status, 200);
      assert.equal(await published(id), undefined);
    }
  });

  test('a rate plan has to be a published one of the product', async () => {
    const productId = await addProduct(administrator);
    const appId = await addApp(administrator);
    const plan = (state: 'draft' | 'published' | 'retired') => addRatePlan(control, organizationId, productId, state);
    const draft = await plan('draft');
    const retired = await plan('retired');
    const published = await plan('published');
    const elsewhere = await addRatePlan(control, organizationId, await addProduct(administrator), 'published');
    const subscribeOn = (ratePlanId: string) =>
      administrator.call('POST', '/subscriptions', { appId, productId, ratePlanId });
    const onDraft = await subscribeOn(draft);
    assert.deepEqual([onDraft.status, /is a draft.*Publish it first/.test(onDraft.data.message)], [409, true]);
    const onRetired = await subscribeOn(retired);
    assert.deepEqual([onRetired.status, /retired.*Choose a published one/.test(onRetired.data.message)], [409, true]);
    for (const unknown of [elsewhere, newId('rpl')]) {
      const refused = await subscribeOn(unknown);
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['ratePlanId']]);
    }
    const { id, ratePlanId } = (await subscribeOn(published)).data;
    assert.equal(ratePlanId, published);
    const change = (body: object) => administrator.call('PUT', `/subscriptions/${id}/rate-plan`, body);
    assert.equal((await change({ ratePlanId: null })).data.ratePlanId, null);
    assert.equal((await change({ ratePlanId: draft })).status, 409);
    assert.equal((await change({ ratePlanId: elsewhere })).status, 400);
    assert.equal((await change({ ratePlanId: published })).data.ratePlanId, published);
    assert.equal((await administrator.call('GET', `/subscriptions?ratePlanId=${published}`)).data.total, 1);
  });

  test('a quota of its own replaces the product’s, and can be removed', async () => {
    const { id, appId, productId } = await subscribe({ autoApprove: true });
    const path = `/subscriptions/${id}/quota`;
    const none = await administrator.call('DELETE', path);
    assert.deepEqual([none.status, /no quota of its own/.test(none.data.message)], [409, true]);
    const quota = { limit: 7, window: { unit: 'hour', count: 2 } };
    const set = await administrator.call('PUT', path, quota);
    assert.deepEqual([set.status, set.data.quota], [200, quota]);
    assert.deepEqual(await published(id), { id, appId, productId, quota, termId: null, prepaid: null });
    assert.deepEqual(await done(administrator, 'DELETE', path), {});
    assert.deepEqual(await published(id), { id, appId, productId, quota: null, termId: null, prepaid: null });
    const rows = await control.opened.database.system
      .selectFrom('audit_entries')
      .select('operation')
      .where('entity_id', '=', id)
      .where('outcome', '=', 'done')
      .orderBy('sequence')
      .execute();
    assert.deepEqual(
      rows.map(({ operation }) => operation),
      ['createSubscription', 'setSubscriptionQuota', 'removeSubscriptionQuota'],
    );
  });

  test('usage is compared with the effective quota in its current window', async () => {
    const { id, appId, productId } = await subscribe({ autoApprove: true });
    const now = new Date();
    const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const calls = { organizationId, appId, productId };
    await addTraffic(control, { ...calls, hour: monthStart, requests: 30, limited: 10 });
    await addTraffic(control, { ...calls, hour: new Date(monthStart.getTime() - 3_600_000), requests: 1_000 });
    await addTraffic(control, { ...calls, productId: 'prd_other', hour: monthStart, requests: 500 });
    const usage = () => done(administrator, 'GET', `/subscriptions/${id}/usage`);
    const unlimited = await usage();
    assert.deepEqual(
      [unlimited.quota, unlimited.window, unlimited.used, unlimited.allowance],
      [null, null, null, null],
    );

    const monthly = { limit: 25, window: { unit: 'month', count: 1 } };
    await done(administrator, 'PATCH', `/products/${productId}`, { quota: monthly });
    const ofProduct = await usage();
    assert.deepEqual(ofProduct.quota, { ...monthly, source: 'product' });
    assert.equal(ofProduct.window.start, monthStart.toISOString());
    assert.deepEqual([ofProduct.used, ofProduct.remaining], [20, 5]);
    await done(administrator, 'PUT', `/subscriptions/${id}/quota`, { ...monthly, limit: 15 });
    const own = await usage();
    assert.deepEqual([own.quota.source, own.used, own.remaining], ['subscription', 20, 0]);
    await done(administrator, 'PUT', `/subscriptions/${id}/quota`, { limit: 5, window: { unit: 'minute', count: 1 } });
    const short = await usage();
    assert.deepEqual([short.used, short.remaining], [null, null], 'hourly usage is too coarse for a minute');
    const day = monthStart.toISOString().slice(0, 10);
    const ranged = await done(administrator, 'GET', `/subscriptions/${id}/usage?from=${day}&to=${day}`);
    assert.deepEqual([ranged.total.requests, ranged.days.length], [30, 1]);
  });

  test('windows are full units of the UTC calendar', () => {
    const at = new Date('2026-08-15T13:47:00Z');
    const window = (unit: 'minute' | 'hour' | 'day' | 'month', count: number) => {
      const { start, end } = quotaWindow({ limit: 1, window: { unit, count } }, at);
      return [start.toISOString(), end.toISOString()];
    };
    assert.deepEqual(window('minute', 10), ['2026-08-15T13:40:00.000Z', '2026-08-15T13:50:00.000Z']);
    assert.deepEqual(window('hour', 6), ['2026-08-15T12:00:00.000Z', '2026-08-15T18:00:00.000Z']);
    assert.deepEqual(window('day', 1), ['2026-08-15T00:00:00.000Z', '2026-08-16T00:00:00.000Z']);
    assert.deepEqual(window('month', 3), ['2026-07-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z']);
    assert.deepEqual(window('month', 12), ['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']);
  });

  test('lists are searched and filtered by app, product and developer', async () => {
    const developerId = await addDeveloper(administrator, { name: 'Filtered Developer' });
    const appId = await addApp(administrator, developerId);
    const productId = await addProduct(administrator);
    const { id } = await done(administrator, 'POST', '/subscriptions', { appId, productId });
    for (const filter of [
      `appId=${appId}`,
      `productId=${productId}`,
      `developerId=${developerId}`,
      'search=filtered',
    ]) {
      const { data } = await administrator.call('GET', `/subscriptions?${filter}`);
      assert.deepEqual([data.total, data.subscriptions[0]?.id], [1, id], filter);
    }
    const { data } = await administrator.call('GET', '/subscriptions?pageSize=1&sort=-createdAt');
    assert.deepEqual([data.subscriptions[0].id, data.total > 1], [id, true]);
  });

  test('another organization’s subscription, app, product and plan are not found', async () => {
    const { id, appId, productId } = await subscribe();
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/approve', undefined],
      ['POST', '/reject', reason],
      ['POST', '/revoke', reason],
      ['PUT', '/quota', { limit: 1, window: { unit: 'day', count: 1 } }],
      ['DELETE', '/quota', undefined],
      ['PUT', '/rate-plan', { ratePlanId: null }],
      ['GET', '/usage', undefined],
    ] as const) {
      assert.equal((await stranger.call(method, `/subscriptions/${id}${path}`, body)).status, 404, `${method} ${path}`);
    }
    const own = { appId: await addApp(stranger), productId: await addProduct(stranger) };
    for (const [field, foreign] of [
      ['appId', appId],
      ['productId', productId],
    ] as const) {
      const refused = await stranger.call('POST', '/subscriptions', { ...own, [field]: foreign });
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, [field]]);
    }
  });

  test('nodes get what the tables contain', async () => {
    assert.deepEqual(await publishedConsumers(control, organizationId), await storedConsumers(control, organizationId));
  });
});
