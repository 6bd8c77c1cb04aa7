import type { Selectable } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../http/errors.ts';
import { findJobOptions } from '../documents/dashboard-store.ts';
import type { FinishedDocument } from '../documents/rules.ts';
import { enqueueNotifications, type Lanes } from '../webhooks/notifications.ts';
import { storeConfirmation } from './store.ts';

/**
 * Confirms a document's values as they are; one that was corrected is sent to the webhooks again. A document that is
 * confirmed already stays as it is.
 *
 * @param row locked
 * @returns the receivers to wake the deliverer with after the commit
 * @throws ApiError `conflict` where the document has no values
 */
export async function confirmValues(
  transaction: TenantTransaction,
  row: Selectable<Schema['documents']>,
  userId: string,
): Promise<Lanes> {
  if (row.state !== 'done' || !row.result) throw notExtracted();
  if (row.confirmed_at !== null) return [];
  await storeConfirmation(transaction, row.id, userId);
  if (row.entered === null) return [];
  const options = await findJobOptions(transaction, row.id);
  const finished: FinishedDocument = { ...row, state: 'done', result: row.result };
  return enqueueNotifications(transaction, finished, options?.callback_url ?? null);
}

/** For a document without values to correct or confirm. */
export function notExtracted(): ApiError {
  return new ApiError('conflict', { message: 'Only an extracted document can be corrected or confirmed.' });
}
