import { CsvFile, exportQuery, XlsxFile } from '@millrace/extraction-contract/exports';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
} from '../../http/dashboard-operation.ts';
import { documentFilter } from '../documents/dashboard-contract.ts';

const everyExport = {
  ...everyDashboardOperation,
  method: 'GET',
  tag: 'Documents',
  errors: ['invalid_request', ...anyDashboardErrors],
  request: { query: z.object({ ...exportQuery, ...documentFilter }) },
} as const;

const description =
  'Named documents, or every one that matches the filter, the newest first; at most 100,000. Headings are as screens ' +
  'show them, times are in UTC. ';

const exportDocumentsCsv = defineDashboardOperation({
  ...everyExport,
  id: 'exportDocumentsCsv',
  path: '/api/dashboard/v1/documents.csv',
  summary: 'Export documents as CSV',
  description: `${description}The file is in UTF-8 with a byte order mark, by which Excel recognises it.`,
  responses: { 200: { description: 'The file.', body: CsvFile, mediaType: 'text/csv' } },
  examples: [
    {
      summary: 'Line items of every invoice',
      request: { query: { rows: 'lines', type: 'invoice' } },
      answer: { status: 200, body: '\ufeffDocument ID,Document reference\r\n' },
    },
  ],
});

const exportDocumentsXlsx = defineDashboardOperation({
  ...everyExport,
  id: 'exportDocumentsXlsx',
  path: '/api/dashboard/v1/documents.xlsx',
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
      request: { query: { type: 'invoice' } },
      answer: { status: 200, body: new Uint8Array() },
    },
  ],
});

export const exportDashboardOperations = [exportDocumentsCsv, exportDocumentsXlsx] as const;
