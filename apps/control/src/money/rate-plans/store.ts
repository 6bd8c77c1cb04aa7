import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { RatePlan } from './contract.ts';
import { refusePlan } from './rules.ts';

type Presented = z.infer<typeof RatePlan>;

interface Filters extends Listing {
  readonly state?: Presented['state'] | undefined;
}

const columns = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' };

/** The plans of one product. */
export async function listRatePlans(transaction: TenantTransaction, productId: string, filters: Filters) {
  let query = transaction
    .selectFrom('rate_plans')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('product_id', '=', productId)
    .where((builder) => matches(builder, ['name', 'display_name'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { ratePlans: rows.map(present), total };
}

/** Refuses a rate plan that the product does not have, or that takes no subscribers. */
export async function requireRatePlan(transaction: TenantTransaction, id: string, productId: string): Promise<void> {
  refusePlan(await findRatePlan(transaction, id), productId);
}

async function findRatePlan(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await transaction
    .selectFrom('rate_plans')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : present(row);
}

function present(row: Selectable<Schema['rate_plans']>): Presented {
  return {
    id: row.id,
    productId: row.product_id,
    name: row.name,
    displayName: row.display_name,
    type: row.type,
    state: row.state,
    currency: row.currency,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
