import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/** Accounts' inboxes and the messages that came in. A message that was taken is known by its digest, and taken once. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table inboxes (
      account_id text primary key references accounts,
      token text not null unique check (token ~ '^[a-z2-7]{26}$'),
      is_active boolean not null default true,
      doc_type text,
      allow_list text[] not null default '{}',
      require_authentication boolean not null default false,
      created_at timestamptz not null default now()
    );

    create table inbox_messages (
      id text not null,
      account_id text not null references accounts,
      digest bytea not null,
      message_id text,
      envelope_from text not null,
      from_address text not null,
      subject text not null,
      size_bytes integer not null,
      outcome text not null check (outcome in ('accepted', 'partly_accepted', 'refused')),
      authentication text not null check (authentication in ('passed', 'failed', 'unknown')),
      document_ids text[] not null default '{}',
      refusals jsonb not null default '[]',
      answered_at timestamptz,
      received_at timestamptz not null default now(),
      primary key (account_id, id)
    );
    create unique index inbox_messages_taken on inbox_messages (account_id, digest) where outcome <> 'refused';
    create index inbox_messages_received on inbox_messages (account_id, received_at);
    create index inbox_messages_answered on inbox_messages (account_id, answered_at) where answered_at is not null;
  `.execute(database);

  await openTenantTables(database, ['inboxes', 'inbox_messages']);
}
