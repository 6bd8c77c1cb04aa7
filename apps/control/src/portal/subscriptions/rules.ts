import type { PlanTerms } from '@millrace/pricing';
import type * as z from 'zod';
import type { ApiProduct } from '../../consumers/products/contract.ts';
import type { Subscription } from '../../consumers/subscriptions/contract.ts';
import { quotaOf } from '../../consumers/subscriptions/rules.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { BilledTerm } from '../../money/billing-periods/billing.ts';
import { withDays } from '../../money/invoices/documents.ts';
import type { RatePlan } from '../../money/rate-plans/contract.ts';
import { refuseSubscription, storedTerms } from '../../money/rate-plans/rules.ts';
import type { PortalCost, PortalPlan, PortalSubscription } from './contract.ts';

type Presented = z.infer<typeof Subscription>;
type Product = z.infer<typeof ApiProduct>;
type Plan = z.infer<typeof RatePlan>;

/**
 * A product that the portal shows: published ones to everybody who is signed in, and of these the public ones to
 * visitors. Null for others, as if they didn't exist.
 */
export function visibleProduct(product: Product | null, isSignedIn: boolean): Product | null {
  return product?.published && (product.public || isSignedIn) ? product : null;
}

/** Rejects a subscription to a product whose calls are rejected now. */
export function refuseSuspendedProduct({ displayName, state }: Product): void {
  if (state === 'active') return;
  throw new ApiError('conflict', { message: `${displayName} accepts no subscriptions now. Try again later.` });
}

/**
 * A rate plan of a product that accepts subscribers; drafts are no plans to portal users.
 *
 * @throws ApiError `invalid_request`, `conflict` for a retired plan
 */
export function requireOpenPlan(plan: Plan | null, productId: string): Plan {
  if (plan === null || plan.productId !== productId || plan.state === 'draft') {
    throw fieldError('ratePlanId', 'The product doesn’t have this rate plan.');
  }
  refuseSubscription(plan);
  return plan;
}

/** Rejects a subscription without a plan to a product that has some, whose calls would cost nothing. */
export function refuseWithoutPlan(publishedPlans: number): void {
  if (publishedPlans > 0) throw fieldError('ratePlanId', 'Choose one of the product’s rate plans.');
}

export function refuseSamePlan({ ratePlanId }: Presented, plan: Plan): void {
  if (ratePlanId === plan.id) {
    throw new ApiError('conflict', { message: `The subscription has the plan ${plan.displayName} already.` });
  }
}

/** A subscription as the portal users of its account see it. */
export function presentSubscription(
  subscription: Presented,
  { quota, isPrepaid }: { readonly quota: Product['quota']; readonly isPrepaid: boolean },
): PortalSubscription {
  const limit = quotaOf(subscription, { quota });
  return {
    id: subscription.id,
    appId: subscription.appId,
    appName: subscription.appName,
    productId: subscription.productId,
    productName: subscription.productName,
    ratePlanId: subscription.ratePlanId,
    ratePlanName: subscription.ratePlanName,
    state: subscription.state,
    reason: subscription.reason,
    decidedAt: subscription.decidedAt,
    quota: limit && { limit: limit.limit, window: limit.window },
    isPrepaid,
    version: subscription.version,
    createdAt: subscription.createdAt,
    updatedAt: subscription.updatedAt,
  };
}

/** A version of a plan, as the portal shows it. */
export function presentPlan(version: {
  readonly ratePlanId: string;
  readonly planVersion: number;
  readonly displayName: string;
  readonly description: string;
  readonly terms: PlanTerms;
}): PortalPlan {
  const { terms, ...plan } = version;
  return { ...plan, ...storedTerms(terms) };
}

/** The bills of terms by currency, as the lines of an invoice. */
export function costsOf(billed: readonly BilledTerm[], timeZone: string): PortalCost[] {
  const byCurrency = Map.groupBy(billed, ({ term }) => term.terms.currency);
  return [...byCurrency].map(([currency, terms]) => {
    const lines = terms.flatMap((term) =>
      term.lines.map((line) => {
        const { firstDay, lastDay } = withDays(line, timeZone);
        const { kind, charge, tier, isFlatFee, quantity, unitPrice, amountMinor, share } = line;
        const { planName, planVersion } = line.term;
        const priced = { kind, charge, tier, isFlatFee, quantity, unitPrice, amountMinor, share };
        return { ...priced, planName, planVersion, firstDay, lastDay };
      }),
    );
    return { currency, lines, subtotalMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0) };
  });
}
