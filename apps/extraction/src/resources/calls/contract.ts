import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Time,
} from '../../http/dashboard-operation.ts';

/** Statuses that are looked for together. */
export const statusClasses = ['success', 'client_error', 'server_error'] as const;

export const Call = z
  .object({
    id: z.string(),
    at: Time,
    keyId: z.string(),
    keyName: z.string(),
    keyPrefix: z.string(),
    method: z.string(),
    route: z.string().describe('The path with parameters such as `:name`.'),
    status: z.int(),
    latencyMs: z.int(),
    errorCode: z.string().nullable(),
    documentId: z.string().nullable().describe('Of the document that the call created or fetched.'),
  })
  .meta({ id: 'Call' });

const listCalls = defineDashboardOperation({
  ...everyDashboardOperation,
  tag: 'Logs',
  id: 'listCalls',
  method: 'GET',
  path: '/api/dashboard/v1/calls',
  summary: 'List API calls',
  description: 'Calls with the account’s keys in the last 7 days, newest first.',
  request: {
    query: z.object({
      ...listQuery,
      keyId: z.string().max(100).optional(),
      status: z.enum(statusClasses).optional().describe('2xx, 4xx or 5xx.'),
      from: Time.optional(),
      to: Time.optional(),
    }),
  },
  responses: { 200: { description: 'A page of them.', body: listOf(Call) } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'What failed',
      request: { query: { status: 'client_error' } },
      answer: {
        status: 200,
        body: {
          items: [
            {
              id: 'call_01kamy4w8q2v6x0r3t5y7z9b1d',
              at: '2026-03-14T09:30:00.000Z',
              keyId: 'key_01kamy4w8q2v6x0r3t5y7z9b1d',
              keyName: 'Accounting',
              keyPrefix: 'mr_live_4fGz',
              method: 'POST',
              route: '/api/external/v1/extract',
              status: 400,
              latencyMs: 12,
              errorCode: 'unsupported_file_type',
              documentId: null,
            },
          ],
          nextCursor: null,
        },
      },
    },
  ],
});

export const callOperations = [listCalls] as const;
