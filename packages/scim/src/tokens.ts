import type { Database, PreparedStatement } from '@millrace/postgres';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { type Hashed, lookUpBy } from '@millrace/sign-in/token-lookup';
import { sql } from 'kysely';
import type { ScimTransaction } from './store.ts';

/*
 * Tokens stand in the application’s table `scim_tokens`: `id`, `name`, `prefix`, `token_hash`, `created_by`,
 * `expires_at`, `last_used_at`, `created_at`, and the tenant.
 */

/** Of a tenant. */
export const mostTokens = 10;

/** Distinguishes a provisioning token from others. */
const tokenPrefix = 'mrc_';

/** A client of SCIM, by its token. */
export interface ScimClient {
  readonly tokenId: string;
  readonly tenantId: string;
  /** Of the token. */
  readonly name: string;
  /** Whoever created the token: they may be behind what it provisions. */
  readonly createdBy: readonly string[];
}

/** A token as it is stored, without its secret. */
export interface ScimTokenRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
}

/** A token as an API shows it; times are ISO 8601. */
export interface PresentedScimToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

export function presentScimToken(row: ScimTokenRow): PresentedScimToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

interface FoundToken extends Hashed {
  id: string;
  tenant_id: string;
  name: string;
  created_by: string[];
  stale: boolean;
}

/** The provisioning tokens of an application. */
export interface ScimTokens {
  /**
   * Finds the client of a token; the database is asked for each request, so that a deleted token is worth nothing at once.
   */
  createAuthenticate<Tables>(
    database: Pick<Database<Tables>, 'prepared' | 'system'>,
  ): (token: string) => Promise<ScimClient | null>;
  count(transaction: ScimTransaction): Promise<number>;
  /** Adds a token, whose secret is returned this once. */
  insert(
    transaction: ScimTransaction,
    token: {
      readonly id: string;
      readonly name: string;
      readonly createdBy: readonly string[];
      /** Null: until it is deleted. */
      readonly lifetimeDays: number | null;
    },
  ): Promise<{ readonly row: ScimTokenRow; readonly secret: string }>;
  /** Deletes a token; false if there is none of this id. */
  delete(transaction: ScimTransaction, id: string): Promise<boolean>;
}

/** @param tables.tenants the table of tenants, and the condition by which one is active */
export function scimTokensIn({
  tenantColumn,
  tenants,
}: {
  readonly tenantColumn: string;
  readonly tenants: { readonly table: string; readonly isActive: string };
}): ScimTokens {
  const tenant = sql.ref(tenantColumn);
  const clientByToken: PreparedStatement<FoundToken> = {
    name: 'scim client by token',
    text: `
      select t.token_hash as hash, t.id, t.${tenantColumn} as tenant_id, t.name, t.created_by,
             coalesce(t.last_used_at < now() - interval '1 minute', true) as stale
      from scim_tokens t join ${tenants.table} tenant on tenant.id = t.${tenantColumn}
      where t.token_hash = any($1) and (t.expires_at is null or t.expires_at > now()) and ${tenants.isActive}`,
  };
  return {
    createAuthenticate(database) {
      const find = lookUpBy(database, clientByToken);
      return async (token) => {
        const row = await find(hashSecret(token));
        if (row === undefined) return null;
        if (row.stale) {
          await sql`update scim_tokens set last_used_at = now()
            where ${tenant} = ${row.tenant_id} and id = ${row.id}`.execute(database.system);
        }
        return { tokenId: row.id, tenantId: row.tenant_id, name: row.name, createdBy: row.created_by };
      };
    },

    async count(transaction) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from scim_tokens where ${tenant} = ${transaction.tenantId}`.execute(transaction);
      return rows[0]?.count ?? 0;
    },

    async insert(transaction, { id, name, createdBy, lifetimeDays }) {
      const { secret, hash } = newSecret(tokenPrefix);
      const { rows } = await sql<ScimTokenRow>`
        insert into scim_tokens (id, ${tenant}, name, prefix, token_hash, created_by, expires_at)
        values (${id}, ${transaction.tenantId}, ${name}, ${secret.slice(0, 10)}, ${hash}, ${[...createdBy]}::text[],
          now() + ${lifetimeDays}::int * interval '1 day')
        returning id, name, prefix, expires_at, last_used_at, created_at`.execute(transaction);
      return { row: rows[0]!, secret };
    },

    async delete(transaction, id) {
      const { numAffectedRows = 0n } = await sql`
        delete from scim_tokens where ${tenant} = ${transaction.tenantId} and id = ${id}`.execute(transaction);
      return numAffectedRows === 1n;
    },
  };
}
