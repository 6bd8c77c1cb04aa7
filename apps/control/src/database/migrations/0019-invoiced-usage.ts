import { type Kysely, sql } from 'kysely';

/** What of a charge's usage its plan included, for the text of invoice lines. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    /* {quantity, included}, on the first line of a charge; null: another line, or one from before this was stored. */
    alter table invoice_lines add column usage jsonb`.execute(database);
}
