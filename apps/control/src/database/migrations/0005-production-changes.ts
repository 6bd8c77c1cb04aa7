import { serviceRole } from '@millrace/postgres';
import { isolate } from '@millrace/postgres/isolation';
import { type Kysely, sql } from 'kysely';

/** Changes to production that wait for somebody else's approval. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table production_changes (
      id text not null,
      organization_id text not null references organizations on delete cascade,
      operation text not null,
      /* Parameters and body of the call, encrypted; empty once it is decided. */
      sealed_input bytea not null,
      /* The same for people, with secrets redacted. */
      shown_input jsonb not null,
      entity_id text,
      entity_name text not null,
      entity_version integer,
      /* Identifies the state of the entity to be changed; null if the change creates it. */
      entity_state text,
      changes jsonb not null,
      state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'void')),
      note text not null default '',
      requested_by text not null,
      requested_by_kind text not null check (requested_by_kind in ('user', 'service_account')),
      requested_by_name text not null,
      /* Of those who may not approve it: the requester, and whoever may be behind them. */
      author_keys text[] not null,
      decided_by text,
      decided_by_name text,
      decided_at timestamptz,
      reason text,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, id)
    );
    create index production_changes_by_state on production_changes (organization_id, state, created_at desc);
  `.execute(database);
  await isolate(database, 'production_changes', sql.ref('organization_id'));
  const role = sql.ref(serviceRole);
  await sql`grant select, insert, update, delete on production_changes to ${role}`.execute(database);
}
