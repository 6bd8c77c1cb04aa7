import { type Kysely, sql } from 'kysely';

/** The threshold of new accounts; those that are there keep theirs. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts alter column review_threshold set default 80`.execute(database);
}
