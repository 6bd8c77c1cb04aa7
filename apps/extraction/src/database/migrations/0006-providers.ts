import { serviceRole } from '@millrace/postgres';
import { type Kysely, sql } from 'kysely';

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

    alter table provider_choices enable row level security;
    alter table provider_choices force row level security;
    create policy tenant on provider_choices
      using (account_id = current_setting('millrace.tenant', true) or current_setting('millrace.tenant', true) = '*');
    grant select, insert, update, delete on provider_choices to ${sql.ref(serviceRole)};
  `.execute(database);
}
