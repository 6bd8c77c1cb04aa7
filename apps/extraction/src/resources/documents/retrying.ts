import type { Selectable } from 'kysely';
import type { JobOptions, Schema, TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../http/errors.ts';
import { newId } from '../../identifiers.ts';
import { insertJob } from '../jobs/store.ts';
import { resetDocument } from './dashboard-store.ts';

/**
 * Queues a document's stored original for another extraction.
 *
 * @param row locked
 * @param asked null for the same type as before
 * @throws ApiError `conflict` where it is being extracted, or people have corrected or confirmed it
 */
export async function queueAgain(
  transaction: TenantTransaction,
  row: Selectable<Schema['documents']>,
  asked: JobOptions['doc_type'],
): Promise<void> {
  if (row.state === 'processing') {
    throw new ApiError('conflict', { message: 'This document is already being extracted.' });
  }
  if (row.entered !== null || row.confirmed_at !== null) {
    throw new ApiError('conflict', {
      message: 'This document has been corrected or confirmed, so it can’t be extracted again.',
    });
  }
  const docType = asked ?? row.doc_type;
  const before = await resetDocument(transaction, row.id, docType === 'detect' ? null : docType);
  const options = { fields: null, callback_url: null, ...before, doc_type: docType };
  await insertJob(transaction, { id: newId('job'), documentId: row.id, options });
}
