import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import { done } from '../../consumers/products/testing.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { continueClosing } from './closer.ts';
import { refuseClosing } from './rules.ts';
import { findUnclosed, openDuePeriods, startClosing } from './store.ts';
import {
  addBilled,
  addCalls,
  type BilledSubscription,
  invoicesOf,
  openPeriods,
  pastMonths,
  setUpBilling,
} from './testing.ts';

const dayMs = 86_400_000;
const [first, second] = pastMonths();
const plan = { charges: [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' }] };

interface Period {
  readonly id: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly firstDay: string;
  readonly state: string;
}

describe('billing periods', () => {
  let control: TestControl;
  let caller: TestCaller;
  let billed: BilledSubscription;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    caller = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    await setUpBilling(caller);
    billed = await addBilled(control, caller, plan, { startsAt: `${first}T00:00:00Z` });
  });

  const within = <Result>(work: (transaction: TenantTransaction) => Promise<Result>) =>
    tenantTransaction(control.opened.database, caller.organizationId, work);
  const listPeriods = async (): Promise<readonly Period[]> =>
    (await done(caller, 'GET', '/billing/periods?sort=startsAt&pageSize=100')).periods;
  const assertContiguous = (periods: readonly Period[]) => {
    for (const [index, { startsAt }] of periods.entries()) {
      if (index > 0) assert.equal(startsAt, periods[index - 1]!.endsAt, `period ${index}`);
    }
  };
  const calls = (at: Date | string, requests: number) =>
    addCalls(control, caller.organizationId, billed, { at: new Date(at).toISOString(), requests });

  /** Opens what is due, and closes the oldest period, by a clock that shows this time; null: the clock refuses it. */
  async function closeOldestAt(now: Date): Promise<string | null> {
    const { organizationId, userId } = caller;
    const period = await within(async (transaction) => {
      await openDuePeriods(transaction, now);
      const oldest = await findUnclosed(transaction);
      try {
        const rest = { oldest, graceHours: 0, nodesBehind: [], now };
        refuseClosing({ ignoreGrace: false, ignoreNodesBehind: false }, { period: oldest!, ...rest });
      } catch {
        return null;
      }
      return startClosing(transaction, oldest!, { id: userId, name: 'Test' });
    });
    if (period === null) return null;
    const { database } = control.opened;
    const parts = { database, chain: createAuditChain(control.encryptionKey), subscribers: [] };
    while (await continueClosing(parts, { organizationId, periodId: period.id }));
    return period.id;
  }

  test('bill each call once when the clock is set forward over their ends, and back', async () => {
    await openPeriods(caller, first);
    await calls(`${first}T10:00:00Z`, 1);
    await calls(`${second}T10:00:00Z`, 10);
    await calls(new Date(), 100);
    const now = new Date();
    const ahead = new Date(now.getTime() + 40 * dayMs);
    const closed: string[] = [];
    for (let id = await closeOldestAt(ahead); id !== null; id = await closeOldestAt(ahead)) closed.push(id);
    const wrong = await listPeriods();
    assertContiguous(wrong);
    assert.ok(wrong.filter(({ state }) => state === 'closed').some(({ endsAt }) => Date.parse(endsAt) > now.getTime()));

    // Set back to the present, and further: nothing opens or closes again.
    for (const back of [now, new Date(now.getTime() - 90 * dayMs)]) {
      assert.equal(await closeOldestAt(back), null);
      assert.deepEqual(await listPeriods(), wrong);
    }
    const { status, data } = await caller.call('POST', '/billing/periods', {});
    assert.deepEqual([status, /opens automatically/.test(data.message)], [409, true]);
    // What is counted now is of a period that is closed already.
    await calls(new Date(), 1_000);
    await calls(`${second}T11:00:00Z`, 10_000);

    const later = new Date(now.getTime() + 80 * dayMs);
    for (let id = await closeOldestAt(later); id !== null; id = await closeOldestAt(later)) closed.push(id);
    assertContiguous(await listPeriods());
    const invoices = (await Promise.all(closed.map((id) => invoicesOf(caller, id)))).flat();
    const lines = invoices.flatMap((invoice) => invoice.lines as { kind: string; amountMinor: number }[]);
    assert.equal(
      lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      11_111,
    );
    assert.equal(
      lines.filter(({ kind }) => kind === 'late').reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      11_000,
    );
    assert.equal(new Set(closed).size, closed.length);
    for (const id of closed) {
      const { terms } = await done(caller, 'GET', `/billing/periods/${id}`);
      for (const { notMetered, unexplained } of terms) assert.deepEqual([notMetered, unexplained], [0, 0]);
    }
  });

  test('that would overlap others or leave days out are rejected, and change nothing', async () => {
    await openPeriods(caller, first);
    await calls(`${first}T10:00:00Z`, 7);
    const opened = await Promise.all([1, 2, 3, 4].map(() => caller.call('POST', '/billing/periods', {})));
    assert.ok(
      opened.every(({ status }) => status === 201 || status === 409),
      JSON.stringify(opened),
    );
    const periods = await listPeriods();
    assertContiguous(periods);
    const day = (period: Period | undefined, days: number) =>
      new Date(Date.parse(period!.startsAt) + days * dayMs).toISOString().slice(0, 10);
    for (const [body, message] of [
      [{ firstDay: first }, /would overlap an existing one/],
      [{ firstDay: day(periods[0], 14) }, /would overlap an existing one/],
      [{ firstDay: day(periods[0], -31), lastDay: day(periods[0], 3) }, /would overlap an existing one/],
      [{ firstDay: day(periods.at(-1), 100) }, /leave days that belong to none/],
    ] as const) {
      const { status, data } = await caller.call('POST', '/billing/periods', body);
      assert.deepEqual([status, message.test(data.message)], [409, true], data.message);
    }
    assert.deepEqual(
      (await listPeriods()).slice(0, periods.length).map(({ id, startsAt, endsAt }) => [id, startsAt, endsAt]),
      periods.map(({ id, startsAt, endsAt }) => [id, startsAt, endsAt]),
    );
    const id = await closeOldestAt(new Date());
    const [invoice, ...others] = await invoicesOf(caller, id!);
    assert.deepEqual([invoice.lines[0].amountMinor, others], [7, []]);
  });
});
