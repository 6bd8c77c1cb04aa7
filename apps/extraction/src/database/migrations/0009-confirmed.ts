import { type Kysely, sql } from 'kysely';

/** Finds out that an account has confirmed nothing without reading all of its documents. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index documents_confirmed on documents (account_id, confirmed_at) where confirmed_at is not null`.execute(
    database,
  );
}
