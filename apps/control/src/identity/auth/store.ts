import { passwordResetsIn } from '@millrace/sign-in/password-resets';
import type { StoredSession } from '@millrace/sign-in/sessions';
import { type Kysely, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { permissionsOf } from '../../frame/authenticate.ts';
import { found } from '../../frame/errors.ts';
import { type Listing, readPage } from '../../frame/listing.ts';
import { builtInRoles, isBuiltInRole } from '../../frame/permissions.ts';
import { sessions } from '../../frame/sessions.ts';
import type { CurrentSession, Profile, Session } from './contract.ts';
import type { Realm, RealmUser, UserKey } from './realm.ts';

type UserRow = Selectable<Schema['users']>;

/** What a sign-in is decided by. */
export type Account = UserRow & {
  readonly organization_state: 'active' | 'suspended';
  readonly organization_name: string;
};

/** Across organizations: an e-mail address signs in one user of the whole platform. */
export async function findAccount(system: Kysely<Schema>, email: string): Promise<Account | null> {
  return (await selectAccounts(system).where('users.email', '=', email).executeTakeFirst()) ?? null;
}

/** Across organizations: whoever has a link is not signed in. */
export async function findAccountByKey(
  system: Kysely<Schema>,
  { organizationId, userId }: UserKey,
): Promise<Account | null> {
  const row = await selectAccounts(system)
    .where('users.organization_id', '=', organizationId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

function selectAccounts(system: Kysely<Schema>) {
  return system
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .selectAll('users')
    .select(['organizations.state as organization_state', 'organizations.display_name as organization_name']);
}

export async function findPlatformOrganization(system: Kysely<Schema>): Promise<string | null> {
  const row = await system
    .selectFrom('organizations')
    .select('id')
    .where('platform', '=', true)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** @param lock keeps other writers off until the commit */
export async function findUser(
  transaction: TenantTransaction,
  userId: string,
  { lock = false } = {},
): Promise<UserRow | null> {
  const query = transaction
    .selectFrom('users')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', userId);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

type UserChanges = Partial<Pick<UserRow, 'name' | 'time_zone' | 'locale' | 'password_hash'>>;

/** Changes a user, whose row goes to its next version. */
export async function updateUser(
  transaction: Kysely<Schema>,
  { organizationId, userId }: UserKey,
  changes: UserChanges,
): Promise<UserRow> {
  return transaction
    .updateTable('users')
    .set({ ...changes, version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Notes a sign-in, should the user still be who was checked: active, and of that password.
 *
 * @returns whether they are
 */
export async function recordSignIn(
  transaction: Kysely<Schema>,
  users: 'users' | 'portal_users',
  account: RealmUser,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(users)} set last_sign_in_at = ${now}
    where organization_id = ${account.organization_id} and id = ${account.id}
      and state = 'active' and password_hash = ${account.password_hash}`.execute(transaction);
  return numAffectedRows === 1n;
}

/**
 * Notes a sign-in by an identity provider, should the user still be active.
 *
 * @returns whether they are
 */
export async function recordProviderSignIn(
  transaction: Kysely<Schema>,
  users: 'users' | 'portal_users',
  { organizationId, userId }: UserKey,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(users)} set last_sign_in_at = ${now}
    where organization_id = ${organizationId} and id = ${userId} and state = 'active'`.execute(transaction);
  return numAffectedRows === 1n;
}

/** A user’s live sessions, of the console or of the developer portal. */
export async function listSessions(
  transaction: TenantTransaction,
  { sessionTable, sessions }: Pick<Realm<never>, 'sessionTable' | 'sessions'>,
  userId: string,
  listing: Listing,
  currentId: string | null,
) {
  let query = transaction
    .selectFrom(sql<Selectable<Schema['sessions']>>`${sql.table(sessionTable)}`.as('sessions'))
    .select(['id', 'ip as address', 'user_agent', 'created_at', 'last_seen_at', 'absolute_expires_at as ends_at'])
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .where(sessions.live());
  if (listing.search !== undefined) {
    const { search } = listing;
    query = query.where(
      sql<boolean>`(position(lower(${search}) in lower(user_agent)) > 0 or position(${search} in ip) > 0)`,
    );
  }
  const { rows, total } = await readPage(query, listing, { lastSeenAt: 'last_seen_at', createdAt: 'created_at' }, 'id');
  return { sessions: rows.map((row) => presentSession(row, currentId)), total };
}

/** The links by which users of the console set their passwords. */
export const passwordResets = passwordResetsIn({
  resets: 'password_resets',
  users: 'users',
  tenantColumn: 'organization_id',
});

/** A user with organization, roles and permissions, in one statement. */
export async function findCurrentSession(
  transaction: Kysely<Schema>,
  { organizationId, userId }: UserKey,
  sessionId: string | null,
): Promise<Omit<z.infer<typeof CurrentSession>, 'dashboardUrl'>> {
  const { rows } = await sql<
    UserRow & {
      organization_name: string;
      display_name: string;
      platform: boolean;
      roles: { id: string; name: string | null; permissions: string[] | null }[];
      expires_at: Date | null;
    }
  >`
    select u.*, o.name as organization_name, o.display_name, o.platform,
           (select coalesce(json_agg(json_build_object('id', ur.role_id, 'name', r.name, 'permissions', r.permissions)
                                     order by ur.role_id), '[]')
            from user_roles ur left join roles r on r.organization_id = ur.organization_id and r.id = ur.role_id
            where ur.organization_id = u.organization_id and ur.user_id = u.id) as roles,
           (select absolute_expires_at from sessions s
            where s.organization_id = u.organization_id and s.id = ${sessionId}) as expires_at
    from users u join organizations o on o.id = u.organization_id
    where u.organization_id = ${organizationId} and u.id = ${userId}`.execute(transaction);
  const row = found(rows[0]);
  const roleIds = row.roles.map(({ id }) => id);
  return {
    kind: 'user',
    user: presentProfile(row),
    serviceAccount: null,
    organization: presentOrganization(organizationId, row),
    roles: row.roles.map(({ id, name }) => ({ id, name: isBuiltInRole(id) ? builtInRoles[id].name : (name ?? id) })),
    permissions: [
      ...permissionsOf(
        roleIds,
        row.roles.flatMap(({ permissions }) => permissions ?? []),
      ),
    ].sort(),
    superAdmin: roleIds.includes('super_admin'),
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}

export async function findHomeOrganization(transaction: TenantTransaction) {
  const row = await transaction
    .selectFrom('organizations')
    .select(['name as organization_name', 'display_name', 'platform'])
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return presentOrganization(transaction.tenantId, row);
}

function presentOrganization(
  id: string,
  row: { readonly organization_name: string; readonly display_name: string; readonly platform: boolean },
) {
  return { id, name: row.organization_name, displayName: row.display_name, platform: row.platform };
}

export function presentProfile(row: UserRow): z.infer<typeof Profile> {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    timeZone: row.time_zone,
    locale: row.locale,
    mfa: row.mfa_secret !== null,
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function presentSession(row: StoredSession, currentId: string | null): z.infer<typeof Session> {
  return {
    id: row.id,
    current: row.id === currentId,
    ip: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: sessions.expiryOf(row.last_seen_at, row.ends_at).toISOString(),
  };
}
