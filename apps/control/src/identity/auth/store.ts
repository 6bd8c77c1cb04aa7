import { newId } from '@millrace/identifiers';
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

type UserRow = Selectable<Schema['users']>;

/** A user as one is named across organizations. */
export interface UserKey {
  readonly organizationId: string;
  readonly userId: string;
}

/** What a sign-in is decided by. */
export type Account = UserRow & {
  readonly organization_state: 'active' | 'suspended';
  readonly organization_name: string;
};

/** Across organizations: an e-mail address signs in one user of the whole platform. */
export async function findAccount(system: Kysely<Schema>, email: string): Promise<Account | null> {
  const row = await system
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .selectAll('users')
    .select(['organizations.state as organization_state', 'organizations.display_name as organization_name'])
    .where('users.email', '=', email)
    .executeTakeFirst();
  return row ?? null;
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
export async function recordSignIn(transaction: Kysely<Schema>, account: Account, now: Date): Promise<boolean> {
  const changed = await transaction
    .updateTable('users')
    .set({ last_sign_in_at: now })
    .where('organization_id', '=', account.organization_id)
    .where('id', '=', account.id)
    .where('state', '=', 'active')
    .where('password_hash', '=', account.password_hash)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

export async function listSessions(
  transaction: TenantTransaction,
  userId: string,
  listing: Listing,
  currentId: string | null,
) {
  let query = transaction
    .selectFrom('sessions')
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

/** Makes a link good for an hour, where there is a user; the same statement, without effect, where there is none. */
export async function insertPasswordReset(
  transaction: Kysely<Schema>,
  user: UserKey | null,
  reset: { readonly tokenHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into password_resets (id, organization_id, user_id, token_hash, expires_at)
    select ${newId('pwr')}, organization_id, id, ${reset.tokenHash}, ${reset.expiresAt}
    from users where organization_id = ${user?.organizationId ?? ''} and id = ${user?.userId ?? ''}`.execute(
    transaction,
  );
}

/** The user that a link's token is good for. */
export async function findPasswordReset(system: Kysely<Schema>, tokenHash: Buffer): Promise<Account | null> {
  const row = await system
    .selectFrom('password_resets')
    .innerJoin('users', (join) =>
      join
        .onRef('users.organization_id', '=', 'password_resets.organization_id')
        .onRef('users.id', '=', 'password_resets.user_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .selectAll('users')
    .select(['organizations.state as organization_state', 'organizations.display_name as organization_name'])
    .where('password_resets.token_hash', '=', tokenHash)
    .where('password_resets.used_at', 'is', null)
    .where('password_resets.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link up: true once, within its time. */
export async function takePasswordReset(
  transaction: Kysely<Schema>,
  { organizationId, userId }: UserKey,
  tokenHash: Buffer,
): Promise<boolean> {
  const used = await transaction
    .updateTable('password_resets')
    .set({ used_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

/** Takes the worth of every link that the user was sent. */
export async function deletePasswordResets(
  transaction: Kysely<Schema>,
  { organizationId, userId }: UserKey,
): Promise<void> {
  await transaction
    .deleteFrom('password_resets')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

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
