import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

/** Document types that accounts define; a deleted one stays, for the documents that were extracted as it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table document_types (
      account_id text not null references accounts,
      name text not null,
      definition jsonb not null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      primary key (account_id, name)
    );
    create index documents_confirmed_of_type on documents (account_id, doc_type, confirmed_at desc)
      where confirmed_at is not null and deleted_at is null;
  `.execute(database);

  await openTenantTables(database, ['document_types']);
}
