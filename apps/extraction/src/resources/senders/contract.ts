import { DocTypeName } from '@millrace/extraction-contract/document-types';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Nothing,
  Time,
} from '../../http/dashboard-operation.ts';

const everySenderOperation = { ...everyDashboardOperation, tag: 'Suppliers' } as const;

const Sender = z
  .object({
    id: z.string(),
    name: z.string(),
    docType: DocTypeName.describe('What was learned from this type only helps with documents of the same type.'),
    documentCount: z.int().min(1).describe('How many confirmed documents it was learned from.'),
    lastConfirmedAt: Time,
    recognisedBy: z.array(z.enum(['tax_id', 'iban', 'name'])),
    fields: z.array(z.string()).describe('Fields whose position, label or constant value is known.'),
  })
  .meta({ id: 'Sender' });

const senderId = 'snd_01kamy7e8f9g0h1j2k3m4n5p6q';

const getSenders = defineDashboardOperation({
  ...everySenderOperation,
  id: 'getSenders',
  method: 'GET',
  path: '/api/dashboard/v1/senders',
  summary: 'List known suppliers',
  description: 'Most recently confirmed first.',
  request: { query: z.object(listQuery) },
  responses: { 200: { description: 'A page of suppliers.', body: listOf(Sender) } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'One supplier',
      request: {},
      answer: {
        status: 200,
        body: {
          items: [
            {
              id: senderId,
              name: 'Northwind Paper Ltd',
              docType: 'invoice',
              documentCount: 3,
              lastConfirmedAt: '2026-03-14T10:02:30.001Z',
              recognisedBy: ['tax_id', 'name'],
              fields: ['invoice_number', 'invoice_date', 'total_amount', 'vendor_name'],
            },
          ],
          nextCursor: null,
        },
      },
    },
  ],
});

const forgetSender = defineDashboardOperation({
  ...everySenderOperation,
  id: 'forgetSender',
  method: 'DELETE',
  path: '/api/dashboard/v1/senders/:id',
  summary: 'Forget a supplier',
  description:
    'Its next document is extracted as if none of its documents had been confirmed. Existing documents don’t change.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: 'Forgotten.', body: Nothing } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'A supplier', request: { params: { id: senderId } }, answer: { status: 200, body: {} } }],
});

export const senderOperations = [getSenders, forgetSender] as const;
