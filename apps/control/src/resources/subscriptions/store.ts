import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Subscription } from './contract.ts';

type Presented = z.infer<typeof Subscription>;

type Row = Selectable<Schema['subscriptions']> & {
  readonly app_name: string;
  readonly developer_id: string;
  readonly developer_name: string;
  readonly product_name: string;
  readonly rate_plan_name: string | null;
};

interface Filters extends Listing {
  readonly state?: Presented['state'] | undefined;
  readonly appId?: string | undefined;
  readonly productId?: string | undefined;
  readonly developerId?: string | undefined;
  readonly ratePlanId?: string | undefined;
}

const columns = {
  state: 'subscriptions.state',
  createdAt: 'subscriptions.created_at',
  updatedAt: 'subscriptions.updated_at',
};

/** Subscriptions with the names of what they are about. */
function named(transaction: TenantTransaction) {
  return transaction
    .selectFrom('subscriptions')
    .innerJoin('apps', (join) =>
      join
        .onRef('apps.organization_id', '=', 'subscriptions.organization_id')
        .onRef('apps.id', '=', 'subscriptions.app_id'),
    )
    .innerJoin('developers', (join) =>
      join
        .onRef('developers.organization_id', '=', 'apps.organization_id')
        .onRef('developers.id', '=', 'apps.developer_id'),
    )
    .innerJoin('products', (join) =>
      join
        .onRef('products.organization_id', '=', 'subscriptions.organization_id')
        .onRef('products.id', '=', 'subscriptions.product_id'),
    )
    .leftJoin('rate_plans', (join) =>
      join
        .onRef('rate_plans.organization_id', '=', 'subscriptions.organization_id')
        .onRef('rate_plans.id', '=', 'subscriptions.rate_plan_id'),
    )
    .selectAll('subscriptions')
    .select([
      'apps.display_name as app_name',
      'apps.developer_id',
      'developers.name as developer_name',
      'products.display_name as product_name',
      'rate_plans.display_name as rate_plan_name',
    ])
    .where('subscriptions.organization_id', '=', transaction.tenantId);
}

export async function listSubscriptions(transaction: TenantTransaction, filters: Filters) {
  let query = named(transaction).where((builder) =>
    matches(
      builder,
      ['apps.name', 'apps.display_name', 'developers.name', 'products.name', 'products.display_name'],
      filters.search,
    ),
  );
  if (filters.state !== undefined) query = query.where('subscriptions.state', '=', filters.state);
  if (filters.appId !== undefined) query = query.where('subscriptions.app_id', '=', filters.appId);
  if (filters.productId !== undefined) query = query.where('subscriptions.product_id', '=', filters.productId);
  if (filters.developerId !== undefined) query = query.where('apps.developer_id', '=', filters.developerId);
  if (filters.ratePlanId !== undefined) query = query.where('subscriptions.rate_plan_id', '=', filters.ratePlanId);
  const { rows, total } = await readPage(query, filters, columns, 'subscriptions.id');
  return { subscriptions: rows.map(present), total };
}

/** @param lock keeps other writers off until the commit */
export async function findSubscription(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = named(transaction).where('subscriptions.id', '=', id);
  const row = await (lock ? query.forUpdate('subscriptions') : query).executeTakeFirst();
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

/** Adds a subscription that waits, or that is approved at once where that is when. */
export async function insertSubscription(
  transaction: TenantTransaction,
  values: Pick<Presented, 'appId' | 'productId' | 'ratePlanId' | 'requestedBy' | 'requestedByName'> & {
    readonly approvedAt: Date | null;
  },
): Promise<Presented> {
  const { id } = await transaction
    .insertInto('subscriptions')
    .values({
      id: newId('sub'),
      organization_id: transaction.tenantId,
      app_id: values.appId,
      product_id: values.productId,
      rate_plan_id: values.ratePlanId,
      state: values.approvedAt === null ? 'pending' : 'approved',
      requested_by: values.requestedBy,
      requested_by_name: values.requestedByName,
      decided_at: values.approvedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return changed(transaction, id);
}

/** A decision about a subscription: by whom, and when. */
interface Decision {
  readonly state: Presented['state'];
  readonly reason: string | null;
  readonly by: { readonly id: string; readonly name: string };
  readonly at: Date;
}

export async function decideSubscription(
  transaction: TenantTransaction,
  id: string,
  { state, reason, by, at }: Decision,
): Promise<Presented> {
  return update(transaction, id, {
    state,
    reason,
    decided_by: by.id,
    decided_by_name: by.name,
    decided_at: at,
  });
}

/** @param quota null: the product's holds */
export async function setQuota(
  transaction: TenantTransaction,
  id: string,
  quota: Presented['quota'],
): Promise<Presented> {
  return update(transaction, id, { quota: quota === null ? null : JSON.stringify(quota) });
}

export async function setRatePlan(
  transaction: TenantTransaction,
  id: string,
  ratePlanId: string | null,
): Promise<Presented> {
  return update(transaction, id, { rate_plan_id: ratePlanId });
}

async function update(
  transaction: TenantTransaction,
  id: string,
  changes: {
    readonly state?: Presented['state'];
    readonly reason?: string | null;
    readonly decided_by?: string;
    readonly decided_by_name?: string;
    readonly decided_at?: Date;
    readonly quota?: string | null;
    readonly rate_plan_id?: string | null;
  },
): Promise<Presented> {
  await transaction
    .updateTable('subscriptions')
    .set({ ...changes, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return changed(transaction, id);
}

/** A subscription that this transaction wrote. */
async function changed(transaction: TenantTransaction, id: string): Promise<Presented> {
  return present(await named(transaction).where('subscriptions.id', '=', id).executeTakeFirstOrThrow());
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
