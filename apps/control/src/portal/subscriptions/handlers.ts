import { findProduct, lockProduct } from '../../consumers/products/store.ts';
import { refuseMove } from '../../consumers/subscriptions/rules.ts';
import { listSubscriptions } from '../../consumers/subscriptions/store.ts';
import { cancelSubscription, changeRatePlan, requestSubscription } from '../../consumers/subscriptions/writes.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError, fieldError, foundAt } from '../../frame/errors.ts';
import type { Handlers, Written } from '../../frame/handler.ts';
import { loadCurrentBilling, previewPlanChange } from '../../money/billing-periods/current.ts';
import { estimate } from '../../money/rate-plans/estimate.ts';
import { termsOf } from '../../money/rate-plans/rules.ts';
import { findRatePlan, listRatePlans } from '../../money/rate-plans/store.ts';
import { ownApp } from '../apps/store.ts';
import type { portalSubscriptionOperations } from './contract.ts';
import {
  costsOf,
  presentPlan,
  refuseSamePlan,
  refuseSuspendedProduct,
  refuseWithoutPlan,
  requireOpenPlan,
  visibleProduct,
} from './rules.ts';
import { ownSubscription, presentSubscriptions, withPlan } from './store.ts';

/** Subscriptions of the caller's own developer account; another's are not found. */
export function portalSubscriptionHandlers(): Handlers<typeof portalSubscriptionOperations> {
  return {
    listPortalSubscriptions: async ({ query }, { transaction, caller }) => {
      const listed = await listSubscriptions(transaction, { ...query, developerId: caller.developerId });
      return { subscriptions: await presentSubscriptions(transaction, listed.subscriptions), total: listed.total };
    },
    subscribeInPortal: async ({ body }, { transaction, caller, now }) => {
      const app = await ownApp(transaction, caller.developerId, body.appId, { lock: true });
      const locked = await lockProduct(transaction, body.productId, 'share');
      const product = foundAt('productId', 'API product', visibleProduct(locked, true));
      refuseSuspendedProduct(product);
      if (body.ratePlanId === null) refuseWithoutPlan(await countPublishedPlans(transaction, product.id));
      else await lockOpenPlan(transaction, body.ratePlanId, product.id);
      const { ratePlanId } = body;
      const { data, ...written } = await requestSubscription(transaction, { app, product, ratePlanId }, caller, now);
      return { ...written, data: await withPlan(transaction, data) };
    },
    getPortalSubscription: async ({ params }, { transaction, caller }) =>
      withPlan(transaction, await ownSubscription(transaction, caller.developerId, params.subscriptionId)),
    previewPortalPlanChange: async ({ params, query }, { transaction, caller, now }) => {
      const subscription = await ownSubscription(transaction, caller.developerId, params.subscriptionId);
      refuseMove(subscription, 'rate-plan');
      const plan = requireOpenPlan(await findRatePlan(transaction, query.ratePlanId), subscription.productId);
      const billing = await loadCurrentBilling(transaction, now);
      if (billing === null) {
        throw new ApiError('conflict', { message: 'No billing period is open yet. Try again in a minute.' });
      }
      const { id: ratePlanId, planVersion, displayName, description } = plan;
      const next = { ratePlanId, planVersion, displayName, description, terms: termsOf(plan) };
      const { staying, changing } = await previewPlanChange(transaction, billing, subscription, next, now);
      const { plan: current } = await withPlan(transaction, subscription);
      const { since: _, ...from } = current ?? { since: null };
      const { whole, timeZone } = billing.period;
      return {
        period: { from: whole.from, to: whole.to },
        from: 'ratePlanId' in from ? from : null,
        to: presentPlan(next),
        staying: costsOf(staying, timeZone),
        changing: costsOf(changing, timeZone),
      };
    },
    changePortalPlan: async ({ params, body }, { transaction, caller }) => {
      const before = await ownSubscription(transaction, caller.developerId, params.subscriptionId, { lock: true });
      refuseMove(before, 'rate-plan');
      const plan = await lockOpenPlan(transaction, body.ratePlanId, before.productId);
      refuseSamePlan(before, plan);
      const { data, ...written } = await changeRatePlan(transaction, before, plan.id, caller);
      return { ...written, data: await withPlan(transaction, data) };
    },
    cancelPortalSubscription: async ({ params }, { transaction, caller, now }) => {
      const before = await ownSubscription(transaction, caller.developerId, params.subscriptionId, { lock: true });
      return presented(transaction, await cancelSubscription(transaction, before, caller, now));
    },
    estimatePortalPrice: async ({ body }, { transaction, caller, now }) => {
      const { productId, ratePlanId, usage } = body;
      const product = visibleProduct(await findProduct(transaction, productId), caller !== null);
      if (product === null) throw fieldError('productId', 'API product not found.');
      const plan = requireOpenPlan(await findRatePlan(transaction, ratePlanId), product.id);
      return estimate(transaction, { planVersion: plan.planVersion, terms: termsOf(plan) }, { usage }, now);
    },
  };
}

type Stored = Parameters<typeof presentSubscriptions>[1][number];

async function presented(transaction: TenantTransaction, { data, ...written }: Written<Stored>) {
  const [subscription] = await presentSubscriptions(transaction, [data]);
  return { ...written, data: subscription! };
}

/** A plan that stays as it is until the commit. */
async function lockOpenPlan(transaction: TenantTransaction, ratePlanId: string, productId: string) {
  return requireOpenPlan(await findRatePlan(transaction, ratePlanId, { lock: 'share' }), productId);
}

async function countPublishedPlans(transaction: TenantTransaction, productId: string): Promise<number> {
  const filters = { productId, state: 'published', page: 1, pageSize: 1, sort: 'name' } as const;
  return (await listRatePlans(transaction, filters)).total;
}
