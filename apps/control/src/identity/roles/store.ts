import { newId } from '@millrace/identifiers';
import { type Kysely, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { builtInRoles, type Permission } from '../../frame/permissions.ts';
import type { Role } from './contract.ts';
import { builtInGrants, type Grant } from './rules.ts';

type Presented = z.infer<typeof Role>;

interface RoleRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
  readonly built_in: boolean;
  readonly users: number;
  readonly version: number;
  readonly created_at: Date | null;
  readonly updated_at: Date | null;
}

const columns = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' };

const builtInRows = JSON.stringify(
  Object.entries(builtInRoles).map(([id, { name, description, permissions }]) => ({
    id,
    name,
    description,
    permissions,
  })),
);

/**
 * Who may do what in an organization is changed by one write at a time: what a rule has read of users, roles,
 * invitations and service accounts stays so until the commit. Comes before any other statement of such a write.
 *
 * @throws ApiError `not_found` where there is no such organization
 */
export async function lockAccess(
  transaction: Kysely<Schema>,
  organizationId: string,
): Promise<{ readonly displayName: string; readonly platform: boolean; readonly state: 'active' | 'suspended' }> {
  const row = await transaction
    .selectFrom('organizations')
    .select(['display_name', 'platform', 'state'])
    .where('id', '=', organizationId)
    // Unlike `for update`, it lets others insert rows that refer to the organization.
    .forNoKeyUpdate()
    .executeTakeFirst();
  const { display_name: displayName, platform, state } = found(row);
  return { displayName, platform, state };
}

/** The built-in roles beside the custom ones, as rows of one table. */
function everyRole(transaction: TenantTransaction) {
  const { tenantId } = transaction;
  const roles = sql<RoleRow>`(
    select r.*, (select count(*)::int from user_roles ur
                 where ur.organization_id = ${tenantId} and ur.role_id = r.id) as users
    from (select id, name, description, permissions, true as built_in, 1 as version,
                 null::timestamptz as created_at, null::timestamptz as updated_at
          from jsonb_to_recordset(${builtInRows}::jsonb)
            as built_in(id text, name text, description text, permissions text[])
          union all
          select id, name, description, permissions, false, version, created_at, updated_at
          from roles where organization_id = ${tenantId}) r)`.as<'role'>('role');
  return transaction.selectFrom(roles).selectAll();
}

export async function listRoles(
  transaction: TenantTransaction,
  filters: Listing & { readonly builtIn?: boolean | undefined },
) {
  let query = everyRole(transaction).where((builder) => matches(builder, ['name', 'description'], filters.search));
  if (filters.builtIn !== undefined) query = query.where('built_in', '=', filters.builtIn);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { roles: rows.map(present), total };
}

export async function findRole(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await everyRole(transaction).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Those of the roles that there are in the organization, with what they let their holder do. */
export async function findGrants(
  transaction: Kysely<Schema>,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly Grant[]> {
  const custom = await transaction
    .selectFrom('roles')
    .select(['id', 'name', 'permissions'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids, ''])
    .orderBy('id')
    .execute();
  return [...builtInGrants([...new Set(ids)]), ...custom];
}

export async function insertRole(
  transaction: TenantTransaction,
  values: { readonly name: string; readonly description: string; readonly permissions: readonly Permission[] },
): Promise<Presented> {
  const row = await transaction
    .insertInto('roles')
    .values({
      id: newId('rol'),
      organization_id: transaction.tenantId,
      name: values.name,
      description: values.description,
      permissions: [...values.permissions],
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present({ ...row, built_in: false, users: 0 });
}

export async function updateRole(
  transaction: TenantTransaction,
  { id, users }: Presented,
  changes: {
    readonly name?: string;
    readonly description?: string;
    readonly permissions?: readonly Permission[];
  },
): Promise<Presented> {
  const { permissions, ...texts } = changes;
  const row = await transaction
    .updateTable('roles')
    .set({
      ...texts,
      ...(permissions === undefined ? {} : { permissions: [...permissions] }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return present({ ...row, built_in: false, users });
}

export async function deleteRole(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('roles')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Whether one of the users has the role. */
export async function hasRole(
  transaction: TenantTransaction,
  userIds: readonly string[],
  roleId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('user_roles')
    .select('role_id')
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', 'in', [...userIds, ''])
    .where('role_id', '=', roleId)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many pending invitations would give the role. */
export async function countInvitations(transaction: TenantTransaction, roleId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .where('state', '=', 'pending')
    .where(sql<boolean>`${roleId} = any(role_ids)`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Gives the sessions of all who have the role a new token at their next call, since their rights have changed. */
export async function rotateSessionsOfRole(transaction: TenantTransaction, roleId: string): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ rotate: true })
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', 'in', (query) =>
      query
        .selectFrom('user_roles')
        .select('user_id')
        .where('organization_id', '=', transaction.tenantId)
        .where('role_id', '=', roleId),
    )
    .execute();
}

function present(row: RoleRow): Presented {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    builtIn: row.built_in,
    permissions: [...row.permissions],
    users: row.users,
    version: row.version,
    createdAt: row.created_at?.toISOString() ?? null,
    updatedAt: row.updated_at?.toISOString() ?? null,
  };
}
