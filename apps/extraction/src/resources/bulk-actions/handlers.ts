import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase, JobOptions, TenantTransaction } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import { newId } from '../../identifiers.ts';
import { requireType } from '../document-types/store.ts';
import { findReviewThreshold } from '../documents/dashboard-store.ts';
import { documentFilterOf } from '../documents/filter.ts';
import { type BulkAction, type bulkActionOperations, mostBulkDocuments, type Selection } from './contract.ts';
import { type FoundBulkAction, findBulkAction, findSelected, insertBulkAction } from './store.ts';

export interface BulkActionParts {
  readonly database: ExtractionDatabase;
  /** Called after a commit that queued an action. */
  readonly onBulkAction: () => void;
}

export function bulkActionHandlers(parts: BulkActionParts): Handlers<typeof bulkActionOperations, DashboardCaller> {
  const { database } = parts;

  const start = async (
    { accountId, userId }: DashboardCaller,
    action: BulkAction['action'],
    selection: Selection,
    docType: JobOptions['doc_type'] = null,
  ) => {
    const id = newId('bulk');
    const started = await tenantTransaction(database, accountId, async (transaction) => {
      await requireType(transaction, docType);
      const document_ids = await selectedIds(transaction, selection);
      await insertBulkAction(transaction, { id, user_id: userId, action, doc_type: docType, document_ids });
      return findBulkAction(transaction, id);
    });
    parts.onBulkAction();
    return { status: 202 as const, body: bulkActionAnswer(started!) };
  };

  return {
    deleteDocuments: ({ body }, caller) => start(caller, 'delete', body.selection),
    retryDocuments: ({ body }, caller) => start(caller, 'retry', body.selection, body.docType),
    confirmDocuments: ({ body }, caller) => start(caller, 'confirm', body.selection),

    async getBulkAction({ params }, { accountId }) {
      const found = await tenantTransaction(
        database,
        accountId,
        (transaction) => findBulkAction(transaction, params.id),
        { access: 'read only' },
      );
      if (!found) throw new ApiError('not_found');
      return { status: 200, body: bulkActionAnswer(found) };
    },
  };
}

/** The documents of a selection as they are now: what arrives later is not among them. */
async function selectedIds(transaction: TenantTransaction, selection: Selection): Promise<string[]> {
  if ('documentIds' in selection) return [...new Set(selection.documentIds)];
  const threshold = await findReviewThreshold(transaction);
  const filter = documentFilterOf(selection.filter);
  const ids = await findSelected(transaction, filter, { most: mostBulkDocuments, threshold });
  if (ids.length > mostBulkDocuments) {
    throw new ApiError('invalid_request', {
      message: `More than ${mostBulkDocuments.toLocaleString('en')} documents match. Narrow the filter, for example by date.`,
    });
  }
  return [...ids];
}

function bulkActionAnswer(found: FoundBulkAction): BulkAction {
  return {
    id: found.id,
    action: found.action,
    state: found.state,
    total: found.total,
    finishedCount: found.finished_count,
    failedCount: found.failed_count,
    failures: [...found.failures],
    createdAt: found.created_at.toISOString(),
    finishedAt: found.finished_at?.toISOString() ?? null,
  };
}
