import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Permission } from '../../frame/permissions.ts';
import type { ServiceAccount } from './contract.ts';

type Presented = z.infer<typeof ServiceAccount>;
type Token = Presented['tokens'][number];

/** A token as JSON has it: its times are texts, of PostgreSQL's format. */
type TokenRow = Omit<Token, 'expiresAt' | 'lastUsedAt' | 'createdAt'> & {
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
};

type Row = Selectable<Schema['service_accounts']> & {
  readonly owners: Presented['owners'];
  readonly tokens: readonly TokenRow[];
};

interface Filters extends Listing {
  readonly state?: 'active' | 'suspended' | undefined;
}

const columns = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' };

/** Of each account, in the statement that reads the account. */
const details = [
  sql<Row['owners']>`(
    select coalesce(json_agg(json_build_object('id', owner.id, 'name', u.name) order by owner.position), '[]')
    from unnest(service_accounts.owner_ids) with ordinality as owner(id, position)
    left join users u on u.organization_id = service_accounts.organization_id and u.id = owner.id)`.as('owners'),
  sql<Row['tokens']>`(
    select coalesce(json_agg(json_build_object(
      'id', t.id, 'name', t.name, 'prefix', t.prefix, 'expiresAt', t.expires_at, 'lastUsedAt', t.last_used_at,
      'createdAt', t.created_at) order by t.created_at, t.id), '[]')
    from service_account_tokens t
    where t.organization_id = service_accounts.organization_id and t.service_account_id = service_accounts.id
      and t.revoked_at is null)`.as('tokens'),
] as const;

export async function listServiceAccounts(transaction: TenantTransaction, filters: Filters) {
  let query = transaction
    .selectFrom('service_accounts')
    .selectAll()
    .select(details)
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'description'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { serviceAccounts: rows.map(present), total };
}

export async function findServiceAccount(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await transaction
    .selectFrom('service_accounts')
    .selectAll()
    .select(details)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : present(row);
}

export async function insertServiceAccount(
  transaction: TenantTransaction,
  values: {
    readonly name: string;
    readonly description: string;
    readonly permissions: readonly Permission[];
    readonly ownerIds: readonly string[];
  },
): Promise<Presented> {
  const row = await transaction
    .insertInto('service_accounts')
    .values({
      id: newId('sva'),
      organization_id: transaction.tenantId,
      name: values.name,
      description: values.description,
      permissions: [...values.permissions],
      owner_ids: [...values.ownerIds],
    })
    .returningAll()
    .returning(details)
    .executeTakeFirstOrThrow();
  return present(row);
}

/** Changes an account, whose row goes to its next version even where only its tokens have changed. */
export async function updateServiceAccount(
  transaction: TenantTransaction,
  id: string,
  changes: {
    readonly name?: string;
    readonly description?: string;
    readonly permissions?: readonly Permission[];
    readonly state?: 'active' | 'suspended';
    readonly ownerIds?: readonly string[];
  },
): Promise<Presented> {
  const { permissions, ownerIds, ...plain } = changes;
  const row = await transaction
    .updateTable('service_accounts')
    .set({
      ...plain,
      ...(permissions === undefined ? {} : { permissions: [...permissions] }),
      ...(ownerIds === undefined ? {} : { owner_ids: [...ownerIds] }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .returning(details)
    .executeTakeFirstOrThrow();
  return present(row);
}

/** Deletes an account with its tokens. */
export async function deleteServiceAccount(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('service_accounts')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function insertToken(
  transaction: TenantTransaction,
  serviceAccountId: string,
  values: {
    readonly name: string;
    readonly prefix: string;
    readonly tokenHash: Buffer;
    readonly expiresAt: Date | null;
  },
): Promise<Token> {
  const row = await transaction
    .insertInto('service_account_tokens')
    .values({
      id: newId('tok'),
      organization_id: transaction.tenantId,
      service_account_id: serviceAccountId,
      name: values.name,
      prefix: values.prefix,
      token_hash: values.tokenHash,
      expires_at: values.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: null,
    createdAt: row.created_at.toISOString(),
  };
}

export async function revokeToken(transaction: TenantTransaction, tokenId: string): Promise<void> {
  await transaction
    .updateTable('service_account_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', tokenId)
    .execute();
}

function present(row: Row): Presented {
  const time = (text: string) => new Date(text).toISOString();
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    permissions: row.permissions,
    state: row.state,
    owners: row.owners,
    tokens: row.tokens.map((token) => ({
      ...token,
      expiresAt: token.expiresAt === null ? null : time(token.expiresAt),
      lastUsedAt: token.lastUsedAt === null ? null : time(token.lastUsedAt),
      createdAt: time(token.createdAt),
    })),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
