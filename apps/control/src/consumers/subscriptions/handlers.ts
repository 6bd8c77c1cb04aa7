import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found, foundAt } from '../../frame/errors.ts';
import type { CallerContext, Handlers } from '../../frame/handler.ts';
import { loadPersons } from '../../frame/persons.ts';
import { findApp } from '../apps/store.ts';
import { usageDays } from '../developers/rules.ts';
import { countAdmitted, readUsage } from '../developers/usage.ts';
import { findProduct, lockProduct } from '../products/store.ts';
import type { Subscription, subscriptionOperations } from './contract.ts';
import { askApprovers, notifyRequester } from './notices.ts';
import {
  isOfWholeHours,
  quotaOf,
  quotaWindow,
  refuseAuthor,
  refuseMove,
  refuseTooManyOpen,
  refuseUnavailable,
  refuseWithoutQuota,
} from './rules.ts';
import {
  changeTerms,
  countOpen,
  decideSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  loadAuthorKeys,
} from './store.ts';

/** What subscriptions need from pricing. */
interface Pricing {
  /** Rejects a rate plan that the product doesn't have, or that accepts no subscribers. */
  requireRatePlan(transaction: TenantTransaction, ratePlanId: string, productId: string): Promise<void>;
}

export function subscriptionHandlers({ requireRatePlan }: Pricing): Handlers<typeof subscriptionOperations> {
  return {
    listSubscriptions: ({ query }, { transaction }) => listSubscriptions(transaction, query),
    createSubscription: async ({ body }, { transaction, caller, now }) => {
      const app = foundAt('appId', 'App', await findApp(transaction, body.appId, { lock: true }));
      const product = foundAt('productId', 'API product', await lockProduct(transaction, body.productId, 'share'));
      refuseUnavailable(product);
      if (body.ratePlanId !== null) await requireRatePlan(transaction, body.ratePlanId, product.id);
      refuseTooManyOpen(await countOpen(transaction, app.id));
      const { authorKeys } = await loadPersons(transaction, caller);
      const after = await conflictsAt(
        insertSubscription(transaction, {
          ...body,
          requestedBy: caller.id,
          requestedByName: caller.name,
          authorKeys,
          approvedAt: product.autoApprove ? now : null,
        }),
        subscribedAlready,
      );
      if (after.state === 'pending') await askApprovers(transaction, after, now);
      return { data: after, change: { entityId: after.id, before: null, after } };
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
      const { authorKeys } = await loadPersons(transaction, caller);
      const after = await changeTerms(transaction, before, { ratePlanId }, authorKeys);
      return { data: after, change: { entityId: subscriptionId, before, after } };
    },
    listProductSubscriptions: async ({ params: { productId }, query }, { transaction }) => {
      found(await findProduct(transaction, productId));
      return listSubscriptions(transaction, { ...query, productId });
    },
    getSubscriptionUsage: async ({ params, query }, { transaction, now }) => {
      const subscription = found(await findSubscription(transaction, params.subscriptionId));
      const product = found(await findProduct(transaction, subscription.productId));
      const callers = { appId: subscription.appId, productId: subscription.productId };
      const usage = await readUsage(transaction, callers, usageDays(query, now));
      const quota = quotaOf(subscription, product);
      const window = quota && quotaWindow(quota, now);
      const used = window && isOfWholeHours(window) ? await countAdmitted(transaction, callers, window) : null;
      return {
        ...usage,
        quota,
        window: window && { start: window.start.toISOString(), end: window.end.toISOString() },
        used,
        remaining: quota === null || used === null ? null : Math.max(0, quota.limit - used),
        allowance: null,
      };
    },
  };
}

const subscribedAlready = {
  subscriptions_open: [
    null,
    'The app already has a pending or approved subscription to this product. Reject or revoke that one first.',
  ],
} as const;

async function lockSubscription(transaction: TenantTransaction, subscriptionId: string) {
  return found(await findSubscription(transaction, subscriptionId, { lock: true }));
}

/** Stores a decision that the state allows, and sends notifications about it. */
async function decide(
  { transaction, caller, now }: CallerContext<TenantTransaction>,
  before: z.infer<typeof Subscription>,
  state: 'approved' | 'rejected' | 'revoked',
  reason: string | null,
) {
  const after = await decideSubscription(transaction, before, { state, reason, by: caller, at: now });
  await notifyRequester(transaction, after, now);
  return { data: after, change: { entityId: before.id, before, after, ...(reason === null ? {} : { note: reason }) } };
}
