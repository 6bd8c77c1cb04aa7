import type { BlobStore } from '@millrace/blobs';
import type { EnginePool } from '@millrace/engine';
import { revalidate } from '@millrace/engine/revalidate';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import { findTypeNamed, findTypesNamed } from '../document-types/store.ts';
import {
  findDocumentRow,
  findReviewThreshold,
  type LookedAt,
  listReviewQueue,
  lookAtDocument,
} from '../documents/dashboard-store.ts';
import { documentDetail, doubtfulPaths, labelOfPath, nothingEntered, valueAt } from '../documents/detail.ts';
import { cursorOf, positionOf } from '../documents/position.ts';
import { removeLessons } from '../documents/removal.ts';
import { valuesOf } from '../documents/rules.ts';
import { learn } from '../senders/learn.ts';
import type { Lanes } from '../webhooks/notifications.ts';
import { confirmValues, notExtracted } from './confirming.ts';
import type { reviewOperations } from './contract.ts';
import { enterChanges } from './rules.ts';
import { findResults, storeCorrections } from './store.ts';

export interface ReviewParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly engine: EnginePool;
  readonly settings: Pick<Settings, 'maxFileSizeBytes' | 'maxPages'>;
  readonly dashboardUrl: () => string;
  /** Called after a commit that enqueued notifications, with their lanes. */
  readonly onNotifications: (lanes: Lanes) => void;
  /** Logs why nothing was learned from a confirmed document, without its content. */
  readonly log: { warn(about: object, message: string): void };
}

/** Doubtful values that the queue shows of each document. */
const shownDoubts = 20;

export function reviewHandlers(parts: ReviewParts): Handlers<typeof reviewOperations, DashboardCaller> {
  const { database } = parts;
  const detailOf = (document: LookedAt | null) => {
    if (!document) throw new ApiError('not_found');
    return documentDetail(document, parts.dashboardUrl());
  };

  return {
    async listReview({ query }, { accountId }) {
      const after = positionOf(query.cursor);
      return tenantTransaction(
        database,
        accountId,
        async (transaction) => {
          const threshold = await findReviewThreshold(transaction);
          const listing = await listReviewQueue(transaction, query.type, { limit: query.limit, after, threshold });
          const results = await findResults(
            transaction,
            listing.rows.map(({ id }) => id),
          );
          const types = await findTypesNamed(
            transaction,
            listing.rows.map(({ doc_type }) => doc_type),
          );
          const last = listing.rows.at(-1);
          const { total } = listing;
          const items = listing.rows.map((row) => {
            const extraction = results.get(row.id)?.extraction;
            const paths = extraction
              ? doubtfulPaths(types.get(row.doc_type)!, extraction, threshold).slice(0, shownDoubts)
              : [];
            return {
              id: row.id,
              reference: row.reference,
              fileName: row.file_name,
              docType: row.doc_type,
              source: row.source,
              createdAt: row.created_at.toISOString(),
              lowestConfidence: row.lowest_confidence,
              doubtfulCount: row.doubtful_count,
              doubtful: paths.map((path) => {
                const value = extraction && valueAt(extraction, path);
                return {
                  path,
                  label: labelOfPath(path),
                  value: value?.value ?? null,
                  confidence: value?.confidence ?? 0,
                };
              }),
            };
          });
          const nextCursor = listing.hasMore && last ? cursorOf({ id: last.id, total }) : null;
          return { status: 200 as const, body: { items, nextCursor, total } };
        },
        { access: 'read only' },
      );
    },

    async correctDocument({ params, body }, { accountId, userId }) {
      const document = await tenantTransaction(database, accountId, async (transaction) => {
        const row = await findDocumentRow(transaction, params.id, { lock: true });
        const extracted = (row?.extracted_result ?? row?.result)?.extraction;
        if (!row) throw new ApiError('not_found');
        if (row.state !== 'done' || !row.result || !extracted) throw notExtracted();
        if (row.version !== body.version) throw new ApiError('conflict');
        const type = await findTypeNamed(transaction, extracted.docType);
        const by = { userId, at: new Date() };
        const { entered, kept, faults } = enterChanges(
          type,
          extracted,
          row.entered ?? nothingEntered,
          body.changes,
          by,
        );
        if (faults.length > 0) {
          throw new ApiError('invalid_request', {
            message: 'Correct the marked values.',
            errors: Object.fromEntries(faults.map(({ path, message }) => [path, message])),
          });
        }
        const { extraction } = revalidate(type, extracted, entered);
        const result = { ...row.result, ...valuesOf(extraction) };
        await storeCorrections(
          transaction,
          { id: row.id, version: row.version + 1 },
          { entered, result, kept, type, userId },
        );
        if (row.confirmed_at !== null) await removeLessons(transaction, [row.id]);
        return lookAtDocument(transaction, row.id);
      });
      return { status: 200, body: detailOf(document) };
    },

    async confirmDocument({ params, body }, { accountId, userId, signal }) {
      const { row, lanes } = await tenantTransaction(database, accountId, async (transaction) => {
        const found = await findDocumentRow(transaction, params.id, { lock: true });
        if (!found) throw new ApiError('not_found');
        if (found.state === 'done' && found.version !== body.version) throw new ApiError('conflict');
        return { row: found, lanes: await confirmValues(transaction, found, userId) };
      });
      parts.onNotifications(lanes);
      const learned = await learn(parts, accountId, row, signal);
      const document = await tenantTransaction(
        database,
        accountId,
        (transaction) => lookAtDocument(transaction, params.id),
        { access: 'read only' },
      );
      return { status: 200, body: { document: detailOf(document), learned } };
    },
  };
}
