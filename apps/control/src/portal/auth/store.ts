import type { Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { UserKey } from '../../identity/auth/realm.ts';
import type { PortalLocale, PortalProfile, PortalSession } from './contract.ts';

export type PortalUserRow = Selectable<Schema['portal_users']>;

/** What a sign-in is decided by. */
export type PortalAccountRow = PortalUserRow & { readonly developer_state: 'active' | 'suspended' };

/** A portal user by e-mail address, which is unique within the organization. */
export async function findAccountByEmail(
  database: Kysely<Schema>,
  organizationId: string,
  email: string,
): Promise<PortalAccountRow | null> {
  const row = await selectAccounts(database, organizationId).where('portal_users.email', '=', email).executeTakeFirst();
  return row ?? null;
}

export async function findAccountById(
  database: Kysely<Schema>,
  organizationId: string,
  userId: string,
): Promise<PortalAccountRow | null> {
  const row = await selectAccounts(database, organizationId).where('portal_users.id', '=', userId).executeTakeFirst();
  return row ?? null;
}

function selectAccounts(database: Kysely<Schema>, organizationId: string) {
  return database
    .selectFrom('portal_users')
    .innerJoin('developers', (join) =>
      join
        .onRef('developers.organization_id', '=', 'portal_users.organization_id')
        .onRef('developers.id', '=', 'portal_users.developer_id'),
    )
    .selectAll('portal_users')
    .select('developers.state as developer_state')
    .where('portal_users.organization_id', '=', organizationId);
}

/** @param options.lock keeps other writers off until the commit */
export async function findUser(
  transaction: TenantTransaction,
  userId: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<PortalUserRow | null> {
  const query = transaction
    .selectFrom('portal_users')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', userId);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

type UserChanges = Partial<Pick<PortalUserRow, 'name' | 'locale' | 'password_hash' | 'role' | 'state'>>;

/** Changes a portal user, whose row goes to its next version. */
export async function updateUser(
  transaction: Kysely<Schema>,
  { organizationId, userId }: UserKey,
  changes: UserChanges,
): Promise<PortalUserRow> {
  return transaction
    .updateTable('portal_users')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A session with its user, developer account and organization. */
export async function findCurrentSession(
  transaction: TenantTransaction,
  userId: string,
  sessionId: string,
): Promise<PortalSession> {
  const row = await transaction
    .selectFrom('portal_users')
    .innerJoin('portal_sessions', (join) =>
      join
        .onRef('portal_sessions.organization_id', '=', 'portal_users.organization_id')
        .onRef('portal_sessions.user_id', '=', 'portal_users.id'),
    )
    .innerJoin('developers', (join) =>
      join
        .onRef('developers.organization_id', '=', 'portal_users.organization_id')
        .onRef('developers.id', '=', 'portal_users.developer_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'portal_users.organization_id')
    .selectAll('portal_users')
    .select([
      'developers.name as developer_name',
      'developers.company',
      'organizations.name as organization_name',
      'organizations.display_name as display_name',
      'portal_sessions.absolute_expires_at as expires_at',
    ])
    .where('portal_users.organization_id', '=', transaction.tenantId)
    .where('portal_users.id', '=', userId)
    .where('portal_sessions.id', '=', sessionId)
    .executeTakeFirst();
  const session = found(row);
  return {
    user: presentProfile(session),
    account: { id: session.developer_id, name: session.developer_name, company: session.company },
    organization: { name: session.organization_name, displayName: session.display_name },
    expiresAt: session.expires_at.toISOString(),
  };
}

export function presentProfile(row: PortalUserRow): z.infer<typeof PortalProfile> {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    locale: localeOf(row.locale),
    mfa: row.mfa_secret !== null,
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A stored locale, if it is one of the portal’s languages. */
export function localeOf(locale: string | null): PortalLocale | null {
  return locale === 'de' || locale === 'en' ? locale : null;
}
