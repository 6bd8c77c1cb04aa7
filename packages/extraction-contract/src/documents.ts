import type { JsonValue } from '@millrace/document-model';
import * as z from 'zod';
import { DocTypeName } from './document-types.ts';
import { anyScopedCallErrors, defineOperation, everyOperation } from './operation.ts';

export const Value: z.ZodType<JsonValue, JsonValue> = z
  .lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Value), z.record(z.string(), Value)]))
  .meta({ id: 'Value', description: 'A string, number, boolean, null, list or object.' });

const Place = z
  .object({
    page: z.int().min(1).describe('From 1.'),
    box: z
      .object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() })
      .describe('From the top left of the page, in its unit.'),
    text: z.string().describe('As read, before normalization.'),
    source: z.string().describe('`text` layer, form `widget`, `ocr:<engine>:<pass>`, or `embedded` e-invoice.'),
  })
  .meta({ id: 'Place' });

const ValueProvenance = z
  .object({
    places: z.array(Place),
    flags: z.array(z.string()).describe('Reasons for the confidence. New flags may be added.'),
  })
  .meta({ id: 'ValueProvenance' });

const Provenance = z
  .object({
    fields: z.record(z.string(), ValueProvenance).describe('By field name.'),
    lines: z.array(z.record(z.string(), ValueProvenance)).describe('By row, in the order of `lines`, and column.'),
    pages: z.array(
      z.object({ number: z.int(), width: z.number(), height: z.number(), unit: z.enum(['point', 'pixel']) }),
    ),
  })
  .meta({ id: 'Provenance' });

export const Document = z
  .object({
    fields: z
      .record(z.string(), Value)
      .describe('Values by field name. Fields that are not in the document are absent.'),
    lines: z
      .array(z.record(z.string(), Value))
      .describe(
        'Line items of invoices, receipts, bank statements, medical reports and the account’s own types; empty for others.',
      ),
    confidence: z
      .record(z.string(), z.number().min(0).max(100))
      .describe('0 to 100 by field name. Not every field is guaranteed to appear.'),
    ai: z
      .object({
        provider: z.string(),
        model: z.string(),
        process_time_ms: z.int().min(0),
        total_tokens: z.int().min(0),
      })
      .describe('How it was processed.'),
    meta: z.object({
      success: z.boolean(),
      document_id: z.string(),
      reference: z.string().describe('For people; unique within the account.'),
      doc_type: DocTypeName.describe('The type it was extracted as.'),
      state: z.enum(['done', 'error']),
      classification: z
        .object({ doc_type: DocTypeName, confidence: z.number().min(0).max(100) })
        .optional()
        .describe('The detected type, regardless of the type it was extracted as.'),
      error: z.object({ code: z.string(), message: z.string() }).optional().describe('Present in state `error`.'),
    }),
    provenance: Provenance.optional().describe('Where each value was found; present with `include=provenance`.'),
  })
  .meta({ id: 'Document' });

export const includeQuery = z
  .enum(['provenance'])
  .optional()
  .describe('`provenance` adds the page, box and text of every value.');

export const exampleDocument = {
  fields: {
    invoice_number: 'INV-2041',
    vendor_name: 'Northwind Paper Ltd',
    invoice_date: '2026-03-14',
    total_amount: 1428.0,
    currency: 'EUR',
    language: 'en',
  },
  lines: [
    { description: 'Copy paper A4, 80 g', quantity: 120, price_unit: 9.5, amount: 1140 },
    { description: 'Delivery', quantity: 1, price_unit: 60, amount: 60 },
  ],
  confidence: { invoice_number: 97, vendor_name: 93, invoice_date: 98, total_amount: 99, currency: 99, language: 99 },
  ai: { provider: 'millrace', model: 'millrace-1', process_time_ms: 21, total_tokens: 0 },
  meta: {
    success: true,
    document_id: 'doc_01kamy4w8q2v6x0r3t5y7z9b1d',
    reference: 'MR-000042',
    doc_type: 'invoice',
    state: 'done',
    classification: { doc_type: 'invoice', confidence: 99 },
  },
} as const satisfies z.input<typeof Document>;

const getDocument = defineOperation({
  ...everyOperation,
  scopes: ['documents:read'],
  id: 'getDocument',
  method: 'GET',
  path: '/api/external/v1/documents/:id',
  tag: 'Documents',
  summary: 'Fetch a document',
  description:
    'Returns what the synchronous extraction returned, or would have returned. A document that is still being ' +
    'extracted is not found yet: poll its job.',
  request: {
    params: z.object({ id: z.string().describe('The `document_id`.') }),
    query: z.object({ include: includeQuery }),
  },
  responses: { 200: { description: 'The document, in state `done` or `error`.', body: Document } },
  errors: ['invalid_request', 'not_found', ...anyScopedCallErrors],
  examples: [
    {
      summary: 'An invoice',
      request: { params: { id: exampleDocument.meta.document_id } },
      answer: { status: 200, body: exampleDocument },
    },
    {
      summary: 'A document that could not be extracted',
      request: { params: { id: 'doc_01kamy4w8q2v6x0r3t5y7z9b1e' } },
      answer: {
        status: 200,
        body: {
          fields: {},
          lines: [],
          confidence: {},
          ai: { provider: 'millrace', model: 'millrace-1', process_time_ms: 8, total_tokens: 0 },
          meta: {
            success: false,
            document_id: 'doc_01kamy4w8q2v6x0r3t5y7z9b1e',
            reference: 'MR-000043',
            doc_type: 'general',
            state: 'error',
            error: {
              code: 'encrypted_document',
              message: 'Remove the password from the document and send it again.',
            },
          },
        },
      },
    },
  ],
});

export const documentOperations = [getDocument] as const;
