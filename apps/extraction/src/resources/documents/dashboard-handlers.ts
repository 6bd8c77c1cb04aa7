import { hash } from 'node:crypto';
import type { BlobStore } from '@millrace/blobs';
import { defaultDocType } from '@millrace/document-model';
import { ingest } from '@millrace/engine/ingest';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import { newId } from '../../identifiers.ts';
import { requireType } from '../document-types/store.ts';
import { insertJob } from '../jobs/store.ts';
import type { documentDashboardOperations } from './dashboard-contract.ts';
import { findDocumentRow, findReviewThreshold, listDashboardDocuments, lookAtDocument } from './dashboard-store.ts';
import { documentDetail, listedDocument } from './detail.ts';
import { downloadDisposition, keptFileName } from './file-name.ts';
import { documentFilterOf } from './filter.ts';
import type { Pictures } from './pictures.ts';
import { cursorOf, positionOf } from './position.ts';
import { purgeOriginals, removeDocuments } from './removal.ts';
import { queueAgain } from './retrying.ts';
import { documentAnswer } from './rules.ts';
import { findFinishedDocument, insertDocument } from './store.ts';

export interface DocumentDashboardParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly pictures: Pictures;
  readonly settings: Pick<Settings, 'maxFileSizeBytes' | 'maxPages'>;
  /** Where the service is reached by its callers. */
  readonly dashboardUrl: () => string;
  /** Called after a commit that queued a job. */
  readonly onJob: () => void;
}

export function documentDashboardHandlers(
  parts: DocumentDashboardParts,
): Handlers<typeof documentDashboardOperations, DashboardCaller> {
  const { database, blobs, pictures, settings } = parts;

  const findRow = async (accountId: string, id: string) => {
    const row = await tenantTransaction(database, accountId, (transaction) => findDocumentRow(transaction, id), {
      access: 'read only',
    });
    if (!row) throw new ApiError('not_found');
    return row;
  };

  const readOriginal = async (blobKey: string) => {
    const original = await blobs.get(blobKey);
    if (!original) throw new ApiError('not_found');
    return original;
  };

  return {
    async uploadDocument({ form, file }, { accountId }) {
      if (!file) throw new ApiError('missing_document');
      const limits = { sizeBytes: settings.maxFileSizeBytes, pages: settings.maxPages };
      const { mediaType, bytes } = ingest(file.bytes, limits);
      await tenantTransaction(database, accountId, (transaction) => requireType(transaction, form.docType), {
        access: 'read only',
      });
      const id = newId('doc');
      const document = {
        id,
        fileName: keptFileName(file.name, mediaType),
        mediaType,
        sizeBytes: bytes.length,
        sha256: hash('sha256', bytes, 'buffer'),
        docType: form.docType === 'detect' ? defaultDocType : form.docType,
        blobKey: `${accountId}/${id}`,
        apiKeyId: null,
        source: 'dashboard' as const,
        receivedAt: new Date(),
      };
      await blobs.put(document.blobKey, bytes);
      const options = { doc_type: form.docType, fields: null, callback_url: null };
      const reference = await tenantTransaction(database, accountId, async (transaction) => {
        const given = await insertDocument(transaction, document);
        await insertJob(transaction, { id: newId('job'), documentId: id, options });
        return given;
      });
      parts.onJob();
      return { status: 202, body: { documentId: id, reference, state: 'queued' } };
    },

    async listDocuments({ query }, { accountId }) {
      const { cursor, limit, values, ...filter } = query;
      const after = positionOf(cursor);
      const listing = await tenantTransaction(
        database,
        accountId,
        async (transaction) =>
          listDashboardDocuments(transaction, documentFilterOf(filter), {
            limit,
            after,
            threshold: await findReviewThreshold(transaction),
            values,
          }),
        { access: 'read only', onReplica: true },
      );
      const last = listing.rows.at(-1);
      const { total } = listing;
      return {
        status: 200,
        body: {
          items: listing.rows.map(listedDocument),
          nextCursor: listing.hasMore && last ? cursorOf({ id: last.id, total }) : null,
          total,
        },
      };
    },

    async getDocument({ params }, { accountId }) {
      const document = await tenantTransaction(
        database,
        accountId,
        (transaction) => lookAtDocument(transaction, params.id),
        { access: 'read only' },
      );
      if (!document) throw new ApiError('not_found');
      return { status: 200, body: documentDetail(document, parts.dashboardUrl()) };
    },

    async getDocumentPicture({ params, query, headers: asked }, { accountId }) {
      const row = await findRow(accountId, params.id);
      if (row.page_count !== null && params.page > row.page_count) throw new ApiError('not_found');
      // A document's file never changes, so nor does what is drawn of it at an address. Browsers ask before they show it
      // again: it is gone for who may not see it any more.
      const etag = `"${row.sha256.toString('base64url')}"`;
      const headers = { 'cache-control': 'private, no-cache', etag };
      if (asked['if-none-match']?.includes(etag)) return { status: 304, body: '', headers };
      const page = { documentId: row.id, page: params.page, width: query.width };
      const picture = await pictures.draw(page, () => readOriginal(row.blob_key));
      return { status: 200, body: picture, headers: { ...headers, 'content-type': 'image/webp' } };
    },

    async getDocumentOriginal({ params }, { accountId }) {
      const row = await findRow(accountId, params.id);
      return {
        status: 200,
        body: await readOriginal(row.blob_key),
        headers: {
          'content-type': row.media_type,
          // A download, whatever it is: nothing that a stranger sent is shown as a page of this origin.
          'content-disposition': downloadDisposition(row.file_name, row.media_type),
        },
      };
    },

    async getDocumentResult({ params }, { accountId }) {
      const document = await tenantTransaction(
        database,
        accountId,
        (transaction) => findFinishedDocument(transaction, params.id, { provenance: true }),
        { access: 'read only' },
      );
      if (!document) throw new ApiError('not_found');
      return { status: 200, body: documentAnswer(document, { provenance: true }) };
    },

    async deleteDocument({ params }, { accountId }) {
      const removed = await tenantTransaction(database, accountId, (transaction) =>
        removeDocuments(transaction, [params.id], { lessons: true }),
      );
      if (removed.length === 0) throw new ApiError('not_found');
      pictures.forget(params.id);
      await purgeOriginals(parts, accountId, removed);
      return { status: 200, body: {} };
    },

    async retryDocument({ params, body }, { accountId }) {
      await tenantTransaction(database, accountId, async (transaction) => {
        const row = await findDocumentRow(transaction, params.id, { lock: true });
        if (!row) throw new ApiError('not_found');
        await requireType(transaction, body.docType);
        await queueAgain(transaction, row, body.docType ?? null);
      });
      parts.onJob();
      return { status: 202, body: { documentId: params.id, state: 'queued' } };
    },
  };
}
