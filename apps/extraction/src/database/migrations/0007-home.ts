import { type Kysely, sql } from 'kysely';
import { openTenantTables } from './tenant-tables.ts';

const tenantTables = ['document_counts', 'document_durations', 'document_count_marks'] as const;

/**
 * How many documents an account had per day, so that its home page doesn't count them all. The counts include what was
 * finished before the account's mark; anything later is counted when it is read.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table document_counts (
      account_id text not null references accounts,
      day date not null,
      doc_type text not null,
      state text not null,
      count integer not null,
      primary key (account_id, day, doc_type, state)
    );

    create table document_durations (
      account_id text not null references accounts,
      day date not null,
      bucket integer not null,
      count integer not null,
      primary key (account_id, day, bucket)
    );

    create table document_count_marks (
      account_id text primary key references accounts,
      counted_until timestamptz not null
    );

    create index documents_by_end on documents (account_id, finished_at) include (created_at, doc_type, state)
      where state <> 'processing';
  `.execute(database);

  await openTenantTables(database, tenantTables);
}
