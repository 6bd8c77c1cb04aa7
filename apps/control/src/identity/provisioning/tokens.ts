import { presentScimToken, scimTokensIn } from '@millrace/scim/tokens';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { ScimToken } from './contract.ts';

type Presented = z.infer<typeof ScimToken>;

/** The tokens of active organizations. */
export const scimTokens = scimTokensIn({
  tenantColumn: 'organization_id',
  tenants: { table: 'organizations', isActive: `tenant.state = 'active'` },
});

function selectTokens(transaction: TenantTransaction) {
  return transaction.selectFrom('scim_tokens').selectAll().where('organization_id', '=', transaction.tenantId);
}

export async function listTokens(transaction: TenantTransaction, listing: Listing) {
  const query = selectTokens(transaction).where((builder) => matches(builder, ['name', 'prefix'], listing.search));
  const { rows, total } = await readPage(query, listing, { createdAt: 'created_at', name: 'name' }, 'id');
  return { tokens: rows.map(presentScimToken), total };
}

export async function findToken(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await selectTokens(transaction).where('id', '=', id).forUpdate().executeTakeFirst();
  return row === undefined ? null : presentScimToken(row);
}
