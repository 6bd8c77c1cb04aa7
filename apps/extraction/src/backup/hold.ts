import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Client } from 'pg';
import type { Schema } from '../database/schema.ts';

const lockName = 'millrace backup';

/**
 * Keeps the originals of removed documents until the connection's transaction ends, so that a backup finds the original
 * of every document in its snapshot. The snapshot is to be taken afterwards.
 *
 * @throws Error if another backup is running
 */
export async function holdOriginals(client: Client): Promise<void> {
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock(hashtext($1)) as held', [
    lockName,
  ]);
  if (!rows[0]?.held) throw new Error('Another backup of this database is running. Wait until it has finished.');
}

/** Whether originals of removed documents are kept for a backup. */
export async function areOriginalsHeld(system: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(hashtext(${lockName})) as free`.execute(system);
  return !rows[0]?.free;
}
