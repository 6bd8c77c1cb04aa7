import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/** Who extracts for the accounts that have chosen; the others go by the service's settings. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_choices (
      account_id text primary key references accounts,
      mode text not null check (mode in ('engine', 'provider', 'escalate')),
      kind text check (kind in ('openai', 'openai-compatible', 'anthropic', 'google', 'ollama')),
      model text,
      base_url text,
      api_key_encrypted bytea,
      sends_pictures boolean not null,
      on_failure text not null check (on_failure in ('engine', 'error')),
      changed_by text not null,
      changed_at timestamptz not null default now(),
      check (mode = 'engine' or (kind is not null and model is not null))
    );
  `.execute(database);
  await openTenantTables(database, ['provider_choices']);
}
