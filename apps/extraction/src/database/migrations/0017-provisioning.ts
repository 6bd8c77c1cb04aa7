import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/** Users and groups that an account's identity provider provisions by SCIM. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table scim_tokens (
      id text not null,
      account_id text not null references accounts,
      name text not null,
      prefix text not null,
      token_hash bytea not null unique,
      created_by text[] not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (account_id, id),
      constraint scim_token_names unique (account_id, name)
    );

    /* What the client sent of a user beside what users have anyway. */
    create table scim_users (
      account_id text not null,
      user_id text not null,
      user_name text not null,
      external_id text,
      attributes jsonb not null,
      primary key (account_id, user_id),
      foreign key (account_id, user_id) references users (account_id, id) on delete cascade
    );
    create unique index scim_users_user_name on scim_users (account_id, lower(user_name));
    create index scim_users_external_id on scim_users (account_id, external_id) where external_id is not null;

    create table scim_groups (
      id text not null,
      account_id text not null references accounts,
      display_name text not null,
      external_id text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (account_id, id)
    );
    create unique index scim_groups_display_name on scim_groups (account_id, lower(display_name));

    create table scim_group_members (
      account_id text not null,
      group_id text not null,
      user_id text not null,
      primary key (account_id, group_id, user_id),
      foreign key (account_id, group_id) references scim_groups on delete cascade,
      foreign key (account_id, user_id) references users (account_id, id) on delete cascade
    );
    create index scim_group_members_of_user on scim_group_members (account_id, user_id);
  `.execute(database);

  await openTenantTables(database, ['scim_tokens', 'scim_users', 'scim_groups', 'scim_group_members']);
}
