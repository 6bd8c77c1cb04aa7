import { usageDays } from '../../consumers/developers/rules.ts';
import { type AccountCallers, readApiUsage, readRouteFailures, readUsage } from '../../consumers/developers/usage.ts';
import { loadProductsByIds } from '../../consumers/products/store.ts';
import { readLimits } from '../../consumers/subscriptions/limits.ts';
import { listSubscriptions } from '../../consumers/subscriptions/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { loadCurrentBilling, readAllowances, readSpending } from '../../money/billing-periods/current.ts';
import { ownApp } from '../apps/store.ts';
import { listBudgets, putBudget } from './budgets.ts';
import type { PortalBudget, portalUsageOperations, SubscriptionLimits } from './contract.ts';
import { currenciesOf } from './rules.ts';
import { listRequests } from './store.ts';

const mostLimits = 25;

/** Usage, recent requests and budgets of the caller's own developer account. */
export function portalUsageHandlers(): Handlers<typeof portalUsageOperations> {
  return {
    getPortalUsage: async ({ query }, { transaction, caller, now }) => {
      const asked = { developerId: caller.developerId, appId: query.appId, productId: query.productId };
      if (query.appId !== undefined) await ownApp(transaction, caller.developerId, query.appId);
      const days = usageDays(query, now);
      const seesMoney = caller.role === 'owner' || caller.role === 'billing';
      const { currencies } = seesMoney ? await budgetOf(transaction, caller.developerId, now) : { currencies: [] };
      return {
        ...(await readUsage(transaction, asked, days)),
        apis: await readApiUsage(transaction, asked, days),
        failures: await readRouteFailures(transaction, asked, days),
        subscriptions: await listLimits(transaction, asked, now),
        budgets: currencies.flatMap(({ currency, amountMinor, spentMinor }) =>
          amountMinor === null ? [] : { currency, amountMinor, spentMinor },
        ),
      };
    },
    listPortalRequests: async ({ query }, { transaction, caller }) => {
      if (query.appId !== undefined) await ownApp(transaction, caller.developerId, query.appId);
      return listRequests(transaction, caller.developerId, query);
    },
    getPortalBudget: (_input, { transaction, caller, now }) => budgetOf(transaction, caller.developerId, now),
    setPortalBudget: async ({ body }, { transaction, caller, now }) => {
      const { developerId } = caller;
      const before = await settingOf(transaction, developerId, body.currency);
      await putBudget(transaction, developerId, body);
      const after = await settingOf(transaction, developerId, body.currency);
      return {
        data: await budgetOf(transaction, developerId, now),
        change: { entityId: developerId, before, after },
      };
    },
  };
}

/** A budget as the audit trail compares it. */
async function settingOf(transaction: TenantTransaction, developerId: string, currency: string) {
  const budget = (await listBudgets(transaction, developerId)).find((one) => one.currency === currency);
  return budget === undefined ? null : { currency, amountMinor: budget.amountMinor };
}

async function budgetOf(transaction: TenantTransaction, developerId: string, now: Date): Promise<PortalBudget> {
  const billing = await loadCurrentBilling(transaction, now);
  const spent = billing === null ? new Map() : await readSpending(transaction, billing, developerId);
  return {
    period: billing && { from: billing.period.startsAt, to: billing.period.endsAt },
    currencies: currenciesOf(spent, await listBudgets(transaction, developerId), billing?.period.id ?? null),
  };
}

/** The newest approved subscriptions against their limits. */
async function listLimits(
  transaction: TenantTransaction,
  asked: AccountCallers,
  now: Date,
): Promise<SubscriptionLimits[]> {
  const filters = { ...asked, state: 'approved', page: 1, pageSize: mostLimits, sort: '-createdAt' } as const;
  const { subscriptions } = await listSubscriptions(transaction, filters);
  const allowances = await readAllowances(transaction, subscriptions, now);
  const products = await loadProductsByIds(
    transaction,
    subscriptions.map(({ productId }) => productId),
  );
  const limits: SubscriptionLimits[] = [];
  for (const subscription of subscriptions) {
    const { id: subscriptionId, appId, appName, productId, productName, ratePlanName } = subscription;
    const product = found(products.get(productId));
    limits.push({
      ...{ subscriptionId, appId, appName, productId, productName, ratePlanName },
      ...(await readLimits(transaction, subscription, product, now)),
      allowances: [...(allowances.get(subscriptionId) ?? [])],
    });
  }
  return limits;
}
