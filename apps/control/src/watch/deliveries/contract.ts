import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';
import { notificationKinds } from '../events/contract.ts';

/** Every way in which an attempt fails. */
const DeliveryError = z.object({
  code: z
    .enum([
      'blocked_address',
      'dns',
      'connection_refused',
      'connection_failed',
      'connection_closed',
      'tls',
      'timeout',
      'redirect',
      'unsuccessful_status',
      'invalid_response',
      'rejected',
    ])
    .describe('`rejected`: a mail server or receiver refused the message itself.'),
  message: z.string(),
});

const Attempt = z.object({
  number: z.int().describe('From 1.'),
  byHand: z.boolean().describe('Whether someone sent it again.'),
  at: Time,
  latencyMs: z.number(),
  status: z.int().nullable().describe('HTTP or SMTP status; null if there was no answer.'),
  error: DeliveryError.nullable().describe('Null: delivered.'),
  answer: z.string().describe('The first 4 KB of the answer’s body, or the mail server’s reply.'),
  answerBytes: z.int().describe('Length of the whole answer.'),
});

export const IntegrationDelivery = z
  .object({
    id: Id,
    integrationId: Id,
    notificationId: z.string().describe('Stable: every attempt carries it, so that a receiver recognises repeats.'),
    kind: z.enum(notificationKinds),
    subject: z.object({ type: z.string(), id: z.string() }).describe('What it is about, such as an incident.'),
    state: z
      .enum(['queued', 'delivered', 'failed', 'skipped'])
      .describe(
        '`failed`: after the last attempt; resend it by hand. `skipped`: it was no longer due when its time came, ' +
          'such as an escalation of an acknowledged incident.',
      ),
    request: z
      .object({
        target: z.string().describe('URL or host and recipients, without secrets.'),
        headers: z.record(z.string(), z.string()),
        body: z.string().describe('The first 16 KB.'),
      })
      .nullable()
      .describe('What was last sent, without secrets; null before the first attempt.'),
    attempts: z.array(Attempt).describe('The last ten, oldest first.'),
    attemptCount: z.int(),
    nextAttemptAt: Time.nullable().describe('Null unless queued.'),
    createdAt: Time,
    deliveredAt: Time.nullable(),
  })
  .meta({ id: 'IntegrationDelivery' });

const exampleDelivery = {
  id: 'idl_00000000000000000000000001',
  integrationId: 'itg_00000000000000000000000001',
  notificationId: 'inc_00000000000000000000000001:1',
  kind: 'incident.opened' as const,
  subject: { type: 'incident', id: 'inc_00000000000000000000000001' },
  state: 'delivered' as const,
  request: {
    target: 'https://receiver.example/millrace',
    headers: { 'content-type': 'application/json', 'x-svc-delivery': 'idl_00000000000000000000000001' },
    body: '{"event":"incident.opened"}',
  },
  attempts: [
    {
      number: 1,
      byHand: false,
      at: '2026-01-15T09:00:01.000Z',
      latencyMs: 48,
      status: 200,
      error: null,
      answer: 'ok',
      answerBytes: 2,
    },
  ],
  attemptCount: 1,
  nextAttemptAt: null,
  createdAt: '2026-01-15T09:00:00.000Z',
  deliveredAt: '2026-01-15T09:00:01.000Z',
};

const params = z.object({ integrationId: Id });
const tag = 'Integrations';

export const integrationDeliveryOperations = [
  defineOperation({
    id: 'testIntegration',
    method: 'POST',
    path: '/integrations/:integrationId/test',
    tag,
    summary: 'Send a test now',
    description:
      'Sends a real message, once, and returns what came back within 15 seconds. A disabled integration can be tested too.',
    access: 'integration.write',
    audit: { category: 'configuration', severity: 'low', entityType: 'integration' },
    production: 'never',
    request: { params },
    data: IntegrationDelivery,
    errors: ['conflict', 'too_many_requests'],
    example: {
      request: { params: { integrationId: exampleDelivery.integrationId } },
      data: {
        ...exampleDelivery,
        kind: 'test',
        notificationId: 'idl_00000000000000000000000001',
        subject: { type: 'integration', id: exampleDelivery.integrationId },
      },
    },
  }),
  defineOperation({
    id: 'listIntegrationDeliveries',
    method: 'GET',
    path: '/integrations/:integrationId/deliveries',
    tag,
    summary: 'List what an integration sent, and the answers',
    description: 'Deliveries are kept for 30 days.',
    access: 'integration.read',
    audit: null,
    request: {
      params,
      query: listQuery(['-createdAt', 'kind', 'state'], {
        state: IntegrationDelivery.shape.state.optional(),
        kind: IntegrationDelivery.shape.kind.optional(),
        subjectId: z.string().max(64).optional().describe('Such as an incident’s id.'),
      }),
    },
    data: listData('deliveries', IntegrationDelivery),
    example: {
      request: { params: { integrationId: exampleDelivery.integrationId }, query: { state: 'delivered' } },
      data: { deliveries: [exampleDelivery], total: 1 },
    },
  }),
  defineOperation({
    id: 'resendIntegrationDelivery',
    method: 'POST',
    path: '/integrations/:integrationId/deliveries/:deliveryId/resend',
    tag,
    summary: 'Send a delivery again',
    description: 'Queues one more attempt with the same notification id and content.',
    access: 'integration.write',
    audit: { category: 'configuration', severity: 'low', entityType: 'integration_delivery' },
    production: 'never',
    request: { params: z.object({ integrationId: Id, deliveryId: Id }) },
    data: IntegrationDelivery,
    errors: ['conflict'],
    example: {
      request: { params: { integrationId: exampleDelivery.integrationId, deliveryId: exampleDelivery.id } },
      data: { ...exampleDelivery, state: 'queued', nextAttemptAt: '2026-01-15T09:10:00.000Z' },
    },
  }),
] as const;
