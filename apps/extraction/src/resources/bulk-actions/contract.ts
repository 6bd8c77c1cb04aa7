import { AskedDocTypeName } from '@millrace/extraction-contract/document-types';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Time,
} from '../../http/dashboard-operation.ts';
import { documentFilter } from '../documents/dashboard-contract.ts';

const everyBulkOperation = { ...everyDashboardOperation, tag: 'Documents' } as const;

/** Limit of documents selected by id; a filter may match {@link mostBulkDocuments}. */
const mostNamedDocuments = 200;
/** Limit of documents per action. */
export const mostBulkDocuments = 10_000;
/** Limit of listed failures; further ones are only counted. */
export const listedFailures = 100;

const Selection = z
  .union([
    z.strictObject({ documentIds: z.array(z.string().max(64)).min(1).max(mostNamedDocuments) }),
    z.strictObject({ filter: z.strictObject(documentFilter).describe('As in `listDocuments`.') }),
  ])
  .meta({ id: 'Selection', description: 'Documents by their ids, or every document that matches a filter.' });

/** A validated selection. */
export type Selection = z.output<typeof Selection>;

const BulkAction = z
  .object({
    id: z.string(),
    action: z.enum(['delete', 'retry', 'confirm']),
    state: z.enum(['queued', 'processing', 'done']),
    total: z.int().min(0).describe('Documents that were selected when it was started.'),
    finishedCount: z.int().min(0).describe('Documents whose outcome is known.'),
    failedCount: z.int().min(0).describe('Documents that were not changed.'),
    failures: z
      .array(
        z.object({
          documentId: z.string(),
          reference: z.string().describe('Empty if the document doesn’t exist.'),
          fileName: z.string(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .describe(`Why documents were not changed; the first ${listedFailures}.`),
    createdAt: Time,
    finishedAt: Time.nullable(),
  })
  .meta({ id: 'BulkAction' });

/** A bulk action as the dashboard shows it. */
export type BulkAction = z.input<typeof BulkAction>;

const documentIds = ['doc_01kamy4w8q2v6x0r3t5y7z9b1d', 'doc_01kamy4w8q2v6x0r3t5y7z9b1e'];

const queuedExample = {
  id: 'bulk_01kamy8f9g0h1j2k3m4n5p6q7r',
  action: 'delete',
  state: 'queued',
  total: 2,
  finishedCount: 0,
  failedCount: 0,
  failures: [],
  createdAt: '2026-03-14T10:04:00.000Z',
  finishedAt: null,
} as const satisfies BulkAction;

const responses = { 202: { description: 'The action is queued.', body: BulkAction } } as const;
const errors = ['invalid_request', ...anyDashboardErrors] as const;

const deleteDocuments = defineDashboardOperation({
  ...everyBulkOperation,
  id: 'deleteDocuments',
  method: 'POST',
  path: '/api/dashboard/v1/documents/deletions',
  summary: 'Delete documents',
  description: `Deletes each selected document as \`deleteDocument\` does. At most ${mostBulkDocuments} documents.`,
  request: { body: z.object({ selection: Selection }) },
  responses,
  errors,
  examples: [
    {
      summary: 'Two documents',
      request: { body: { selection: { documentIds } } },
      answer: { status: 202, body: queuedExample },
    },
  ],
});

const retryDocuments = defineDashboardOperation({
  ...everyBulkOperation,
  id: 'retryDocuments',
  method: 'POST',
  path: '/api/dashboard/v1/documents/retries',
  summary: 'Extract documents again',
  description:
    'Queues each selected document again as `retryDocument` does. Documents that are being extracted, or that people ' +
    `have corrected or confirmed, are left as they are. At most ${mostBulkDocuments} documents.`,
  request: {
    body: z.object({
      selection: Selection,
      docType: AskedDocTypeName.optional().describe('The same type as before by default.'),
    }),
  },
  responses,
  errors,
  examples: [
    {
      summary: 'Every failed document',
      request: { body: { selection: { filter: { state: 'error' } } } },
      answer: { status: 202, body: { ...queuedExample, action: 'retry' } },
    },
  ],
});

const confirmDocuments = defineDashboardOperation({
  ...everyBulkOperation,
  id: 'confirmDocuments',
  method: 'POST',
  path: '/api/dashboard/v1/documents/confirmations',
  summary: 'Confirm documents',
  description:
    'Confirms the values of each selected document as `confirmDocument` does. Documents without a result are left as ' +
    `they are. At most ${mostBulkDocuments} documents.`,
  request: { body: z.object({ selection: Selection }) },
  responses,
  errors,
  examples: [
    {
      summary: 'Two documents',
      request: { body: { selection: { documentIds } } },
      answer: { status: 202, body: { ...queuedExample, action: 'confirm' } },
    },
  ],
});

const getBulkAction = defineDashboardOperation({
  ...everyBulkOperation,
  id: 'getBulkAction',
  method: 'GET',
  path: '/api/dashboard/v1/bulk-actions/:id',
  summary: 'Follow a bulk action',
  description: 'Its progress, and why documents were not changed. Kept for 30 days.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'The action.', body: BulkAction } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A deletion',
      request: { params: { id: queuedExample.id } },
      answer: {
        status: 200,
        body: {
          ...queuedExample,
          state: 'done',
          finishedCount: 2,
          failedCount: 1,
          failures: [
            {
              documentId: documentIds[1]!,
              reference: '',
              fileName: '',
              code: 'not_found',
              message: 'This document no longer exists.',
            },
          ],
          finishedAt: '2026-03-14T10:04:01.310Z',
        },
      },
    },
  ],
});

export const bulkActionOperations = [deleteDocuments, retryDocuments, confirmDocuments, getBulkAction] as const;
