import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Time,
} from '../../http/dashboard-operation.ts';

/** How an attempt ended. */
const Outcome = z
  .enum(['delivered', 'failed', 'permanently_failed'])
  .describe('`permanently_failed`: it was the last scheduled attempt. Nothing more is sent unless it is resent.');

/** One attempt as the list shows it. */
const Delivery = z
  .object({
    id: z.string().describe('The value of `X-Svc-Delivery`.'),
    notificationId: z.string().describe('Shared by all attempts for one event and receiver.'),
    documentId: z.string().nullable().describe('Null for a test event.'),
    endpointId: z.string().nullable().describe('Null if it went to a `callback_url`.'),
    event: z.string(),
    url: z.string(),
    attempt: z.int().describe('From 1.'),
    outcome: Outcome,
    requestedAt: Time,
    latencyMs: z.int(),
    responseStatus: z.int().nullable().describe('Null if there was no response.'),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Null if it was delivered.'),
    nextAttemptAt: Time.nullable().describe('When the next attempt is due; null if there is none, or it is held back.'),
    heldBack: z.boolean().describe('The next attempt waits until the endpoint is resumed.'),
  })
  .meta({ id: 'Delivery' });

/** A body as it was sent. */
const Body = z
  .object({
    text: z.string().nullable().describe('Null if the bytes are not UTF-8 text.'),
    base64: z.string().nullable().describe('The bytes, if they are not text.'),
    lengthBytes: z.int().describe('Of the whole body.'),
    sha256: z.string().describe('Of the whole body, in hexadecimal.'),
    isWhole: z.boolean().describe('False if only the beginning was kept.'),
  })
  .meta({ id: 'DeliveryBody' });

/** One attempt in full. */
const FullDelivery = Delivery.extend({
  request: z.object({
    method: z.literal('POST'),
    headers: z.record(z.string(), z.string()),
    body: Body,
  }),
  response: z
    .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: Body })
    .nullable()
    .describe('Null if there was no response.'),
  attempts: z
    .array(z.object({ id: z.string(), attempt: z.int(), outcome: Outcome, requestedAt: Time }))
    .describe('Every attempt for the same event and receiver, oldest first.'),
}).meta({ id: 'FullDelivery' });

const deliveryParams = { params: z.object({ id: z.string().min(1).max(100).describe('The id of a delivery.') }) };
const tag = 'Deliveries';

const exampleDelivery = {
  id: 'dlv_01kamy7c8q2v6x0r3t5y7z9b1d',
  notificationId: 'ntf_01kamy7a8q2v6x0r3t5y7z9b1d',
  documentId: 'doc_01kamy4w8q2v6x0r3t5y7z9b1d',
  endpointId: 'whe_01kamy6c8q2v6x0r3t5y7z9b1d',
  event: 'extraction.completed',
  url: 'https://receiver.example/hook',
  attempt: 2,
  outcome: 'failed',
  requestedAt: '2026-03-14T09:27:24.102Z',
  latencyMs: 183,
  responseStatus: 503,
  error: { code: 'status', message: 'The receiver returned 503.' },
  nextAttemptAt: '2026-03-14T09:29:24.285Z',
  heldBack: false,
} as const satisfies z.input<typeof Delivery>;

const exampleText = '{"event":"extraction.completed"}';

const listDeliveries = defineDashboardOperation({
  ...everyDashboardOperation,
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/dashboard/v1/deliveries',
  tag,
  summary: 'List delivery attempts',
  description: 'Newest first: the last 500 of each endpoint, and the last 500 of all callbacks together.',
  request: {
    query: z.strictObject({
      ...listQuery,
      endpointId: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('Of one endpoint, or `callbacks` for those to a `callback_url`.'),
      outcome: Outcome.optional(),
      documentId: z.string().min(1).max(100).optional(),
      notificationId: z.string().min(1).max(100).optional(),
    }),
  },
  responses: { 200: { description: 'A page of attempts.', body: listOf(Delivery) } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'Those of an endpoint that failed',
      request: { query: { endpointId: exampleDelivery.endpointId, outcome: 'failed' } },
      answer: { status: 200, body: { items: [exampleDelivery], nextCursor: null } },
    },
  ],
});

const getDelivery = defineDashboardOperation({
  ...everyDashboardOperation,
  id: 'getDelivery',
  method: 'GET',
  path: '/api/dashboard/v1/deliveries/:id',
  tag,
  summary: 'Get a delivery attempt',
  description: 'The request and response with headers and bodies. The first 64 KB of a response are kept.',
  request: deliveryParams,
  responses: { 200: { description: 'The attempt.', body: FullDelivery } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'An attempt that failed',
      request: { params: { id: exampleDelivery.id } },
      answer: {
        status: 200,
        body: {
          ...exampleDelivery,
          request: {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-svc-delivery': exampleDelivery.id },
            body: {
              text: exampleText,
              base64: null,
              lengthBytes: 32,
              sha256: '9b1c8d5f0a5f4f2b8f4d2f6f3c7a1e0d9b8a7c6d5e4f3a2b1c0d9e8f7a6b5c4d',
              isWhole: true,
            },
          },
          response: {
            status: 503,
            headers: { 'content-type': 'text/plain' },
            body: {
              text: 'busy',
              base64: null,
              lengthBytes: 4,
              sha256: '4d2f6f3c7a1e0d9b8a7c6d5e4f3a2b1c0d9e8f7a6b5c4d9b1c8d5f0a5f4f2b8f',
              isWhole: true,
            },
          },
          attempts: [
            {
              id: 'dlv_01kamy7b8q2v6x0r3t5y7z9b1d',
              attempt: 1,
              outcome: 'failed',
              requestedAt: '2026-03-14T09:26:54.102Z',
            },
            { id: exampleDelivery.id, attempt: 2, outcome: 'failed', requestedAt: exampleDelivery.requestedAt },
          ],
        },
      },
    },
  ],
});

const Resent = z.object({ count: z.int().describe('Events that were queued again.') });

const resendDelivery = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'resendDelivery',
  method: 'POST',
  path: '/api/dashboard/v1/deliveries/:id/resend',
  tag,
  summary: 'Resend a delivery',
  description: 'Resends the same bytes to the same receiver immediately, under a new delivery id and with all retries.',
  request: deliveryParams,
  responses: { 202: { description: 'Queued.', body: Resent } },
  errors: ['not_found', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'One delivery',
      request: { params: { id: exampleDelivery.id } },
      answer: { status: 202, body: { count: 1 } },
    },
  ],
});

const resendSince = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'resendSince',
  method: 'POST',
  path: '/api/dashboard/v1/deliveries/resend',
  tag,
  summary: 'Resend everything since a time',
  description:
    'Resends each event once per receiver, delivered or not, except test events, removed endpoints and pending ' +
    'deliveries.',
  request: {
    body: z.strictObject({
      since: Time,
      endpointId: z.string().min(1).max(100).optional().describe('Only of this endpoint.'),
      onlyFailed: z.boolean().default(false).describe('Leaves out delivered events.'),
    }),
  },
  responses: { 202: { description: 'Queued.', body: Resent } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'What failed for one endpoint',
      request: {
        body: { since: '2026-03-14T00:00:00.000Z', endpointId: exampleDelivery.endpointId, onlyFailed: true },
      },
      answer: { status: 202, body: { count: 17 } },
    },
  ],
});

export const deliveryOperations = [listDeliveries, getDelivery, resendDelivery, resendSince] as const;
