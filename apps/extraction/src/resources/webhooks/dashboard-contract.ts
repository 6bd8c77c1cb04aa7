import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Nothing,
  Time,
} from '../../http/dashboard-operation.ts';

/** Every kind of event that an endpoint can subscribe to. */
export const eventKinds = ['extraction.completed'] as const;

/** Endpoints that one account may have; each event is sent to every one of them. */
export const endpointLimit = 50;

const Url = z.string().trim().min(1).max(2048).describe('A public HTTPS address.');
const Events = z.array(z.enum(eventKinds)).min(1).max(eventKinds.length);

/** An account-wide endpoint as the dashboard shows it. */
const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.enum(eventKinds)),
    state: z.enum(['active', 'paused']),
    pausedBy: z
      .enum(['person', 'failures'])
      .nullable()
      .describe('`failures`: paused because no delivery succeeded for days. Null while active.'),
    pausedAt: Time.nullable(),
    failingSince: Time.nullable().describe(
      'The first failed attempt since the last success; null while deliveries succeed.',
    ),
    lastSuccessAt: Time.nullable(),
    waitingCount: z.int().describe('Events waiting for an attempt, including those held back by a pause.'),
    previousSecretExpiresAt: Time.nullable().describe('The end of the overlap after a rotation; null without one.'),
    createdAt: Time,
  })
  .meta({ id: 'Webhook' });

const Secret = z.string().describe('Signs every delivery. Only returned here.');

const endpointParams = { params: z.object({ id: z.string().min(1).max(100).describe('The id of an endpoint.') }) };
const tag = 'Webhooks';

const exampleWebhook = {
  id: 'whe_01kamy6c8q2v6x0r3t5y7z9b1d',
  url: 'https://receiver.example/hook',
  events: ['extraction.completed'],
  state: 'active',
  pausedBy: null,
  pausedAt: null,
  failingSince: null,
  lastSuccessAt: '2026-03-14T09:26:54.102Z',
  waitingCount: 0,
  previousSecretExpiresAt: null,
  createdAt: '2026-03-01T08:00:00.000Z',
} as const satisfies z.input<typeof Webhook>;

const exampleSecret = 'whsec_00000000000000000000000000000000000000000000';

const listWebhooks = defineDashboardOperation({
  ...everyDashboardOperation,
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/dashboard/v1/webhooks',
  tag,
  summary: 'List endpoints',
  description: 'All endpoints, oldest first.',
  request: {},
  responses: {
    200: {
      description: 'The endpoints.',
      body: z.object({
        items: z.array(Webhook),
        limit: z.int().describe('The most endpoints an account can have.'),
        eventKinds: z.array(z.enum(eventKinds)).describe('What an endpoint can subscribe to.'),
        primarySecret: z
          .object({ createdAt: Time, previousExpiresAt: Time.nullable() })
          .nullable()
          .describe('Signs deliveries to a `callback_url`.'),
      }),
    },
  },
  errors: anyDashboardErrors,
  examples: [
    {
      summary: 'One endpoint',
      request: {},
      answer: {
        status: 200,
        body: {
          items: [exampleWebhook],
          limit: endpointLimit,
          eventKinds: ['extraction.completed'],
          primarySecret: { createdAt: '2026-03-01T08:00:00.000Z', previousExpiresAt: null },
        },
      },
    },
  ],
});

const getWebhook = defineDashboardOperation({
  ...everyDashboardOperation,
  id: 'getWebhook',
  method: 'GET',
  path: '/api/dashboard/v1/webhooks/:id',
  tag,
  summary: 'Get an endpoint',
  description: 'The endpoint and the state of its deliveries.',
  request: endpointParams,
  responses: { 200: { description: 'The endpoint.', body: Webhook } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'An endpoint',
      request: { params: { id: exampleWebhook.id } },
      answer: { status: 200, body: exampleWebhook },
    },
  ],
});

const createWebhook = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'createWebhook',
  method: 'POST',
  path: '/api/dashboard/v1/webhooks',
  tag,
  summary: 'Add an endpoint',
  description: 'Only this response contains its signing secret.',
  request: { body: z.strictObject({ url: Url, events: Events.optional().describe('All kinds by default.') }) },
  responses: {
    201: { description: 'The endpoint and its secret.', body: z.object({ webhook: Webhook, secret: Secret }) },
  },
  errors: ['invalid_request', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'An endpoint for every event',
      request: { body: { url: exampleWebhook.url } },
      answer: {
        status: 201,
        body: { webhook: { ...exampleWebhook, lastSuccessAt: null }, secret: exampleSecret },
      },
    },
  ],
});

const updateWebhook = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/dashboard/v1/webhooks/:id',
  tag,
  summary: 'Change, pause or resume an endpoint',
  description:
    'Events for a paused endpoint are queued and sent when it is resumed. A new URL also gets the pending events.',
  request: {
    ...endpointParams,
    body: z.strictObject({
      url: Url.optional(),
      events: Events.optional(),
      state: z.enum(['active', 'paused']).optional(),
    }),
  },
  responses: { 200: { description: 'The changed endpoint.', body: Webhook } },
  errors: ['invalid_request', 'not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A pause',
      request: { params: { id: exampleWebhook.id }, body: { state: 'paused' } },
      answer: {
        status: 200,
        body: { ...exampleWebhook, state: 'paused', pausedBy: 'person', pausedAt: '2026-03-15T10:00:00.000Z' },
      },
    },
  ],
});

const rotateWebhookSecret = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/dashboard/v1/webhooks/:id/secret',
  tag,
  summary: 'Rotate a signing secret',
  description:
    'During the overlap every delivery is signed with both secrets, so that the receiver can be switched without a ' +
    'gap. The id `primary` rotates the secret for deliveries to a `callback_url`.',
  request: {
    params: z.object({ id: z.string().min(1).max(100).describe('The id of an endpoint, or `primary`.') }),
    body: z.strictObject({ overlapHours: z.int().min(0).max(168).default(24) }),
  },
  responses: {
    200: { description: 'The new secret.', body: z.object({ secret: Secret, previousExpiresAt: Time }) },
  },
  errors: ['invalid_request', 'not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'With a day of overlap',
      request: { params: { id: exampleWebhook.id }, body: { overlapHours: 24 } },
      answer: { status: 200, body: { secret: exampleSecret, previousExpiresAt: '2026-03-16T10:00:00.000Z' } },
    },
  ],
});

const testWebhook = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'testWebhook',
  method: 'POST',
  path: '/api/dashboard/v1/webhooks/:id/test',
  tag,
  summary: 'Send a test event',
  description:
    'Sends `webhook.test`, in the shape of a real event, also to a paused endpoint. Its attempts are listed among the ' +
    'deliveries under the `notificationId`.',
  request: endpointParams,
  responses: { 202: { description: 'Queued.', body: z.object({ notificationId: z.string() }) } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A test',
      request: { params: { id: exampleWebhook.id } },
      answer: { status: 202, body: { notificationId: 'ntf_01kamy8d8q2v6x0r3t5y7z9b1d' } },
    },
  ],
});

const removeWebhook = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'removeWebhook',
  method: 'DELETE',
  path: '/api/dashboard/v1/webhooks/:id',
  tag,
  summary: 'Remove an endpoint',
  description: 'Nothing more is sent to it, and its secrets are destroyed. Its deliveries remain listed.',
  request: endpointParams,
  responses: { 200: { description: 'Deleted.', body: Nothing } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A removal',
      request: { params: { id: exampleWebhook.id } },
      answer: { status: 200, body: {} },
    },
  ],
});

export const webhookOperations = [
  listWebhooks,
  getWebhook,
  createWebhook,
  updateWebhook,
  rotateWebhookSecret,
  testWebhook,
  removeWebhook,
] as const;
