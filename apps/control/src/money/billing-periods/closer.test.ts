import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import { done } from '../../consumers/products/testing.ts';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { endEverywhere } from '../testing-faults.ts';
import { continueClosing } from './closer.ts';
import { findPeriod, findUnclosed, openDuePeriods, startClosing } from './store.ts';
import {
  addBilled,
  addCalls,
  type BilledSubscription,
  invoicesOf,
  openPeriods,
  pastMonths,
  setUpBilling,
} from './testing.ts';

const months = pastMonths();
const dayMs = 86_400_000;

const charge = (fields: object) => ({ name: 'calls', meter: 'requests', ...fields });
const tiers = [
  { upTo: '40', unitPrice: '1.005', flatFee: '2' },
  { upTo: '90', unitPrice: '0.7', flatFee: '3' },
  { upTo: null, unitPrice: '0.333', flatFee: '5' },
];

/** One plan of each kind, with everything that depends on the whole of a period. */
const plans = [
  { charges: [charge({ model: 'per_unit', unitPrice: '0.067', allowance: '10' })] },
  {
    type: 'flat',
    recurringFee: '31',
    feeTiming: 'advance',
    charges: [charge({ model: 'per_unit', unitPrice: '0.5' })],
  },
  { type: 'tiered', minimumSpend: '60', charges: [charge({ model: 'graduated', tiers })] },
  { type: 'tiered', maximumSpend: '70', currency: 'CHF', charges: [charge({ model: 'volume', tiers })] },
  {
    trialDays: 12,
    charges: [charge({ model: 'package', package: { size: '25', price: '4' }, statusClasses: [2, 4] })],
  },
];

/** Calls of one of the subscriptions. */
interface Calls {
  readonly subscription: number;
  readonly at: string;
  readonly requests: number;
  readonly statusClass: number;
  /** In which of the months they arrive: then or later. */
  readonly arrives: number;
}

describe('the closer', () => {
  let control: TestControl;
  let faultsInAll = 0;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  /** An organization with a subscription to each plan since the first month. */
  async function addOrganization() {
    const caller = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    await setUpBilling(caller);
    await openPeriods(caller, months[0]);
    const subscriptions: BilledSubscription[] = [];
    for (const [index, plan] of plans.entries()) {
      const startsAt = new Date(Date.parse(months[0]) + index * 3 * dayMs).toISOString();
      subscriptions.push(await addBilled(control, caller, plan, { startsAt }));
    }
    return { caller, subscriptions };
  }

  const within = <Result>(organizationId: string, work: (transaction: TenantTransaction) => Promise<Result>) =>
    tenantTransaction(control.opened.database, organizationId, work);

  /** Begins closing the oldest period, without the service's own closer; its id. */
  async function begin({ organizationId, userId }: TestCaller): Promise<string> {
    return within(organizationId, async (transaction) => {
      await openDuePeriods(transaction, new Date());
      const period = await findUnclosed(transaction);
      await startClosing(transaction, period!, { id: userId, name: 'Test' });
      return period!.id;
    });
  }

  /** Closes the oldest period with two processes at once, two developers at a time; its id. */
  async function closeOldest(caller: TestCaller, isFaulty: boolean): Promise<string> {
    const { organizationId } = caller;
    const periodId = await begin(caller);
    const { database } = control.opened;
    const step = (ofProcess: ControlDatabase) => {
      const parts = { database: ofProcess, chain: createAuditChain(control.encryptionKey), subscribers: [] };
      return continueClosing(parts, { organizationId, periodId }, 2);
    };
    const close = async (): Promise<number> => {
      if (isFaulty) return endEverywhere(database, step);
      while (await step(database));
      return 0;
    };
    const faults = await Promise.all([close(), close()]);
    faultsInAll += faults[0]! + faults[1]!;
    const period = await within(organizationId, (transaction) => findPeriod(transaction, periodId));
    assert.equal(period?.state, 'closed');
    return periodId;
  }

  /** Invoices without what differs between organizations. */
  async function plainInvoices(caller: TestCaller, subscriptions: readonly BilledSubscription[], periodId: string) {
    const invoices = await invoicesOf(caller, periodId);
    const place = new Map(subscriptions.map(({ developerId }, index) => [developerId, index]));
    return invoices
      .map(({ developerId, currency, number, totalMinor, taxMinor, lines }) => ({
        subscription: place.get(developerId)!,
        currency,
        number,
        totalMinor,
        taxMinor,
        lines: lines.map((line: Record<string, unknown>) =>
          ['kind', 'charge', 'quantity', 'unitPrice', 'amountMinor', 'firstDay', 'lastDay'].map((field) => line[field]),
        ),
      }))
      .toSorted((first, second) => first.subscription - second.subscription);
  }

  test('makes the same invoices however usage is split, and wherever two processes are ended', async (context) => {
    const seed = randomInt(2 ** 31);
    context.diagnostic(`seed ${seed}`);
    const random = randomOf(seed);
    const below = (end: number) => Math.floor(random() * end);
    const stream = Array.from({ length: 60 }, (): Calls => {
      const month = below(3);
      return {
        subscription: below(plans.length),
        at: new Date(Date.parse(months[month]!) + below(27 * 24 * 4) * 900_000).toISOString(),
        requests: 1 + below(40),
        statusClass: [0, 2, 2, 2, 3, 4, 5][below(7)]!,
        arrives: Math.min(2, month + [0, 0, 0, 1, 2][below(5)]!),
      };
    });
    const parts = (calls: Calls): Calls[] => {
      const cut = below(calls.requests + 1);
      return [cut, calls.requests - cut].filter((requests) => requests > 0).map((requests) => ({ ...calls, requests }));
    };
    const [plain, split] = [await addOrganization(), await addOrganization()];
    const deliver = async ({ caller, subscriptions }: typeof plain, calls: readonly Calls[]) => {
      for (const one of calls) await addCalls(control, caller.organizationId, subscriptions[one.subscription]!, one);
    };
    const sums = new Map<number, number>();
    for (const month of months.keys()) {
      const arriving = stream.filter(({ arrives }) => arrives === month);
      await deliver(plain, arriving);
      await deliver(split, arriving.toReversed().flatMap(parts));
      const wanted = await closeOldest(plain.caller, false).then((id) =>
        plainInvoices(plain.caller, plain.subscriptions, id),
      );
      const made = await closeOldest(split.caller, true).then((id) =>
        plainInvoices(split.caller, split.subscriptions, id),
      );
      assert.deepEqual(made, wanted, months[month]);
      for (const { subscription, lines } of made) {
        const amount = lines.reduce((sum: number, line: unknown[]) => sum + Number(line[4]), 0);
        sums.set(subscription, (sums.get(subscription) ?? 0) + amount);
      }
    }
    await assertGapless(split.caller);
    // On a slow machine the service's own closer helps now and then.
    assert.ok(faultsInAll > 50, `${faultsInAll} faults`);

    const onTime = await addOrganization();
    await deliver(onTime, stream);
    const total = new Map<number, number>();
    for (const _ of months) {
      const id = await closeOldest(onTime.caller, false);
      for (const { subscription, lines } of await plainInvoices(onTime.caller, onTime.subscriptions, id)) {
        const amount = lines.reduce((sum: number, line: unknown[]) => sum + Number(line[4]), 0);
        total.set(subscription, (total.get(subscription) ?? 0) + amount);
      }
    }
    assert.deepEqual([...sums].toSorted(), [...total].toSorted(), 'late usage costs what it would have cost in time');
  });

  async function assertGapless(caller: TestCaller): Promise<void> {
    const { invoices, total } = await done(caller, 'GET', '/billing/invoices?pageSize=100');
    const numbers = invoices.map(({ number }: { number: string }) => Number(number.replace('INV-', '')));
    assert.deepEqual(
      numbers.toSorted((one: number, other: number) => one - other),
      Array.from({ length: total }, (_, index) => index + 1),
    );
  }
});

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
