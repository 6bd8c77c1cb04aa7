import { type ScimTokenRow, scimTokensIn } from '@millrace/scim/tokens';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { links } from '../identity-provider/store.ts';

/** The provisioning tokens of accounts. */
export const scimTokens = scimTokensIn({
  tenantColumn: 'account_id',
  tenants: { table: 'accounts', isActive: 'true' },
});

/** Every provisioning token of the account, the newest first; there are few. */
export async function listTokens(transaction: TenantTransaction): Promise<readonly ScimTokenRow[]> {
  const { rows } = await sql<ScimTokenRow>`
    select id, name, prefix, expires_at, last_used_at, created_at from scim_tokens
    where account_id = ${transaction.tenantId} order by created_at desc, id`.execute(transaction);
  return rows;
}

/** Whether a token was not added since another has its name. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'scim_token_names';
}

/** Writes name and address of a user. */
export async function renameUser(
  transaction: TenantTransaction,
  userId: string,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<void> {
  await sql`update users set email = ${email}, name = ${name}
    where account_id = ${transaction.tenantId} and id = ${userId}`.execute(transaction);
}

/** Forgets what was provisioned of a removed user, whose row stays, and who they were at the provider. */
export async function forgetProvisioned(transaction: TenantTransaction, userId: string): Promise<void> {
  const { tenantId } = transaction;
  await links.deleteAll(transaction, tenantId, [userId]);
  await sql`delete from scim_users where account_id = ${tenantId} and user_id = ${userId}`.execute(transaction);
  await sql`delete from scim_group_members where account_id = ${tenantId} and user_id = ${userId}`.execute(transaction);
}
