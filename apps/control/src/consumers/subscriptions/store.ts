import type { Prepaid } from '@millrace/gateway-configuration/consumers';
import { newId } from '@millrace/identifiers';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { consumerChanged, emitChanged, subscriptionMoved } from '../events.ts';
import { moveTerm, renewTerms } from '../terms/store.ts';
import type { Subscription } from './contract.ts';
import { subscriptionConsumer } from './rules.ts';

type Presented = z.infer<typeof Subscription>;

type Row = Selectable<Schema['subscriptions']> & {
  readonly app_name: string;
  readonly developer_id: string;
  readonly developer_name: string;
  readonly product_name: string;
  readonly rate_plan_name: string | null;
  readonly prepaid: Prepaid | null;
};

interface Filters extends Listing {
  readonly state?: Presented['state'] | undefined;
  readonly appId?: string | undefined;
  readonly productId?: string | undefined;
  readonly developerId?: string | undefined;
  readonly ratePlanId?: string | undefined;
}

const columns = { state: 'state', createdAt: 'created_at', updatedAt: 'updated_at' };

/** Names for the statement that reads subscriptions. */
const names = [
  sql<string>`(select app.display_name from apps app
    where app.organization_id = subscriptions.organization_id and app.id = subscriptions.app_id)`.as('app_name'),
  sql<string>`(select app.developer_id from apps app
    where app.organization_id = subscriptions.organization_id and app.id = subscriptions.app_id)`.as('developer_id'),
  sql<string>`(select developer.name from apps app
    join developers developer on developer.organization_id = app.organization_id and developer.id = app.developer_id
    where app.organization_id = subscriptions.organization_id and app.id = subscriptions.app_id)`.as('developer_name'),
  sql<string>`(select product.display_name from products product
    where product.organization_id = subscriptions.organization_id and product.id = subscriptions.product_id)`.as(
    'product_name',
  ),
  sql<string | null>`(select plan.display_name from rate_plans plan
    where plan.organization_id = subscriptions.organization_id and plan.id = subscriptions.rate_plan_id)`.as(
    'rate_plan_name',
  ),
  sql<Prepaid | null>`(select json_build_object('counting', account.counting, 'credit', account.credit_micro - account.expired_micro,
      'used', floor(account.sent_micro), 'charges', term.prepaid)
    from subscription_terms term
    join prepaid_accounts account on account.organization_id = term.organization_id
      and account.subscription_id = term.subscription_id
    where term.organization_id = subscriptions.organization_id and term.id = subscriptions.term_id
      and term.prepaid is not null)`.as('prepaid'),
] as const;

export async function listSubscriptions(transaction: TenantTransaction, filters: Filters) {
  const organizationId = transaction.tenantId;
  let query = transaction.selectFrom('subscriptions').select('id').where('organization_id', '=', organizationId);
  const { search, state, appId, productId, developerId, ratePlanId } = filters;
  if (search !== undefined && search !== '') {
    query = query.where((builder) =>
      builder.or([
        builder(
          'app_id',
          'in',
          builder
            .selectFrom('apps')
            .innerJoin('developers', (join) =>
              join
                .onRef('developers.organization_id', '=', 'apps.organization_id')
                .onRef('developers.id', '=', 'apps.developer_id'),
            )
            .select('apps.id')
            .where('apps.organization_id', '=', organizationId)
            .where((named) => matches(named, ['apps.name', 'apps.display_name', 'developers.name'], search)),
        ),
        builder(
          'product_id',
          'in',
          builder
            .selectFrom('products')
            .select('products.id')
            .where('products.organization_id', '=', organizationId)
            .where((named) => matches(named, ['products.name', 'products.display_name'], search)),
        ),
      ]),
    );
  }
  if (state !== undefined) query = query.where('state', '=', state);
  if (appId !== undefined) query = query.where('app_id', '=', appId);
  if (productId !== undefined) query = query.where('product_id', '=', productId);
  if (ratePlanId !== undefined) query = query.where('rate_plan_id', '=', ratePlanId);
  if (developerId !== undefined) {
    // Found once: a join would be planned by statistics, which new rows are not in.
    query = query.where(
      sql<boolean>`app_id = any(array(select apps.id from apps
        where apps.organization_id = ${organizationId} and apps.developer_id = ${developerId}))`,
    );
  }
  // A developer may have thousands: names are only read for the rows of the page.
  const { rows: keys, total } = await readPage(query, filters, columns, 'id');
  const ids = keys.map(({ id }) => id);
  const rows = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .select(names)
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, present(row)]));
  return { subscriptions: ids.flatMap((id) => byId.get(id) ?? []), total };
}

/** @param lock blocks other writers until the commit */
export async function findSubscription(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = transaction
    .selectFrom('subscriptions')
    .selectAll()
    .select(names)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** How many subscriptions of the app are pending or approved. */
export async function countOpen(transaction: TenantTransaction, appId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('subscriptions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('app_id', '=', appId)
    .where('state', 'in', ['pending', 'approved'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds a subscription: pending, or approved at `approvedAt`. */
export async function insertSubscription(
  transaction: TenantTransaction,
  values: Pick<Presented, 'appId' | 'productId' | 'ratePlanId' | 'requestedBy' | 'requestedByName'> & {
    readonly authorKeys: readonly string[];
    readonly approvedAt: Date | null;
  },
): Promise<Presented> {
  const { appId, productId, ratePlanId } = values;
  const state = values.approvedAt === null ? 'pending' : 'approved';
  const id = newId('sub');
  const row = await transaction
    .insertInto('subscriptions')
    .values({
      id,
      organization_id: transaction.tenantId,
      app_id: appId,
      product_id: productId,
      rate_plan_id: ratePlanId,
      state,
      term_id: await moveTerm(transaction, null, { id, appId, productId, ratePlanId, state }),
      requested_by: values.requestedBy,
      requested_by_name: values.requestedByName,
      author_ids: [...values.authorKeys],
      decided_at: values.approvedAt,
    })
    .returningAll()
    .returning(names)
    .executeTakeFirstOrThrow();
  const after = present(row);
  if (after.state === 'approved') emit(transaction, consumerChanged, subscriptionConsumer(after, row.prepaid));
  const move = after.state === 'approved' ? 'approved' : 'requested';
  emit(transaction, subscriptionMoved, { subscriptionId: id, move });
  return after;
}

/** Sends gateway nodes what they have to know of approved subscriptions. */
export async function publishSubscriptions(transaction: TenantTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .select(names)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', 'in', ids)
    .where('state', '=', 'approved')
    .execute();
  for (const row of rows) emit(transaction, consumerChanged, subscriptionConsumer(present(row), row.prepaid));
}

/** Who decided about a subscription, and when. */
interface Decision {
  readonly state: Presented['state'];
  readonly reason: string | null;
  readonly by: { readonly id: string; readonly name: string };
  readonly at: Date;
}

export async function decideSubscription(
  transaction: TenantTransaction,
  before: Presented,
  { state, reason, by, at }: Decision,
): Promise<Presented> {
  const after = await update(transaction, before, {
    state,
    reason,
    decided_by: by.id,
    decided_by_name: by.name,
    decided_at: at,
  });
  if (state === 'approved' || state === 'revoked') {
    emit(transaction, subscriptionMoved, { subscriptionId: before.id, move: state });
  }
  return after;
}

/** Keys of those who can't approve the subscription. */
export async function loadAuthorKeys(transaction: TenantTransaction, id: string): Promise<readonly string[]> {
  const { author_ids } = await transaction
    .selectFrom('subscriptions')
    .select('author_ids')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return author_ids;
}

/** The changeable parts of a request. A quota of null: the product's applies. */
type Terms = Partial<Pick<Presented, 'quota' | 'ratePlanId'>>;

/** @param authorKeys of whoever changes it: added to those of the requesters */
export async function changeTerms(
  transaction: TenantTransaction,
  before: Presented,
  { quota, ratePlanId }: Terms,
  authorKeys: readonly string[],
): Promise<Presented> {
  return update(transaction, before, {
    ...(quota === undefined ? {} : { quota: quota === null ? null : JSON.stringify(quota) }),
    ...(ratePlanId === undefined ? {} : { rate_plan_id: ratePlanId }),
    author_ids: sql<string[]>`array(select distinct unnest(author_ids || ${[...authorKeys]}::text[]))`,
  });
}

/** A version of a rate plan. */
interface PlanVersion {
  readonly ratePlanId: string;
  readonly planVersion: number;
}

/**
 * Moves approved subscriptions from earlier versions of their rate plan to a version, at most `limit` of them.
 *
 * @returns how many it moved; fewer than `limit` are the last
 */
export async function moveToVersion(
  transaction: TenantTransaction,
  { ratePlanId, planVersion }: PlanVersion,
  limit: number,
): Promise<number> {
  const earlier = transaction
    .selectFrom('subscriptions')
    .where('organization_id', '=', transaction.tenantId)
    .where('rate_plan_id', '=', ratePlanId)
    .where('state', '=', 'approved')
    .where('term_id', 'in', (builder) =>
      builder
        .selectFrom('subscription_terms')
        .select('subscription_terms.id')
        .where('subscription_terms.organization_id', '=', transaction.tenantId)
        .where('subscription_terms.rate_plan_id', '=', ratePlanId)
        .where('subscription_terms.plan_version', '<', planVersion)
        .where('subscription_terms.ends_at', 'is', null),
    );
  const locked = await earlier.select('id').orderBy('id').limit(limit).forUpdate().execute();
  if (locked.length === 0) return 0;
  // Read afterwards: a statement that waited for a row sees other tables as they were before the wait.
  const ids = locked.map(({ id }) => id);
  const rows = await earlier.select(['id', 'term_id']).where('id', 'in', ids).execute();
  const renewed = rows.map(({ id, term_id }) => ({ id, termId: term_id!, nextId: newId('trm') }));
  await renewTerms(transaction, renewed, planVersion);
  await sql`
    update subscriptions set term_id = given.term_id, version = version + 1, updated_at = now()
    from unnest(${renewed.map(({ id }) => id)}::text[], ${renewed.map(({ nextId }) => nextId)}::text[]) as given (id, term_id)
    where organization_id = ${transaction.tenantId} and subscriptions.id = given.id`.execute(transaction);
  const moved = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .select(names)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', 'in', ids)
    .execute();
  for (const row of moved) emit(transaction, consumerChanged, subscriptionConsumer(present(row), row.prepaid));
  return locked.length;
}

async function update(
  transaction: TenantTransaction,
  before: Presented,
  changes: {
    readonly state?: Presented['state'];
    readonly reason?: string | null;
    readonly decided_by?: string;
    readonly decided_by_name?: string;
    readonly decided_at?: Date;
    readonly quota?: string | null;
    readonly rate_plan_id?: string | null;
    readonly author_ids?: RawBuilder<string[]>;
  },
): Promise<Presented> {
  const termId = await moveTerm(transaction, before, {
    ...before,
    state: changes.state ?? before.state,
    ratePlanId: changes.rate_plan_id === undefined ? before.ratePlanId : changes.rate_plan_id,
  });
  const row = await transaction
    .updateTable('subscriptions')
    .set({ ...changes, term_id: termId, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', before.id)
    .returningAll()
    .returning(names)
    .executeTakeFirstOrThrow();
  const after = present(row);
  // Of the same term it is what it was.
  emitChanged(transaction, subscriptionConsumer(before, row.prepaid), subscriptionConsumer(after, row.prepaid));
  return after;
}

function present(row: Row): Presented {
  return {
    id: row.id,
    appId: row.app_id,
    appName: row.app_name,
    developerId: row.developer_id,
    developerName: row.developer_name,
    productId: row.product_id,
    productName: row.product_name,
    ratePlanId: row.rate_plan_id,
    ratePlanName: row.rate_plan_name,
    termId: row.term_id,
    state: row.state,
    quota: row.quota,
    reason: row.reason,
    requestedBy: row.requested_by,
    requestedByName: row.requested_by_name,
    decidedBy: row.decided_by,
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
