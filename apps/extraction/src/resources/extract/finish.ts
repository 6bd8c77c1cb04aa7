import type { TenantTransaction } from '../../database/schema.ts';
import type { FinishedDocument, Outcome, Processing } from '../documents/rules.ts';
import { finishDocument } from '../documents/store.ts';
import { enqueueNotifications, type Lanes } from '../webhooks/notifications.ts';

/** A finished document, and the receivers to wake the deliverer with after the commit. */
export type FinishedExtraction = FinishedDocument & { readonly lanes: Lanes };

/**
 * The one place where an extraction finishes: the document's result and state, and the notifications of it, commit
 * with the transaction or not at all. Returns null where the document had finished before.
 */
export async function finishExtraction(
  transaction: TenantTransaction,
  finished: {
    readonly documentId: string;
    readonly outcome: Outcome;
    readonly processing: Processing;
    readonly callbackUrl: string | null;
  },
): Promise<FinishedExtraction | null> {
  const document = await finishDocument(transaction, finished.documentId, finished.outcome, finished.processing);
  if (document === null) return null;
  return { ...document, lanes: await enqueueNotifications(transaction, document, finished.callbackUrl) };
}
