import type { PlanTerms } from '@millrace/pricing';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Subscription } from '../../consumers/subscriptions/contract.ts';
import { findSubscription } from '../../consumers/subscriptions/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { PortalSubscription, PortalSubscriptionWithPlan } from './contract.ts';
import { presentPlan, presentSubscription } from './rules.ts';

type Presented = z.infer<typeof Subscription>;
type Quota = PortalSubscription['quota'];

/**
 * A subscription of a developer account.
 *
 * @throws ApiError `not_found` for an unknown one, and the same for another account's
 */
export async function ownSubscription(
  transaction: TenantTransaction,
  developerId: string,
  subscriptionId: string,
  options: { readonly lock?: boolean } = {},
): Promise<Presented> {
  const subscription = await findSubscription(transaction, subscriptionId, options);
  return found(subscription?.developerId === developerId ? subscription : null);
}

interface Facts {
  readonly id: string;
  readonly quota: Quota;
  readonly isPrepaid: boolean;
}

/** Subscriptions as portal users see them, in the same order. */
export async function presentSubscriptions(
  transaction: TenantTransaction,
  subscriptions: readonly Presented[],
): Promise<PortalSubscription[]> {
  const ids = subscriptions.map(({ id }) => id);
  const { rows } = await sql<Facts>`
    select s.id, product.quota, coalesce(plan.type = 'prepaid', false) as "isPrepaid" from subscriptions s
    join products product on product.organization_id = s.organization_id and product.id = s.product_id
    left join rate_plans plan on plan.organization_id = s.organization_id and plan.id = s.rate_plan_id
    where s.organization_id = ${transaction.tenantId} and s.id = any(${ids}::text[])`.execute(transaction);
  const facts = new Map(rows.map((row) => [row.id, row]));
  return subscriptions.map((subscription) => presentSubscription(subscription, facts.get(subscription.id)!));
}

interface VersionRow {
  readonly ratePlanId: string;
  readonly planVersion: number;
  readonly displayName: string;
  readonly description: string;
  readonly terms: PlanTerms;
  /** Since when it is billed by this version, or from when. */
  readonly at: Date;
  readonly isNext: boolean;
}

/** A subscription with the version of its plan that it is billed by, and the one that it moves to. */
export async function withPlan(
  transaction: TenantTransaction,
  subscription: Presented,
): Promise<PortalSubscriptionWithPlan> {
  const [presented] = await presentSubscriptions(transaction, [subscription]);
  const { rows } = await sql<VersionRow>`
    with term as (
      select * from subscription_terms
      where organization_id = ${transaction.tenantId} and id = ${subscription.termId}
    ), next as (
      select version.* from term join rate_plan_versions version on version.organization_id = term.organization_id
        and version.rate_plan_id = term.rate_plan_id and version.plan_version > term.plan_version
      where version.applies_from is not null and version.applied_at is null
      order by version.applies_from, version.plan_version desc limit 1
    )
    select version.rate_plan_id as "ratePlanId", version.plan_version as "planVersion",
      version.display_name as "displayName", version.description, version.terms, term.starts_at as at, false as "isNext"
    from term join rate_plan_versions version on version.organization_id = term.organization_id
      and version.rate_plan_id = term.rate_plan_id and version.plan_version = term.plan_version
    union all
    select rate_plan_id, plan_version, display_name, description, terms, applies_from, true from next`.execute(
    transaction,
  );
  const current = rows.find(({ isNext }) => !isNext);
  const next = rows.find(({ isNext }) => isNext);
  return {
    ...presented!,
    plan: current === undefined ? null : { ...presentPlan(contentOf(current)), since: current.at.toISOString() },
    nextPlan: next === undefined ? null : { ...presentPlan(contentOf(next)), from: next.at.toISOString() },
  };
}

function contentOf({ at: _, isNext: __, ...content }: VersionRow) {
  return content;
}
