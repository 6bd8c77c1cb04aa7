import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createSealer } from '@millrace/encryption';
import { eventually } from '@millrace/eventually';
import { sql } from 'kysely';
import { done } from '../../consumers/products/testing.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { sessionCookieName } from '../../frame/authenticate.ts';
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
import { remindOverdue } from './reminders.ts';

const [first] = pastMonths();
const cents = { charges: [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }] };

describe('an invoice', () => {
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

  /** An invoice over 100.00 and 19 % tax. */
  async function addInvoice(terms: object = cents) {
    await openPeriods(caller, first);
    const billed = await addBilled(control, caller, terms, { startsAt: `${first}T00:00:00Z` });
    await addCalls(control, caller.organizationId, billed, { at: `${first}T10:00:00Z`, requests: 10_000 });
    const { id } = await closeNext(caller);
    const [invoice] = await invoicesOf(caller, id);
    assert.deepEqual([invoice.state, invoice.totalMinor], ['issued', 11_900]);
    return invoice;
  }

  test('is paid in parts, never more than is due', async () => {
    const { id } = await addInvoice();
    const pay = (amountMinor: number) => caller.call('POST', `/billing/invoices/${id}/payments`, { amountMinor });
    assert.deepEqual((await pay(4_000)).data.dueMinor, 7_900);
    const tooMuch = await pay(7_901);
    assert.deepEqual([tooMuch.status, Object.keys(tooMuch.data.errors)], [400, ['amountMinor']]);
    assert.equal((await pay(-1)).status, 400);
    const results = await Promise.all([pay(7_000), pay(7_000), pay(7_000)]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), [201, 400, 400]);
    const paid = await done(caller, 'POST', `/billing/invoices/${id}/mark-paid`, { reference: 'Transfer' });
    assert.deepEqual([paid.state, paid.dueMinor, paid.paidMinor], ['paid', 0, 11_900]);
    assert.equal((await pay(1)).status, 409);
    assert.equal((await caller.call('POST', `/billing/invoices/${id}/void`, { reason: 'No' })).status, 409);
    const { payments } = await done(caller, 'GET', `/billing/invoices/${id}`);
    assert.deepEqual(
      payments.map(({ amountMinor }: { amountMinor: number }) => amountMinor),
      [4_000, 7_000, 900],
    );
  });

  test('is voided only while no money has moved, and keeps its number', async () => {
    const { id, number } = await addInvoice();
    const reason = { reason: 'It was addressed to the wrong company.' };
    const voided = await done(caller, 'POST', `/billing/invoices/${id}/void`, reason);
    assert.deepEqual(
      [voided.state, voided.number, voided.dueMinor, voided.voidReason],
      ['void', number, 0, reason.reason],
    );
    for (const [path, body] of [
      ['void', reason],
      ['payments', { amountMinor: 1 }],
      ['credit-notes', { ...reason, credit: { scope: 'rest' } }],
      ['send', undefined],
      ['issue', undefined],
    ] as const) {
      assert.equal((await caller.call('POST', `/billing/invoices/${id}/${path}`, body)).status, 409, path);
    }
  });

  test('is sent with its PDF, which contains the electronic invoice', async () => {
    const { id, number } = await addInvoice();
    const response = await fetch(`${control.baseUrl}/api/billing/invoices/${id}/pdf`, {
      headers: { cookie: `${sessionCookieName}=${caller.sessionToken}` },
    });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf']);
    const pdf = Buffer.from(await response.arrayBuffer());
    assert.equal(pdf.toString('latin1', 0, 5), '%PDF-');
    const { data: xml } = await caller.call('GET', `/billing/invoices/${id}/xml`);
    assert.match(xml, new RegExp(`<ram:ID>${number}</ram:ID>`));
    assert.match(xml, /<ram:GrandTotalAmount[^>]*>119\.00</);
    const xrechnung = await caller.call('GET', `/billing/invoices/${id}/xml?format=xrechnung`);
    assert.deepEqual(
      [xrechnung.status, /reference/i.test(xrechnung.data.message)],
      [409, true],
      xrechnung.data.message,
    );

    const sent = await done(caller, 'POST', `/billing/invoices/${id}/send`);
    assert.match(sent.sentTo, /@example\.com$/);
    const mail = await waitForMail(number);
    assert.match(mail, /application\/pdf/);
    assert.match(mail, new RegExp(`${number}\\.pdf`));
  });

  async function waitForMail(subject: string): Promise<string> {
    const folder = join(control.dataDirectory, 'mail');
    return eventually(`a mail about ${subject}`, () => {
      const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
      const mails = names.map((name) => readFileSync(join(folder, name), 'utf8'));
      return mails.find((mail) => mail.includes(subject));
    });
  }

  test('that is overdue is listed so, and its reminders go out once each', async () => {
    const { id, number } = await addInvoice();
    await done(caller, 'PATCH', '/billing/settings', { reminders: [7, 14] });
    const due = async (daysAgo: number) => {
      const date = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
      await sql`update invoices set due_date = ${date} where id = ${id}`.execute(control.opened.database.system);
    };
    const overdue = async () => (await done(caller, 'GET', '/billing/invoices?overdue=true')).total;
    const remind = async () => {
      const { encryptionKey, opened } = control;
      const outbox = { sealer: createSealer([encryptionKey], 'control outbox'), wake: () => undefined };
      const parts = { database: opened.database, chain: createAuditChain(encryptionKey), outbox };
      await Promise.all([remindOverdue(parts), remindOverdue(parts)]);
      return (await done(caller, 'GET', `/billing/invoices/${id}`)).remindersSent;
    };
    assert.deepEqual([await overdue(), await remind()], [0, 0]);
    await due(1);
    assert.deepEqual([await overdue(), await remind()], [1, 0]);
    await due(7);
    assert.deepEqual([await remind(), await remind()], [1, 1]);
    await due(30);
    assert.equal(await remind(), 2, 'not one for each day that was missed');
    const { data } = await caller.call('GET', `/audit?entityId=${id}&operation=remindInvoice`);
    assert.equal(data.total, 2);
    assert.match(await waitForMail(`Reminder: invoice ${number}`), /of it is not paid yet/);
    await done(caller, 'POST', `/billing/invoices/${id}/mark-paid`, {});
    assert.deepEqual([await overdue(), await remind()], [0, 2]);
  });

  test('is exported with its lines, and nothing in it is a formula', async () => {
    const { id } = await addInvoice({ charges: [{ ...cents.charges[0], name: 'calls' }] });
    const { rows } = await sql<{ id: string }>`
      update invoice_lines set app_name = '=1+1' where invoice_id = ${id} returning invoice_id as id`.execute(
      control.opened.database.system,
    );
    assert.equal(rows.length, 1);
    const { status, data } = await caller.call('GET', '/billing/export');
    assert.equal(status, 200);
    const [header, line, ...rest] = data.trim().split('\r\n');
    assert.deepEqual([rest, header.startsWith('"number","state","issueDate"')], [[], true]);
    assert.match(line, /"'=1\+1"/);
    assert.match(line, /"10000","0.01","10000","S","19"/);
    const { data: empty } = await caller.call('GET', '/billing/export?to=2020-01-01');
    assert.equal(empty.trim().split('\r\n').length, 1);
  });

  test('counts as revenue until it is credited', async () => {
    const { id, developerId, lines } = await addInvoice();
    const revenue = async (by: string) => (await done(caller, 'GET', `/billing/revenue?by=${by}`)).revenue;
    const of = (key: string, billedMinor: number, creditedMinor: number) => [
      key,
      billedMinor,
      creditedMinor,
      billedMinor - creditedMinor,
    ];
    const shown = async (by: string) =>
      (await revenue(by)).map((row: Record<string, number>) => [
        row.key,
        row.billedMinor,
        row.creditedMinor,
        row.netMinor,
      ]);
    assert.deepEqual(await shown('developer'), [of(developerId, 10_000, 0)]);
    await done(caller, 'POST', `/billing/invoices/${id}/credit-notes`, {
      reason: 'Half of it.',
      credit: { scope: 'lines', lines: [{ position: 1, amountMinor: 5_000 }] },
    });
    const month = new Date().toISOString().slice(0, 7);
    assert.deepEqual(await shown('month'), [of(month, 10_000, 5_000)]);
    assert.deepEqual(await shown('product'), [of(lines[0].productId, 10_000, 5_000)]);
    assert.deepEqual(await shown('plan'), [of(lines[0].ratePlanId, 10_000, 5_000)]);
  });
});
