import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { filterSql } from './filter-sql.ts';
import type { ScimObject } from './patch.ts';
import { presentGroup, presentUser, type ScimGroup, type ScimUser } from './resources.ts';
import type { ScimQuery } from './server.ts';

/*
 * Groups stand in the application’s tables `scim_groups` (`id`, `display_name`, `external_id`, `version`, `created_at`,
 * `updated_at`) and `scim_group_members` (`group_id`, `user_id`), what a client sent of a user in `scim_users`
 * (`user_id`, `user_name`, `external_id`, `attributes`), each with the tenant.
 */

/** A transaction of one tenant. */
export interface ScimTransaction extends QueryExecutorProvider {
  readonly tenantId: string;
}

/** How an application’s users differ from another’s; `u` is a user, `s` what was provisioned of them. */
export interface ScimTables {
  readonly tenantColumn: string;
  /** A number that changes with what is answered of the user. */
  readonly version: RawBuilder<unknown>;
  readonly updatedAt: RawBuilder<unknown>;
  readonly active: RawBuilder<unknown>;
  /** Whether clients see the user. */
  readonly visible: RawBuilder<unknown>;
  newGroupId(): string;
}

interface UserRow {
  readonly id: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
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

/** The users and groups of an application, as clients read and write them. */
export interface ScimStore {
  listUsers(
    transaction: ScimTransaction,
    query: ScimQuery,
    baseUrl: string,
  ): Promise<{ readonly resources: readonly ScimObject[]; readonly total: number }>;
  findUser(transaction: ScimTransaction, id: string, baseUrl: string): Promise<ScimObject | null>;
  /** Keeps what the client sent of a user. */
  upsertUser(transaction: ScimTransaction, userId: string, user: ScimUser): Promise<void>;
  listGroups(
    transaction: ScimTransaction,
    query: ScimQuery,
    baseUrl: string,
  ): Promise<{ readonly resources: readonly ScimObject[]; readonly total: number }>;
  /** @param options.lock keeps other writers off until the commit */
  findGroup(
    transaction: ScimTransaction,
    id: string,
    baseUrl: string,
    options?: { readonly lock?: boolean },
  ): Promise<ScimObject | null>;
  insertGroup(transaction: ScimTransaction, group: ScimGroup): Promise<string>;
  updateGroup(transaction: ScimTransaction, id: string, group: ScimGroup): Promise<void>;
  deleteGroup(transaction: ScimTransaction, id: string): Promise<void>;
  /**
   * Makes these users the members of a group; ids that name nobody whom the client sees are left out.
   *
   * @returns who joined or left
   */
  replaceMembers(transaction: ScimTransaction, groupId: string, userIds: readonly string[]): Promise<readonly string[]>;
  listMemberIds(transaction: ScimTransaction, groupId: string): Promise<readonly string[]>;
  /** The names of the groups that a user is a member of. */
  listGroupNames(transaction: ScimTransaction, userId: string): Promise<readonly string[]>;
  /** The users whom a client provisioned under one of its own ids; more than one is nobody. */
  findUserId(transaction: ScimTransaction, externalIds: readonly string[]): Promise<string | null>;
}

const groupColumns = {
  id: { expression: sql`g.id`, type: 'text', exact: true },
  displayname: { expression: sql`g.display_name`, type: 'text' },
  externalid: { expression: sql`g.external_id`, type: 'text', exact: true },
  'meta.created': { expression: sql`g.created_at`, type: 'time' },
  'meta.lastmodified': { expression: sql`g.updated_at`, type: 'time' },
} as const;

export function scimStoreIn({ tenantColumn, version, updatedAt, active, visible, newGroupId }: ScimTables): ScimStore {
  const tenant = sql.ref(tenantColumn);
  const [uTenant, sTenant, gTenant, mTenant] = ['u', 's', 'g', 'm'].map((alias) => sql.ref(`${alias}.${tenantColumn}`));
  const userColumns = {
    id: { expression: sql`u.id`, type: 'text', exact: true },
    username: { expression: sql`coalesce(s.user_name, u.email)`, type: 'text' },
    externalid: { expression: sql`s.external_id`, type: 'text', exact: true },
    displayname: { expression: sql`u.name`, type: 'text' },
    active: { expression: active, type: 'boolean' },
    emails: { expression: sql`u.email`, type: 'text' },
    'emails.value': { expression: sql`u.email`, type: 'text' },
    'name.givenname': { expression: sql`s.attributes->'name'->>'givenName'`, type: 'text' },
    'name.familyname': { expression: sql`s.attributes->'name'->>'familyName'`, type: 'text' },
    'meta.created': { expression: sql`u.created_at`, type: 'time' },
    'meta.lastmodified': { expression: updatedAt, type: 'time' },
  } as const;
  const fromUsers = sql`users u left join scim_users s on ${sTenant} = ${uTenant} and s.user_id = u.id`;
  const selectedUser = sql`u.id, ${version} as version, u.created_at, ${updatedAt} as updated_at, u.email, u.name,
    ${active} as active, s.user_name, s.external_id, s.attributes,
    (select coalesce(json_agg(json_build_object('id', g.id, 'displayName', g.display_name) order by g.id), '[]')
      from scim_group_members m join scim_groups g on ${gTenant} = ${mTenant} and g.id = m.group_id
      where ${mTenant} = ${uTenant} and m.user_id = u.id) as groups`;
  const members = sql`(select coalesce(json_agg(json_build_object('id', u.id, 'displayName', u.name) order by u.id), '[]')
    from scim_group_members m join users u on ${uTenant} = ${mTenant} and u.id = m.user_id
    where ${mTenant} = ${gTenant} and m.group_id = g.id)`;

  return {
    async listUsers(transaction, { filter, offset, count }, baseUrl) {
      const condition = filter === null ? sql`true` : filterSql(filter, userColumns);
      const within = sql`${uTenant} = ${transaction.tenantId} and ${visible} and ${condition}`;
      const totals = await sql<{ total: number }>`
        select count(*)::int as total from ${fromUsers} where ${within}`.execute(transaction);
      const { rows } = await sql<UserRow>`select ${selectedUser} from ${fromUsers} where ${within}
        order by u.created_at, u.id limit ${count} offset ${offset}`.execute(transaction);
      return { resources: rows.map((row) => present(row, baseUrl)), total: totals.rows[0]?.total ?? 0 };
    },

    async findUser(transaction, id, baseUrl) {
      const { rows } = await sql<UserRow>`select ${selectedUser} from ${fromUsers}
        where ${uTenant} = ${transaction.tenantId} and u.id = ${id} and ${visible}`.execute(transaction);
      return rows[0] === undefined ? null : present(rows[0], baseUrl);
    },

    async upsertUser(transaction, userId, user) {
      await sql`
        insert into scim_users (${tenant}, user_id, user_name, external_id, attributes)
        values (${transaction.tenantId}, ${userId}, ${user.userName}, ${user.externalId},
          ${JSON.stringify(user.attributes)}::jsonb)
        on conflict (${tenant}, user_id) do update set user_name = excluded.user_name,
          external_id = excluded.external_id, attributes = excluded.attributes`.execute(transaction);
    },

    async listGroups(transaction, { filter, offset, count }, baseUrl) {
      const condition = filter === null ? sql`true` : filterSql(filter, groupColumns);
      const within = sql`${gTenant} = ${transaction.tenantId} and ${condition}`;
      const totals = await sql<{ total: number }>`
        select count(*)::int as total from scim_groups g where ${within}`.execute(transaction);
      const { rows } = await sql<GroupRow>`select g.*, ${members} as members from scim_groups g where ${within}
        order by g.created_at, g.id limit ${count} offset ${offset}`.execute(transaction);
      return { resources: rows.map((row) => presentFound(row, baseUrl)), total: totals.rows[0]?.total ?? 0 };
    },

    async findGroup(transaction, id, baseUrl, { lock = false } = {}) {
      if (lock) {
        await sql`select from scim_groups where ${tenant} = ${transaction.tenantId} and id = ${id} for update`.execute(
          transaction,
        );
      }
      const { rows } = await sql<GroupRow>`select g.*, ${members} as members from scim_groups g
        where ${gTenant} = ${transaction.tenantId} and g.id = ${id}`.execute(transaction);
      return rows[0] === undefined ? null : presentFound(rows[0], baseUrl);
    },

    async insertGroup(transaction, group) {
      const id = newGroupId();
      await sql`insert into scim_groups (id, ${tenant}, display_name, external_id)
        values (${id}, ${transaction.tenantId}, ${group.displayName}, ${group.externalId})`.execute(transaction);
      return id;
    },

    async updateGroup(transaction, id, group) {
      await sql`update scim_groups set display_name = ${group.displayName}, external_id = ${group.externalId},
          version = version + 1, updated_at = now()
        where ${tenant} = ${transaction.tenantId} and id = ${id}`.execute(transaction);
    },

    async deleteGroup(transaction, id) {
      await sql`delete from scim_groups where ${tenant} = ${transaction.tenantId} and id = ${id}`.execute(transaction);
    },

    async replaceMembers(transaction, groupId, userIds) {
      const { tenantId } = transaction;
      const ids = [...userIds];
      const left = await sql<{ user_id: string }>`
        delete from scim_group_members where ${tenant} = ${tenantId} and group_id = ${groupId}
          and not user_id = any(${ids}::text[]) returning user_id`.execute(transaction);
      const joined = await sql<{ user_id: string }>`
        insert into scim_group_members (${tenant}, group_id, user_id)
        select ${uTenant}, ${groupId}, u.id from users u
        where ${uTenant} = ${tenantId} and u.id = any(${ids}::text[]) and ${visible}
        on conflict do nothing returning user_id`.execute(transaction);
      return [...left.rows, ...joined.rows].map(({ user_id: userId }) => userId);
    },

    async listMemberIds(transaction, groupId) {
      const { rows } = await sql<{ user_id: string }>`select user_id from scim_group_members
        where ${tenant} = ${transaction.tenantId} and group_id = ${groupId}`.execute(transaction);
      return rows.map(({ user_id: userId }) => userId);
    },

    async listGroupNames(transaction, userId) {
      const { rows } = await sql<{ display_name: string }>`
        select g.display_name from scim_group_members m
        join scim_groups g on ${gTenant} = ${mTenant} and g.id = m.group_id
        where ${mTenant} = ${transaction.tenantId} and m.user_id = ${userId}`.execute(transaction);
      return rows.map(({ display_name: name }) => name);
    },

    async findUserId(transaction, externalIds) {
      const { rows } = await sql<{ user_id: string }>`
        select s.user_id from scim_users s join users u on ${uTenant} = ${sTenant} and u.id = s.user_id
        where ${sTenant} = ${transaction.tenantId} and s.external_id = any(${[...externalIds]}::text[]) and ${visible}
        limit 2`.execute(transaction);
      return rows.length === 1 ? rows[0]!.user_id : null;
    },
  };
}

function present(row: UserRow, baseUrl: string): ScimObject {
  return presentUser(
    rowOf(row),
    {
      userName: row.user_name ?? row.email,
      externalId: row.external_id,
      email: row.email,
      displayName: row.name,
      active: row.active,
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
