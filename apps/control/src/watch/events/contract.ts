import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

const Place = { environmentId: Id, environmentName: z.string() };
const AffectedProxy = { proxyId: Id, proxyName: z.string() };
const Actor = z.string().nullable().describe('Name of whoever did it; null: Millrace itself.');

export const Severity = z.enum(['info', 'warning', 'critical']);

/** An incident as notifications report it. */
const IncidentData = z
  .object({
    incidentId: Id,
    fingerprint: z.string().max(200).describe('The same for every notification of an incident and its reopening.'),
    title: z.string().max(300),
    state: z.enum(['open', 'acknowledged', 'monitoring', 'resolved']),
    severity: Severity,
    ruleId: Id,
    ruleName: z.string(),
    metric: z.string(),
    operator: z.string(),
    value: z.number().nullable().describe('Measured value; null: no data.'),
    threshold: z.number(),
    unit: z
      .enum(['per_second', 'percent', 'milliseconds', 'seconds', 'days', 'count', 'money', 'boolean'])
      .describe('Of the value and the threshold.'),
    environmentId: Id.nullable().describe('Null: the rule watches something that belongs to no environment.'),
    environmentName: z.string().nullable(),
    proxyId: Id.nullable(),
    proxyName: z.string().nullable().describe('The affected API; null: none, or several.'),
    members: z.int().describe('Alerts that fire in it.'),
    openedAt: Time,
    acknowledgedAt: Time.nullable(),
    resolvedAt: Time.nullable(),
    by: Actor,
    summary: z.string().nullable().describe('Of a resolved incident.'),
  })
  .meta({ id: 'IncidentEventData' });

const DeploymentData = z
  .object({
    deploymentId: Id,
    ...Place,
    ...AffectedProxy,
    revision: z.int(),
    strategy: z.string(),
    reason: z.string().nullable().describe('Why it failed or was rolled back.'),
    by: Actor,
  })
  .meta({ id: 'DeploymentEventData' });

const ApprovalData = z
  .object({
    approvalId: z.string().describe('Of the lifecycle request or production change.'),
    of: z.enum(['lifecycle', 'production_change']),
    summary: z.string(),
    proxyId: Id.nullable(),
    proxyName: z.string().nullable(),
    requestedBy: z.string(),
    decision: z
      .enum(['approved', 'rejected', 'withdrawn', 'void'])
      .nullable()
      .describe('Null until it is decided. `void`: what it was about is no longer there.'),
    decidedBy: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'ApprovalEventData' });

const SubscriptionData = z
  .object({
    subscriptionId: Id,
    appId: Id,
    appName: z.string(),
    developerId: Id,
    developerName: z.string(),
    productId: Id,
    productName: z.string(),
    state: z.string(),
    by: Actor,
  })
  .meta({ id: 'SubscriptionEventData' });

const InvoiceData = z
  .object({
    invoiceId: Id,
    number: z.string(),
    developerId: Id,
    developerName: z.string(),
    currency: z.string(),
    total: z.string().describe('With tax, as a decimal number.'),
    dueOn: z.string().nullable().describe('Date, as YYYY-MM-DD.'),
    by: Actor,
  })
  .meta({ id: 'InvoiceEventData' });

const TestData = z
  .object({ message: z.string(), integrationId: Id, integrationName: z.string() })
  .meta({ id: 'TestEventData' });

/** What each kind of notification reports. */
const notificationSchemas = {
  'incident.opened': IncidentData,
  'incident.reopened': IncidentData,
  'incident.escalated': IncidentData,
  'incident.acknowledged': IncidentData,
  'incident.monitoring': IncidentData,
  'incident.resolved': IncidentData,
  'deployment.succeeded': DeploymentData,
  'deployment.failed': DeploymentData,
  'deployment.rolled_back': DeploymentData,
  'approval.requested': ApprovalData,
  'approval.decided': ApprovalData,
  'subscription.requested': SubscriptionData,
  'subscription.approved': SubscriptionData,
  'subscription.revoked': SubscriptionData,
  'invoice.created': InvoiceData,
  'invoice.paid': InvoiceData,
  test: TestData,
} as const;

export type NotificationKind = keyof typeof notificationSchemas;
export type NotificationData<Kind extends NotificationKind = NotificationKind> = z.output<
  (typeof notificationSchemas)[Kind]
>;

export const notificationKinds = Object.keys(notificationSchemas) as [NotificationKind, ...NotificationKind[]];

/** The kinds that an integration can subscribe to: all but the test, which is only sent on request. */
export const eventKinds = notificationKinds.filter((kind) => kind !== 'test') as [
  Exclude<NotificationKind, 'test'>,
  ...Exclude<NotificationKind, 'test'>[],
];

const bodyOf = <const Kind extends NotificationKind>(kind: Kind) =>
  z.object({ event: z.literal(kind), timestamp: Time, data: notificationSchemas[kind] });

/** The body that webhooks receive. */
export const EventBody = z
  .discriminatedUnion('event', [
    bodyOf('incident.opened'),
    bodyOf('incident.reopened'),
    bodyOf('incident.escalated'),
    bodyOf('incident.acknowledged'),
    bodyOf('incident.monitoring'),
    bodyOf('incident.resolved'),
    bodyOf('deployment.succeeded'),
    bodyOf('deployment.failed'),
    bodyOf('deployment.rolled_back'),
    bodyOf('approval.requested'),
    bodyOf('approval.decided'),
    bodyOf('subscription.requested'),
    bodyOf('subscription.approved'),
    bodyOf('subscription.revoked'),
    bodyOf('invoice.created'),
    bodyOf('invoice.paid'),
    bodyOf('test'),
  ])
  .meta({ id: 'EventBody' });

const EventKind = z
  .object({
    kind: z.enum(notificationKinds),
    description: z.string(),
    example: EventBody.describe('The body that a webhook receives.'),
  })
  .meta({ id: 'EventKind' });

const exampleIncident: NotificationData<'incident.opened'> = {
  incidentId: 'inc_00000000000000000000000001',
  fingerprint: 'alr_00000000000000000000000001:env_00000000000000000000000001',
  title: 'Error rate of orders above 5 %',
  state: 'open',
  severity: 'critical',
  ruleId: 'alr_00000000000000000000000001',
  ruleName: 'Error rate of orders',
  metric: 'error_rate',
  operator: '>',
  value: 12.5,
  threshold: 5,
  unit: 'percent',
  environmentId: 'env_00000000000000000000000001',
  environmentName: 'Production',
  proxyId: 'prx_00000000000000000000000001',
  proxyName: 'orders',
  members: 1,
  openedAt: '2026-01-15T09:00:00.000Z',
  acknowledgedAt: null,
  resolvedAt: null,
  by: null,
  summary: null,
};
const acknowledged = { ...exampleIncident, state: 'acknowledged', acknowledgedAt: '2026-01-15T09:05:00.000Z' } as const;
const exampleDeployment: NotificationData<'deployment.succeeded'> = {
  deploymentId: 'dep_00000000000000000000000001',
  environmentId: 'env_00000000000000000000000001',
  environmentName: 'Production',
  proxyId: 'prx_00000000000000000000000001',
  proxyName: 'orders',
  revision: 7,
  strategy: 'rolling',
  reason: null,
  by: 'Robin Example',
};
const exampleApproval: NotificationData<'approval.requested'> = {
  approvalId: 'lcr_00000000000000000000000001',
  of: 'lifecycle',
  summary: 'Review revision of orders',
  proxyId: 'prx_00000000000000000000000001',
  proxyName: 'orders',
  requestedBy: 'Robin Example',
  decision: null,
  decidedBy: null,
  reason: null,
};
const exampleSubscription: NotificationData<'subscription.requested'> = {
  subscriptionId: 'sub_00000000000000000000000001',
  appId: 'app_00000000000000000000000001',
  appName: 'shop-frontend',
  developerId: 'dev_00000000000000000000000001',
  developerName: 'Sam Example',
  productId: 'prd_00000000000000000000000001',
  productName: 'Orders',
  state: 'pending',
  by: 'Sam Example',
};
const exampleInvoice: NotificationData<'invoice.created'> = {
  invoiceId: 'ivc_00000000000000000000000001',
  number: 'INV-2026-0001',
  developerId: 'dev_00000000000000000000000001',
  developerName: 'Sam Example',
  currency: 'EUR',
  total: '119.00',
  dueOn: '2026-01-29',
  by: null,
};
const timestamp = '2026-01-15T09:00:00.000Z';

/** Every kind with its description and an example of its body, in the order of the reference. */
export const eventCatalogue: readonly z.output<typeof EventKind>[] = [
  {
    kind: 'incident.opened',
    description: 'An alert rule fires and opened an incident',
    example: { event: 'incident.opened', timestamp, data: exampleIncident },
  },
  {
    kind: 'incident.reopened',
    description: 'The metric of a monitored incident crossed its threshold again',
    example: { event: 'incident.reopened', timestamp, data: exampleIncident },
  },
  {
    kind: 'incident.escalated',
    description: 'Nobody acknowledged an incident in time',
    example: { event: 'incident.escalated', timestamp, data: exampleIncident },
  },
  {
    kind: 'incident.acknowledged',
    description: 'Someone took on an incident',
    example: { event: 'incident.acknowledged', timestamp, data: { ...acknowledged, by: 'Robin Example' } },
  },
  {
    kind: 'incident.monitoring',
    description: 'An incident is fixed and still watched',
    example: {
      event: 'incident.monitoring',
      timestamp,
      data: { ...acknowledged, state: 'monitoring', by: 'Robin Example' },
    },
  },
  {
    kind: 'incident.resolved',
    description: 'An incident was resolved',
    example: {
      event: 'incident.resolved',
      timestamp,
      data: {
        ...acknowledged,
        state: 'resolved',
        value: 0.2,
        resolvedAt: '2026-01-15T09:20:00.000Z',
        by: 'Robin Example',
        summary: 'The database had run out of connections.',
      },
    },
  },
  {
    kind: 'deployment.succeeded',
    description: 'Every gateway node serves a deployment',
    example: { event: 'deployment.succeeded', timestamp, data: exampleDeployment },
  },
  {
    kind: 'deployment.failed',
    description: 'A deployment failed, and the one before it keeps serving',
    example: {
      event: 'deployment.failed',
      timestamp,
      data: { ...exampleDeployment, reason: 'A gateway node did not load it in time.' },
    },
  },
  {
    kind: 'deployment.rolled_back',
    description: 'A deployment was rolled back',
    example: { event: 'deployment.rolled_back', timestamp, data: { ...exampleDeployment, revision: 6 } },
  },
  {
    kind: 'approval.requested',
    description: 'A review or a change to production waits for approval',
    example: { event: 'approval.requested', timestamp, data: exampleApproval },
  },
  {
    kind: 'approval.decided',
    description: 'A review or a change to production was approved, rejected or withdrawn',
    example: {
      event: 'approval.decided',
      timestamp,
      data: { ...exampleApproval, decision: 'approved', decidedBy: 'Kim Example' },
    },
  },
  {
    kind: 'subscription.requested',
    description: 'An app asked for a subscription that needs approval',
    example: { event: 'subscription.requested', timestamp, data: exampleSubscription },
  },
  {
    kind: 'subscription.approved',
    description: 'A subscription is approved, by a person or automatically',
    example: { event: 'subscription.approved', timestamp, data: { ...exampleSubscription, state: 'approved' } },
  },
  {
    kind: 'subscription.revoked',
    description: 'A subscription was revoked',
    example: {
      event: 'subscription.revoked',
      timestamp,
      data: { ...exampleSubscription, state: 'revoked', by: 'Robin Example' },
    },
  },
  {
    kind: 'invoice.created',
    description: 'An invoice has its number',
    example: { event: 'invoice.created', timestamp, data: exampleInvoice },
  },
  {
    kind: 'invoice.paid',
    description: 'An invoice is paid',
    example: { event: 'invoice.paid', timestamp, data: exampleInvoice },
  },
  {
    kind: 'test',
    description: 'Sent only on request, to try an integration',
    example: {
      event: 'test',
      timestamp,
      data: {
        message: 'This is a test from Millrace.',
        integrationId: 'itg_00000000000000000000000001',
        integrationName: 'Operations channel',
      },
    },
  },
];

export const eventOperations = [
  defineOperation({
    id: 'listEvents',
    method: 'GET',
    path: '/events',
    tag: 'Integrations',
    summary: 'List the kinds of notification, with examples',
    description:
      'An incident’s notifications go to the integrations of its alert rule. Any event also goes to the integrations that ' +
      'subscribe to it. More kinds may be added: ignore those you don’t know.',
    access: 'integration.read',
    audit: null,
    request: { query: listQuery(['kind'], {}) },
    data: listData('events', EventKind),
    example: {
      request: { query: {} },
      data: { events: [...eventCatalogue], total: eventCatalogue.length },
    },
  }),
] as const;
