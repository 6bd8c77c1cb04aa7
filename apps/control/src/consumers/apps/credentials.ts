import type { Sealer } from '@millrace/encryption';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import { newId } from '@millrace/identifiers';
import { newSecret } from '@millrace/sign-in/secrets';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { consumerChanged } from '../events.ts';
import type { Credential } from './contract.ts';
import { credentialState, keyPrefix, shownCharacters } from './rules.ts';

type Presented = z.infer<typeof Credential>;
export type CredentialRow = Selectable<Schema['credentials']>;

const columns = { name: 'name', expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' };

/** A credential is only found within its app. */
interface Key {
  readonly appId: string;
  readonly credentialId: string;
}

/** @param now the time for which states are computed */
export async function listCredentials(
  transaction: TenantTransaction,
  appId: string,
  filters: Listing & { readonly state?: Presented['state'] | undefined },
  now: Date,
) {
  let query = transaction
    .selectFrom('credentials')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('app_id', '=', appId)
    .where((builder) => matches(builder, ['name', 'prefix'], filters.search));
  if (filters.state !== undefined) {
    // Same as `credentialState`.
    query = query.where(
      sql<boolean>`case when revoked_at is not null then 'revoked' when expires_at <= ${now} then 'expired'
        when previous_valid_until > ${now} then 'rotating' else 'active' end = ${filters.state}`,
    );
  }
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { credentials: rows.map((row) => presentCredential(row, now)), total };
}

/** @param lock blocks other writers until the commit */
export async function findCredential(
  transaction: TenantTransaction,
  { appId, credentialId }: Key,
  { lock = false } = {},
): Promise<CredentialRow | undefined> {
  const query = transaction
    .selectFrom('credentials')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('app_id', '=', appId)
    .where('id', '=', credentialId);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export async function countUnrevoked(transaction: TenantTransaction, appId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('credentials')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('app_id', '=', appId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Issues a credential; its key is stored as a hash for lookup, and encrypted for revealing. */
export async function insertCredential(
  transaction: TenantTransaction,
  sealer: Sealer,
  values: { readonly appId: string; readonly name: string; readonly expiresAt: Date | null },
): Promise<{ readonly row: CredentialRow; readonly key: string }> {
  const id = newId('crd');
  const { key, kept } = newKey(sealer, id);
  const row = await transaction
    .insertInto('credentials')
    .values({
      id,
      organization_id: transaction.tenantId,
      app_id: values.appId,
      name: values.name,
      ...kept,
      expires_at: values.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, consumerChanged, credentialConsumer(row));
  return { row, key };
}

/** @param previousValidUntil until when the current key is still accepted; null: not at all */
export async function rotateCredential(
  transaction: TenantTransaction,
  sealer: Sealer,
  { id, key_hash }: CredentialRow,
  previousValidUntil: Date | null,
): Promise<{ readonly row: CredentialRow; readonly key: string }> {
  const { key, kept } = newKey(sealer, id);
  const row = await updateCredential(transaction, id, {
    ...kept,
    previous_key_hash: previousValidUntil === null ? null : key_hash,
    previous_valid_until: previousValidUntil,
  });
  return { row, key };
}

/** A revoked credential can't be revealed, so its key is deleted. */
export async function revokeCredential(transaction: TenantTransaction, id: string, now: Date): Promise<CredentialRow> {
  return updateCredential(transaction, id, { revoked_at: now, sealed_key: Buffer.alloc(0) });
}

/** The key of a credential that is not revoked. */
export function openKey(sealer: Sealer, { id, sealed_key }: CredentialRow): string {
  return sealer.open(sealed_key, id).toString();
}

/** The credential as gateway nodes know it. */
function credentialConsumer(row: CredentialRow): ConsumerChange {
  const { id } = row;
  if (row.revoked_at !== null) return { kind: 'credential', id, value: null };
  return {
    kind: 'credential',
    id,
    value: {
      id,
      appId: row.app_id,
      keyHash: row.key_hash.toString('hex'),
      previousKeyHash: row.previous_key_hash?.toString('hex') ?? null,
      previousValidUntilMs: row.previous_valid_until?.getTime() ?? null,
      expiresAtMs: row.expires_at?.getTime() ?? null,
    },
  };
}

export function presentCredential(row: CredentialRow, now: Date): Presented {
  const { previous_valid_until: previousValidUntil, expires_at: expiresAt, revoked_at: revokedAt } = row;
  const state = credentialState({ previousValidUntil, expiresAt, revokedAt }, now);
  return {
    id: row.id,
    appId: row.app_id,
    name: row.name,
    prefix: row.prefix,
    state,
    previousValidUntil: state === 'rotating' ? (previousValidUntil?.toISOString() ?? null) : null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A new key and what is stored of it: its hash, and its ciphertext, which is bound to the credential's id. */
function newKey(sealer: Sealer, credentialId: string) {
  const { secret, hash } = newSecret(keyPrefix);
  const kept = {
    prefix: secret.slice(0, shownCharacters),
    key_hash: hash,
    sealed_key: sealer.seal(Buffer.from(secret), credentialId),
  };
  return { key: secret, kept };
}

async function updateCredential(
  transaction: TenantTransaction,
  id: string,
  changes: Partial<
    Pick<
      CredentialRow,
      'prefix' | 'key_hash' | 'sealed_key' | 'previous_key_hash' | 'previous_valid_until' | 'revoked_at'
    >
  >,
): Promise<CredentialRow> {
  const row = await transaction
    .updateTable('credentials')
    .set({ ...changes, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, consumerChanged, credentialConsumer(row));
  return row;
}
