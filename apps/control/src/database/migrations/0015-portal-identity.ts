import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** How people get into the developer portal: registrations, invitations, and links that set a password. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table portal_settings add column registration text not null default 'open'
      check (registration in ('open', 'approval', 'closed'));

    create table portal_password_resets (
      id text not null,
      organization_id text not null,
      user_id text not null,
      token_hash bytea not null unique,
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references portal_users on delete cascade
    );
    create index portal_password_resets_of_user on portal_password_resets (organization_id, user_id);

    create table portal_invitations (
      id text not null,
      organization_id text not null references organizations,
      developer_id text not null,
      email text not null check (email = lower(email)),
      role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
      token_hash bytea not null unique,
      invited_by text not null,
      invited_by_kind text not null check (invited_by_kind in ('portal_user', 'user', 'service_account')),
      invited_by_name text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, id),
      unique (organization_id, developer_id, email),
      foreign key (organization_id, developer_id) references developers on delete cascade
    );

    create table portal_registrations (
      id text not null,
      organization_id text not null references organizations,
      email text not null check (email = lower(email)),
      name text not null,
      company text not null,
      locale text not null,
      state text not null default 'unconfirmed' check (state in ('unconfirmed', 'pending', 'approved', 'rejected')),
      token_hash bytea unique,
      browser_hash bytea,
      password_hash text,
      terms_accepted_at timestamptz not null,
      expires_at timestamptz not null,
      confirmed_at timestamptz,
      decided_by text,
      decided_by_name text,
      decided_at timestamptz,
      reason text,
      developer_id text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id),
      foreign key (organization_id, developer_id) references developers on delete set null (developer_id),
      check (state = 'unconfirmed' or confirmed_at is not null),
      check (password_hash is null or state in ('unconfirmed', 'pending'))
    );
    create index portal_registrations_in_order on portal_registrations (organization_id, created_at, id)
      where state <> 'unconfirmed';
    create unique index portal_registrations_pending on portal_registrations (organization_id, email)
      where state = 'pending';
    create index portal_registrations_of_developer on portal_registrations (organization_id, developer_id);
  `.execute(database);
  const role = sql.ref(serviceRole);
  for (const table of ['portal_password_resets', 'portal_invitations', 'portal_registrations']) {
    await isolate(database, table, sql.ref('organization_id'));
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${role}`.execute(database);
  }
}
