import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Environment } from './contract.ts';

type Presented = z.infer<typeof Environment>;

const columns = { name: 'name', createdAt: 'created_at' };

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
