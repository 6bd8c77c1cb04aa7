import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/** Sign-in to the dashboard by an account's own identity provider; users whom it creates have no password. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users alter column password_hash drop not null;

    create table identity_providers (
      account_id text primary key references accounts,
      name text not null,
      issuer text not null,
      client_id text not null,
      client_secret_encrypted bytea,
      scopes text[] not null,
      groups_claim text,
      administrator_groups text[] not null default '{}',
      member_groups text[] not null default '{}',
      email_domains text[] not null default '{}',
      creates_users boolean not null default false,
      recheck_seconds integer not null default 45,
      enforced boolean not null default false,
      break_glass_user_id text,
      check (not enforced or break_glass_user_id is not null)
    );

    /* Begun here and in progress at the provider. */
    create table provider_sign_ins (
      state_hash bytea primary key,
      browser_hash bytea not null,
      account_id text not null references accounts,
      realm text not null,
      return_path text not null,
      linked_user_id text,
      expires_at timestamptz not null
    );
    create index provider_sign_ins_by_expiry on provider_sign_ins (expires_at);

    create table provider_links (
      account_id text not null,
      issuer text not null,
      subject text not null,
      user_id text not null,
      created_at timestamptz not null default now(),
      last_sign_in_at timestamptz,
      primary key (account_id, issuer, subject),
      foreign key (account_id, user_id) references users (account_id, id) on delete cascade
    );
    create index provider_links_of_user on provider_links (account_id, user_id);

    /* Sessions that began at a provider, with what ends them there. */
    create table provider_sessions (
      account_id text not null,
      session_id text not null,
      user_id text not null,
      issuer text not null,
      subject text not null,
      provider_session_id text,
      sealed_id_token bytea not null,
      sealed_refresh_token bytea,
      /* When the provider is asked again whether the user is still active; null: it can’t be asked. */
      check_at timestamptz,
      failing_since timestamptz,
      primary key (account_id, session_id),
      foreign key (account_id, session_id) references sessions (account_id, id) on delete cascade
    );
    create index provider_sessions_of_subject on provider_sessions (account_id, issuer, subject);
    create index provider_sessions_due on provider_sessions (check_at) where check_at is not null;

    /* Logout tokens that were used: each is good for one logout. */
    create table provider_logouts (
      account_id text not null references accounts,
      realm text not null,
      token_hash bytea not null,
      expires_at timestamptz not null,
      primary key (account_id, realm, token_hash)
    );
  `.execute(database);

  await openTenantTables(database, [
    'identity_providers',
    'provider_sign_ins',
    'provider_links',
    'provider_sessions',
    'provider_logouts',
  ]);
}
