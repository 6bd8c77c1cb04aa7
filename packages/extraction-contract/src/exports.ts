import * as z from 'zod';
import { DocTypeName } from './document-types.ts';
import { anyScopedCallErrors, defineOperation, everyOperation } from './operation.ts';

/** Documents that an export can name by ID; without IDs it contains all that match. */
const mostNamedDocuments = 200;

/** What the rows of an export are, and its documents by ID. */
export const exportQuery = {
  rows: z
    .enum(['values', 'lines'])
    .default('values')
    .describe('`values`: one row per document, one column per field. `lines`: one row per line item.'),
  ids: z
    .string()
    .max(10_000)
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().max(64)).min(1).max(mostNamedDocuments))
    .optional()
    .describe('Comma-separated document IDs; only these are exported.'),
} as const;

/** A CSV file: a stream where it is written, its text where it is read. */
const CsvFile = z
  .custom<string | AsyncIterable<unknown>>((value) => typeof value === 'string' || isStream(value))
  .meta({ type: 'string' });

/** A workbook: a stream where it is written, its bytes where it is read. */
const XlsxFile = z
  .custom<Uint8Array | AsyncIterable<unknown>>((value) => value instanceof Uint8Array || isStream(value))
  .meta({ type: 'string', format: 'binary' });

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** What every export as CSV declares, whoever calls it. */
export const csvExport = {
  method: 'GET',
  tag: 'Documents',
  summary: 'Export documents as CSV',
  responses: { 200: { description: 'The file.', body: CsvFile, mediaType: 'text/csv' } },
} as const;

/** What every export as a workbook declares, whoever calls it. */
export const xlsxExport = {
  method: 'GET',
  tag: 'Documents',
  summary: 'Export documents as an Excel workbook',
  responses: {
    200: {
      description: 'The file.',
      body: XlsxFile,
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
  },
} as const;

/** The end of the description of an export as a workbook. */
export const typedCells = 'Dates, times, numbers and amounts are typed cells.';

const everyExport = {
  ...everyOperation,
  scopes: ['documents:read'],
  errors: ['invalid_request', ...anyScopedCallErrors],
  request: {
    query: z.object({
      ...exportQuery,
      doc_type: DocTypeName.optional(),
      state: z.enum(['processing', 'done', 'error']).optional(),
      from: z.iso.datetime({ offset: true }).optional().describe('Created at this time or later.'),
      to: z.iso.datetime({ offset: true }).optional().describe('Created before this time.'),
    }),
  },
} as const;

const description =
  'Up to 100,000 documents, newest first, with a column for each field of their types. A field that several types ' +
  'share is one column. Headings are the field names of the API. Dates are `YYYY-MM-DD`, times are in UTC. ';

const exportCsv = defineOperation({
  ...everyExport,
  ...csvExport,
  id: 'exportCsv',
  path: '/api/external/v1/documents.csv',
  description:
    `${description}The file is in UTF-8 without a byte order mark. Text that a spreadsheet would take for a formula ` +
    'starts with an apostrophe.',
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
  ...xlsxExport,
  id: 'exportXlsx',
  path: '/api/external/v1/documents.xlsx',
  description: `${description}${typedCells}`,
  examples: [
    {
      summary: 'Values of every invoice',
      request: { query: { doc_type: 'invoice' } },
      answer: { status: 200, body: new Uint8Array() },
    },
  ],
});

export const exportOperations = [exportCsv, exportXlsx] as const;
