import type { RevisionRoute } from '@millrace/revision/content';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { proxyContentChanged } from '../events.ts';
import type { Route } from './contract.ts';

type Presented = z.infer<typeof Route>;
type Row = Selectable<Schema['routes']>;

interface Filters extends Listing {
  readonly method?: string | undefined;
  readonly targetServer?: string | undefined;
}

const columns = {
  position: 'position',
  pathPattern: 'path_pattern',
  method: 'method',
  targetServer: 'target_server',
  createdAt: 'created_at',
};

export async function listRoutes(transaction: TenantTransaction, proxyId: string, filters: Filters) {
  let query = ofProxy(transaction, proxyId).where((builder) =>
    matches(builder, ['path_pattern', 'summary', 'description', 'target_server'], filters.search),
  );
  if (filters.method !== undefined) query = query.where('method', '=', filters.method);
  if (filters.targetServer !== undefined) query = query.where('target_server', '=', filters.targetServer);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { routes: rows.map(present), total };
}

export async function findRoute(
  transaction: TenantTransaction,
  proxyId: string,
  routeId: string,
): Promise<Presented | null> {
  const row = await ofProxy(transaction, proxyId).where('id', '=', routeId).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Every route of the proxy, in order. */
export async function allRoutes(transaction: TenantTransaction, proxyId: string): Promise<readonly Presented[]> {
  const rows = await ofProxy(transaction, proxyId).orderBy('position').orderBy('id').execute();
  return rows.map(present);
}

/**
 * Appends routes, in order, to those of the proxy.
 *
 * @param version that they start with: above 1 if they may replace earlier ones with the same ids
 */
export async function insertRoutes(
  transaction: TenantTransaction,
  proxyId: string,
  routes: readonly RevisionRoute[],
  version = 1,
): Promise<void> {
  if (routes.length === 0) return;
  const last = await ofProxy(transaction, proxyId)
    .clearSelect()
    .select(sql<number>`coalesce(max(position), 0)`.as('position'))
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('routes')
    .values(
      routes.map((route, index) => ({
        id: route.id,
        organization_id: transaction.tenantId,
        proxy_id: proxyId,
        position: last.position + index + 1,
        ...written(route),
        version,
      })),
    )
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

export async function updateRoute(transaction: TenantTransaction, route: Presented): Promise<Presented> {
  const row = await transaction
    .updateTable('routes')
    .set({ ...written(route), version: sql`version + 1`, updated_at: sql`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', route.proxyId)
    .where('id', '=', route.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, proxyContentChanged, { proxyId: route.proxyId });
  return present(row);
}

export async function deleteRoute(transaction: TenantTransaction, proxyId: string, routeId: string): Promise<void> {
  await transaction
    .deleteFrom('routes')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('id', '=', routeId)
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

export async function deleteRoutes(transaction: TenantTransaction, proxyId: string): Promise<void> {
  await transaction
    .deleteFrom('routes')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .execute();
  emit(transaction, proxyContentChanged, { proxyId });
}

/** Rejects, with a field error, a target server that no environment has. */
export async function requireTargetServer(transaction: TenantTransaction, name: string): Promise<void> {
  if ((await unknownTargetServers(transaction, [name])).length === 0) return;
  const known = await transaction
    .selectFrom('target_servers')
    .select('name')
    .distinct()
    .where('organization_id', '=', transaction.tenantId)
    .orderBy('name')
    .limit(21)
    .execute();
  const names = known.slice(0, 20).map((target) => target.name);
  const some = `${names.join(', ')}${known.length > names.length ? ', …' : ''}`;
  throw fieldError(
    'targetServer',
    names.length === 0
      ? `No environment has a target server ${name}. Register it first.`
      : `No environment has a target server ${name}. Existing ones: ${some}.`,
  );
}

/** Those of the names for which no environment has a target server. */
export async function unknownTargetServers(
  transaction: TenantTransaction,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const known = await transaction
    .selectFrom('target_servers')
    .select('name')
    .distinct()
    .where('organization_id', '=', transaction.tenantId)
    .where('name', 'in', [...new Set(names)])
    .execute();
  const found = new Set(known.map(({ name }) => name));
  return [...new Set(names)].filter((name) => !found.has(name));
}

function ofProxy(transaction: TenantTransaction, proxyId: string) {
  return transaction
    .selectFrom('routes')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId);
}

function written(route: Omit<RevisionRoute, 'id'>) {
  return {
    method: route.method,
    path_pattern: route.pathPattern,
    target_server: route.targetServer,
    target_path: route.targetPath,
    timeout_ms: route.timeoutMs,
    summary: route.summary,
    description: route.description,
  };
}

function present(row: Row): Presented {
  return {
    id: row.id,
    proxyId: row.proxy_id,
    // Written through the contract, which only allows these methods.
    method: row.method as Presented['method'],
    pathPattern: row.path_pattern,
    targetServer: row.target_server,
    targetPath: row.target_path,
    timeoutMs: row.timeout_ms,
    summary: row.summary,
    description: row.description,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
