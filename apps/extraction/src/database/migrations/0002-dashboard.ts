import { type Kysely, sql } from 'kysely';
import { openTable, openTenantTables } from './tenant-tables.ts';

const tenantTables = ['sessions', 'invitations', 'password_resets', 'mails', 'api_calls'] as const;

/**
 * People: who may sign in to an account, where they are signed in, who is invited; the mail to them; what an account
 * sets for itself; and the log of its calls. Tokens are kept as their SHA-256.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      add column review_threshold integer not null default 90 check (review_threshold between 0 and 100),
      add column retention_days integer check (retention_days > 0);

    alter table users
      add column name text not null default '',
      add column disabled_at timestamptz,
      add column removed_at timestamptz,
      add column last_sign_in_at timestamptz,
      drop constraint users_role_check,
      add check (role in ('administrator', 'member')),
      drop constraint users_email_key;
    create unique index users_email on users (email) where removed_at is null;

    create table sessions (
      id text not null,
      account_id text not null references accounts,
      user_id text not null,
      token_hash bytea not null unique,
      previous_token_hash bytea,
      previous_valid_until timestamptz,
      rotated_at timestamptz not null default now(),
      address text not null,
      user_agent text not null,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      primary key (account_id, id),
      foreign key (account_id, user_id) references users (account_id, id) on delete cascade
    );
    create index sessions_previous_token on sessions (previous_token_hash) where previous_token_hash is not null;
    create index sessions_of_user on sessions (account_id, user_id);

    create table invitations (
      id text not null,
      account_id text not null references accounts,
      email text not null check (email = lower(email)),
      role text not null check (role in ('administrator', 'member')),
      token_hash bytea not null unique,
      invited_by text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      primary key (account_id, id),
      unique (account_id, email),
      foreign key (account_id, invited_by) references users (account_id, id) on delete cascade
    );

    create table password_resets (
      id text not null,
      account_id text not null references accounts,
      user_id text not null,
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      primary key (account_id, id),
      foreign key (account_id, user_id) references users (account_id, id) on delete cascade
    );
    create index password_resets_of_user on password_resets (account_id, user_id);

    create table sign_in_windows (
      key text primary key,
      window_start timestamptz not null,
      failures integer not null,
      blocked_until timestamptz not null
    );

    create table mails (
      id text not null,
      account_id text not null references accounts,
      state text not null default 'queued' check (state in ('queued', 'processing', 'done', 'failed')),
      attempts integer not null default 0,
      run_at timestamptz not null default now(),
      sealed_payload bytea not null,
      error text,
      created_at timestamptz not null default now(),
      primary key (account_id, id)
    );
    create index mails_due on mails (run_at) where state in ('queued', 'processing');

    create table api_calls (
      id text not null,
      account_id text not null references accounts,
      api_key_id text not null,
      at timestamptz not null,
      method text not null,
      route text not null,
      status smallint not null,
      latency_ms integer not null,
      error_code text,
      document_id text,
      primary key (account_id, id)
    );
    create index api_calls_of_key on api_calls (account_id, api_key_id, id);
    create index api_calls_failed on api_calls (account_id, status, id) where status >= 400;
    create index api_calls_age on api_calls using brin (at);
  `.execute(database);

  await openTable(database, 'sign_in_windows');
  await openTenantTables(database, tenantTables);
}
