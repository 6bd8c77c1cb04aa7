import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/** One-time codes at sign-in; API keys have scopes, those before all that they could do, and may expire. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add mfa_secret bytea, add mfa_pending_secret bytea, add mfa_last_step bigint;

    create table mfa_recovery_codes (
      account_id text not null references accounts,
      user_id text not null,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (account_id, user_id, code_hash),
      foreign key (account_id, user_id) references users (account_id, id) on delete cascade
    );

    alter table api_keys add scopes text[] not null default '{extract,documents:read}', add expires_at timestamptz;
  `.execute(database);

  await openTenantTables(database, ['mfa_recovery_codes']);
}
