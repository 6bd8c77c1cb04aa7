import { type Scope, scopes } from '@millrace/extraction-contract/scopes';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { keyHash } from '../../http/authenticate.ts';
import { newId } from '../../identifiers.ts';
import { keyPrefix, newRawKey } from './rules.ts';

export interface StoredKey {
  readonly id: string;
  readonly name: string;
  /** The first characters of the raw key. */
  readonly prefix: string;
  /** Null: the default of the settings. */
  readonly rate_limit_per_minute: number | null;
  readonly scopes: readonly string[];
  /** Null: never. */
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

const columns = [
  'id',
  'name',
  'prefix',
  'rate_limit_per_minute',
  'scopes',
  'expires_at',
  'created_at',
  'last_used_at',
  'revoked_at',
] as const;

/**
 * Makes an API key. The raw key is returned this once and cannot be recovered.
 *
 * @param key.scopes all there are where they are left out.
 * @param key.raw is a key chosen by a scripted set-up; a new random one where it is left out.
 */
export async function createKey(
  transaction: TenantTransaction,
  key: {
    readonly name: string;
    readonly rateLimitPerMinute?: number | null;
    readonly scopes?: readonly Scope[];
    /** Null, or left out: never. */
    readonly expiresAt?: Date | null;
    readonly raw?: string;
  },
): Promise<{ readonly raw: string; readonly key: StoredKey }> {
  const raw = key.raw ?? newRawKey();
  const stored = await transaction
    .insertInto('api_keys')
    .values({
      id: newId('key'),
      account_id: transaction.tenantId,
      name: key.name,
      prefix: keyPrefix(raw),
      key_hash: keyHash(raw),
      rate_limit_per_minute: key.rateLimitPerMinute ?? null,
      scopes: key.scopes ?? scopes,
      expires_at: key.expiresAt ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return { raw, key: stored };
}

/** Every key of the account, revoked ones too, oldest first. */
export function listKeys(transaction: TenantTransaction): Promise<readonly StoredKey[]> {
  return transaction
    .selectFrom('api_keys')
    .select(columns)
    .where('account_id', '=', transaction.tenantId)
    .orderBy('id')
    .execute();
}

/**
 * Revokes a key for good, from the next request on. A key that was revoked before stays as it was.
 *
 * @returns null where the account has no key of this id.
 */
export async function revokeKey(transaction: TenantTransaction, id: string): Promise<StoredKey | null> {
  const key = await transaction
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return key ?? null;
}

/**
 * A page of the account's keys, revoked ones too, the newest first.
 *
 * @param page.before id of the last key of the page before
 */
export function listNewestKeys(
  transaction: TenantTransaction,
  page: { readonly before: string | null; readonly limit: number },
): Promise<readonly StoredKey[]> {
  let query = transaction
    .selectFrom('api_keys')
    .select(columns)
    .where('account_id', '=', transaction.tenantId)
    .orderBy('id', 'desc')
    .limit(page.limit);
  if (page.before !== null) query = query.where('id', '<', page.before);
  return query.execute();
}

/** Keys of the account that can be used. */
export async function countUsableKeys(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', transaction.tenantId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Changes what is given; it applies from the next call on.
 *
 * @returns null where the account has no key of this id.
 */
export async function updateKey(
  transaction: TenantTransaction,
  id: string,
  changes: Partial<Pick<StoredKey, 'name' | 'rate_limit_per_minute' | 'scopes' | 'expires_at'>>,
): Promise<StoredKey | null> {
  const key = await transaction
    .updateTable('api_keys')
    .set((expressions) => ({ id: expressions.ref('id'), ...changes }))
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return key ?? null;
}
