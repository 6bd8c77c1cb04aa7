import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { ExtractionDatabase } from '../database/schema.ts';
import { removeOldCalls } from '../resources/calls/recorder.ts';

/**
 * Starts to remove, every hour, what is kept for a time only: idempotency keys (24 hours), old rate windows, the log of
 * calls (7 days), that a mail went (7 days), and sessions and links that are over.
 */
export function startCleanup(database: ExtractionDatabase, logger: Logger): { stop(): Promise<void> } {
  let underWay: Promise<void> = Promise.resolve();
  const clean = (): void => {
    underWay = removeExpired(database).catch((error: unknown) => logger.warn({ error }, 'the clean-up failed'));
  };
  const timer = setInterval(clean, 3_600_000);
  clean();
  return {
    stop: () => {
      clearInterval(timer);
      return underWay;
    },
  };
}

async function removeExpired(database: ExtractionDatabase): Promise<void> {
  const { system } = database;
  await system
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - interval '24 hours'`)
    .execute();
  await system.deleteFrom('rate_windows').where('window_start', '<', sql<Date>`now() - interval '1 hour'`).execute();
  await removeOldCalls(database);
  await sql`delete from mails where state in ('done', 'failed') and created_at < now() - interval '7 days'`.execute(
    system,
  );
  await sql`delete from sessions where expires_at < now()`.execute(system);
  await sql`delete from password_resets where expires_at < now()`.execute(system);
  await sql`delete from invitations where expires_at < now() - interval '30 days'`.execute(system);
}
