import { DocTypeName } from '@millrace/extraction-contract/document-types';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
} from '../../http/dashboard-operation.ts';
import { ValueKindName } from '../documents/dashboard-contract.ts';

const everyColumnOperation = { ...everyDashboardOperation, tag: 'Documents' } as const;

/** Columns that documents have whatever their type, in their usual order. */
export const documentColumns = [
  'type',
  'state',
  'supplier',
  'confidence',
  'to_check',
  'source',
  'pages',
  'arrived',
] as const;

/** What nobody has changed: every column but the supplier. */
export const defaultColumns = documentColumns.filter((column) => column !== 'supplier');

const mostColumns = 20;

const columns = z
  .array(z.string().max(80))
  .max(mostColumns)
  .describe('In their order, behind the name: `type`, or `field.invoice_date` for the value of a field.');

const Columns = z
  .object({
    columns,
    fields: z
      .array(z.object({ name: z.string(), label: z.string(), kind: ValueKindName, docTypes: z.array(DocTypeName) }))
      .describe('Every field whose values can be columns, with the types that have it.'),
  })
  .meta({ id: 'DocumentColumns' });

const example = {
  columns: ['type', 'state', 'field.invoice_date', 'arrived'],
  fields: [{ name: 'invoice_date', label: 'Invoice date', kind: 'date', docTypes: ['invoice'] }],
} as const satisfies z.input<typeof Columns>;

const getDocumentColumns = defineDashboardOperation({
  ...everyColumnOperation,
  id: 'getDocumentColumns',
  method: 'GET',
  path: '/api/dashboard/v1/documents/columns',
  summary: 'Get the columns of the list of documents',
  description: 'Those that the signed-in user has chosen, or the usual ones.',
  request: {},
  responses: { 200: { description: 'The columns.', body: Columns } },
  errors: [...anyDashboardErrors],
  examples: [{ summary: 'Chosen columns', request: {}, answer: { status: 200, body: example } }],
});

const setDocumentColumns = defineDashboardOperation({
  ...everyColumnOperation,
  id: 'setDocumentColumns',
  method: 'PUT',
  path: '/api/dashboard/v1/documents/columns',
  summary: 'Choose the columns of the list of documents',
  description: 'For the signed-in user, on every device. Null goes back to the usual columns.',
  request: { body: z.object({ columns: columns.nullable() }) },
  responses: { 200: { description: 'The columns.', body: Columns } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'With the invoice date',
      request: { body: { columns: [...example.columns] } },
      answer: { status: 200, body: example },
    },
  ],
});

/** The field of a column such as `field.invoice_date`; null for another column. */
export function fieldOfColumn(column: string): string | null {
  return column.startsWith('field.') ? column.slice('field.'.length) : null;
}

export const documentColumnOperations = [getDocumentColumns, setDocumentColumns] as const;
