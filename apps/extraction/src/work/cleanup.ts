import type { BlobStore } from '@millrace/blobs';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { ExtractionDatabase } from '../database/schema.ts';
import { removeOldCalls } from '../resources/calls/recorder.ts';
import { foldAllCounts } from '../resources/documents/counts.ts';
import { deleteExpiredMessages } from '../resources/inbox/store.ts';
import { removeExpiredDocuments } from './retention.ts';

interface CleanupParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly logger: Logger;
}

/**
 * Starts to remove, every hour, what is kept for a time only: idempotency keys (24 hours), old rate windows, the log of
 * calls (7 days), that a mail went (7 days), bulk actions (30 days), sessions and links that are over, and documents and
 * inbox messages whose
 * account's retention has ended. What the home page counts is counted on the way.
 */
export function startCleanup({ database, blobs, logger }: CleanupParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let underWay: Promise<void> = Promise.resolve();
  const clean = (): void => {
    const expired = underWay.then(() => removeExpired(database));
    underWay = expired
      .then(() => foldAllCounts(database, stopping.signal))
      .then(() => removeExpiredDocuments({ database, blobs }, stopping.signal))
      .catch((error: unknown) => logger.warn({ error }, 'the clean-up failed'));
  };
  const timer = setInterval(clean, 3_600_000);
  clean();
  return {
    stop: () => {
      clearInterval(timer);
      stopping.abort();
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
  await deleteExpiredMessages(system);
  await sql`delete from mails where state in ('done', 'failed') and created_at < now() - interval '7 days'`.execute(
    system,
  );
  await sql`delete from bulk_actions where created_at < now() - interval '30 days'`.execute(system);
  await sql`delete from document_counts where day < now() - interval '90 days'`.execute(system);
  await sql`delete from document_durations where day < now() - interval '90 days'`.execute(system);
  await sql`delete from sessions where expires_at < now()`.execute(system);
  await sql`delete from provider_sign_ins where expires_at < now()`.execute(system);
  await sql`delete from provider_logouts where expires_at < now()`.execute(system);
  await sql`delete from password_resets where expires_at < now()`.execute(system);
  await sql`delete from invitations where expires_at < now() - interval '30 days'`.execute(system);
}
