import { newId } from '@millrace/identifiers';
import type { PreparedStatement } from '@millrace/postgres';
import { hashSecret } from '@millrace/sign-in/secrets';
import { type Hashed, lookUpBy } from '@millrace/sign-in/token-lookup';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { ControlDatabase, Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { ScimToken } from './contract.ts';

type Presented = z.infer<typeof ScimToken>;

/** A client of SCIM, by its token. */
export interface ScimClient {
  readonly tokenId: string;
  readonly organizationId: string;
  /** Of the token. */
  readonly name: string;
  /** Whoever created the token: they may be behind what it provisions. */
  readonly createdBy: readonly string[];
}

interface TokenRow extends Hashed {
  id: string;
  organization_id: string;
  name: string;
  created_by: string[];
  stale: boolean;
}

const clientByToken: PreparedStatement<TokenRow> = {
  name: 'scim client by token',
  text: `
    select t.token_hash as hash, t.id, t.organization_id, t.name, t.created_by,
           coalesce(t.last_used_at < now() - interval '1 minute', true) as stale
    from scim_tokens t join organizations o on o.id = t.organization_id
    where t.token_hash = any($1) and (t.expires_at is null or t.expires_at > now()) and o.state = 'active'`,
};

/** Finds the client of a token; the database is asked for each request, so that a deleted token is worth nothing at once. */
export function createAuthenticateScim(database: ControlDatabase): (token: string) => Promise<ScimClient | null> {
  const find = lookUpBy(database, clientByToken);
  return async (token) => {
    const row = await find(hashSecret(token));
    if (row === undefined) return null;
    if (row.stale) {
      await sql`update scim_tokens set last_used_at = now()
        where organization_id = ${row.organization_id} and id = ${row.id}`.execute(database.system);
    }
    return { tokenId: row.id, organizationId: row.organization_id, name: row.name, createdBy: row.created_by };
  };
}

function selectTokens(transaction: TenantTransaction) {
  return transaction.selectFrom('scim_tokens').selectAll().where('organization_id', '=', transaction.tenantId);
}

export async function listTokens(transaction: TenantTransaction, listing: Listing) {
  const query = selectTokens(transaction).where((builder) => matches(builder, ['name', 'prefix'], listing.search));
  const { rows, total } = await readPage(query, listing, { createdAt: 'created_at', name: 'name' }, 'id');
  return { tokens: rows.map(present), total };
}

export async function findToken(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await selectTokens(transaction).where('id', '=', id).forUpdate().executeTakeFirst();
  return row === undefined ? null : present(row);
}

export async function countTokens(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('scim_tokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertToken(
  transaction: TenantTransaction,
  values: {
    readonly name: string;
    readonly prefix: string;
    readonly hash: Buffer;
    readonly createdBy: readonly string[];
    readonly expiresAt: Date | null;
  },
): Promise<Presented> {
  const row = await transaction
    .insertInto('scim_tokens')
    .values({
      id: newId('sct'),
      organization_id: transaction.tenantId,
      name: values.name,
      prefix: values.prefix,
      token_hash: values.hash,
      created_by: [...values.createdBy],
      expires_at: values.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

export async function deleteToken(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('scim_tokens')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function present(row: Selectable<Schema['scim_tokens']>): Presented {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
