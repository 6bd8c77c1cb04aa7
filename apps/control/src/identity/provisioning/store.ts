import { newId } from '@millrace/identifiers';
import { filterSql } from '@millrace/scim/filter-sql';
import type { ScimObject } from '@millrace/scim/patch';
import { presentGroup, presentUser, type ScimGroup, type ScimUser } from '@millrace/scim/resources';
import type { ScimQuery } from '@millrace/scim/server';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

interface UserRow {
  readonly id: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly email: string;
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly user_name: string | null;
  readonly external_id: string | null;
  readonly attributes: ScimObject | null;
  readonly groups: readonly { readonly id: string; readonly displayName: string }[];
}

interface GroupRow {
  readonly id: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly display_name: string;
  readonly external_id: string | null;
  readonly members: readonly { readonly id: string; readonly displayName: string }[];
}

const userName = sql`coalesce(s.user_name, u.email)`;

const userColumns = {
  id: { expression: sql`u.id`, type: 'text', exact: true },
  username: { expression: userName, type: 'text' },
  externalid: { expression: sql`s.external_id`, type: 'text', exact: true },
  displayname: { expression: sql`u.name`, type: 'text' },
  active: { expression: sql`u.state = 'active'`, type: 'boolean' },
  emails: { expression: sql`u.email`, type: 'text' },
  'emails.value': { expression: sql`u.email`, type: 'text' },
  'name.givenname': { expression: sql`s.attributes->'name'->>'givenName'`, type: 'text' },
  'name.familyname': { expression: sql`s.attributes->'name'->>'familyName'`, type: 'text' },
  'meta.created': { expression: sql`u.created_at`, type: 'time' },
  'meta.lastmodified': { expression: sql`u.updated_at`, type: 'time' },
} as const;

const groupColumns = {
  id: { expression: sql`g.id`, type: 'text', exact: true },
  displayname: { expression: sql`g.display_name`, type: 'text' },
  externalid: { expression: sql`g.external_id`, type: 'text', exact: true },
  'meta.created': { expression: sql`g.created_at`, type: 'time' },
  'meta.lastmodified': { expression: sql`g.updated_at`, type: 'time' },
} as const;

/** A client of one organization sees nobody who is above it. */
const visible = sql`not exists (select from user_roles r where r.organization_id = u.organization_id
  and r.user_id = u.id and r.role_id = 'super_admin')`;

const fromUsers = sql`users u left join scim_users s on s.organization_id = u.organization_id and s.user_id = u.id`;
const selectedUser = sql`u.id, u.version, u.created_at, u.updated_at, u.email, u.name, u.state, s.user_name, s.external_id,
  s.attributes, (select coalesce(json_agg(json_build_object('id', g.id, 'displayName', g.display_name) order by g.id), '[]')
    from scim_group_members m join scim_groups g on g.organization_id = m.organization_id and g.id = m.group_id
    where m.organization_id = u.organization_id and m.user_id = u.id) as groups`;

export async function listUsers(transaction: TenantTransaction, { filter, offset, count }: ScimQuery, baseUrl: string) {
  const condition = filter === null ? sql`true` : filterSql(filter, userColumns);
  const within = sql`u.organization_id = ${transaction.tenantId} and ${visible} and ${condition}`;
  const totals = await sql<{ total: number }>`select count(*)::int as total from ${fromUsers} where ${within}`.execute(
    transaction,
  );
  const { rows } = await sql<UserRow>`select ${selectedUser} from ${fromUsers} where ${within}
    order by u.created_at, u.id limit ${count} offset ${offset}`.execute(transaction);
  return { resources: rows.map((row) => present(row, baseUrl)), total: totals.rows[0]?.total ?? 0 };
}

export async function findUser(
  transaction: TenantTransaction,
  id: string,
  baseUrl: string,
): Promise<ScimObject | null> {
  const { rows } = await sql<UserRow>`select ${selectedUser} from ${fromUsers}
    where u.organization_id = ${transaction.tenantId} and u.id = ${id} and ${visible}`.execute(transaction);
  return rows[0] === undefined ? null : present(rows[0], baseUrl);
}

/** Keeps what the client sent of a user. */
export async function upsertScimUser(transaction: TenantTransaction, userId: string, user: ScimUser): Promise<void> {
  await sql`
    insert into scim_users (organization_id, user_id, user_name, external_id, attributes)
    values (${transaction.tenantId}, ${userId}, ${user.userName}, ${user.externalId}, ${JSON.stringify(user.attributes)}::jsonb)
    on conflict (organization_id, user_id) do update set
      user_name = excluded.user_name, external_id = excluded.external_id, attributes = excluded.attributes`.execute(
    transaction,
  );
}

export async function listGroups(
  transaction: TenantTransaction,
  { filter, offset, count }: ScimQuery,
  baseUrl: string,
) {
  const condition = filter === null ? sql`true` : filterSql(filter, groupColumns);
  const within = sql`g.organization_id = ${transaction.tenantId} and ${condition}`;
  const totals = await sql<{ total: number }>`select count(*)::int as total from scim_groups g where ${within}`.execute(
    transaction,
  );
  const { rows } = await sql<GroupRow>`select g.*, ${members} as members from scim_groups g where ${within}
    order by g.created_at, g.id limit ${count} offset ${offset}`.execute(transaction);
  return { resources: rows.map((row) => presentFound(row, baseUrl)), total: totals.rows[0]?.total ?? 0 };
}

const members = sql`(select coalesce(json_agg(json_build_object('id', u.id, 'displayName', u.name) order by u.id), '[]')
  from scim_group_members m join users u on u.organization_id = m.organization_id and u.id = m.user_id
  where m.organization_id = g.organization_id and m.group_id = g.id)`;

/** @param options.lock keeps other writers off until the commit */
export async function findGroup(
  transaction: TenantTransaction,
  id: string,
  baseUrl: string,
  { lock = false } = {},
): Promise<ScimObject | null> {
  if (lock) {
    await sql`select from scim_groups where organization_id = ${transaction.tenantId} and id = ${id} for update`.execute(
      transaction,
    );
  }
  const { rows } = await sql<GroupRow>`select g.*, ${members} as members from scim_groups g
    where g.organization_id = ${transaction.tenantId} and g.id = ${id}`.execute(transaction);
  return rows[0] === undefined ? null : presentFound(rows[0], baseUrl);
}

export async function insertGroup(transaction: TenantTransaction, group: ScimGroup): Promise<string> {
  const id = newId('sgr');
  await transaction
    .insertInto('scim_groups')
    .values({
      id,
      organization_id: transaction.tenantId,
      display_name: group.displayName,
      external_id: group.externalId,
    })
    .execute();
  return id;
}

export async function updateGroup(transaction: TenantTransaction, id: string, group: ScimGroup): Promise<void> {
  await sql`update scim_groups set display_name = ${group.displayName}, external_id = ${group.externalId},
      version = version + 1, updated_at = now()
    where organization_id = ${transaction.tenantId} and id = ${id}`.execute(transaction);
}

export async function deleteGroup(transaction: TenantTransaction, id: string): Promise<void> {
  await sql`delete from scim_groups where organization_id = ${transaction.tenantId} and id = ${id}`.execute(
    transaction,
  );
}

/**
 * Makes these users the members of a group; ids that name nobody whom the client sees are left out.
 *
 * @returns who joined or left
 */
export async function replaceMembers(
  transaction: TenantTransaction,
  groupId: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const { tenantId } = transaction;
  const ids = [...userIds];
  const left = await sql<{ user_id: string }>`
    delete from scim_group_members where organization_id = ${tenantId} and group_id = ${groupId}
      and not user_id = any(${ids}::text[]) returning user_id`.execute(transaction);
  const joined = await sql<{ user_id: string }>`
    insert into scim_group_members (organization_id, group_id, user_id)
    select u.organization_id, ${groupId}, u.id from users u
    where u.organization_id = ${tenantId} and u.id = any(${ids}::text[]) and ${visible}
    on conflict do nothing returning user_id`.execute(transaction);
  return [...left.rows, ...joined.rows].map(({ user_id: userId }) => userId);
}

export async function listMemberIds(transaction: TenantTransaction, groupId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select user_id from scim_group_members
    where organization_id = ${transaction.tenantId} and group_id = ${groupId}`.execute(transaction);
  return rows.map(({ user_id: userId }) => userId);
}

/** The names of the groups that a user is a member of. */
export async function listGroupNames(transaction: TenantTransaction, userId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ display_name: string }>`
    select g.display_name from scim_group_members m
    join scim_groups g on g.organization_id = m.organization_id and g.id = m.group_id
    where m.organization_id = ${transaction.tenantId} and m.user_id = ${userId}`.execute(transaction);
  return rows.map(({ display_name: name }) => name);
}

function present(row: UserRow, baseUrl: string): ScimObject {
  return presentUser(
    rowOf(row),
    {
      userName: row.user_name ?? row.email,
      externalId: row.external_id,
      email: row.email,
      displayName: row.name,
      active: row.state === 'active',
      attributes: row.attributes,
    },
    row.groups,
    baseUrl,
  );
}

function presentFound(row: GroupRow, baseUrl: string): ScimObject {
  const group = { displayName: row.display_name, externalId: row.external_id };
  return presentGroup(rowOf(row), group, row.members, baseUrl);
}

function rowOf({ id, version, created_at: createdAt, updated_at: updatedAt }: UserRow | GroupRow) {
  return { id, version, createdAt, updatedAt };
}
