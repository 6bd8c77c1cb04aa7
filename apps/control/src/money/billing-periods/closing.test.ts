import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { done } from '../../consumers/products/testing.ts';
import { addNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import {
  addBilled,
  addCalls,
  addTerm,
  closeNext,
  invoicesOf,
  openPeriods,
  pastMonths,
  setUpBilling,
} from './testing.ts';

const [first, second, third] = pastMonths();
const calls = (fields: object) => ({ charges: [{ name: 'calls', meter: 'requests', ...fields }] });
const cents = calls({ model: 'per_unit', unitPrice: '0.067' });

describe('closing a period', () => {
  let control: TestControl;
  let caller: TestCaller;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    caller = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    await setUpBilling(caller);
  });

  const onDay = (month: string, day: number, time = '10:00:00Z') =>
    `${month.slice(0, 8)}${String(day).padStart(2, '0')}T${time}`;
  const since = { startsAt: onDay(first, 1, '00:00:00Z') };
  const amounts = (invoice: { readonly lines: readonly { kind: string; amountMinor: number }[] } | undefined) =>
    invoice?.lines.map(({ kind, amountMinor }) => [kind, amountMinor]);

  test('bills each worked example', async () => {
    const tiers = (rows: readonly (readonly [string | null, string, string])[]) =>
      rows.map(([upTo, unitPrice, flatFee]) => ({ upTo, unitPrice, flatFee }));
    const lago = tiers([
      ['10', '10', '2'],
      ['20', '5', '3'],
      [null, '5', '3'],
    ]);
    const openMeter = tiers([
      ['5', '0', '100'],
      ['10', '0', '150'],
      ['15', '10', '0'],
      [null, '5', '0'],
    ]);
    const graduated = { type: 'tiered', ...calls({ model: 'graduated', tiers: lago }) };
    const volume = { type: 'tiered', ...calls({ model: 'volume', tiers: openMeter }) };
    const packages = (allowance: string) =>
      calls({ model: 'package', allowance, package: { size: '100', price: '10' } });
    const examples: readonly (readonly [terms: object, requests: number, amountMinor: number])[] = [
      [cents, 55, 369],
      [packages('0'), 121, 2_000],
      [packages('10'), 121, 2_000],
      [packages('21'), 121, 1_000],
      [graduated, 0, 200],
      [graduated, 11, 11_000],
      [graduated, 21, 16_300],
      [volume, 15, 15_000],
      [volume, 16, 8_000],
    ];
    await openPeriods(caller, first);
    const billed: { readonly developerId: string; readonly amountMinor: number }[] = [];
    for (const [terms, requests, amountMinor] of examples) {
      const subscription = await addBilled(control, caller, terms, since);
      if (requests > 0) await addCalls(control, caller.organizationId, subscription, { at: onDay(first, 5), requests });
      billed.push({ developerId: subscription.developerId, amountMinor });
    }
    const period = await closeNext(caller);
    const invoices = await invoicesOf(caller, period.id);
    const byDeveloper = new Map(invoices.map((invoice) => [invoice.developerId, invoice.linesMinor]));
    assert.deepEqual(
      billed.map(({ developerId }) => byDeveloper.get(developerId)),
      billed.map(({ amountMinor }) => amountMinor),
    );
    const stated = new Map(invoices.map((invoice) => [invoice.developerId, invoice.lines[0].usage]));
    assert.deepEqual(
      [2, 6].map((index) => stated.get(billed[index]!.developerId)),
      [
        { quantity: '121', included: '10' },
        { quantity: '21', included: '0' },
      ],
    );
    assert.deepEqual(
      invoices.map(({ number }) => Number(number.slice('INV-'.length))).toSorted((one, other) => one - other),
      invoices.map((_, index) => index + 1),
      'numbers have no gaps',
    );
    const total = billed.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const [{ linesMinor, taxMinor, totalMinor }] = period.totals.currencies;
    assert.deepEqual([period.totals.developers, linesMinor, totalMinor], [billed.length, total, total + taxMinor]);
    for (const { differences } of [{ differences: period.terms }]) {
      for (const term of differences)
        assert.deepEqual([term.notMetered, term.unexplained], [0, 0], JSON.stringify(term));
    }
  });

  test('prorates a change of plan, counts what does not bill, and taxes the sum', async () => {
    await openPeriods(caller, first);
    const [half, days] = [onDay(first, 16, '00:00:00Z'), new Date(Date.parse(second) - 1).getUTCDate()];
    const fee = (recurringFee: string) => ({ type: 'flat', recurringFee, proration: 'day', ...cents });
    const old = await addBilled(control, caller, fee('10'), { ...since, endsAt: half });
    const { developerId, appId, productId, subscriptionId } = old;
    const { ratePlanId } = await addBilled(control, caller, fee('20'), { startsAt: half, developerId });
    const of = { developerId, appId, productId, subscriptionId, ratePlanId };
    const termId = await addTerm(control, caller.organizationId, of, { startsAt: half });
    await addCalls(control, caller.organizationId, { ...of, termId }, { at: onDay(first, 20), requests: 100 });
    await addCalls(
      control,
      caller.organizationId,
      { ...of, termId },
      { at: onDay(first, 20), requests: 7, statusClass: 5 },
    );
    await addCalls(
      control,
      caller.organizationId,
      { ...of, termId },
      { at: onDay(first, 20), requests: 3, statusClass: 0 },
    );
    const period = await closeNext(caller);
    const [invoice] = await invoicesOf(caller, period.id);
    const lines = invoice.lines.filter((line: { subscriptionId: string }) => line.subscriptionId === subscriptionId);
    const rounded = (share: number) => Math.round(share * 100);
    assert.deepEqual(amounts({ lines }), [
      ['recurring', rounded((10 * 15) / days)],
      ['recurring', rounded((20 * (days - 15)) / days)],
      ['usage', 670],
    ]);
    assert.deepEqual(invoice.taxes, [
      { category: 'S', rate: '19', basisMinor: invoice.linesMinor, taxMinor: Math.round(invoice.linesMinor * 0.19) },
    ]);
    const term = period.terms.find((one: { termId: string }) => one.termId === termId);
    assert.deepEqual([term.admitted, term.billed, term.notBillable], [110, 100, { status: 7, refused: 3 }]);
    assert.deepEqual([term.notMetered, term.unexplained], [0, 0]);
  });

  test('bills late usage on the next invoice, with the period that it is from', async () => {
    await openPeriods(caller, first);
    const tiers = [
      { upTo: '10', unitPrice: '1', flatFee: '0' },
      { upTo: null, unitPrice: '0.5', flatFee: '0' },
    ];
    const terms = { type: 'tiered', ...calls({ model: 'graduated', tiers }) };
    const billed = await addBilled(control, caller, terms, since);
    const add = (month: string, requests: number) =>
      addCalls(control, caller.organizationId, billed, { at: onDay(month, 7), requests });
    await add(first, 8);
    const one = await closeNext(caller);
    await add(first, 4);
    await add(second, 5);
    const two = await closeNext(caller);
    await add(first, 2);
    await add(second, 1);
    const three = await closeNext(caller);
    const [oldest, middle, newest] = (
      await Promise.all([one, two, three].map(({ id }) => invoicesOf(caller, id)))
    ).flat();
    assert.deepEqual(amounts(oldest), [['usage', 800]]);
    assert.deepEqual(amounts(middle), [
      ['usage', 500],
      ['late', 300],
    ]);
    assert.deepEqual(amounts(newest), [
      ['late', 100],
      ['late', 100],
    ]);
    assert.deepEqual(
      [middle, newest].map(({ lines }) => lines.map(({ firstDay }: { firstDay: string }) => firstDay)),
      [
        [second, first],
        [first, second],
      ],
    );
    const { terms: reconciled } = await done(caller, 'GET', `/billing/periods/${one.id}`);
    assert.deepEqual(
      reconciled.map((term: Record<string, number>) => [
        term.metered,
        term.late,
        term.billed,
        term.unexplained,
        term.notMetered,
      ]),
      [[14, 6, 8, 0, 0]],
    );
    assert.equal(three.terms[0].lateBilled, 3);
  });

  test('bills fees in advance once, and credits what an ended term paid too much', async () => {
    await openPeriods(caller, first);
    const terms = {
      type: 'flat',
      recurringFee: '31',
      feeTiming: 'advance',
      proration: 'day',
      setupFee: '5',
      charges: [],
    };
    const ended = onDay(third, 11, '00:00:00Z');
    const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
    await addBilled(control, caller, terms, { ...since, endsAt: ended });
    const [one, two, three] = [await closeNext(caller), await closeNext(caller), await closeNext(caller)];
    const [oldest, middle, newest] = (
      await Promise.all([one, two, three].map(({ id }) => invoicesOf(caller, id)))
    ).flat();
    assert.deepEqual(amounts(oldest), [
      ['setup', 500],
      ['recurring', 3_100],
      ['recurring', 3_100],
    ]);
    assert.deepEqual(amounts(middle), [['recurring', 3_100]]);
    const length = days(
      third,
      new Date(Date.UTC(Number(third.slice(0, 4)), Number(third.slice(5, 7)), 1)).toISOString(),
    );
    const used = Math.round((3_100 * 10) / length);
    assert.deepEqual(amounts(newest), [['recurring', used - 3_100]]);
    assert.deepEqual([newest.lines[0].quantity, newest.totalMinor < 0], ['-1', true]);
  });

  test('does not bill a trial', async () => {
    await openPeriods(caller, first);
    const terms = { type: 'flat', recurringFee: '30', proration: 'day', trialDays: 10, ...cents };
    const billed = await addBilled(control, caller, terms, since);
    const add = (at: string, requests: number) => addCalls(control, caller.organizationId, billed, { at, requests });
    await add(onDay(first, 10, '23:59:00Z'), 1_000);
    await add(onDay(first, 11, '00:00:00Z'), 10);
    const period = await closeNext(caller);
    const [invoice] = await invoicesOf(caller, period.id);
    const days = new Date(Date.parse(second) - 1).getUTCDate();
    assert.deepEqual(amounts(invoice), [
      ['recurring', Math.round((3_000 * (days - 10)) / days)],
      ['usage', 67],
    ]);
    assert.deepEqual([period.terms[0].billed, period.terms[0].notBillable], [10, { trial: 1_000 }]);
  });

  test('comes to what its preview says, and again to the same', async () => {
    const id = await openPeriods(caller, first);
    const euros = await addBilled(control, caller, cents, since);
    const yen = { ...cents, currency: 'JPY', charges: [{ ...cents.charges[0], unitPrice: '7' }] };
    const other = await addBilled(control, caller, yen, { ...since, developerId: euros.developerId });
    for (const billed of [euros, other]) {
      await addCalls(control, caller.organizationId, billed, { at: onDay(first, 3), requests: 55 });
    }
    const { invoices: previewed } = await done(caller, 'POST', `/billing/periods/${id}/preview`, {});
    const { totals } = await closeNext(caller);
    const invoices = await invoicesOf(caller, id);
    assert.deepEqual(
      invoices.map(({ currency, totalMinor, lines }) => ({ currency, totalMinor, lines })),
      previewed.map(({ currency, totalMinor, lines }: (typeof invoices)[number]) => ({ currency, totalMinor, lines })),
    );
    assert.deepEqual(
      totals.currencies.map(({ currency, linesMinor }: { currency: string; linesMinor: number }) => [
        currency,
        linesMinor,
      ]),
      [
        ['EUR', 369],
        ['JPY', 385],
      ],
    );
    const again = await caller.call('POST', `/billing/periods/${id}/close`, {});
    assert.deepEqual([again.status, again.data.state], [200, 'closed']);
    assert.deepEqual(await invoicesOf(caller, id), invoices);
    const { data: audit } = await caller.call('GET', `/audit?entityId=${id}`);
    assert.deepEqual(
      audit.entries.map(({ operation, actorKind }: { operation: string; actorKind: string }) => [operation, actorKind]),
      [
        ['closeBillingPeriod', 'system'],
        ['closeBillingPeriod', 'user'],
        ['openBillingPeriod', 'user'],
      ],
    );
  });

  test('waits for the end, the grace time, older periods and gateway nodes', async () => {
    const refused = async (id: string, body: object, message: RegExp) => {
      const { status, data } = await caller.call('POST', `/billing/periods/${id}/close`, body);
      assert.deepEqual([status, message.test(data.message)], [409, true], data.message);
    };
    const id = await openPeriods(caller, third);
    await addNode(control, caller, await addEnvironment(control, caller.organizationId));
    await addBilled(control, caller, cents, { startsAt: onDay(third, 1) });
    await done(caller, 'PATCH', '/billing/settings', { graceHours: 168 });
    if (Date.now() < Date.parse(onDay(third, 1)) + 38 * 86_400_000)
      await refused(id, {}, /awaited until .* ignoreGrace/);
    // The service may have opened it meanwhile.
    await caller.call('POST', '/billing/periods', {});
    const { periods } = await done(caller, 'GET', '/billing/periods?sort=-startsAt');
    await refused(periods[0].id, {}, /runs until the end of/);
    const closed = await done(caller, 'POST', `/billing/periods/${id}/close`, { ignoreGrace: true });
    assert.equal(closed.state, 'closing', 'the node registered after the period');
  });

  test('leaves drafts where the seller or the buyer is not known', async () => {
    await openPeriods(caller, first);
    const billed = await addBilled(control, caller, cents, since);
    await done(caller, 'PATCH', `/developers/${billed.developerId}`, { billing: null });
    await addCalls(control, caller.organizationId, billed, { at: onDay(first, 3), requests: 55 });
    const { id } = await closeNext(caller);
    const [draft] = await invoicesOf(caller, id);
    assert.deepEqual(
      [draft.state, draft.number, draft.problems],
      ['draft', null, ['Complete the developer’s billing profile.']],
    );
    const refused = await caller.call('POST', `/billing/invoices/${draft.id}/issue`);
    assert.equal(refused.status, 409);
    const address = { lines: ['Hauptstraße 1'], postalCode: '10115', city: 'Berlin', countryCode: 'DE' };
    const billing = {
      name: 'Kunde GmbH',
      address,
      taxTreatment: 'reverse_charge',
      vatId: 'IE1234567T',
      language: 'de',
    };
    await done(caller, 'PATCH', `/developers/${billed.developerId}`, { billing });
    const issued = await done(caller, 'POST', `/billing/invoices/${draft.id}/issue`);
    assert.deepEqual(
      [issued.state, issued.number, issued.taxes[0].category, issued.totalMinor, issued.buyer.name],
      ['issued', 'INV-1', 'AE', 369, 'Kunde GmbH'],
    );
  });
});
