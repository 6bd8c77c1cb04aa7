import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { ExtractionDatabase } from '../database/schema.ts';

/** Starts to remove, every hour, what is kept for a time only: idempotency keys (24 hours) and old rate windows. */
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

async function removeExpired({ system }: ExtractionDatabase): Promise<void> {
  await system
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - interval '24 hours'`)
    .execute();
  await system.deleteFrom('rate_windows').where('window_start', '<', sql<Date>`now() - interval '1 hour'`).execute();
}
