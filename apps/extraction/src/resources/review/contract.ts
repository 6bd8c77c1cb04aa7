import { DocTypeName } from '@millrace/extraction-contract/document-types';
import { Value } from '@millrace/extraction-contract/documents';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Time,
} from '../../http/dashboard-operation.ts';
import { DocumentDetail, documentParams, exampleDetail, Source, ValuePath } from '../documents/dashboard-contract.ts';

const everyReviewOperation = { ...everyDashboardOperation, tag: 'Review' } as const;

const DoubtfulValue = z.object({
  path: ValuePath,
  label: z.string().describe('For people, such as `Invoice date`, or `Row 3, Amount`.'),
  value: Value.describe('Null if a required field is missing.'),
  confidence: z.number().min(0).max(100),
});

const QueuedDocument = z
  .object({
    id: z.string(),
    reference: z.string(),
    fileName: z.string(),
    docType: DocTypeName,
    source: Source,
    createdAt: Time,
    lowestConfidence: z.number().min(0).max(100).nullable(),
    doubtfulCount: z.int().min(0),
    doubtful: z.array(DoubtfulValue).describe('The first 20.'),
  })
  .meta({ id: 'QueuedDocument' });

const listReview = defineDashboardOperation({
  ...everyReviewOperation,
  id: 'listReview',
  method: 'GET',
  path: '/api/dashboard/v1/review',
  summary: 'List documents waiting for review',
  description:
    "Unconfirmed documents with a value below the account's threshold, or without a required one; oldest first.",
  request: { query: z.object({ ...listQuery, type: DocTypeName.optional() }) },
  responses: {
    200: {
      description: 'A page of the queue.',
      body: listOf(QueuedDocument).extend({ total: z.int().nullable().describe('Of all pages; null beyond 10,000.') }),
    },
  },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'The oldest',
      request: { query: { limit: 1 } },
      answer: {
        status: 200,
        body: {
          items: [
            {
              id: exampleDetail.id,
              reference: exampleDetail.reference,
              fileName: exampleDetail.fileName,
              docType: 'invoice',
              source: 'inbox',
              createdAt: exampleDetail.createdAt,
              lowestConfidence: 64.2,
              doubtfulCount: 1,
              doubtful: [
                { path: { field: 'invoice_date' }, label: 'Invoice date', value: '2026-03-14', confidence: 64.2 },
              ],
            },
          ],
          nextCursor: null,
          total: 1,
        },
      },
    },
  ],
});

const Change = z
  .union([
    z.strictObject({ field: z.string().max(64), value: Value.describe('Null removes it.') }),
    z.strictObject({
      row: z.int().min(0).max(10_000),
      column: z.string().max(64),
      value: Value.describe('Null removes it.'),
    }),
    z.strictObject({ addRow: z.record(z.string().max(64), Value).describe('By column. The row is added at the end.') }),
    z.strictObject({ removeRow: z.int().min(0).max(10_000) }),
  ])
  .meta({ id: 'Change' });

const version = z.int().min(0).describe('Version of the document that the reviewer saw.');

const correctDocument = defineDashboardOperation({
  ...everyReviewOperation,
  id: 'correctDocument',
  method: 'PATCH',
  path: '/api/dashboard/v1/documents/:id/values',
  summary: 'Correct values of a document',
  description:
    'Makes all changes in order, or none, and validates the document again: sums, dates and check digits. Values have ' +
    'the format of the API: dates as `YYYY-MM-DD`, amounts as numbers. Sending a value unchanged marks it as checked. ' +
    'A confirmed document has to be confirmed again.',
  request: { params: documentParams, body: z.object({ version, changes: z.array(Change).min(1).max(500) }) },
  responses: { 200: { description: 'The document with the corrected values.', body: DocumentDetail } },
  errors: ['not_found', 'conflict', 'invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'The total',
      request: {
        params: { id: exampleDetail.id },
        body: { version: 0, changes: [{ field: 'total_amount', value: 1428 }] },
      },
      answer: { status: 200, body: exampleDetail },
    },
  ],
});

const confirmDocument = defineDashboardOperation({
  ...everyReviewOperation,
  id: 'confirmDocument',
  method: 'POST',
  path: '/api/dashboard/v1/documents/:id/confirmation',
  summary: 'Confirm a document',
  description:
    'Declares that every value is right. The document leaves the queue, and helps with the next one from the same ' +
    'supplier. A corrected document is sent to the webhooks again.',
  request: { params: documentParams, body: z.object({ version }) },
  responses: {
    200: {
      description: 'The confirmed document.',
      body: z.object({
        document: DocumentDetail,
        learned: z
          .object({ senderId: z.string(), senderName: z.string(), fields: z.array(z.string()) })
          .nullable()
          .describe('Null if the document has no known supplier.'),
      }),
    },
  },
  errors: ['not_found', 'conflict', 'invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'An invoice',
      request: { params: { id: exampleDetail.id }, body: { version: 1 } },
      answer: {
        status: 200,
        body: {
          document: {
            ...exampleDetail,
            doubtfulCount: 0,
            doubtful: [],
            confirmedAt: '2026-03-14T10:02:30.001Z',
            confirmedBy: exampleDetail.corrections[0].by,
          },
          learned: {
            senderId: 'snd_01kamy7e8f9g0h1j2k3m4n5p6q',
            senderName: 'Northwind Paper Ltd',
            fields: ['invoice_number', 'invoice_date', 'total_amount'],
          },
        },
      },
    },
  ],
});

export const reviewOperations = [listReview, correctDocument, confirmDocument] as const;
