import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** The developer portal: whether it is open, and who signs in there. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table portal_settings (
      organization_id text primary key references organizations,
      /* Whether anybody sees it. */
      open boolean not null default false,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table portal_users (
      id text not null,
      organization_id text not null references organizations,
      developer_id text not null,
      email text not null check (email = lower(email)),
      name text not null,
      role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
      state text not null default 'active' check (state in ('active', 'suspended')),
      locale text,
      password_hash text,
      mfa_secret bytea,
      mfa_pending_secret bytea,
      mfa_last_step bigint,
      last_sign_in_at timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, email),
      foreign key (organization_id, developer_id) references developers on delete cascade
    );
    create index portal_users_of_developer on portal_users (organization_id, developer_id, created_at, id);

    create table portal_sessions (
      id text not null,
      organization_id text not null,
      user_id text not null,
      token_hash bytea not null unique,
      previous_token_hash bytea unique,
      previous_valid_until timestamptz,
      rotate boolean not null default false,
      ip text not null,
      user_agent text not null,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      absolute_expires_at timestamptz not null,
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references portal_users on delete cascade
    );
    create index portal_sessions_of_user on portal_sessions (organization_id, user_id);

    create table portal_recovery_codes (
      organization_id text not null,
      user_id text not null,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (organization_id, user_id, code_hash),
      foreign key (organization_id, user_id) references portal_users on delete cascade
    );

    alter table audit_entries drop constraint audit_entries_actor_kind_check;
    alter table audit_entries add constraint audit_entries_actor_kind_check
      check (actor_kind in ('user', 'service_account', 'gateway_node', 'portal_user', 'anonymous', 'system'));
  `.execute(database);
  const role = sql.ref(serviceRole);
  for (const table of ['portal_settings', 'portal_users', 'portal_sessions', 'portal_recovery_codes']) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
}
