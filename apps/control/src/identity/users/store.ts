import { newId } from '@millrace/identifiers';
import { type Kysely, type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { builtInRoles, isBuiltInRole } from '../../frame/permissions.ts';
import type { User } from './contract.ts';
import { administratorRoles, type OtherAdministrators } from './rules.ts';

type Presented = z.infer<typeof User>;
type Row = Selectable<Schema['users']> & { readonly roles: readonly StoredRole[] };

/** A role of a user; its name is null for a built-in one. */
interface StoredRole {
  readonly id: string;
  readonly name: string | null;
}

interface Filters extends Listing {
  readonly state?: 'active' | 'suspended' | undefined;
  readonly roleId?: string | undefined;
}

const columns = {
  name: 'name',
  email: 'email',
  lastSignInAt: 'last_sign_in_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Of each user, in the statement that reads the user. */
const rolesOfUser = sql<readonly StoredRole[]>`(
  select coalesce(json_agg(json_build_object('id', ur.role_id, 'name', r.name) order by ur.role_id collate "C"), '[]')
  from user_roles ur left join roles r on r.organization_id = ur.organization_id and r.id = ur.role_id
  where ur.organization_id = users.organization_id and ur.user_id = users.id)`.as('roles');

export async function listUsers(transaction: TenantTransaction, filters: Filters) {
  let query = transaction
    .selectFrom('users')
    .selectAll()
    .select(rolesOfUser)
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'email'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  if (filters.roleId !== undefined) {
    query = query.where(
      sql<boolean>`exists (select from user_roles ur where ur.organization_id = ${transaction.tenantId}
                           and ur.user_id = users.id and ur.role_id = ${filters.roleId})`,
    );
  }
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { users: rows.map(present), total };
}

export async function findUser(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await transaction
    .selectFrom('users')
    .selectAll()
    .select(rolesOfUser)
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** The user of this organization with an e-mail address in lower case. */
export async function findUserIdByEmail(transaction: TenantTransaction, email: string): Promise<string | null> {
  const row = await transaction
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Whether a user of this organization has the e-mail address; others are out of sight. */
export async function isOwnAddress(transaction: TenantTransaction, email: string): Promise<boolean> {
  return (await findUserIdByEmail(transaction, email)) !== null;
}

/** Across organizations, since the one who accepts an invitation is in none yet. */
export async function insertUser(
  transaction: Kysely<Schema>,
  organizationId: string,
  values: {
    readonly email: string;
    readonly name: string;
    readonly passwordHash: string | null;
    readonly timeZone?: string | undefined;
    readonly locale?: string | undefined;
  },
  roles: readonly StoredRole[],
): Promise<Presented> {
  const row = await transaction
    .insertInto('users')
    .values({
      id: newId('usr'),
      organization_id: organizationId,
      email: values.email,
      name: values.name,
      password_hash: values.passwordHash,
      ...(values.timeZone === undefined ? {} : { time_zone: values.timeZone }),
      ...(values.locale === undefined ? {} : { locale: values.locale }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertRoles(transaction, organizationId, row.id, roles);
  return present({ ...row, roles: inOrder(roles) });
}

interface Changes {
  readonly email?: string;
  readonly name?: string;
  readonly timeZone?: string;
  readonly locale?: string;
  readonly state?: 'active' | 'suspended';
}

/** Changes a user, whose row goes to its next version even where only what belongs to it has changed. */
export async function updateUser(
  transaction: TenantTransaction,
  id: string,
  { timeZone, locale, ...changes }: Changes,
): Promise<Presented> {
  const row = await transaction
    .updateTable('users')
    .set({
      ...changes,
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      ...(locale === undefined ? {} : { locale }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .returning(rolesOfUser)
    .executeTakeFirstOrThrow();
  return present(row);
}

/** Replaces all of the user's roles. */
export async function replaceRoles(
  transaction: TenantTransaction,
  userId: string,
  roles: readonly StoredRole[],
): Promise<Presented> {
  const { tenantId } = transaction;
  await transaction
    .deleteFrom('user_roles')
    .where('organization_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();
  await insertRoles(transaction, tenantId, userId, roles);
  return updateUser(transaction, userId, {});
}

async function insertRoles(
  transaction: Kysely<Schema>,
  organizationId: string,
  userId: string,
  roles: readonly StoredRole[],
): Promise<void> {
  if (roles.length === 0) return;
  await transaction
    .insertInto('user_roles')
    .values(roles.map(({ id }) => ({ organization_id: organizationId, user_id: userId, role_id: id })))
    .execute();
}

/** Deletes a user with all that is the user's own: roles, sessions, links, one-time codes, notifications. */
export async function deleteUser(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('users')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function countOtherAdministrators(
  transaction: TenantTransaction,
  exceptUserId: string,
): Promise<OtherAdministrators> {
  const rows = await transaction
    .selectFrom('user_roles')
    .innerJoin('users', (join) =>
      join
        .onRef('users.organization_id', '=', 'user_roles.organization_id')
        .onRef('users.id', '=', 'user_roles.user_id'),
    )
    .select(['user_roles.role_id', sql<number>`count(*)::int`.as('count')])
    .where('user_roles.organization_id', '=', transaction.tenantId)
    .where('user_roles.role_id', 'in', administratorRoles)
    .where('user_roles.user_id', '!=', exceptUserId)
    .where('users.state', '=', 'active')
    .groupBy('user_roles.role_id')
    .execute();
  const countOf = (roleId: string) => rows.find((row) => row.role_id === roleId)?.count ?? 0;
  return { super_admin: countOf('super_admin'), organization_administrator: countOf('organization_administrator') };
}

/** Gives a user's sessions a new token at their next call, since the user's rights have changed. */
export async function rotateSessions(transaction: TenantTransaction, userId: string): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ rotate: true })
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .execute();
}

/** Roles as a user shows them. */
export function presentRoles(roles: readonly StoredRole[]): { id: string; name: string }[] {
  return roles.map(({ id, name }) => ({ id, name: isBuiltInRole(id) ? builtInRoles[id].name : (name ?? id) }));
}

function inOrder(roles: readonly StoredRole[]): readonly StoredRole[] {
  return roles.toSorted((first, second) => (first.id < second.id ? -1 : 1));
}

function present(row: Row): Presented {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    timeZone: row.time_zone,
    locale: row.locale,
    state: row.state,
    roles: presentRoles(row.roles),
    mfaEnabled: row.mfa_secret !== null,
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
