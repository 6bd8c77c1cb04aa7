import type { PolicyFlow } from '@millrace/policies/kind';
import type { RevisionPolicy } from '@millrace/revision/content';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches } from '../../frame/listing.ts';
import { proxyContentChanged } from '../events.ts';
import type { Policy } from './contract.ts';

type Presented = z.infer<typeof Policy>;
type Row = Selectable<Schema['policy_attachments']>;

interface Filters extends Listing {
  readonly flow?: PolicyFlow | undefined;
  readonly kind?: string | undefined;
  readonly enabled?: boolean | undefined;
}

const columns: Readonly<Record<string, readonly ('flow' | 'position' | 'name' | 'kind' | 'created_at' | 'id')[]>> = {
  position: ['flow', 'position', 'id'],
  name: ['name', 'id'],
  kind: ['kind', 'id'],
  createdAt: ['created_at', 'id'],
};

export async function listPolicies(transaction: TenantTransaction, proxyId: string, filters: Filters) {
  let query = ofProxy(transaction, proxyId).where((builder) => matches(builder, ['name', 'kind'], filters.search));
  if (filters.flow !== undefined) query = query.where('flow', '=', filters.flow);
  if (filters.kind !== undefined) query = query.where('kind', '=', filters.kind);
  if (filters.enabled !== undefined) query = query.where('enabled', '=', filters.enabled);
  const descending = filters.sort.startsWith('-');
  for (const column of columns[descending ? filters.sort.slice(1) : filters.sort] ?? []) {
    query = query.orderBy(column, descending ? 'desc' : 'asc');
  }
  // A proxy has few policies, ordered by two columns, so paging happens here.
  const rows = await query.execute();
  const start = (filters.page - 1) * filters.pageSize;
  return { policies: rows.slice(start, start + filters.pageSize).map(present), total: rows.length };
}

/** Every policy of the proxy in order, the request flow first. */
export async function allPolicies(transaction: TenantTransaction, proxyId: string): Promise<readonly Presented[]> {
  const rows = await ofProxy(transaction, proxyId).orderBy('flow').orderBy('position').orderBy('id').execute();
  return rows.map(present);
}

export async function findPolicy(
  transaction: TenantTransaction,
  proxyId: string,
  policyId: string,
): Promise<Presented | null> {
  const row = await ofProxy(transaction, proxyId).where('id', '=', policyId).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Policies that list the route; those that apply to all routes don't. */
export async function listPoliciesOfRoute(
  transaction: TenantTransaction,
  proxyId: string,
  routeId: string,
): Promise<readonly Presented[]> {
  const rows = await ofProxy(transaction, proxyId).where(sql<boolean>`${routeId} = any(route_ids)`).execute();
  return rows.map(present);
}

/** Ids of the routes that policies of a proxy can apply to. */
export async function routeIdsOf(transaction: TenantTransaction, proxyId: string): Promise<ReadonlySet<string>> {
  const rows = await transaction
    .selectFrom('routes')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Removes the route from the policies that list it. */
export async function narrowPolicies(transaction: TenantTransaction, proxyId: string, routeId: string): Promise<void> {
  await transaction
    .updateTable('policy_attachments')
    .set({ route_ids: sql`array_remove(route_ids, ${routeId})`, version: sql`version + 1`, updated_at: sql`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where(sql<boolean>`${routeId} = any(route_ids)`)
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

/**
 * Adds policies, in order, to a proxy without any.
 *
 * @param version that they start with: above 1 if they may replace earlier ones with the same ids
 */
export async function insertPolicies(
  transaction: TenantTransaction,
  proxyId: string,
  policies: readonly (RevisionPolicy & { readonly templateId?: string | null })[],
  version = 1,
): Promise<void> {
  if (policies.length === 0) return;
  await transaction
    .insertInto('policy_attachments')
    .values(
      policies.map((policy, index) => ({
        id: policy.id,
        organization_id: transaction.tenantId,
        proxy_id: proxyId,
        flow: policy.flow,
        position: index + 1,
        kind: policy.kind,
        ...written({ ...policy, templateId: policy.templateId ?? null }),
        version,
      })),
    )
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

/** Adds a policy at the position given by `order`, and moves the others accordingly. */
export async function insertPolicy(
  transaction: TenantTransaction,
  proxyId: string,
  policy: RevisionPolicy & { readonly templateId: string | null },
  order: readonly string[],
): Promise<void> {
  await transaction
    .insertInto('policy_attachments')
    .values({
      id: policy.id,
      organization_id: transaction.tenantId,
      proxy_id: proxyId,
      flow: policy.flow,
      position: 0,
      kind: policy.kind,
      ...written(policy),
    })
    .execute();
  await placePolicies(transaction, proxyId, order);
}

/** Gives the policies the positions of their ids. A policy's position doesn't affect its version. */
export async function placePolicies(
  transaction: TenantTransaction,
  proxyId: string,
  order: readonly string[],
): Promise<void> {
  await transaction
    .updateTable('policy_attachments')
    .set({ position: sql`array_position(${order}::text[], id)` })
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('id', 'in', order)
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

export async function updatePolicy(transaction: TenantTransaction, policy: Presented): Promise<Presented> {
  const row = await transaction
    .updateTable('policy_attachments')
    .set({ ...written(policy), version: sql`version + 1`, updated_at: sql`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', policy.proxyId)
    .where('id', '=', policy.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, proxyContentChanged, { proxyId: policy.proxyId });
  return present(row);
}

export async function deletePolicy(transaction: TenantTransaction, proxyId: string, policyId: string): Promise<void> {
  await transaction
    .deleteFrom('policy_attachments')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('id', '=', policyId)
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

export async function deletePolicies(transaction: TenantTransaction, proxyId: string): Promise<void> {
  await transaction
    .deleteFrom('policy_attachments')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

function ofProxy(transaction: TenantTransaction, proxyId: string) {
  return transaction
    .selectFrom('policy_attachments')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId);
}

function written(policy: Pick<Presented, 'name' | 'enabled' | 'routeIds' | 'configuration' | 'templateId'>) {
  return {
    name: policy.name,
    enabled: policy.enabled,
    route_ids: policy.routeIds,
    configuration: JSON.stringify(policy.configuration),
    template_id: policy.templateId,
  };
}

function present(row: Row): Presented {
  return {
    id: row.id,
    proxyId: row.proxy_id,
    flow: row.flow,
    kind: row.kind,
    name: row.name,
    enabled: row.enabled,
    routeIds: row.route_ids,
    configuration: row.configuration as Presented['configuration'],
    templateId: row.template_id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
