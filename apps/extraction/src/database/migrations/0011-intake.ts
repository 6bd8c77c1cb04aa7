import { type Kysely, sql } from 'kysely';

/** How long a document took is counted from when it was last extracted again. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table documents add column restarted_at timestamptz;

    drop index documents_by_end;
    create index documents_by_end on documents (account_id, finished_at)
      include (created_at, restarted_at, doc_type, state)
      where state <> 'processing';
  `.execute(database);
}
