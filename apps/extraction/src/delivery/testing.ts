import { randomBytes } from 'node:crypto';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase, TenantTransaction } from '../database/schema.ts';
import { newId } from '../identifiers.ts';
import { enqueueNotifications, type FinishedDocument, type Lanes } from '../resources/webhooks/notifications.ts';

/** Stores a finished document and queues its event, as the end of an extraction does. */
export async function finishDocument(
  database: ExtractionDatabase,
  accountId: string,
  { callbackUrl = null, ...changes }: Partial<FinishedDocument> & { callbackUrl?: string | null } = {},
): Promise<{ document: FinishedDocument; lanes: Lanes }> {
  const id = newId('doc');
  const document: FinishedDocument = {
    id,
    reference: `MR-${id.slice(-8)}`,
    doc_type: 'invoice',
    state: 'done',
    source: 'api',
    result: {
      fields: { total_amount: 12.5 },
      lines: [{ description: 'Bücher', amount: 12.5 }],
      confidence: { total_amount: 99 },
    },
    ...changes,
  };
  const lanes = await tenantTransaction(database, accountId, async (transaction) => {
    await insertDocument(transaction, document);
    return enqueueNotifications(transaction, document, callbackUrl);
  });
  return { document, lanes };
}

async function insertDocument(transaction: TenantTransaction, document: FinishedDocument): Promise<void> {
  await transaction
    .insertInto('documents')
    .values({
      id: document.id,
      account_id: transaction.tenantId,
      reference: document.reference,
      source: document.source,
      file_name: 'invoice.pdf',
      media_type: 'application/pdf',
      size_bytes: 1,
      sha256: randomBytes(32),
      doc_type: document.doc_type,
      state: document.state,
      blob_key: `${transaction.tenantId}/${document.id}`,
    })
    .execute();
}
