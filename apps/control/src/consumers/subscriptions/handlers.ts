import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { found, foundAt } from '../../frame/errors.ts';
import type { CallerContext, Handlers } from '../../frame/handler.ts';
import { loadPersons } from '../../frame/persons.ts';
import { findApp } from '../apps/store.ts';
import { usageDays } from '../developers/rules.ts';
import { readUsage } from '../developers/usage.ts';
import { findProduct, lockProduct } from '../products/store.ts';
import type { Allowance, Subscription, subscriptionOperations } from './contract.ts';
import { readLimits } from './limits.ts';
import { notifyRequester } from './notices.ts';
import { refuseAuthor, refuseMove, refuseUnavailable, refuseWithoutQuota } from './rules.ts';
import { changeTerms, decideSubscription, findSubscription, listSubscriptions, loadAuthorKeys } from './store.ts';
import { changeRatePlan, requestSubscription } from './writes.ts';

/** What subscriptions need from pricing. */
interface Pricing {
  /** Rejects a rate plan that the product doesn't have, or that accepts no subscribers. */
  requireRatePlan(transaction: TenantTransaction, ratePlanId: string, productId: string): Promise<void>;
  /** What rate plans include in the current billing period, and what was used of it, by the subscription's id. */
  readAllowances(
    transaction: TenantTransaction,
    subscriptions: readonly Presented[],
    now: Date,
  ): Promise<ReadonlyMap<string, readonly z.infer<typeof Allowance>[]>>;
}

type Presented = z.infer<typeof Subscription>;

export function subscriptionHandlers({
  requireRatePlan,
  readAllowances,
}: Pricing): Handlers<typeof subscriptionOperations> {
  return {
    listSubscriptions: ({ query }, { transaction }) => listSubscriptions(transaction, query),
    createSubscription: async ({ body }, { transaction, caller, now }) => {
      const app = foundAt('appId', 'App', await findApp(transaction, body.appId, { lock: true }));
      const product = foundAt('productId', 'API product', await lockProduct(transaction, body.productId, 'share'));
      refuseUnavailable(product);
      if (body.ratePlanId !== null) await requireRatePlan(transaction, body.ratePlanId, product.id);
      return requestSubscription(transaction, { app, product, ratePlanId: body.ratePlanId }, caller, now);
    },
    getSubscription: async ({ params }, { transaction }) =>
      found(await findSubscription(transaction, params.subscriptionId)),
    approveSubscription: async ({ params: { subscriptionId } }, context) => {
      const { transaction, caller } = context;
      const before = await lockSubscription(transaction, subscriptionId);
      refuseMove(before, 'approve');
      refuseAuthor(await loadAuthorKeys(transaction, subscriptionId), await loadPersons(transaction, caller));
      refuseUnavailable(found(await lockProduct(transaction, before.productId, 'share')));
      if (before.ratePlanId !== null) await requireRatePlan(transaction, before.ratePlanId, before.productId);
      return decide(context, before, 'approved', null);
    },
    rejectSubscription: async ({ params: { subscriptionId }, body }, context) => {
      const before = await lockSubscription(context.transaction, subscriptionId);
      refuseMove(before, 'reject');
      return decide(context, before, 'rejected', body.reason);
    },
    revokeSubscription: async ({ params: { subscriptionId }, body }, context) => {
      const before = await lockSubscription(context.transaction, subscriptionId);
      refuseMove(before, 'revoke');
      return decide(context, before, 'revoked', body.reason);
    },
    setSubscriptionQuota: async ({ params: { subscriptionId }, body }, { transaction, caller }) => {
      const before = await lockSubscription(transaction, subscriptionId);
      refuseMove(before, 'quota');
      const { authorKeys } = await loadPersons(transaction, caller);
      const after = await changeTerms(transaction, before, { quota: body }, authorKeys);
      return { data: after, change: { entityId: subscriptionId, before, after } };
    },
    removeSubscriptionQuota: async ({ params: { subscriptionId } }, { transaction, caller }) => {
      const before = await lockSubscription(transaction, subscriptionId);
      refuseMove(before, 'quota');
      refuseWithoutQuota(before);
      const { authorKeys } = await loadPersons(transaction, caller);
      const after = await changeTerms(transaction, before, { quota: null }, authorKeys);
      return { data: {}, change: { entityId: subscriptionId, before, after } };
    },
    setSubscriptionRatePlan: async ({ params: { subscriptionId }, body: { ratePlanId } }, { transaction, caller }) => {
      const before = await lockSubscription(transaction, subscriptionId);
      refuseMove(before, 'rate-plan');
      if (ratePlanId !== null) await requireRatePlan(transaction, ratePlanId, before.productId);
      return changeRatePlan(transaction, before, ratePlanId, caller);
    },
    listProductSubscriptions: async ({ params: { productId }, query }, { transaction }) => {
      found(await findProduct(transaction, productId));
      return listSubscriptions(transaction, { ...query, productId });
    },
    getSubscriptionUsage: async ({ params, query }, { transaction, now }) => {
      const subscription = found(await findSubscription(transaction, params.subscriptionId));
      const product = found(await findProduct(transaction, subscription.productId));
      const { appId, productId } = subscription;
      const usage = await readUsage(transaction, { appId, productId }, usageDays(query, now));
      const allowances = await readAllowances(transaction, [subscription], now);
      const allowance = allowances.get(subscription.id) ?? [];
      return {
        ...usage,
        ...(await readLimits(transaction, subscription, product, now)),
        allowance: allowance.length === 0 ? null : [...allowance],
      };
    },
  };
}

async function lockSubscription(transaction: TenantTransaction, subscriptionId: string) {
  return found(await findSubscription(transaction, subscriptionId, { lock: true }));
}

/** Stores a decision that the state allows, and sends notifications about it. */
async function decide(
  { transaction, caller, now, mail }: CallerContext<TenantTransaction>,
  before: Presented,
  state: 'approved' | 'rejected' | 'revoked',
  reason: string | null,
) {
  const after = await decideSubscription(transaction, before, { state, reason, by: caller, at: now });
  await notifyRequester(transaction, after, now, mail);
  return { data: after, change: { entityId: before.id, before, after, ...(reason === null ? {} : { note: reason }) } };
}
