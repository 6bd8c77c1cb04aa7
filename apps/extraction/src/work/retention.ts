import type { BlobStore } from '@millrace/blobs';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { areOriginalsHeld } from '../backup/hold.ts';
import type { ExtractionDatabase } from '../database/schema.ts';
import { purgeOriginals, removeDocuments } from '../resources/documents/removal.ts';

/** Documents of one transaction. */
const batchSize = 200;

/**
 * Deletes the documents whose account's retention has ended: originals, results and whatever else they say. Then
 * deletes the originals that a deletion before left behind, because the process ended or their store was away.
 *
 * @param signal ends the work between two batches.
 */
export async function removeExpiredDocuments(
  parts: { readonly database: ExtractionDatabase; readonly blobs: BlobStore },
  signal: AbortSignal,
): Promise<void> {
  const { system } = parts.database;
  const accounts = await system
    .selectFrom('accounts')
    .select(['id', 'retention_days'])
    .where('retention_days', 'is not', null)
    .execute();
  for (const { id: accountId, retention_days: days } of accounts) {
    while (!signal.aborted) {
      const removed = await tenantTransaction(parts.database, accountId, async (transaction) => {
        const expired = await transaction
          .selectFrom('documents')
          .select('id')
          .where('account_id', '=', transaction.tenantId)
          .where('deleted_at', 'is', null)
          .where('created_at', '<', sql<Date>`now() - ${days} * interval '1 day'`)
          .orderBy('created_at')
          .limit(batchSize)
          .execute();
        const ids = expired.map(({ id }) => id);
        // What they taught contains only the supplier's own values, and is kept until the supplier is forgotten.
        return removeDocuments(transaction, ids, { lessons: false });
      });
      await purgeOriginals(parts, accountId, removed);
      if (removed.length < batchSize) break;
    }
  }
  while (!signal.aborted && !(await areOriginalsHeld(system))) {
    const left = await system
      .selectFrom('documents')
      .select(['account_id', 'id', 'blob_key'])
      .where('deleted_at', '<', sql<Date>`now() - interval '1 minute'`)
      .where('purged_at', 'is', null)
      .limit(batchSize)
      .execute();
    for (const [accountId, removed] of Map.groupBy(left, ({ account_id }) => account_id)) {
      await purgeOriginals(parts, accountId, removed);
    }
    if (left.length < batchSize) break;
  }
}
