import { newId } from '@millrace/identifiers';
import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { TargetServer } from './contract.ts';

type Row = Selectable<Schema['target_servers']>;
type Presented = z.infer<typeof TargetServer>;

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

/** @param lock keeps other writers off until the commit */
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

export async function insertTargetServer(
  transaction: TenantTransaction,
  values: Pick<
    Presented,
    'environmentId' | 'name' | 'description' | 'scheme' | 'host' | 'port' | 'enabled' | 'healthPath'
  >,
): Promise<Presented> {
  const row = await transaction
    .insertInto('target_servers')
    .values({
      id: newId('tgt'),
      organization_id: transaction.tenantId,
      environment_id: values.environmentId,
      name: values.name,
      description: values.description,
      scheme: values.scheme,
      host: values.host,
      port: values.port,
      enabled: values.enabled,
      health_path: values.healthPath,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

function present(row: Row): Presented {
  return {
    id: row.id,
    environmentId: row.environment_id,
    name: row.name,
    description: row.description,
    scheme: row.scheme,
    host: row.host,
    port: row.port,
    enabled: row.enabled,
    healthPath: row.health_path,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
