import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { targetServerChanged } from '../events.ts';
import type { TargetServer } from './contract.ts';

type Row = Selectable<Schema['target_servers']>;
type Presented = z.infer<typeof TargetServer>;
type Fields = Omit<Presented, 'id' | 'environmentId' | 'tls' | 'version' | 'createdAt' | 'updatedAt'> & {
  readonly tls: StoredTls;
};
/** The fields to change; omitted ones don't change. */
type GivenFields = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** TLS settings for a target server, the client key sealed. */
export interface StoredTls {
  readonly serverName: string | null;
  readonly certificateAuthorities: string | null;
  readonly clientCertificate: string | null;
  readonly sealedClientKey: Buffer | null;
}

/** The context that a client key is sealed with: a copy at another target server can't be opened. */
export function clientKeyContext(id: string): string {
  return `target client key ${id}`;
}

interface Filters extends Listing {
  readonly environmentId?: string | undefined;
  readonly enabled?: boolean | undefined;
}

const columns = { name: 'name', host: 'host', createdAt: 'created_at', updatedAt: 'updated_at' };

export async function listTargetServers(transaction: TenantTransaction, filters: Filters) {
  let query = transaction
    .selectFrom('target_servers')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'host', 'description'], filters.search));
  if (filters.environmentId !== undefined) query = query.where('environment_id', '=', filters.environmentId);
  if (filters.enabled !== undefined) query = query.where('enabled', '=', filters.enabled);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { targetServers: rows.map(present), total };
}

/** @param lock blocks other writers until the commit */
export async function findTargetServer(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = transaction
    .selectFrom('target_servers')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** The sealed client key of a target server; null if it has none. */
export async function findClientKey(transaction: TenantTransaction, id: string): Promise<Buffer | null> {
  const row = await transaction
    .selectFrom('target_servers')
    .select('sealed_tls_client_key')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.sealed_tls_client_key ?? null;
}

/** The environment of a target server; undefined if the target server doesn't exist. */
export async function environmentOf(transaction: TenantTransaction, id: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('target_servers')
    .select('environment_id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.environment_id;
}

export async function insertTargetServer(
  transaction: TenantTransaction,
  id: string,
  values: Fields & { readonly environmentId: string },
): Promise<Presented> {
  const row = await transaction
    .insertInto('target_servers')
    .values({
      id,
      organization_id: transaction.tenantId,
      environment_id: values.environmentId,
      name: values.name,
      description: values.description,
      scheme: values.scheme,
      protocol: values.protocol,
      host: values.host,
      port: values.port,
      weight: values.weight,
      endpoints: JSON.stringify(values.endpoints),
      ...tlsColumns(values.tls),
      enabled: values.enabled,
      health_path: values.healthPath,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, targetServerChanged, { environmentId: row.environment_id });
  return present(row);
}

/** Writes the given fields. */
export async function updateTargetServer(
  transaction: TenantTransaction,
  id: string,
  fields: GivenFields,
): Promise<Presented> {
  const { healthPath, endpoints, tls, ...columnsOfTheirName } = fields;
  const row = await transaction
    .updateTable('target_servers')
    .set((builder) => ({
      ...columnsOfTheirName,
      ...(healthPath === undefined ? {} : { health_path: healthPath }),
      ...(endpoints === undefined ? {} : { endpoints: JSON.stringify(endpoints) }),
      ...(tls === undefined ? {} : tlsColumns(tls)),
      version: builder('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, targetServerChanged, { environmentId: row.environment_id });
  return present(row);
}

export async function deleteTargetServer(transaction: TenantTransaction, id: string): Promise<void> {
  const { environment_id: environmentId } = await transaction
    .deleteFrom('target_servers')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returning('environment_id')
    .executeTakeFirstOrThrow();
  emit(transaction, targetServerChanged, { environmentId });
}

/** Maximum listed references of each sort. */
const mostReferences = 500;

/**
 * What refers to a target server by name: routes of working copies, whatever environment they will be deployed to, and
 * live revisions in the target server's own environment.
 */
export async function findReferences(transaction: TenantTransaction, target: Presented) {
  const organizationId = transaction.tenantId;
  const { rows: routes } = await sql<{
    proxyId: string;
    proxyName: string;
    routeId: string;
    method: string;
    pathPattern: string;
    total: number;
  }>`
    select p.id as "proxyId", p.name as "proxyName", r.id as "routeId", r.method, r.path_pattern as "pathPattern",
           count(*) over ()::int as total
    from routes r join proxies p on p.organization_id = r.organization_id and p.id = r.proxy_id
    where r.organization_id = ${organizationId} and r.target_server = ${target.name} and p.deleted_at is null
    order by p.name, r.position, r.id limit ${mostReferences}`.execute(transaction);
  const { rows: revisions } = await sql<{
    proxyId: string;
    proxyName: string;
    revision: number;
    environmentId: string;
    environmentName: string;
    total: number;
  }>`
    select p.id as "proxyId", p.name as "proxyName", d.revision, e.id as "environmentId",
           e.name as "environmentName", count(*) over ()::int as total
    from deployments d
    join proxies p on p.organization_id = d.organization_id and p.id = d.proxy_id
    join environments e on e.organization_id = d.organization_id and e.id = d.environment_id
    where d.organization_id = ${organizationId} and d.environment_id = ${target.environmentId} and d.ended_at is null
      and ${target.name} = any(d.target_servers)
    order by p.name, d.revision limit ${mostReferences}`.execute(transaction);
  return {
    routes: routes.map(({ total: _, ...route }) => route),
    revisions: revisions.map(({ total: _, ...revision }) => revision),
    total: (routes[0]?.total ?? 0) + (revisions[0]?.total ?? 0),
  };
}

function tlsColumns({ serverName, certificateAuthorities, clientCertificate, sealedClientKey }: StoredTls) {
  return {
    tls_server_name: serverName,
    tls_certificate_authorities: certificateAuthorities,
    tls_client_certificate: clientCertificate,
    sealed_tls_client_key: sealedClientKey,
  };
}

function present(row: Row): Presented {
  return {
    id: row.id,
    environmentId: row.environment_id,
    name: row.name,
    description: row.description,
    scheme: row.scheme,
    protocol: row.protocol,
    host: row.host,
    port: row.port,
    weight: row.weight,
    endpoints: row.endpoints.map((endpoint) => ({ ...endpoint })),
    tls: {
      serverName: row.tls_server_name,
      certificateAuthorities: row.tls_certificate_authorities,
      clientCertificate: row.tls_client_certificate,
      hasClientKey: row.sealed_tls_client_key !== null,
    },
    enabled: row.enabled,
    healthPath: row.health_path,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
