import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';
import { openTable, openTenantTables } from './tenant-tables.ts';

/** Tables that carry `account_id`; `accounts` itself is scoped by its `id`. */
const tenantTables = [
  'users',
  'api_keys',
  'documents',
  'jobs',
  'idempotency_keys',
  'webhook_secrets',
  'webhook_endpoints',
  'notifications',
  'delivery_attempts',
] as const;

/**
 * Every row of a tenant's table is known by (account, id), and foreign keys carry the account, so that no reference
 * crosses accounts. Row-level security shows a connection the rows of the account in its setting `millrace.tenant`,
 * all rows where it is `*` (see `Database.system`), and none where it is empty.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id text primary key,
      name text not null,
      next_reference integer not null default 1,
      created_at timestamptz not null default now()
    );

    create table users (
      id text not null,
      account_id text not null references accounts,
      email text not null unique check (email = lower(email)),
      password_hash text not null,
      role text not null check (role in ('administrator')),
      created_at timestamptz not null default now(),
      primary key (account_id, id)
    );

    create table api_keys (
      id text not null,
      account_id text not null references accounts,
      name text not null,
      prefix text not null,
      key_hash bytea not null unique,
      rate_limit_per_minute integer check (rate_limit_per_minute > 0),
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz,
      primary key (account_id, id)
    );

    create unlogged table rate_windows (
      key_id text primary key,
      window_start timestamptz not null,
      used integer not null
    );

    create table documents (
      id text not null,
      account_id text not null references accounts,
      reference text not null,
      source text not null check (source in ('dashboard', 'inbox', 'api')),
      file_name text not null,
      media_type text not null,
      size_bytes integer not null,
      sha256 bytea not null,
      page_count integer,
      doc_type text not null,
      state text not null check (state in ('processing', 'done', 'error')),
      result jsonb,
      error_code text,
      error_message text,
      blob_key text not null,
      api_key_id text,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (account_id, id),
      unique (account_id, reference),
      foreign key (account_id, api_key_id) references api_keys (account_id, id)
    );

    create table jobs (
      id text not null,
      account_id text not null references accounts,
      document_id text not null,
      state text not null default 'queued' check (state in ('queued', 'processing', 'done', 'error')),
      options jsonb not null,
      attempts integer not null default 0,
      run_at timestamptz not null default now(),
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (account_id, id),
      foreign key (account_id, document_id) references documents (account_id, id)
    );
    create index jobs_due on jobs (run_at) where state in ('queued', 'processing');
    create index jobs_of_document on jobs (account_id, document_id);

    create table idempotency_keys (
      account_id text not null references accounts,
      api_key_id text not null,
      key text not null,
      request_hash bytea not null,
      document_id text,
      job_id text,
      state text not null check (state in ('started', 'finished')),
      status integer,
      created_at timestamptz not null default now(),
      primary key (api_key_id, key),
      foreign key (account_id, api_key_id) references api_keys (account_id, id)
    );
    create index idempotency_keys_age on idempotency_keys (created_at);

    create table webhook_endpoints (
      id text not null,
      account_id text not null references accounts,
      url text not null,
      events text[] not null,
      state text not null default 'active' check (state in ('active', 'paused')),
      created_at timestamptz not null default now(),
      removed_at timestamptz,
      primary key (account_id, id)
    );

    create table webhook_secrets (
      id text not null,
      account_id text not null references accounts,
      endpoint_id text,
      secret_encrypted bytea not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      primary key (account_id, id),
      foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id)
    );
    create unique index webhook_secrets_current on webhook_secrets (account_id, endpoint_id) nulls not distinct
      where expires_at is null;

    create table notifications (
      id text not null,
      account_id text not null references accounts,
      document_id text,
      endpoint_id text,
      callback_url text,
      event text not null,
      body bytea not null,
      state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
      attempt_count integer not null default 0,
      run_at timestamptz not null default now(),
      lane text not null,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (account_id, id),
      foreign key (account_id, document_id) references documents (account_id, id),
      foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id),
      check ((endpoint_id is null) <> (callback_url is null))
    );
    create index notifications_due on notifications (run_at) where state = 'pending';
    create index notifications_lanes on notifications (lane, run_at) where state = 'pending';
    create index notifications_of_document on notifications (account_id, document_id);

    create table delivery_attempts (
      id text not null,
      account_id text not null references accounts,
      notification_id text not null,
      endpoint_id text,
      attempt integer not null,
      url text not null,
      requested_at timestamptz not null,
      response_status integer,
      latency_ms integer not null,
      request_headers jsonb not null,
      request_body bytea not null,
      request_body_length integer not null,
      request_body_sha256 bytea not null,
      response_headers jsonb,
      response_body bytea,
      response_body_length integer,
      response_body_sha256 bytea,
      error_code text,
      error_message text,
      permanently_failed boolean not null,
      primary key (account_id, id),
      foreign key (account_id, notification_id) references notifications (account_id, id) on delete cascade,
      foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id)
    );
    create index delivery_attempts_of_notification on delivery_attempts (account_id, notification_id);
    create index delivery_attempts_of_endpoint on delivery_attempts (account_id, endpoint_id, id);
  `.execute(database);

  await isolate(database, 'accounts', sql.ref('id'));
  for (const table of ['accounts', 'rate_windows']) await openTable(database, table);
  await openTenantTables(database, tenantTables);
}
