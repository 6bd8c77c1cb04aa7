import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { foundAt } from '../../frame/errors.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { AnalyticsView } from './contract.ts';

type Row = Selectable<Schema['analytics_views']> & { readonly owner_name: string | null };

const columns = { name: 'view.name', createdAt: 'view.created_at' };

function viewsOf(transaction: TenantTransaction) {
  return transaction
    .selectFrom('analytics_views as view')
    .selectAll('view')
    .select(
      sql<string | null>`coalesce(
        (select name from users where users.id = view.owner_id),
        (select name from service_accounts account
          where account.organization_id = view.organization_id and account.id = view.owner_id))`.as('owner_name'),
    )
    .where('view.organization_id', '=', transaction.tenantId);
}

/** Views of the account, and those that others share. */
export async function listViews(transaction: TenantTransaction, callerId: string, listing: Listing) {
  const query = viewsOf(transaction)
    .where((builder) => builder.or([builder('view.owner_id', '=', callerId), builder('view.shared', '=', true)]))
    .where((builder) => matches(builder, ['view.name'], listing.search));
  const { rows, total } = await readPage(query, listing, columns, 'view.id');
  return { views: rows.map((row) => present(row, callerId)), total };
}

/** A view of the account, or one that is shared. */
export async function findView(
  transaction: TenantTransaction,
  id: string,
  callerId: string,
): Promise<AnalyticsView | null> {
  const row = await viewsOf(transaction)
    .where('view.id', '=', id)
    .where((builder) => builder.or([builder('view.owner_id', '=', callerId), builder('view.shared', '=', true)]))
    .executeTakeFirst();
  return row === undefined ? null : present(row, callerId);
}

/** How many views the account has; of concurrent calls, one at a time goes on from here. */
export async function countViews(transaction: TenantTransaction, ownerId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`analytics_views ${ownerId}`}, 0))`.execute(transaction);
  const { count } = await transaction
    .selectFrom('analytics_views')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

/** What a view can be about, by the field that names it. */
const subjects = {
  environmentId: ['environments', 'Environment'],
  proxyId: ['proxies', 'API proxy'],
  appId: ['apps', 'App'],
  productId: ['products', 'Product'],
  routeId: ['routes', 'Route'],
  deploymentId: ['deployments', 'Deployment'],
  gatewayNodeId: ['gateway_nodes', 'Gateway node'],
} as const;

/** @throws ApiError where the organization doesn't have what the view is about */
export async function requireSubjects(transaction: TenantTransaction, query: AnalyticsView['query']): Promise<void> {
  for (const [field, [table, noun]] of Object.entries(subjects)) {
    const id = query[field as keyof typeof subjects];
    if (id === undefined || id === 'none') continue;
    const { rows } = await sql`select from ${sql.table(table)}
      where organization_id = ${transaction.tenantId} and id = ${id}`.execute(transaction);
    foundAt(`query.${field}`, noun, rows[0]);
  }
}

/** Saves a view. A name that the account uses already is a field error. */
export async function insertView(
  transaction: TenantTransaction,
  ownerId: string,
  { name, section, query, shared }: Pick<AnalyticsView, 'name' | 'section' | 'query' | 'shared'>,
): Promise<AnalyticsView> {
  const id = newId('avw');
  await conflictsAt(
    transaction
      .insertInto('analytics_views')
      .values({
        id,
        organization_id: transaction.tenantId,
        owner_id: ownerId,
        name,
        section,
        query: JSON.stringify(query),
        shared,
      })
      .execute(),
    { analytics_views_organization_id_owner_id_name_key: ['name', 'Another view of yours has this name.'] },
  );
  return (await findView(transaction, id, ownerId))!;
}

export async function deleteView(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('analytics_views')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function present(row: Row, callerId: string): AnalyticsView {
  return {
    id: row.id,
    name: row.name,
    section: row.section,
    // Written through the contract alone.
    query: row.query as AnalyticsView['query'],
    shared: row.shared,
    own: row.owner_id === callerId,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
