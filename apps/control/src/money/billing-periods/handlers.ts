import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Rounds } from '../../frame/rounds.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import { nodesBehind } from '../metering/store.ts';
import type { BillingPeriod, billingPeriodOperations } from './contract.ts';
import { previewInvoices } from './preview.ts';
import { reconcile } from './reconciliation.ts';
import { closableFrom, refuseClosing } from './rules.ts';
import {
  findPeriod,
  findUnclosed,
  followingPeriod,
  listPeriods,
  openDuePeriods,
  openPeriod,
  startClosing,
} from './store.ts';
import { loadBilling } from './terms.ts';

export function billingPeriodHandlers({
  closer,
}: {
  readonly closer: Rounds;
}): Handlers<typeof billingPeriodOperations> {
  return {
    listBillingPeriods: ({ query }, { transaction }) => listPeriods(transaction, query),
    openBillingPeriod: async ({ body }, { transaction, now }) => {
      const after = await openPeriod(transaction, body, now);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getBillingPeriod: async ({ params: { periodId }, query }, { transaction }) => {
      const period = found(await findPeriod(transaction, periodId));
      const settings = await findBillingSettings(transaction);
      const { terms, total } = await reconcile(transaction, await billingOf(transaction, periodId), query);
      return {
        ...period,
        closableFrom: closableFrom(period, settings),
        nodesBehind: period.state === 'open' ? await listNodesBehind(transaction, period) : [],
        terms,
        totalTerms: total,
      };
    },
    previewBillingPeriod: async ({ params: { periodId }, body }, { transaction, now }) => {
      found(await findPeriod(transaction, periodId));
      return previewInvoices(transaction, await billingOf(transaction, periodId), body, now);
    },
    closeBillingPeriod: async ({ params: { periodId }, body }, { transaction, caller, now, afterCommit }) => {
      const before = found(await findPeriod(transaction, periodId, { lock: true }));
      afterCommit(() => closer.wake());
      if (before.state !== 'open') return { data: before, change: null };
      const { graceHours } = await findBillingSettings(transaction);
      const behind = await nodesBehind(transaction, new Date(before.endsAt));
      const oldest = await findUnclosed(transaction);
      refuseClosing(body, { period: before, oldest, graceHours, nodesBehind: behind, now });
      // Fees in advance are those of the next one.
      await openDuePeriods(transaction, now);
      const after = await startClosing(transaction, before, caller);
      return { data: after, change: { entityId: periodId, before, after } };
    },
  };
}

async function billingOf(transaction: TenantTransaction, periodId: string) {
  return loadBilling(transaction, periodId, await followingPeriod(transaction));
}

async function listNodesBehind(transaction: TenantTransaction, { endsAt }: BillingPeriod) {
  const behind = await nodesBehind(transaction, new Date(endsAt));
  return behind.map(({ nodeId, name, completeUntil }) => ({
    id: nodeId,
    name,
    usageCompleteUntil: completeUntil?.toISOString() ?? null,
  }));
}
