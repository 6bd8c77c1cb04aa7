import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import type { billingPeriodOperations } from './contract.ts';
import { closableFrom } from './rules.ts';
import { findPeriod, listNodesBehind, listPeriods, openPeriod } from './store.ts';

export function billingPeriodHandlers(): Handlers<typeof billingPeriodOperations> {
  return {
    listBillingPeriods: ({ query }, { transaction }) => listPeriods(transaction, query),
    openBillingPeriod: async ({ body }, { transaction, now }) => {
      const after = await openPeriod(transaction, body, now);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    getBillingPeriod: async ({ params: { periodId } }, { transaction }) => {
      const period = found(await findPeriod(transaction, periodId));
      const settings = await findBillingSettings(transaction);
      return {
        ...period,
        closableFrom: closableFrom(period, settings),
        nodesBehind: period.state === 'open' ? await listNodesBehind(transaction, period.endsAt) : [],
      };
    },
  };
}
