import type { Sealer } from '@millrace/encryption';
import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { environmentChanged } from '../events.ts';
import type { Environment, EnvironmentVariable } from './contract.ts';

type Presented = z.infer<typeof Environment>;
type Variable = z.infer<typeof EnvironmentVariable>;
type Fields = Pick<Presented, 'name' | 'displayName' | 'description' | 'production' | 'hostNames'>;
/** What a change gives: fields that are left out stay. */
type GivenFields = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

const columns = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' };
const variableColumns = { name: 'name', updatedAt: 'updated_at' };

export async function listEnvironments(
  transaction: TenantTransaction,
  filters: Listing & { readonly production?: boolean | undefined },
) {
  let query = transaction
    .selectFrom('environments')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'display_name', 'description'], filters.search));
  if (filters.production !== undefined) query = query.where('production', '=', filters.production);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { environments: rows.map(present), total };
}

/** @param lock keeps other writers of the environment, and its deployments, off until the commit */
export async function findEnvironment(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = transaction
    .selectFrom('environments')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row);
}

export async function insertEnvironment(transaction: TenantTransaction, fields: Fields): Promise<Presented> {
  const row = await transaction
    .insertInto('environments')
    .values({
      id: newId('env'),
      organization_id: transaction.tenantId,
      name: fields.name,
      display_name: fields.displayName,
      description: fields.description,
      production: fields.production,
      host_names: fields.hostNames,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

/** Writes the given fields. */
export async function updateEnvironment(
  transaction: TenantTransaction,
  id: string,
  fields: GivenFields,
): Promise<Presented> {
  const row = await transaction
    .updateTable('environments')
    .set((builder) => ({
      ...(fields.name === undefined ? {} : { name: fields.name }),
      ...(fields.displayName === undefined ? {} : { display_name: fields.displayName }),
      ...(fields.description === undefined ? {} : { description: fields.description }),
      ...(fields.production === undefined ? {} : { production: fields.production }),
      ...(fields.hostNames === undefined ? {} : { host_names: fields.hostNames }),
      version: builder('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, environmentChanged, { environmentId: id });
  return present(row);
}

/** Deletes an environment in which nothing serves, with the record of what did. */
export async function deleteEnvironment(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('deployments')
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', id)
    .where('ended_at', 'is not', null)
    .execute();
  await transaction
    .deleteFrom('environments')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** The host names, of those given, that another environment has. */
export async function hostNamesElsewhere(
  transaction: TenantTransaction,
  hostNames: readonly string[],
  exceptEnvironmentId: string | null,
): Promise<readonly string[]> {
  if (hostNames.length === 0) return [];
  const { rows } = await sql<{ host_name: string }>`
    select distinct host_name from environments, unnest(host_names) as host_name
    where organization_id = ${transaction.tenantId} and id is distinct from ${exceptEnvironmentId}
      and host_name = any(${hostNames}::text[])
    order by host_name`.execute(transaction);
  return rows.map((row) => row.host_name);
}

/**
 * Target servers and gateway nodes of the environment, proxies that serve in it, and those of them whose revision was not
 * approved.
 */
export async function contentsOf(
  transaction: TenantTransaction,
  id: string,
): Promise<{
  readonly targetServers: number;
  readonly gatewayNodes: number;
  readonly serving: number;
  readonly unapproved: readonly string[];
}> {
  const { rows } = await sql<{ target_servers: number; gateway_nodes: number; serving: number; unapproved: string[] }>`
    select (select count(*)::int from target_servers
            where organization_id = ${transaction.tenantId} and environment_id = ${id}) as target_servers,
           (select count(*)::int from gateway_nodes
            where organization_id = ${transaction.tenantId} and environment_id = ${id}) as gateway_nodes,
           count(*)::int as serving,
           coalesce(array_agg(p.name || ' revision ' || d.revision order by p.name, d.revision)
             filter (where r.approved_by is null), '{}') as unapproved
    from deployments d
    join revisions r on r.organization_id = d.organization_id and r.proxy_id = d.proxy_id and r.revision = d.revision
    join proxies p on p.organization_id = d.organization_id and p.id = d.proxy_id
    where d.organization_id = ${transaction.tenantId} and d.environment_id = ${id} and d.ended_at is null`.execute(
    transaction,
  );
  const row = rows[0]!;
  return {
    targetServers: row.target_servers,
    gatewayNodes: row.gateway_nodes,
    serving: row.serving,
    unapproved: row.unapproved,
  };
}

export async function listVariables(
  transaction: TenantTransaction,
  environmentId: string,
  filters: Listing & { readonly secret?: boolean | undefined },
) {
  let query = transaction
    .selectFrom('environment_variables')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where((builder) => matches(builder, ['name'], filters.search));
  if (filters.secret !== undefined) query = query.where('secret', '=', filters.secret);
  const { rows, total } = await readPage(query, filters, variableColumns, 'name');
  return { variables: rows.map(presentVariable), total };
}

export async function countVariables(transaction: TenantTransaction, environmentId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('environment_variables')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findVariable(
  transaction: TenantTransaction,
  environmentId: string,
  name: string,
): Promise<Variable | null> {
  const row = await transaction
    .selectFrom('environment_variables')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', environmentId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : presentVariable(row);
}

/** Makes or replaces a variable; the value of a secret one is stored encrypted. */
export async function putVariable(
  transaction: TenantTransaction,
  sealer: Sealer,
  key: { readonly environmentId: string; readonly name: string },
  { value, secret }: { readonly value: string; readonly secret: boolean },
): Promise<Variable> {
  const stored = {
    secret,
    value: secret ? null : value,
    sealed_value: secret ? sealer.seal(Buffer.from(value), variableContext(key)) : null,
  };
  const row = await transaction
    .insertInto('environment_variables')
    .values({
      organization_id: transaction.tenantId,
      environment_id: key.environmentId,
      name: key.name,
      ...stored,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'environment_id', 'name']).doUpdateSet({
        ...stored,
        version: sql<number>`environment_variables.version + 1`,
        updated_at: sql<Date>`now()`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, environmentChanged, { environmentId: key.environmentId });
  return presentVariable(row);
}

/** The name by which a gateway node gets the value of a secret variable. */
export const secretOfVariable = (name: string) => `variable:${name}`;

/** The name under which a secret value is sealed: what is copied to another variable does not open there. */
export function variableContext(key: { readonly environmentId: string; readonly name: string }): string {
  return `variable ${key.environmentId} ${key.name}`;
}

export async function deleteVariable(
  transaction: TenantTransaction,
  key: { readonly environmentId: string; readonly name: string },
): Promise<void> {
  await transaction
    .deleteFrom('environment_variables')
    .where('organization_id', '=', transaction.tenantId)
    .where('environment_id', '=', key.environmentId)
    .where('name', '=', key.name)
    .execute();
  emit(transaction, environmentChanged, { environmentId: key.environmentId });
}

function present(row: Selectable<Schema['environments']>): Presented {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    production: row.production,
    hostNames: row.host_names,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function presentVariable(row: Selectable<Schema['environment_variables']>): Variable {
  return {
    environmentId: row.environment_id,
    name: row.name,
    secret: row.secret,
    value: row.value,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
