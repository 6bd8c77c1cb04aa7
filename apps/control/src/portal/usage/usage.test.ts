import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSealer } from '@millrace/encryption';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { addApp, addProduct, addProxy, addTraffic, done } from '../../consumers/products/testing.ts';
import { addNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { openMail } from '../../frame/outbox.ts';
import { addBilled, addCalls, openPeriods, setUpBilling } from '../../money/billing-periods/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { portalTestSettings } from '../testing.ts';
import { addPortalUser, openPortal, type PortalTestCaller } from '../testing-callers.ts';
import { checkBudgets } from './budget-alerts.ts';

describe('usage in the portal', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let owner: PortalTestCaller;
  let stranger: PortalTestCaller;
  const now = new Date();
  const monthStart = `${now.toISOString().slice(0, 7)}-01`;
  const perCall = (allowance: string) => ({
    charges: [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.10', allowance }],
  });
  before(async () => {
    control = await startTestControl(portalTestSettings);
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    await openPortal(control, organizationId);
    owner = await addPortalUser(control, administrator);
    stranger = await addPortalUser(control, administrator);
    await setUpBilling(administrator, { timeZone: 'UTC' });
    await openPeriods(administrator, monthStart);
  });
  after(() => control.stop());

  /** A subscription that began with the month, as an approved one. */
  async function subscribed(by: PortalTestCaller, terms: object) {
    const startsAt = `${monthStart}T00:00:00Z`;
    const billed = await addBilled(control, administrator, terms, { startsAt, developerId: by.developerId });
    await sql`insert into subscriptions (id, organization_id, app_id, product_id, rate_plan_id, term_id, state,
        requested_by, requested_by_name, author_ids)
      values (${billed.subscriptionId}, ${organizationId}, ${billed.appId}, ${billed.productId}, ${billed.ratePlanId},
        ${billed.termId}, 'approved', '', '', '{}')`.execute(control.opened.database.system);
    return billed;
  }

  test('is the account’s own, by day, product and API, against quota and allowance', async () => {
    const billed = await subscribed(owner, perCall('1000'));
    const { appId, productId } = billed;
    const quota = { limit: 2_000, window: { unit: 'month', count: 1 } };
    await done(administrator, 'PATCH', `/products/${productId}`, { quota });
    await addCalls(control, organizationId, billed, { at: now.toISOString(), requests: 1_055 });
    await addTraffic(control, {
      organizationId,
      appId: await addApp(administrator),
      productId,
      hour: new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000),
      requests: 7,
    });
    const usage = await done(owner, 'GET', `/portal/usage?appId=${appId}`);
    assert.deepEqual([usage.total.requests, usage.products.length, usage.apis.length], [1_055, 1, 1]);
    const [limits] = usage.subscriptions;
    assert.deepEqual([limits.used, limits.remaining, limits.quota.limit], [1_055, 945, 2_000]);
    assert.deepEqual(limits.allowances, [{ charge: 'calls', meter: 'requests', included: '1000', used: '1055' }]);
    const asOperator = await done(administrator, 'GET', `/subscriptions/${billed.subscriptionId}/usage`);
    assert.deepEqual(asOperator.allowance, limits.allowances);
    assert.equal((await owner.call('GET', `/portal/usage?productId=${newId('prd')}`)).data.total.requests, 0);
    assert.equal((await stranger.call('GET', `/portal/usage?appId=${appId}`)).status, 404);
    assert.equal((await done(stranger, 'GET', '/portal/usage')).total.requests, 0);
  });

  test('recent requests are the account’s own', async () => {
    const appId = await addApp(administrator, owner.developerId);
    const rows = [200, 404, 502].map((status, index) => ({
      organization_id: organizationId,
      app_id: appId,
      at: new Date(now.getTime() - index * 1_000),
      request_id: newId('req'),
      method: 'GET',
      proxy_id: 'prx_1',
      product_id: null,
      route: '/v1/orders/{orderId}',
      status,
      duration_us: 12_400,
    }));
    await control.opened.database.system.insertInto('recent_requests').values(rows).execute();
    const { requests, total } = await done(owner, 'GET', `/portal/requests?appId=${appId}`);
    assert.equal(total, 3);
    assert.deepEqual(
      requests.map(({ status, route, durationMs }: Record<string, unknown>) => [status, route, durationMs]),
      [200, 404, 502].map((status) => [status, '/v1/orders/{orderId}', 12.4]),
    );
    assert.equal((await done(owner, 'GET', `/portal/requests?appId=${appId}&failed=true`)).total, 2);
    assert.equal((await done(stranger, 'GET', '/portal/requests')).total, 0);
    assert.equal((await stranger.call('GET', `/portal/requests?appId=${appId}`)).status, 404);
  });

  test('failures by route are exact sums of the period, of the account’s own apps', async () => {
    const node = await addNode(control, administrator, await addEnvironment(control, organizationId));
    const caller = await addPortalUser(control, administrator);
    const [shop, till] = [
      await addApp(administrator, caller.developerId),
      await addApp(administrator, caller.developerId),
    ];
    const foreign = await addApp(administrator, stranger.developerId);
    const [productId, other] = [await addProduct(administrator), await addProduct(administrator)];
    const { proxyId, routeIds } = await addProxy(control, organizationId, 2);
    const { base_path: basePath } = await control.opened.database.system
      .selectFrom('proxies')
      .select('base_path')
      .where('id', '=', proxyId)
      .executeTakeFirstOrThrow();
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
    const failure = (appId: string, routeId: string | null, status4xx: number, status5xx: number, fields = {}) => ({
      ...{ hour: now.toISOString(), proxyId, routeId, appId, productId, status4xx, status5xx },
      ...fields,
    });
    const absent = newId('rte');
    const failures = [
      failure(shop, routeIds[0]!, 1_000_000, 3),
      failure(shop, routeIds[0]!, 20, 0, { hour: daysAgo(3).toISOString(), productId: other }),
      failure(shop, routeIds[0]!, 0, 500, { hour: daysAgo(60).toISOString() }),
      failure(till, routeIds[1]!, 0, 7),
      failure(shop, absent, 2, 0),
      failure(shop, null, 1, 0, { productId: null }),
      failure(foreign, routeIds[0]!, 40, 40),
    ];
    const batch = {
      streamId: newId('usb'),
      sequence: 0,
      traffic: [],
      deployments: [],
      routes: [],
      metered: [],
      failures,
    };
    // Twice: the second one is the repetition of a node that had no answer.
    for (const applied of [true, false]) {
      const { status, data } = await node.call('POST', '/gateway/usage', batch);
      assert.deepEqual([status, data.applied], [200, applied], JSON.stringify(data));
    }
    const shown = async (by: PortalTestCaller, query: string) =>
      (await done(by, 'GET', `/portal/usage?${query}`)).failures;
    const first = { proxyId, routeId: routeIds[0], method: 'GET', path: `${basePath}/0` };
    const second = { proxyId, routeId: routeIds[1], method: 'GET', path: `${basePath}/1`, failed: 7, errors: 7 };
    const nameless = [
      { proxyId, routeId: absent, method: null, path: null, failed: 2, errors: 0 },
      { proxyId, routeId: null, method: null, path: null, failed: 1, errors: 0 },
    ];
    assert.deepEqual(await shown(caller, ''), [{ ...first, failed: 1_000_023, errors: 3 }, second, ...nameless]);
    assert.deepEqual(await shown(caller, `appId=${till}`), [second]);
    assert.deepEqual(await shown(caller, `appId=${shop}&productId=${other}`), [{ ...first, failed: 20, errors: 0 }]);
    const past = [daysAgo(61), daysAgo(2)].map((at) => at.toISOString().slice(0, 10));
    assert.deepEqual(await shown(caller, `from=${past[0]}&to=${past[1]}`), [{ ...first, failed: 520, errors: 500 }]);
    assert.deepEqual(await shown(stranger, ''), [{ ...first, failed: 80, errors: 40 }]);
    assert.equal((await stranger.call('GET', `/portal/usage?appId=${shop}`)).status, 404);
  });

  test('a budget alerts at 80 and 100 %, each once, with several processes', async () => {
    const payer = await addPortalUser(control, administrator);
    const { developerId } = payer;
    await addPortalUser(control, administrator, { role: 'developer', developerId });
    await addPortalUser(control, administrator, { role: 'billing', developerId });
    const billed = await subscribed(payer, perCall('0'));
    const { currencies } = await done(payer, 'PUT', '/portal/budget', { currency: 'EUR', amountMinor: 1_000 });
    assert.deepEqual(currencies, [
      { currency: 'EUR', spentMinor: 0, amountMinor: 1_000, percent: 0, alertedPercent: null },
    ]);
    const callAndCheck = async (requests: number, expected: number) => {
      await addCalls(control, organizationId, billed, { at: now.toISOString(), requests });
      // As if the last check was long ago.
      await sql`update portal_budgets set checked_at = '-infinity'`.execute(control.opened.database.system);
      await Promise.all([check(), check(), check()]);
      // The service under test checks budgets as well, and may have taken this one.
      return eventually('e-mails', async () => {
        const subjects = await sent(payer);
        return subjects.length >= expected && subjects;
      });
    };
    assert.deepEqual(await callAndCheck(79, 0), []);
    assert.deepEqual(await callAndCheck(1, 2), ['80 % of your budget is spent', '80 % of your budget is spent']);
    assert.equal((await callAndCheck(10, 2)).length, 2);
    const all = await callAndCheck(30, 4);
    assert.deepEqual([all.length, all.filter((subject) => subject.startsWith('100 %')).length], [4, 2]);
    assert.equal((await callAndCheck(50, 4)).length, 4);
    const shown = await done(payer, 'GET', '/portal/budget');
    assert.deepEqual([shown.currencies[0].spentMinor, shown.currencies[0].alertedPercent], [1_700, 100]);
    const developer = await addPortalUser(control, administrator, { role: 'developer', developerId });
    assert.equal((await developer.call('GET', '/portal/budget')).status, 403);
    assert.deepEqual((await done(developer, 'GET', '/portal/usage')).budgets, []);
    const removed = await done(payer, 'PUT', '/portal/budget', { currency: 'EUR', amountMinor: null });
    assert.equal(removed.currencies[0].amountMinor, null);
  });

  test('what an account spends is what its invoice would list', async () => {
    const payer = await addPortalUser(control, administrator);
    const tiers = [
      { upTo: '50', unitPrice: '0.10', flatFee: '0' },
      { upTo: null, unitPrice: '0.05', flatFee: '0' },
    ];
    const charges = [{ name: 'calls', meter: 'requests', model: 'graduated', allowance: '10', tiers }];
    const billed = await subscribed(payer, { type: 'tiered', charges, minimumSpend: '25' });
    await addCalls(control, organizationId, billed, { at: now.toISOString(), requests: 61 });
    const { currencies } = await done(payer, 'GET', '/portal/budget');
    const { periods } = await done(administrator, 'GET', '/billing/periods');
    const { invoices } = await done(administrator, 'POST', `/billing/periods/${periods[0].id}/preview`, {
      developerId: payer.developerId,
    });
    assert.deepEqual(
      currencies.map(({ spentMinor }: { spentMinor: number }) => spentMinor),
      invoices.map(({ linesMinor }: { linesMinor: number }) => linesMinor),
    );
    assert.equal(currencies[0].spentMinor, 2_500);
  });

  async function check(): Promise<void> {
    const { database } = control.opened;
    const chain = createAuditChain(control.encryptionKey);
    const sealer = createSealer([control.encryptionKey], 'control outbox');
    await checkBudgets({
      database,
      chain,
      outbox: { sealer, wake: () => {} },
      onError: (error) => assert.fail(String(error)),
    });
  }

  /** The subjects of the e-mails about budgets to an account's users. */
  async function sent({ developerId }: PortalTestCaller): Promise<string[]> {
    const { system } = control.opened.database;
    const sealer = createSealer([control.encryptionKey], 'control outbox');
    const rows = await system
      .selectFrom('outbox')
      .select(['id', 'sealed_payload'])
      .where('organization_id', '=', organizationId)
      .execute();
    const users = await system
      .selectFrom('portal_users')
      .select('email')
      .where('developer_id', '=', developerId)
      .execute();
    const addresses = new Set(users.map(({ email }) => email));
    return rows
      .map((row) => openMail(sealer, row))
      .flatMap(({ to, subject }) => (addresses.has(String(to)) ? subject : []));
  }
});
