import type { BlobStore } from '@millrace/blobs';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { areOriginalsHeld } from '../../backup/hold.ts';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import { isDocumentId } from './store.ts';

/**
 * Takes everything that a document says from the database: values, corrections, the file's name, webhooks and jobs. Its
 * row stays as a tombstone, for the statistics. The original is still to be deleted.
 *
 * @param lessons whether what the document taught of its sender goes too.
 * @returns the keys of the originals; of a document that is not there or was removed before, none.
 */
export async function removeDocuments(
  transaction: TenantTransaction,
  ids: readonly string[],
  { lessons }: { readonly lessons: boolean },
): Promise<readonly { readonly id: string; readonly blob_key: string }[]> {
  const removed = await transaction
    .updateTable('documents')
    .set({
      deleted_at: new Date(),
      // A running job finds its document finished.
      state: sql<'done' | 'error'>`case when state = 'processing' then 'error' else state end`,
      result: null,
      extracted_result: null,
      entered: null,
      file_name: '',
      error_message: null,
      confidences: [],
      lowest_confidence: null,
      sender_id: null,
      supplier: null,
    })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${ids.filter(isDocumentId)})`)
    .where('deleted_at', 'is', null)
    .returning(['id', 'blob_key'])
    .execute();
  const removedIds = removed.map(({ id }) => id);
  if (removedIds.length === 0) return [];
  for (const table of ['jobs', 'corrections', 'notifications'] as const) {
    await transaction
      .deleteFrom(table)
      .where('account_id', '=', transaction.tenantId)
      .where('document_id', '=', sql<string>`any(${removedIds})`)
      .execute();
  }
  if (lessons) await removeLessons(transaction, removedIds);
  return removed;
}

/** Forgets what documents taught, and the senders of which nothing is known any more. */
export async function removeLessons(transaction: TenantTransaction, documentIds: readonly string[]): Promise<void> {
  const taught = await transaction
    .deleteFrom('sender_lessons')
    .where('account_id', '=', transaction.tenantId)
    .where('document_id', '=', sql<string>`any(${documentIds})`)
    .returning('sender_id')
    .execute();
  if (taught.length === 0) return;
  await transaction
    .deleteFrom('senders')
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${taught.map(({ sender_id }) => sender_id)})`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sender_lessons')
            .whereRef('sender_lessons.account_id', '=', 'senders.account_id')
            .whereRef('sender_lessons.sender_id', '=', 'senders.id'),
        ),
      ),
    )
    .execute();
}

/** Deletes the originals of removed documents, unless a backup needs them. What fails is left to the next clean-up. */
export async function purgeOriginals(
  { database, blobs }: { readonly database: ExtractionDatabase; readonly blobs: BlobStore },
  accountId: string,
  removed: readonly { readonly id: string; readonly blob_key: string }[],
): Promise<void> {
  if (removed.length === 0 || (await areOriginalsHeld(database.system))) return;
  for (const { blob_key } of removed) await blobs.delete(blob_key);
  await tenantTransaction(database, accountId, (transaction) =>
    transaction
      .updateTable('documents')
      .set({ purged_at: new Date() })
      .where('account_id', '=', transaction.tenantId)
      .where('id', '=', sql<string>`any(${removed.map(({ id }) => id)})`)
      .execute(),
  );
}
