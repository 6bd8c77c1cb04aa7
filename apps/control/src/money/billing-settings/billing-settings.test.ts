import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { exampleSeller } from './contract.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('billing settings', () => {
  let control: TestControl;
  let administrator: TestCaller;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    administrator = await control.addUser(await control.addOrganization(), ['organization_administrator']);
  });

  async function refused(body: object): Promise<readonly string[]> {
    const { status, data } = await administrator.call('PATCH', '/billing/settings', body);
    assert.equal(status, 400, JSON.stringify(data));
    return Object.keys(data.errors);
  }

  test('have defaults, and a change keeps the others', async () => {
    const before = await done(administrator, 'GET', '/billing/settings');
    assert.deepEqual(
      [before.timeZone, before.period, before.graceHours, before.autoIssue, before.seller, before.version],
      ['UTC', 'month', 1, true, null, 1],
    );
    const changed = await done(administrator, 'PATCH', '/billing/settings', {
      timeZone: 'Europe/Berlin',
      graceHours: 0,
    });
    assert.deepEqual(changed, { ...before, timeZone: 'Europe/Berlin', graceHours: 0, version: 2 });
    const { seller } = await done(administrator, 'PATCH', '/billing/settings', { seller: exampleSeller });
    assert.deepEqual(seller, exampleSeller);
    assert.equal((await done(administrator, 'GET', '/billing/settings')).timeZone, 'Europe/Berlin');
  });

  test('of a stale version change nothing', async () => {
    const stale = { 'if-match': '"v2"' };
    assert.equal((await administrator.call('PATCH', '/billing/settings', { graceHours: 0 }, stale)).status, 412);
    assert.equal((await done(administrator, 'GET', '/billing/settings')).graceHours, 1);
  });

  test('reject what an invoice can’t state, naming the field', async () => {
    const { bank } = exampleSeller;
    const wrongIban = { ...exampleSeller, bank: { ...bank, iban: 'DE03120300000000202051' } };
    assert.deepEqual(await refused({ seller: wrongIban }), ['seller.bank.iban']);
    assert.deepEqual(await refused({ seller: { ...exampleSeller, vatId: '123' } }), ['seller.vatId']);
    assert.deepEqual(await refused({ tax: { category: 'E', exemptionReason: null } }), ['tax.exemptionReason']);
    assert.deepEqual(await refused({ reminders: [14, 7] }), ['reminders']);
    assert.deepEqual(await refused({ timeZone: 'Mars/Olympus' }), ['timeZone']);
    assert.deepEqual(await refused({ graceHours: 169 }), ['graceHours']);
  });

  test('a logo is a small PNG file', async () => {
    const set = await done(administrator, 'PUT', '/billing/settings/logo', { png });
    assert.equal(set.logo.sizeBytes, Buffer.from(png, 'base64').length);
    assert.deepEqual(await done(administrator, 'GET', '/billing/settings/logo'), { png });
    const jpeg = await administrator.call('PUT', '/billing/settings/logo', {
      png: Buffer.alloc(100).toString('base64'),
    });
    assert.deepEqual([jpeg.status, Object.keys(jpeg.data.errors)], [400, ['png']]);
    assert.equal((await done(administrator, 'PUT', '/billing/settings/logo', { png: null })).logo, null);
  });

  test('a number series can neither repeat nor leave out a number', async () => {
    const { organizationId } = administrator;
    const path = `/organizations/${organizationId}/settings`;
    const numbering = { prefix: 'INV-', next: 8 };
    await done(administrator, 'PATCH', path, { invoiceNumbering: numbering });
    await done(administrator, 'POST', '/billing/periods', {});
    await sql`
      with developer as (insert into developers (id, organization_id, email, name)
        values ('dev_1', ${organizationId}, 'a@example.com', 'A') returning id)
      insert into invoices (id, organization_id, period_id, developer_id, currency, state, number, number_prefix,
        number_sequence, issue_date, buyer, tax_category, tax_rate, taxes, lines_minor, tax_minor, total_minor)
      select 'inv_1', organization_id, id, 'dev_1', 'EUR', 'issued', 'INV-8', 'INV-', 8, '2026-01-01', '{}', 'Z', '0', '[]',
        0, 0, 0
      from billing_periods where organization_id = ${organizationId}`.execute(control.opened.database.system);
    for (const next of [8, 10]) {
      const { status, data } = await administrator.call('PATCH', path, { invoiceNumbering: { ...numbering, next } });
      assert.deepEqual([status, Object.keys(data.errors)], [400, ['invoiceNumbering.next']]);
    }
    for (const given of [
      { prefix: 'INV-', next: 9 },
      { prefix: '2027-', next: 1 },
    ]) {
      assert.deepEqual((await done(administrator, 'PATCH', path, { invoiceNumbering: given })).invoiceNumbering, given);
    }
  });

  test('a developer gets a billing profile', async () => {
    const { id } = await done(administrator, 'POST', '/developers', { email: 'lee@example.com', name: 'Lee' });
    const address = { lines: ['12 High Street'], postalCode: 'D02 XY00', city: 'Dublin', countryCode: 'IE' };
    const { billing } = await done(administrator, 'PATCH', `/developers/${id}`, {
      billing: { name: 'Lee Ltd', address },
    });
    assert.deepEqual(billing, {
      name: 'Lee Ltd',
      contactName: null,
      address,
      vatId: null,
      email: null,
      reference: null,
      language: 'en',
      taxTreatment: 'standard',
    });
    assert.deepEqual((await done(administrator, 'PATCH', `/developers/${id}`, { name: 'Lee L.' })).billing, billing);
    const { status, data } = await administrator.call('PATCH', `/developers/${id}`, { billing: { name: 'Lee Ltd' } });
    assert.deepEqual([status, Object.keys(data.errors)], [400, ['billing.address']]);
  });
});
