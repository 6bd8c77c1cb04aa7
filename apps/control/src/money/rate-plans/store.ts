import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import { catalogChanged } from '../../consumers/events.ts';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { RatePlan, RatePlanSubscriber, RatePlanVersion } from './contract.ts';
import { type PlanContent, refuseSubscription, storedTerms } from './rules.ts';

type Presented = z.infer<typeof RatePlan>;
type Row = Selectable<Schema['rate_plans']> & { readonly product_name: string; readonly subscribers: number };
type PresentedVersion = z.infer<typeof RatePlanVersion>;
type Subscriber = z.infer<typeof RatePlanSubscriber>;

interface Filters extends Listing {
  readonly productId?: string | undefined;
  readonly state?: Presented['state'] | undefined;
  readonly type?: Presented['type'] | undefined;
  readonly currency?: string | undefined;
}

const columns = { name: 'name', displayName: 'display_name', createdAt: 'created_at', updatedAt: 'updated_at' };

/** Parts of the statement that reads plans. */
const read = [
  sql<string>`(select product.display_name from products product
    where product.organization_id = rate_plans.organization_id and product.id = rate_plans.product_id)`.as(
    'product_name',
  ),
  sql<number>`(select count(*)::int from subscriptions subscription
    where subscription.organization_id = rate_plans.organization_id and subscription.rate_plan_id = rate_plans.id
      and subscription.state = 'approved')`.as('subscribers'),
] as const;

export async function listRatePlans(transaction: TenantTransaction, filters: Filters) {
  let query = transaction
    .selectFrom('rate_plans')
    .selectAll()
    .select(read)
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'display_name', 'description'], filters.search));
  const { productId, state, type, currency } = filters;
  if (productId !== undefined) query = query.where('product_id', '=', productId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (type !== undefined) query = query.where('type', '=', type);
  if (currency !== undefined) query = query.where('currency', '=', currency);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { ratePlans: rows.map(present), total };
}

/** Every plan of the organization. */
export async function loadRatePlans(transaction: TenantTransaction): Promise<readonly Presented[]> {
  const rows = await transaction
    .selectFrom('rate_plans')
    .selectAll()
    .select(read)
    .where('organization_id', '=', transaction.tenantId)
    .execute();
  return rows.map(present);
}

/** @param lock `update` blocks other writers until the commit, `share` only them and not each other */
export async function findRatePlan(
  transaction: TenantTransaction,
  id: string,
  { lock = null }: { readonly lock?: 'update' | 'share' | null } = {},
): Promise<Presented | null> {
  const query = transaction
    .selectFrom('rate_plans')
    .selectAll()
    .select(read)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const locked = lock === null ? query : lock === 'update' ? query.forUpdate() : query.forShare();
  const row = await locked.executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Rejects a rate plan that the product doesn't have, or that accepts no subscribers; until the commit it stays as it is. */
export async function requireRatePlan(transaction: TenantTransaction, id: string, productId: string): Promise<void> {
  const plan = await findRatePlan(transaction, id, { lock: 'share' });
  if (plan === null || plan.productId !== productId) {
    throw fieldError('ratePlanId', 'The product doesn’t have this rate plan.');
  }
  refuseSubscription(plan);
}

/** Adds a plan that is a draft. */
export async function insertRatePlan(
  transaction: TenantTransaction,
  { productId, name, content }: { readonly productId: string; readonly name: string; readonly content: PlanContent },
): Promise<Presented> {
  const row = await transaction
    .insertInto('rate_plans')
    .values({
      id: newId('rpl'),
      organization_id: transaction.tenantId,
      product_id: productId,
      name,
      display_name: content.displayName,
      description: content.description,
      terms: JSON.stringify(content.terms),
    })
    .returningAll()
    .returning(read)
    .executeTakeFirstOrThrow();
  return present(row);
}

/** Replaces a plan's draft; the fields of a plan that was never published are its draft. */
export async function putDraft(
  transaction: TenantTransaction,
  { id, state }: Presented,
  { name, content }: { readonly name: string; readonly content: PlanContent },
): Promise<Presented> {
  return update(
    transaction,
    id,
    state === 'draft' ? { name, ...columnsOf(content) } : { draft: JSON.stringify(content) },
  );
}

/** Deletes a plan that was never published, or the draft of a published one, which is returned. */
export async function deleteDraft(transaction: TenantTransaction, { id, state }: Presented): Promise<Presented | null> {
  if (state !== 'draft') return update(transaction, id, { draft: null });
  await transaction
    .deleteFrom('rate_plans')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return null;
}

/** What is published, by whom. */
interface Publication {
  readonly content: PlanContent;
  readonly by: { readonly id: string; readonly name: string };
  /** When subscriptions on earlier versions move to it; null: they stay. */
  readonly appliesFrom: string | null;
  readonly now: Date;
}

/** Makes a draft the version for new subscribers. */
export async function publishDraft(
  transaction: TenantTransaction,
  { id, state, planVersion }: Presented,
  { content, by, appliesFrom, now }: Publication,
): Promise<Presented> {
  const published = state === 'draft' ? planVersion : planVersion + 1;
  await transaction
    .insertInto('rate_plan_versions')
    .values({
      organization_id: transaction.tenantId,
      rate_plan_id: id,
      plan_version: published,
      ...columnsOf(content),
      published_at: now,
      published_by: by.id,
      published_by_name: by.name,
      applies_from: appliesFrom === null ? null : new Date(appliesFrom),
    })
    .execute();
  emit(transaction, catalogChanged, {});
  return update(transaction, id, {
    ...columnsOf(content),
    draft: null,
    state: 'published',
    published_version: published,
  });
}

export async function retireRatePlan(transaction: TenantTransaction, { id }: Presented): Promise<Presented> {
  emit(transaction, catalogChanged, {});
  return update(transaction, id, { state: 'retired' });
}

const mostVersions = 100;

/** A plan's published versions, newest first; at most 100. */
export async function listVersions(transaction: TenantTransaction, ratePlanId: string): Promise<PresentedVersion[]> {
  const rows = await transaction
    .selectFrom('rate_plan_versions')
    .selectAll()
    .select(
      sql<number>`(select count(*)::int from subscription_terms term
        where term.organization_id = rate_plan_versions.organization_id
          and term.rate_plan_id = rate_plan_versions.rate_plan_id
          and term.plan_version = rate_plan_versions.plan_version and term.ends_at is null)`.as('subscribers'),
    )
    .where('organization_id', '=', transaction.tenantId)
    .where('rate_plan_id', '=', ratePlanId)
    .orderBy('plan_version', 'desc')
    .limit(mostVersions)
    .execute();
  return rows.map(({ terms, ...row }) => ({
    planVersion: row.plan_version,
    displayName: row.display_name,
    description: row.description,
    ...storedTerms(terms),
    publishedAt: row.published_at.toISOString(),
    publishedByName: row.published_by_name,
    appliesToSubscribersFrom: row.applies_from?.toISOString() ?? null,
    appliedAt: row.applied_at?.toISOString() ?? null,
    subscribers: row.subscribers,
  }));
}

/** The terms of a published version. */
export async function findVersionTerms(transaction: TenantTransaction, ratePlanId: string, planVersion: number) {
  const row = await transaction
    .selectFrom('rate_plan_versions')
    .select('terms')
    .where('organization_id', '=', transaction.tenantId)
    .where('rate_plan_id', '=', ratePlanId)
    .where('plan_version', '=', planVersion)
    .executeTakeFirst();
  return row === undefined ? null : storedTerms(row.terms);
}

interface SubscriberFilters extends Listing {
  readonly state?: Subscriber['state'] | undefined;
  readonly planVersion?: number | undefined;
}

const subscriberColumns = { createdAt: 'subscription.created_at', planVersion: 'term.plan_version' };

/** A plan's pending and approved subscriptions. */
export async function listSubscribers(transaction: TenantTransaction, ratePlanId: string, filters: SubscriberFilters) {
  let query = transaction
    .selectFrom('subscriptions as subscription')
    .innerJoin('apps as app', (join) =>
      join
        .onRef('app.organization_id', '=', 'subscription.organization_id')
        .onRef('app.id', '=', 'subscription.app_id'),
    )
    .innerJoin('developers as developer', (join) =>
      join
        .onRef('developer.organization_id', '=', 'app.organization_id')
        .onRef('developer.id', '=', 'app.developer_id'),
    )
    .leftJoin('subscription_terms as term', (join) =>
      join
        .onRef('term.organization_id', '=', 'subscription.organization_id')
        .onRef('term.id', '=', 'subscription.term_id'),
    )
    .select([
      'subscription.id',
      'subscription.state',
      'subscription.created_at',
      'app.id as app_id',
      'app.display_name as app_name',
      'developer.id as developer_id',
      'developer.name as developer_name',
      'term.id as term_id',
      'term.plan_version',
      'term.starts_at',
      sql<Subscriber['next']>`(
        select json_build_object('planVersion', v.plan_version, 'from', v.applies_from) from rate_plan_versions v
        where v.organization_id = subscription.organization_id and v.rate_plan_id = subscription.rate_plan_id
          and v.plan_version > term.plan_version and v.applies_from is not null and v.applied_at is null
        order by v.applies_from, v.plan_version desc limit 1)`.as('next'),
    ])
    .where('subscription.organization_id', '=', transaction.tenantId)
    .where('subscription.rate_plan_id', '=', ratePlanId)
    .where('subscription.state', 'in', ['pending', 'approved'])
    .where((builder) => matches(builder, ['app.display_name', 'app.name', 'developer.name'], filters.search));
  if (filters.state !== undefined) query = query.where('subscription.state', '=', filters.state);
  if (filters.planVersion !== undefined) query = query.where('term.plan_version', '=', filters.planVersion);
  const { rows, total } = await readPage(query, filters, subscriberColumns, 'subscription.id');
  return {
    subscribers: rows.map((row) => ({
      subscriptionId: row.id,
      appId: row.app_id,
      appName: row.app_name,
      developerId: row.developer_id,
      developerName: row.developer_name,
      state: row.state as Subscriber['state'],
      termId: row.term_id,
      planVersion: row.plan_version,
      since: row.starts_at?.toISOString() ?? null,
      next: row.next && { ...row.next, from: new Date(row.next.from).toISOString() },
      createdAt: row.created_at.toISOString(),
    })),
    total,
  };
}

/** Somebody who is notified that their subscriptions get another version. */
export interface AffectedDeveloper {
  readonly name: string;
  readonly email: string;
  readonly appNames: readonly string[];
  /** Of invoices. */
  readonly language: 'en' | 'de';
}

/** Active developers with approved subscriptions on a plan, each once. */
export async function listSubscribedDevelopers(
  transaction: TenantTransaction,
  ratePlanId: string,
): Promise<readonly AffectedDeveloper[]> {
  const { rows } = await sql<AffectedDeveloper>`
    select developer.name, developer.email, coalesce(developer.billing ->> 'language', 'en') as language,
      array_agg(app.display_name order by app.display_name, app.id) as "appNames"
    from subscriptions subscription
    join apps app on app.organization_id = subscription.organization_id and app.id = subscription.app_id
    join developers developer on developer.organization_id = app.organization_id and developer.id = app.developer_id
    where subscription.organization_id = ${transaction.tenantId} and subscription.rate_plan_id = ${ratePlanId}
      and subscription.state = 'approved'
    group by developer.id, developer.name, developer.email, developer.billing order by developer.id`.execute(
    transaction,
  );
  return rows;
}

function columnsOf({ displayName, description, terms }: PlanContent) {
  return { display_name: displayName, description, terms: JSON.stringify(terms) };
}

async function update(
  transaction: TenantTransaction,
  id: string,
  changes: {
    readonly name?: string;
    readonly display_name?: string;
    readonly description?: string;
    readonly terms?: string;
    readonly draft?: string | null;
    readonly state?: Presented['state'];
    readonly published_version?: number;
  },
): Promise<Presented> {
  const row = await transaction
    .updateTable('rate_plans')
    .set({ ...changes, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .returning(read)
    .executeTakeFirstOrThrow();
  return present(row);
}

function present(row: Row): Presented {
  return {
    id: row.id,
    productId: row.product_id,
    productName: row.product_name,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    state: row.state,
    planVersion: row.published_version,
    ...storedTerms(row.terms),
    draft: row.draft && {
      planVersion: row.published_version + 1,
      displayName: row.draft.displayName,
      description: row.draft.description,
      ...storedTerms(row.draft.terms),
    },
    subscribers: row.subscribers,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
