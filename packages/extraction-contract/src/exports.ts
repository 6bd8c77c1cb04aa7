import { docTypes } from '@millrace/document-model';
import * as z from 'zod';
import { anyScopedCallErrors, defineOperation, everyOperation } from './operation.ts';

/** Documents that an export may name; without names it takes every one that matches. */
const mostNamedDocuments = 200;

/** What an export has rows of, and the documents it may name. */
export const exportQuery = {
  rows: z
    .enum(['values', 'lines'])
    .default('values')
    .describe('`values`: a row for each document, a column for each field. `lines`: a row for each line item.'),
  ids: z
    .string()
    .max(10_000)
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().max(64)).min(1).max(mostNamedDocuments))
    .optional()
    .describe('Ids of documents, separated by commas: these alone.'),
} as const;

/** A CSV file: a stream where it is written, its text where it is read. */
export const CsvFile = z
  .custom<string | AsyncIterable<unknown>>((value) => typeof value === 'string' || isStream(value))
  .meta({ type: 'string' });

/** A workbook: a stream where it is written, its bytes where it is read. */
export const XlsxFile = z
  .custom<Uint8Array | AsyncIterable<unknown>>((value) => value instanceof Uint8Array || isStream(value))
  .meta({ type: 'string', format: 'binary' });

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

const everyExport = {
  ...everyOperation,
  scopes: ['documents:read'],
  method: 'GET',
  tag: 'Documents',
  errors: ['invalid_request', ...anyScopedCallErrors],
  request: {
    query: z.object({
      ...exportQuery,
      doc_type: z.enum(docTypes).optional(),
      state: z.enum(['processing', 'done', 'error']).optional(),
      from: z.iso.datetime({ offset: true }).optional().describe('Created at this time or later.'),
      to: z.iso.datetime({ offset: true }).optional().describe('Created before this time.'),
    }),
  },
} as const;

const description =
  'Documents, the newest first, with a column for each field of their types; columns that types share stand once. At ' +
  'most 100,000 documents. Headings are the names of the API. Dates are `YYYY-MM-DD`, times are in UTC. ';

const exportCsv = defineOperation({
  ...everyExport,
  id: 'exportCsv',
  path: '/api/external/v1/documents.csv',
  summary: 'Export documents as CSV',
  description:
    `${description}The file is in UTF-8 without a byte order mark. Text that a spreadsheet would take for a formula ` +
    'begins with an apostrophe.',
  responses: { 200: { description: 'The file.', body: CsvFile, mediaType: 'text/csv' } },
  examples: [
    {
      summary: 'Line items of March’s invoices',
      request: {
        query: {
          rows: 'lines',
          doc_type: 'invoice',
          from: '2026-03-01T00:00:00Z',
          to: '2026-04-01T00:00:00Z',
        },
      },
      answer: {
        status: 200,
        body:
          'document_id,document_reference,file_name,document_type,row,currency,description,quantity,unit,price_unit,' +
          'product_code,discount_amount,tax_rate,tax_amount,amount,date\r\n' +
          'doc_01kamy4w8q2v6x0r3t5y7z9b1d,MR-000042,invoice.pdf,invoice,1,EUR,"Copy paper A4, 80 g",120,,9.5,,,,,1140,\r\n',
      },
    },
  ],
});

const exportXlsx = defineOperation({
  ...everyExport,
  id: 'exportXlsx',
  path: '/api/external/v1/documents.xlsx',
  summary: 'Export documents as an Excel workbook',
  description: `${description}Dates, times, numbers and amounts are typed cells.`,
  responses: {
    200: {
      description: 'The file.',
      body: XlsxFile,
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
  },
  examples: [
    {
      summary: 'Values of every invoice',
      request: { query: { doc_type: 'invoice' } },
      answer: { status: 200, body: new Uint8Array() },
    },
  ],
});

export const exportOperations = [exportCsv, exportXlsx] as const;
