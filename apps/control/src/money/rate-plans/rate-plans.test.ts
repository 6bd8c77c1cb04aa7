import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sql } from 'kysely';
import { Client } from 'pg';
import {
  addApp,
  addDeveloper,
  addProduct,
  addProxy,
  done,
  publishedConsumers,
  storedConsumers,
} from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

const perCall = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.067' };
const graduated = {
  name: 'pages',
  meter: 'requests',
  model: 'graduated',
  tiers: [
    { upTo: '10', unitPrice: '10', flatFee: '2' },
    { upTo: '20', unitPrice: '5', flatFee: '3' },
    { upTo: null, unitPrice: '5', flatFee: '3' },
  ],
};
const january = { from: '2024-01-01T00:00:00Z', to: '2024-02-01T00:00:00Z' };
const day = 86_400_000;

describe('rate plans', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let productId: string;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    productId = await addProduct(administrator, { autoApprove: true });
  });
  after(() => control.stop());

  let plans = 0;
  const add = (fields: object = {}) => {
    plans += 1;
    const terms = { type: 'pay_as_you_go', currency: 'EUR', charges: [perCall] };
    const plan = { productId, name: `plan-${plans}`, displayName: `Plan ${plans}`, ...terms, ...fields };
    return done(administrator, 'POST', '/rate-plans', plan);
  };
  const move = (id: string, name: string, body?: object) =>
    done(administrator, 'POST', `/rate-plans/${id}/${name}`, body);
  const addPublished = async (fields?: object) => move((await add(fields)).id, 'publish');
  const change = (id: string, body: object) => done(administrator, 'PATCH', `/rate-plans/${id}`, body);
  const show = (id: string) => done(administrator, 'GET', `/rate-plans/${id}`);
  const subtotal = async (id: string, body: object) =>
    (await move(id, 'estimate', { period: january, ...body })).subtotalMinor;

  /** The status and the errors of a call that is rejected. */
  async function rejection(method: string, path: string, body?: object) {
    const { status, data } = await administrator.call(method, path, body);
    return [status, data.errors ?? data.message];
  }

  async function subscribe(ratePlanId: string, developerId?: string) {
    const appId = await addApp(administrator, developerId);
    return done(administrator, 'POST', '/subscriptions', { appId, productId, ratePlanId });
  }

  test('terms that a process of the version before stored have every field', async () => {
    const { id } = await addPublished();
    await change(id, { description: 'Changed' });
    await sql`update rate_plans set terms = terms - 'creditExpiry', draft = draft #- '{terms,creditExpiry}'
      where id = ${id}`.execute(control.opened.database.system);
    const plan = await show(id);
    assert.deepEqual([plan.creditExpiry, plan.draft.creditExpiry], [null, null]);
    assert.equal((await move(id, 'publish')).creditExpiry, null);
  });

  test('a draft has defaults, can be changed and deleted, and accepts no subscribers', async () => {
    const plan = await add({ description: 'For everybody' });
    assert.deepEqual(
      [plan.state, plan.planVersion, plan.feeTiming, plan.proration, plan.trialDays, plan.draft, plan.subscribers],
      ['draft', 1, 'arrears', 'second', 0, null, 0],
    );
    assert.deepEqual(plan.charges, [{ ...perCall, statusClasses: [2, 3], proxyIds: null, allowance: '0' }]);
    const changed = await change(plan.id, { name: 'renamed', type: 'flat', recurringFee: '20' });
    assert.deepEqual(
      [changed.name, changed.type, changed.recurringFee, changed.version, changed.charges],
      ['renamed', 'flat', '20', 2, plan.charges],
    );
    const subscription = { appId: await addApp(administrator), productId, ratePlanId: plan.id };
    const [status, message] = await rejection('POST', '/subscriptions', subscription);
    assert.equal(status, 409);
    assert.match(message, /is a draft and accepts no subscribers/);
    assert.deepEqual((await show(plan.id)).versions, []);
    await done(administrator, 'DELETE', `/rate-plans/${plan.id}`);
    assert.equal((await administrator.call('GET', `/rate-plans/${plan.id}`)).status, 404);
  });

  test('bad terms are rejected with the path of each field', async () => {
    const plan = await add();
    const tiers = [
      { upTo: '10', unitPrice: '1' },
      { upTo: '5', unitPrice: '1' },
      { upTo: null, unitPrice: '1' },
    ];
    const overlapping = { type: 'tiered', charges: [{ ...graduated, tiers }] };
    const problem = {
      'charges.0.tiers.1.upTo': 'This tier ends at or before 10, where it begins. Enter a greater upper bound.',
    };
    const created = { productId, name: 'bad', displayName: 'Bad', currency: 'EUR', ...overlapping };
    assert.deepEqual(await rejection('POST', '/rate-plans', created), [400, problem]);
    assert.deepEqual(await rejection('PATCH', `/rate-plans/${plan.id}`, overlapping), [400, problem]);
    assert.deepEqual(await rejection('PATCH', `/rate-plans/${plan.id}`, { recurringFee: '1', minimumSpend: '2' }), [
      400,
      {
        recurringFee: 'A pay-as-you-go plan has no recurring fee. Remove it or change the type.',
        minimumSpend: 'A pay-as-you-go plan has no minimum spend. Remove it or change the type.',
      },
    ]);
    for (const [fields, path] of [
      [{ currency: 'EURO' }, 'currency'],
      [{ charges: [{ ...perCall, unitPrice: '1,5' }] }, 'charges.0.unitPrice'],
      [{ charges: [{ ...perCall, model: 'flat' }] }, 'charges.0.model'],
      [{ charges: [{ ...perCall, statusClasses: [7] }] }, 'charges.0.statusClasses.0'],
      [{ charges: [perCall, perCall] }, 'charges.1.name'],
      [{ charges: [{ ...perCall, proxyIds: ['prx_unknown'] }] }, 'charges.0.proxyIds.0'],
      [{ recurringFee: '0.001', type: 'flat' }, 'recurringFee'],
    ] as const) {
      const [status, errors] = await rejection('PATCH', `/rate-plans/${plan.id}`, fields);
      assert.deepEqual([status, Object.keys(errors)], [400, [path]]);
    }
    const { name } = await add();
    const taken = { name: 'Another rate plan of this product has this name.' };
    assert.deepEqual(await rejection('PATCH', `/rate-plans/${plan.id}`, { name }), [400, taken]);
    assert.equal((await show(plan.id)).version, 1);
  });

  test('a charge is only for API proxies that the product bundles, and units need its header', async () => {
    const ownId = await addProduct(administrator);
    const { proxyId } = await addProxy(control, organizationId);
    const charges = [{ ...perCall, meter: 'units', proxyIds: [proxyId] }];
    const plan = { name: 'own', displayName: 'Own', type: 'pay_as_you_go', currency: 'EUR', productId: ownId, charges };
    const [status, errors] = await rejection('POST', '/rate-plans', plan);
    assert.deepEqual(
      [status, errors],
      [400, { 'charges.0.proxyIds.0': 'The product doesn’t bundle this API proxy. Bundle it first.' }],
    );
    await done(administrator, 'PUT', `/products/${ownId}/proxies/${proxyId}`, {});
    const { id } = await done(administrator, 'POST', '/rate-plans', plan);
    const [refused, message] = await rejection('POST', `/rate-plans/${id}/publish`);
    assert.equal(refused, 409);
    assert.match(message, /calls needs units, but the product .+ has no response header for them/);
    await done(administrator, 'PATCH', `/products/${ownId}`, { unitsHeader: 'x-pages' });
    assert.equal((await move(id, 'publish')).state, 'published');
  });

  test('a published plan never changes: an edit is its next version', async () => {
    const plan = await addPublished();
    assert.deepEqual([plan.state, plan.planVersion, plan.draft], ['published', 1, null]);
    const first = await subscribe(plan.id);
    const edited = await change(plan.id, { displayName: 'Plus', charges: [{ ...perCall, unitPrice: '0.09' }] });
    assert.deepEqual(
      [edited.displayName, edited.charges, edited.draft.planVersion, edited.draft.displayName],
      [plan.displayName, plan.charges, 2, 'Plus'],
    );
    assert.equal((await change(plan.id, { maximumSpend: '50' })).draft.charges[0].unitPrice, '0.09', 'edits add up');
    assert.deepEqual(
      [
        await subtotal(plan.id, { usage: { calls: '55' } }),
        await subtotal(plan.id, { usage: { calls: '55' }, planVersion: 2 }),
      ],
      [369, 495],
    );
    const second = await move(plan.id, 'publish');
    assert.deepEqual([second.planVersion, second.displayName, second.maximumSpend], [2, 'Plus', '50']);
    assert.equal(second.draft, null);
    const { versions, subscribers } = await show(plan.id);
    assert.deepEqual(
      versions.map((version: Record<string, unknown>) => [
        version.planVersion,
        version.displayName,
        version.subscribers,
      ]),
      [
        [2, 'Plus', 0],
        [1, plan.displayName, 1],
      ],
    );
    assert.equal(subscribers, 1);
    assert.equal(await subtotal(plan.id, { usage: { calls: '55' }, planVersion: 1 }), 369);
    const later = await subscribe(plan.id);
    const listed = (await done(administrator, 'GET', `/rate-plans/${plan.id}/subscribers?sort=planVersion`))
      .subscribers;
    assert.deepEqual(
      listed.map((row: Record<string, unknown>) => [row.subscriptionId, row.termId, row.planVersion, row.next]),
      [
        [first.id, first.termId, 1, null],
        [later.id, later.termId, 2, null],
      ],
    );
    const of2 = await done(administrator, 'GET', `/rate-plans/${plan.id}/subscribers?planVersion=2&state=approved`);
    assert.deepEqual([of2.total, of2.subscribers[0].subscriptionId], [1, later.id]);
    await assert.rejects(
      sql`update rate_plan_versions set terms = '{}' where rate_plan_id = ${plan.id}`.execute(
        control.opened.database.system,
      ),
      /permission denied/,
    );
  });

  test('an edit can be deleted, and the plan stays', async () => {
    const plan = await addPublished();
    await change(plan.id, { maximumSpend: '50' });
    await done(administrator, 'DELETE', `/rate-plans/${plan.id}`);
    assert.equal((await show(plan.id)).draft, null);
    for (const [method, path, pattern] of [
      ['DELETE', '', /published and can’t be deleted/],
      ['POST', '/publish', /already published/],
    ] as const) {
      const [status, message] = await rejection(method, `/rate-plans/${plan.id}${path}`);
      assert.equal(status, 409);
      assert.match(message, pattern);
    }
  });

  test('a published plan keeps its name and currency, and whether it is prepaid', async () => {
    const { id } = await addPublished();
    for (const [field, value] of [
      ['name', 'other'],
      ['currency', 'USD'],
      ['type', 'prepaid'],
    ] as const) {
      const [status, errors] = await rejection('PATCH', `/rate-plans/${id}`, { [field]: value });
      assert.deepEqual([status, Object.keys(errors)], [400, [field]]);
    }
  });

  test('a retired plan accepts no new subscribers and keeps those that it has', async () => {
    const plan = await addPublished();
    const { id, termId } = await subscribe(plan.id);
    const waiting = await addProduct(administrator);
    const pendingPlan = await addPublished({ productId: waiting });
    const pending = await done(administrator, 'POST', '/subscriptions', {
      appId: await addApp(administrator),
      productId: waiting,
      ratePlanId: pendingPlan.id,
    });
    await change(plan.id, { maximumSpend: '50' });
    assert.match((await rejection('POST', `/rate-plans/${plan.id}/retire`))[1], /edit that isn’t published/);
    await done(administrator, 'DELETE', `/rate-plans/${plan.id}`);
    assert.equal((await move(plan.id, 'retire')).state, 'retired');
    await move(pendingPlan.id, 'retire');

    const appId = await addApp(administrator);
    const refused = await rejection('POST', '/subscriptions', { appId, productId, ratePlanId: plan.id });
    assert.deepEqual([refused[0], /is retired/.test(refused[1])], [409, true]);
    const approver = await control.addUser(organizationId, ['organization_administrator']);
    const approval = await approver.call('POST', `/subscriptions/${pending.id}/approve`);
    assert.deepEqual([approval.status, /is retired/.test(approval.data.message)], [409, true]);
    assert.equal((await done(administrator, 'GET', `/subscriptions/${id}`)).termId, termId);
    for (const [method, path, body] of [
      ['PATCH', '', { maximumSpend: '1' }],
      ['POST', '/publish', undefined],
      ['POST', '/retire', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      assert.equal((await rejection(method, `/rate-plans/${plan.id}${path}`, body))[0], 409, `${method} ${path}`);
    }
  });

  test('existing subscribers are notified of a new version, and move to it when it applies', async () => {
    const plan = await addPublished();
    const email = `prices-${plan.id.slice(-8)}@example.com`;
    const developerId = await addDeveloper(administrator, { email });
    await subscribe(plan.id, developerId);
    const germanEmail = `preise-${plan.id.slice(-8)}@example.com`;
    const address = { lines: ['Hauptstraße 1'], postalCode: '10115', city: 'Berlin', countryCode: 'DE' };
    const billing = { name: 'Kunde GmbH', address, language: 'de' };
    await subscribe(plan.id, await addDeveloper(administrator, { email: germanEmail, billing }));
    const subscribed = await subscribe(plan.id, developerId);
    await change(plan.id, { charges: [{ ...perCall, unitPrice: '0.09', allowance: '100' }] });
    const publish = (from: number) =>
      rejection('POST', `/rate-plans/${plan.id}/publish`, {
        appliesToSubscribersFrom: new Date(Date.now() + from).toISOString(),
      });
    for (const from of [-1_000, 800 * day]) {
      const [status, errors] = await publish(from);
      assert.deepEqual([status, Object.keys(errors)], [400, ['appliesToSubscribersFrom']]);
    }
    assert.equal((await publish(30 * day))[0], 200);
    const newcomer = await subscribe(plan.id);
    const versionsOf = async () => {
      const { subscribers } = await done(administrator, 'GET', `/rate-plans/${plan.id}/subscribers?sort=createdAt`);
      return subscribers.map((row: { planVersion: number; next: { planVersion: number } | null }) => [
        row.planVersion,
        row.next?.planVersion ?? null,
      ]);
    };
    assert.deepEqual(await versionsOf(), [
      [1, 2],
      [1, 2],
      [1, 2],
      [2, null],
    ]);
    const mails = await mailsTo(email);
    assert.equal(mails.length, 1, 'a developer gets one');
    assert.match(mails[0]!, /New prices of/);
    assert.match(mails[0]!, /calls: EUR 0\.09 each, beyond 100 per billing period/);
    const [german] = await mailsTo(germanEmail);
    assert.match(german!, /Neue_Preise_f=C3=BCr/);
    assert.match(german!, /calls: je EUR 0,09, =C3=BCber 100 je Abrechnungszeitraum hinaus/);

    await applyNow(plan.id);
    await eventually('the version to apply', async () => (await show(plan.id)).versions[0].appliedAt !== null);
    assert.deepEqual(await versionsOf(), [
      [2, null],
      [2, null],
      [2, null],
      [2, null],
    ]);
    assert.equal((await done(administrator, 'GET', `/subscriptions/${newcomer.id}`)).termId, newcomer.termId);
    assert.deepEqual(
      await publishedConsumers(control, organizationId),
      await storedConsumers(control, organizationId),
      'nodes know the new terms',
    );
    const { rows } = await sql<{ plan_version: number; gap: boolean | null }>`
      select plan_version, starts_at <> lag(ends_at) over (order by plan_version) as gap
      from subscription_terms where subscription_id = ${subscribed.id} order by plan_version`.execute(
      control.opened.database.system,
    );
    assert.deepEqual(rows, [
      { plan_version: 1, gap: null },
      { plan_version: 2, gap: false },
    ]);
    const audited = (await done(administrator, 'GET', `/audit/entities/rate_plan/${plan.id}`)).entries;
    assert.deepEqual(
      [audited[0].operation, audited[0].actorKind, audited[0].note],
      ['applyRatePlanVersion', 'system', 'Subscriptions moved to version 2: 3'],
    );
  });

  /** Lets a version apply now, as if its time had come. */
  async function applyNow(ratePlanId: string): Promise<void> {
    const owner = new Client(control.opened.owner);
    await owner.connect();
    await owner.query(`select set_config('millrace.tenant', '*', false)`);
    await owner.query(
      'update control.rate_plan_versions set applies_from = now() where rate_plan_id = $1 and plan_version = 2',
      [ratePlanId],
    );
    await owner.end();
  }

  async function mailsTo(email: string): Promise<string[]> {
    const folder = join(control.dataDirectory, 'mail');
    return eventually(`an e-mail to ${email}`, () => {
      if (!existsSync(folder)) return null;
      const mails = readdirSync(folder)
        .filter((name) => name.endsWith('.eml'))
        .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''))
        .filter((text) => text.includes(email));
      return mails.length > 0 && mails;
    });
  }

  test('an estimate is what closing a period would charge', async () => {
    const terms = { type: 'tiered', recurringFee: '20', setupFee: '5', proration: 'day', trialDays: 3 };
    const { id } = await add({ ...terms, charges: [graduated, perCall] });
    assert.equal(await subtotal(id, { usage: { pages: '21', calls: '55' } }), 2_000 + 16_300 + 369);
    assert.equal(await subtotal(id, { usage: {} }), 2_000 + 200);
    const estimate = await move(id, 'estimate', { period: january, subscribedAt: '2024-01-28T12:00:00Z' });
    assert.deepEqual(
      estimate.lines.map((line: Record<string, unknown>) => [line.kind, line.charge, line.amountMinor]),
      [
        ['setup', null, 500],
        ['recurring', null, 65],
        ['usage', 'pages', 0],
        ['usage', 'pages', 6],
        ['usage', 'calls', 0],
      ],
      'one day after the trial is charged',
    );
    const now = await move(id, 'estimate', {});
    assert.match(now.period.from, /-01T00:00:00Z$/);
    for (const [body, path] of [
      [{ usage: { nothing: '1' } }, 'usage.nothing'],
      [{ usage: { calls: '-1' } }, 'usage.calls'],
      [{ usage: { calls: '999999999999999999' } }, 'usage'],
      [{ period: { from: january.to, to: january.from } }, 'period.to'],
      [{ subscribedAt: january.to, endedAt: january.from }, 'endedAt'],
      [{ planVersion: 7 }, 'planVersion'],
    ] as const) {
      const [status, errors] = await rejection('POST', `/rate-plans/${id}/estimate`, body);
      assert.deepEqual([status, Object.keys(errors)], [400, [path]]);
    }
  });

  test('lists can be filtered', async () => {
    const { id } = await add({ currency: 'JPY', charges: [perCall] });
    const list = async (query: string) => {
      const { ratePlans } = await done(administrator, 'GET', `/rate-plans?${query}`);
      return ratePlans.map((plan: { id: string }) => plan.id);
    };
    assert.deepEqual(await list('currency=JPY'), [id]);
    assert.deepEqual(await list(`productId=${productId}&currency=JPY&state=draft&type=pay_as_you_go`), [id]);
    assert.deepEqual(await list('currency=JPY&state=published'), []);
  });
});
