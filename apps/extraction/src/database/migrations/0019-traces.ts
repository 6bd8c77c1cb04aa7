import { type Kysely, sql } from 'kysely';

/** The trace to which a job and a delivery belong, as W3C Trace Context writes it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column traceparent text`.execute(database);
  await sql`alter table notifications add column traceparent text`.execute(database);
}
