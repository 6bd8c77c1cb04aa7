import type { BlobStore } from '@millrace/blobs';
import { tenantTransaction } from '@millrace/postgres';
import { type Claim, type Queue, startQueue } from '@millrace/postgres/queue';
import { isUnavailable } from '@millrace/postgres/unavailable';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { ExtractionDatabase, Schema, StoredBulkFailure, TenantTransaction } from '../database/schema.ts';
import { ApiError } from '../http/errors.ts';
import { endBulkAction, lockProgress, recordOutcome } from '../resources/bulk-actions/store.ts';
import { findDocumentRow } from '../resources/documents/dashboard-store.ts';
import { purgeOriginals, removeDocuments } from '../resources/documents/removal.ts';
import { queueAgain } from '../resources/documents/retrying.ts';
import { confirmValues } from '../resources/review/confirming.ts';
import { type LearnParts, learn } from '../resources/senders/learn.ts';
import type { Lanes } from '../resources/webhooks/notifications.ts';

type BulkAction = Claim & Selectable<Schema['bulk_actions']>;
type DocumentRow = Selectable<Schema['documents']>;

export interface BulkRunnerParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly engine: LearnParts['engine'];
  readonly settings: LearnParts['settings'];
  readonly logger: Logger;
  /** Called after a commit that queued an extraction. */
  readonly onJob: () => void;
  /** Called after a commit that enqueued notifications, with their lanes. */
  readonly onNotifications: (lanes: Lanes) => void;
  /** Called for each document that was deleted. */
  readonly onDeleted: (documentId: string) => void;
}

/** Actions of one process at once: each goes through its documents one by one. */
const actionsAtOnce = 2;

/**
 * Starts to carry out bulk actions. Each document changes in a transaction of its own, which also records its outcome:
 * an action that is interrupted goes on behind the last document that was committed, and carries none out twice.
 */
export function startBulkRunner(parts: BulkRunnerParts): Queue {
  const { database, logger } = parts;
  return startQueue<BulkAction>({
    system: database.system,
    table: 'bulk_actions',
    tenantColumn: 'account_id',
    concurrency: actionsAtOnce,
    run: (action, signal) => runAction(parts, action, signal),
    onError: (error, action) => logger.error({ error, bulkAction: action?.id }, 'a bulk action failed'),
  });
}

async function runAction(parts: BulkRunnerParts, action: BulkAction, signal: AbortSignal): Promise<void> {
  const { logger } = parts;
  for (;;) {
    signal.throwIfAborted();
    const after = await takeStep(parts, action).catch((error: unknown) => {
      if (isUnavailable(error) || signal.aborted) throw error;
      logger.error({ error, bulkAction: action.id }, 'a bulk action passed over a document');
      return passOver(parts, action);
    });
    if (after === null) break;
    await after(signal);
  }
  logger.info(
    { bulkAction: action.id, action: action.action, count: action.document_ids.length },
    'a bulk action ended',
  );
}

/** Acts on the next document; null where there is none, or another process goes on with the action. */
function takeStep(parts: BulkRunnerParts, action: BulkAction): Promise<After | null> {
  return tenantTransaction(parts.database, action.account_id, async (transaction) => {
    const place = await lockProgress(transaction, action);
    const documentId = place === null ? undefined : action.document_ids[place];
    if (documentId === undefined) {
      if (place !== null) await endBulkAction(transaction, action);
      return null;
    }
    const { failure, after } = await actOn(parts, transaction, action, documentId);
    await recordOutcome(transaction, action.id, failure);
    return after;
  });
}

/** Leaves the next document as it is, for a reason that is in the log. */
function passOver({ database }: BulkRunnerParts, action: BulkAction): Promise<After | null> {
  return tenantTransaction(database, action.account_id, async (transaction) => {
    const place = await lockProgress(transaction, action);
    const documentId = place === null ? undefined : action.document_ids[place];
    if (documentId === undefined) return null;
    const row = await findDocumentRow(transaction, documentId);
    const { failure, after } = failed(
      row ?? { id: documentId, reference: '', file_name: '' },
      'internal_error',
      'Something failed on our side. Try this document again.',
    );
    await recordOutcome(transaction, action.id, failure);
    return after;
  });
}

/** What is left to do once a document's change has committed. */
type After = (signal: AbortSignal) => Promise<unknown>;

interface Outcome {
  readonly failure: StoredBulkFailure | null;
  readonly after: After;
}

async function actOn(
  parts: BulkRunnerParts,
  transaction: TenantTransaction,
  action: BulkAction,
  documentId: string,
): Promise<Outcome> {
  const row = await findDocumentRow(transaction, documentId, { lock: true });
  if (row === null) {
    return failed({ id: documentId, reference: '', file_name: '' }, 'not_found', 'This document no longer exists.');
  }
  try {
    return { failure: null, after: await actions[action.action](parts, transaction, row, action) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return failed(row, error.code, error.message);
  }
}

function failed(row: Pick<DocumentRow, 'id' | 'reference' | 'file_name'>, code: string, message: string): Outcome {
  const { id: documentId, reference, file_name: fileName } = row;
  return { failure: { documentId, reference, fileName, code, message }, after: async () => undefined };
}

/** What each action does to a document, before it writes anything of which an `ApiError` would have to take back. */
const actions: Readonly<
  Record<
    BulkAction['action'],
    (parts: BulkRunnerParts, transaction: TenantTransaction, row: DocumentRow, action: BulkAction) => Promise<After>
  >
> = {
  async delete(parts, transaction, row) {
    const removed = await removeDocuments(transaction, [row.id], { lessons: true });
    return () => {
      parts.onDeleted(row.id);
      return purgeOriginals(parts, row.account_id, removed);
    };
  },

  async retry(parts, transaction, row, { doc_type }) {
    await queueAgain(transaction, row, doc_type);
    return async () => parts.onJob();
  },

  async confirm(parts, transaction, row, { user_id }) {
    if (row.confirmed_at !== null) return async () => undefined;
    const lanes = await confirmValues(transaction, row, user_id);
    return (signal) => {
      parts.onNotifications(lanes);
      return learn({ ...parts, log: parts.logger }, row.account_id, row, signal);
    };
  },
};
