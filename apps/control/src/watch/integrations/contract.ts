import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { eventKinds } from '../events/contract.ts';

const integrationKinds = ['email', 'slack', 'pagerduty', 'webhook', 'opentelemetry', 'siem'] as const;

/** The kinds that receive notifications; the others receive a continuous stream. */
export const notifiableKinds = ['email', 'slack', 'pagerduty', 'webhook'] as const;

const Host = z
  .string()
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\[[0-9a-fA-F:.]{2,45}\])$/,
    'Enter a host name or an IP address, without scheme or port.',
  );
const Port = z.int().min(1).max(65_535);
const Url = z.url({ protocol: /^https?$/, error: 'Must start with https:// or http://.' }).max(500);
const Pem = z.string().max(65_536);
const events = z
  .array(z.enum(eventKinds))
  .max(eventKinds.length)
  .default([])
  .describe('Events that it receives in addition to the incidents of its alert rules.');

/** The settings of each kind, without secrets. */
export const IntegrationSettings = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('email'),
    recipients: z.array(z.email().max(254)).min(1).max(20),
    server: z
      .strictObject({
        host: Host,
        port: Port.default(587),
        security: z
          .enum(['starttls', 'tls', 'none'])
          .default('starttls')
          .describe('`none`: only for servers at loopback or explicitly allowed addresses.'),
        userName: z.string().min(1).max(254).nullable().default(null).describe('Null: without signing in.'),
        from: z.email().max(254).describe('Sender’s address.'),
        certificateAuthorities: Pem.nullable()
          .default(null)
          .describe('PEM of the authorities that sign its certificate; null: the public ones.'),
      })
      .nullable()
      .default(null)
      .describe('Own SMTP server; null: the platform’s. Its password is the secret.'),
    events,
  }),
  z.strictObject({
    kind: z.literal('slack'),
    channel: z.string().max(80).default('').describe('Where the webhook posts, for people; Slack decides it.'),
    events,
  }),
  z.strictObject({
    kind: z.literal('pagerduty'),
    url: Url.default('https://events.pagerduty.com/v2/enqueue').describe(
      'Events API v2; in the EU `https://events.eu.pagerduty.com/v2/enqueue`.',
    ),
  }),
  z.strictObject({ kind: z.literal('webhook'), url: Url, events }),
  z.strictObject({
    kind: z.literal('opentelemetry'),
    url: Url.describe('OTLP/HTTP endpoint for metrics, such as `https://collector.example/v1/metrics`.'),
    headerName: z
      .string()
      .max(100)
      .regex(/^[A-Za-z0-9-]+$/, 'Use letters, digits and hyphens.')
      .refine((name) => !/^(?:host|connection|transfer-encoding|content-.*|expect|upgrade)$/i.test(name), {
        error: 'This header is set by the connection itself.',
      })
      .nullable()
      .default(null)
      .describe('Header that carries the secret, such as `Authorization`; null: none.'),
  }),
  z.strictObject({
    kind: z.literal('siem'),
    host: Host,
    port: Port.default(6514),
    transport: z
      .enum(['tls', 'tcp'])
      .default('tls')
      .describe('`tcp`: only to loopback or explicitly allowed addresses.'),
    format: z.enum(['json', 'cef']).default('json'),
    serverName: Host.nullable().default(null).describe('Name to request (SNI) and verify; null: the host.'),
    certificateAuthorities: Pem.nullable()
      .default(null)
      .describe('PEM of the authorities that sign its certificate; null: the public ones.'),
    clientCertificate: Pem.nullable()
      .default(null)
      .describe('PEM of the client certificate, with its chain; null: none. Its private key is the secret.'),
  }),
]);

export type IntegrationSettings = z.output<typeof IntegrationSettings>;

const Stream = z.object({
  sentUpTo: Time.nullable().describe('Everything up to this time arrived; null: nothing yet.'),
  waiting: z.int().describe('Entries or ten-second figures that still have to be sent.'),
});

export const Integration = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(integrationKinds),
    settings: IntegrationSettings,
    hasSecret: z.boolean().describe('Whether a secret is stored. It is never returned here.'),
    previousSecretValidUntil: Time.nullable().describe('Until when a webhook is also signed with the previous secret.'),
    enabled: z.boolean(),
    health: z
      .enum(['unknown', 'working', 'failing'])
      .describe('By its last attempts. `failing`: the last three, or all for an hour, failed.'),
    failingSince: Time.nullable(),
    lastAttemptAt: Time.nullable(),
    lastDeliveredAt: Time.nullable(),
    lastError: z.string().nullable().describe('Of the last attempt; null if it was delivered.'),
    queued: z.int().describe('Deliveries that wait for an attempt.'),
    stream: Stream.nullable().describe('Of OpenTelemetry and SIEM integrations.'),
    ...versioned,
  })
  .meta({ id: 'Integration' });

const withSecret = (id: string, description: string) =>
  Integration.extend({ secret: z.string().nullable().describe(description) }).meta({ id });

const Secret = z
  .string()
  .min(1)
  .max(16_384)
  .describe(
    'SMTP password, Slack webhook URL, PagerDuty integration key, value of the OpenTelemetry header, or PEM of the ' +
      'SIEM client key. A webhook’s signing secret is generated.',
  );

const longestGraceSeconds = 7 * 86_400;

const fields = { name: displayName(), settings: IntegrationSettings, enabled: z.boolean() };

const params = z.object({ integrationId: Id });
const secretAudit = { category: 'security', severity: 'medium', entityType: 'integration' } as const;
const tag = 'Integrations';

/** An integration in the examples of the reference. */
const exampleIntegration = {
  id: 'itg_00000000000000000000000001',
  name: 'Operations webhook',
  kind: 'webhook' as const,
  settings: {
    kind: 'webhook' as const,
    url: 'https://receiver.example/millrace',
    events: ['deployment.failed' as const],
  },
  hasSecret: true,
  previousSecretValidUntil: null,
  enabled: true,
  health: 'working' as const,
  failingSince: null,
  lastAttemptAt: '2026-01-15T09:00:01.000Z',
  lastDeliveredAt: '2026-01-15T09:00:01.000Z',
  lastError: null,
  queued: 0,
  stream: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { integrationId: exampleIntegration.id };
const exampleSecret = 'whsec_q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk';

export const integrationOperations = [
  defineOperation({
    id: 'listIntegrations',
    method: 'GET',
    path: '/integrations',
    tag,
    summary: 'List integrations, without their secrets',
    access: 'integration.read',
    audit: null,
    request: {
      query: listQuery(['name', 'kind', 'createdAt', 'updatedAt'], {
        kind: Integration.shape.kind.optional(),
        enabled: z.stringbool().optional(),
        health: Integration.shape.health.optional(),
      }),
    },
    data: listData('integrations', Integration),
    example: { request: { query: { kind: 'webhook' } }, data: { integrations: [exampleIntegration], total: 1 } },
  }),
  defineOperation({
    id: 'createIntegration',
    method: 'POST',
    path: '/integrations',
    tag,
    summary: 'Create an integration',
    description:
      'The signing secret of a webhook is generated and only in this response. An organization has at most 100 integrations.',
    access: 'integration.write',
    audit: secretAudit,
    production: 'never',
    request: {
      body: z.strictObject({
        name: fields.name,
        settings: fields.settings,
        secret: Secret.optional(),
        enabled: fields.enabled.default(true),
      }),
    },
    data: withSecret('CreatedIntegration', 'The generated signing secret, shown only once; null for other kinds.'),
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        body: {
          name: exampleIntegration.name,
          settings: {
            kind: 'webhook',
            url: exampleIntegration.settings.url,
            events: [...exampleIntegration.settings.events],
          },
        },
      },
      data: {
        ...exampleIntegration,
        health: 'unknown',
        lastAttemptAt: null,
        lastDeliveredAt: null,
        secret: exampleSecret,
      },
    },
  }),
  defineOperation({
    id: 'getIntegration',
    method: 'GET',
    path: '/integrations/:integrationId',
    tag,
    summary: 'Show an integration, without its secret',
    access: 'integration.read',
    audit: null,
    request: { params },
    data: Integration,
    example: { request: { params: exampleParams }, data: exampleIntegration },
  }),
  defineOperation({
    id: 'updateIntegration',
    method: 'PATCH',
    path: '/integrations/:integrationId',
    tag,
    summary: 'Change an integration',
    description:
      'Changes the given fields; settings are replaced as a whole, and their kind can’t be changed. If a stored secret would ' +
      'be sent somewhere else, the secret has to be given again.',
    access: 'integration.write',
    audit: secretAudit,
    production: 'never',
    request: { params, body: z.strictObject({ ...fields, secret: Secret }).partial() },
    data: Integration,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { name: 'On-call webhook' } },
      data: { ...exampleIntegration, name: 'On-call webhook', version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteIntegration',
    method: 'DELETE',
    path: '/integrations/:integrationId',
    tag,
    summary: 'Delete an integration',
    description: 'Also deletes its deliveries; those still queued are not sent. Alert rules no longer notify it.',
    access: 'integration.write',
    audit: { category: 'configuration', severity: 'medium', entityType: 'integration' },
    production: 'never',
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'rotateIntegration',
    method: 'POST',
    path: '/integrations/:integrationId/rotate',
    tag,
    summary: 'Replace an integration’s secret',
    description:
      'Generates a new signing secret for a webhook, which until the end of the grace period is signed with both. For other ' +
      'kinds, give the new secret.',
    access: 'integration.write',
    audit: secretAudit,
    production: 'never',
    request: {
      params,
      body: z.strictObject({
        secret: Secret.optional(),
        graceSeconds: z
          .int()
          .min(0)
          .max(longestGraceSeconds)
          .default(86_400)
          .describe('How long a webhook is also signed with the old secret, at most 7 days.'),
      }),
    },
    data: withSecret('RotatedIntegration', 'The generated signing secret, shown only once; null for other kinds.'),
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { graceSeconds: 3_600 } },
      data: {
        ...exampleIntegration,
        previousSecretValidUntil: '2026-01-15T10:00:00.000Z',
        secret: exampleSecret,
        version: 2,
      },
    },
  }),
  defineOperation({
    id: 'revealIntegration',
    method: 'POST',
    path: '/integrations/:integrationId/reveal',
    tag,
    summary: 'Reveal an integration’s secret',
    description: 'Each reveal is audited with high severity.',
    access: 'integration.reveal',
    audit: { ...secretAudit, severity: 'high' },
    production: 'never',
    request: { params },
    data: withSecret('RevealedIntegration', 'The stored secret; null if there is none.'),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleIntegration, secret: exampleSecret } },
  }),
] as const;
