import { type Kysely, sql } from 'kysely';

/**
 * Which request holds a key, and until when unless it renews that: the process of one that stopped renewing has died.
 * Requests of the version before have neither.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column holder uuid, add column held_until timestamptz`.execute(database);
}
