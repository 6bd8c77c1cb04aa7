import { csvExport, exportQuery, typedCells, xlsxExport } from '@millrace/extraction-contract/exports';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
} from '../../http/dashboard-operation.ts';
import { documentFilter } from '../documents/dashboard-contract.ts';

const everyExport = {
  ...everyDashboardOperation,
  errors: ['invalid_request', ...anyDashboardErrors],
  request: { query: z.object({ ...exportQuery, ...documentFilter }) },
} as const;

const description =
  'Up to 100,000 documents, newest first: those with the given IDs, or all that match the filter. Headings are as ' +
  'screens show them, times are in UTC. ';

const exportDocumentsCsv = defineDashboardOperation({
  ...everyExport,
  ...csvExport,
  id: 'exportDocumentsCsv',
  path: '/api/dashboard/v1/documents.csv',
  description: `${description}The file is in UTF-8 with a byte order mark, by which Excel recognizes it.`,
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
  ...xlsxExport,
  id: 'exportDocumentsXlsx',
  path: '/api/dashboard/v1/documents.xlsx',
  description: `${description}${typedCells}`,
  examples: [
    {
      summary: 'Values of every invoice',
      request: { query: { type: 'invoice' } },
      answer: { status: 200, body: new Uint8Array() },
    },
  ],
});

export const exportDashboardOperations = [exportDocumentsCsv, exportDocumentsXlsx] as const;
