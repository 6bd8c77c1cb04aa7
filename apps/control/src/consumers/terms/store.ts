import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { openAccount, prepaidCharges } from './prepaid.ts';

/** What a subscription's term depends on. */
interface Subscribed {
  readonly id: string;
  readonly appId: string;
  readonly productId: string;
  readonly ratePlanId: string | null;
  readonly state: string;
}

/**
 * Ends a subscription's open term and begins the next, if its plan or its state changed. A term is what usage is billed
 * by: gateway nodes stamp each call with the one that they know.
 *
 * @param before null: the subscription is new
 * @returns the id of the term that is open now; null: it isn't approved, or has no plan
 */
export async function moveTerm(
  transaction: TenantTransaction,
  before: (Subscribed & { readonly termId: string | null }) | null,
  after: Subscribed,
): Promise<string | null> {
  const isOpen = after.state === 'approved' && after.ratePlanId !== null;
  const termId = before?.termId ?? null;
  if (termId !== null && isOpen && before?.ratePlanId === after.ratePlanId) return termId;
  if (termId !== null) await closeTerms(transaction, [termId]);
  if (!isOpen) return null;
  const id = newId('trm');
  const plan = await transaction
    .selectFrom('rate_plans')
    .select(['terms', 'currency'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', after.ratePlanId)
    .executeTakeFirstOrThrow();
  const prepaid = prepaidCharges(plan.terms);
  if (prepaid !== null) await openAccount(transaction, after.id, plan.currency);
  await sql`
    insert into subscription_terms (id, organization_id, subscription_id, developer_id, app_id, app_name, product_id,
      rate_plan_id, plan_version, prepaid, starts_at)
    select ${id}, app.organization_id, ${after.id}, app.developer_id, app.id, app.display_name, ${after.productId},
      plan.id, plan.published_version, ${stored(prepaid)}::jsonb, coalesce((
        select ends_at from subscription_terms where organization_id = app.organization_id and id = ${termId}),
        clock_timestamp())
    from apps app join rate_plans plan on plan.organization_id = app.organization_id and plan.id = ${after.ratePlanId}
    where app.organization_id = ${transaction.tenantId} and app.id = ${after.appId}`.execute(transaction);
  return id;
}

/** An open term, and the id of the one that follows it. */
export interface RenewedTerm {
  readonly termId: string;
  readonly nextId: string;
}

/** Ends open terms, and begins others of the same subscriptions on another version of their plan. */
export async function renewTerms(
  transaction: TenantTransaction,
  renewed: readonly RenewedTerm[],
  planVersion: number,
): Promise<void> {
  const termIds = renewed.map(({ termId }) => termId);
  await closeTerms(transaction, termIds);
  const prepaid = prepaidCharges(await loadVersion(transaction, renewed[0]!.termId, planVersion));
  await sql`
    insert into subscription_terms (id, organization_id, subscription_id, developer_id, app_id, app_name, product_id,
      rate_plan_id, plan_version, prepaid, starts_at)
    select given.next_id, term.organization_id, term.subscription_id, term.developer_id, term.app_id, app.display_name,
      term.product_id, term.rate_plan_id, ${planVersion}, ${stored(prepaid)}::jsonb, term.ends_at
    from unnest(${termIds}::text[], ${renewed.map(({ nextId }) => nextId)}::text[]) as given (id, next_id)
    join subscription_terms term on term.organization_id = ${transaction.tenantId} and term.id = given.id
    join apps app on app.organization_id = term.organization_id and app.id = term.app_id`.execute(transaction);
}

/** Terms of a version of the plan that a term is on. */
async function loadVersion(transaction: TenantTransaction, termId: string, planVersion: number) {
  const { terms } = await transaction
    .selectFrom('subscription_terms')
    .innerJoin('rate_plan_versions', (join) =>
      join
        .onRef('rate_plan_versions.organization_id', '=', 'subscription_terms.organization_id')
        .onRef('rate_plan_versions.rate_plan_id', '=', 'subscription_terms.rate_plan_id'),
    )
    .select('rate_plan_versions.terms')
    .where('subscription_terms.organization_id', '=', transaction.tenantId)
    .where('subscription_terms.id', '=', termId)
    .where('rate_plan_versions.plan_version', '=', planVersion)
    .executeTakeFirstOrThrow();
  return terms;
}

function stored(prepaid: ReturnType<typeof prepaidCharges>): string | null {
  return prepaid === null ? null : JSON.stringify(prepaid);
}

/** Ends terms now. */
export async function closeTerms(transaction: TenantTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('subscription_terms')
    // The transaction may have begun before the one that opened it.
    .set({ ends_at: sql<Date>`greatest(starts_at, clock_timestamp())` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', 'in', ids)
    .execute();
}

/** Whether a developer has or had terms, whose usage invoices need. */
export async function hasTerms(transaction: TenantTransaction, developerId: string): Promise<boolean> {
  const term = await transaction
    .selectFrom('subscription_terms')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .limit(1)
    .executeTakeFirst();
  return term !== undefined;
}
