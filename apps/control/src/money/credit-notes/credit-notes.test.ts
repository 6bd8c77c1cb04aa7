import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import {
  addBilled,
  addCalls,
  closeNext,
  invoicesOf,
  openPeriods,
  pastMonths,
  setUpBilling,
} from '../billing-periods/testing.ts';

const [first] = pastMonths();

describe('a credit note', () => {
  let control: TestControl;
  let caller: TestCaller;
  let approver: TestCaller;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    const organizationId = await control.addOrganization();
    caller = await control.addUser(organizationId, ['organization_administrator']);
    approver = await control.addUser(organizationId, ['organization_administrator']);
    await setUpBilling(caller);
  });

  /** An invoice of several lines that don't divide evenly, over 158.70 with tax. */
  async function addInvoice() {
    await openPeriods(caller, first);
    const since = { startsAt: `${first}T00:00:00Z` };
    const charge = (name: string, unitPrice: string) => ({ name, meter: 'requests', model: 'per_unit', unitPrice });
    const charges = [charge('one', '0.3333'), charge('two', '0.6667'), charge('three', '0.3333')];
    const billed = await addBilled(control, caller, { charges }, since);
    await addCalls(control, caller.organizationId, billed, { at: `${first}T10:00:00Z`, requests: 100 });
    const { id } = await closeNext(caller);
    const [invoice] = await invoicesOf(caller, id);
    assert.deepEqual([invoice.linesMinor, invoice.totalMinor], [13_333, 15_866]);
    return invoice;
  }

  const credit = (invoiceId: string, what: object, by = caller) =>
    by.call('POST', `/billing/invoices/${invoiceId}/credit-notes`, { reason: 'A load test.', credit: what });

  test('credits in any parts, which come to the whole and no more', async () => {
    const { id } = await addInvoice();
    const totals: number[] = [];
    for (const what of [
      { scope: 'amount', totalMinor: 1 },
      { scope: 'lines', lines: [{ position: 2, amountMinor: 1_234 }] },
      { scope: 'amount', totalMinor: 4_567 },
    ]) {
      const { status, data } = await credit(id, what);
      assert.deepEqual([status, data.state], [201, 'issued'], JSON.stringify(data));
      assert.equal(data.linesMinor + data.taxMinor, data.totalMinor);
      totals.push(data.totalMinor);
    }
    const left = 15_866 - totals.reduce((sum, total) => sum + total, 0);
    const tooMuch = await credit(id, { scope: 'amount', totalMinor: left + 1 });
    assert.deepEqual(
      [tooMuch.status, tooMuch.data.errors],
      [400, { credit: `€${(left / 100).toFixed(2)} is left to credit. Credit that or less.` }],
    );
    const rest = await credit(id, { scope: 'rest' });
    assert.equal(rest.data.totalMinor, left);
    const invoice = await done(caller, 'GET', `/billing/invoices/${id}`);
    assert.deepEqual([invoice.state, invoice.creditedMinor, invoice.dueMinor], ['paid', 15_866, 0]);
    const { creditNotes } = await done(caller, 'GET', '/billing/credit-notes?sort=createdAt');
    assert.deepEqual(
      creditNotes.map(({ number }: { number: string }) => number),
      ['CN-1', 'CN-2', 'CN-3', 'CN-4'],
    );
    const notes = await Promise.all(
      creditNotes.map((note: { id: string }) => done(caller, 'GET', `/billing/credit-notes/${note.id}`)),
    );
    for (const line of invoice.lines) {
      const credited = notes.flatMap(({ lines }) =>
        lines.filter((one: { position: number }) => one.position === line.position),
      );
      assert.equal(
        credited.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
        line.amountMinor,
      );
    }
    const pdf = await caller.call('GET', `/billing/credit-notes/${notes[0].id}/pdf`);
    assert.deepEqual([pdf.status, pdf.data.startsWith('%PDF-')], [200, true]);
    assert.equal((await credit(id, { scope: 'rest' })).status, 400);
  });

  test('of concurrent calls never credits more than the invoice has', async () => {
    const { id } = await addInvoice();
    const answers = await Promise.all([1, 2, 3, 4].map(() => credit(id, { scope: 'amount', totalMinor: 6_000 })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 400, 400]);
  });

  test('above the limit waits for another person', async () => {
    const { id } = await addInvoice();
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 5_000 });
    assert.equal((await credit(id, { scope: 'amount', totalMinor: 5_000 })).data.state, 'issued');
    const { data: waiting } = await credit(id, { scope: 'amount', totalMinor: 5_001 });
    assert.deepEqual([waiting.state, waiting.number], ['pending', null]);
    assert.equal((await done(caller, 'GET', `/billing/invoices/${id}`)).creditedMinor, 5_000);
    const tooMuch = await credit(id, { scope: 'amount', totalMinor: 6_000 });
    assert.equal(tooMuch.status, 400, 'what waits is reserved');
    const path = `/billing/credit-notes/${waiting.id}`;
    const own = await caller.call('POST', `${path}/approve`);
    assert.deepEqual([own.status, /Ask someone else/.test(own.data.message)], [403, true]);
    assert.equal((await caller.call('GET', `${path}/pdf`)).status, 409);
    const { data: notices } = await approver.call('GET', '/notifications');
    assert.match(JSON.stringify(notices), /waits for approval/);
    const approved = await done(approver, 'POST', `${path}/approve`);
    assert.deepEqual([approved.state, approved.number], ['issued', 'CN-2']);
    assert.equal((await done(caller, 'GET', `/billing/invoices/${id}`)).creditedMinor, 10_001);
    for (const [decision, body] of [
      ['approve', undefined],
      ['reject', { reason: 'No' }],
    ] as const) {
      assert.equal((await approver.call('POST', `${path}/${decision}`, body)).status, 409);
    }
  });

  test('that is rejected frees what it reserved, and takes no number', async () => {
    const { id } = await addInvoice();
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 0 });
    const { data: waiting } = await credit(id, { scope: 'rest' });
    const rejected = await done(approver, 'POST', `/billing/credit-notes/${waiting.id}/reject`, {
      reason: 'It was agreed on.',
    });
    assert.deepEqual(
      [rejected.state, rejected.number, rejected.decisionReason],
      ['rejected', null, 'It was agreed on.'],
    );
    const { data: again } = await credit(id, { scope: 'rest' }, approver);
    assert.deepEqual((await done(caller, 'POST', `/billing/credit-notes/${again.id}/approve`)).number, 'CN-1');
    assert.deepEqual((await done(caller, 'GET', `/billing/invoices/${id}`)).dueMinor, 0);
  });
});
