import { alertMetricNames, severities } from '@millrace/alerting';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

const states = ['open', 'acknowledged', 'monitoring', 'resolved'] as const;

const Visibility = z
  .enum(['automatic', 'public', 'private'])
  .describe(
    'On the developer portal’s status page. automatic: while it is critical and nobody silenced it; public: always; private: never.',
  );
export type Visibility = z.infer<typeof Visibility>;

/** What a metric's values are in, as `@millrace/alerting` lists it for each metric. */
const Unit = z
  .enum(['per_second', 'percent', 'milliseconds', 'seconds', 'days', 'count', 'money', 'boolean'])
  .describe('Of the values and the threshold. `boolean`: 1 while it is so.');

const Value = z.number().nullable().describe('In the unit; null: it fired because nothing was reported.');
const Labels = z.record(z.string(), z.string());
const Person = z.object({ id: z.string(), name: z.string() });

/** The rule as it was when the incident was last evaluated; the rule may be changed or deleted since. */
export const IncidentRule = z.object({
  id: Id,
  name: z.string(),
  metric: z.enum(alertMetricNames),
  latencyPart: z.enum(['total', 'gateway', 'target']),
  operator: z.enum(['>', '>=', '<', '<=']),
  threshold: z.number(),
  clearThreshold: z.number().nullable(),
  durationSeconds: z.int(),
  keepFiringSeconds: z.int(),
  minimumRequests: z.int(),
  severity: z.enum(severities),
  environmentId: Id.nullable(),
  proxyId: Id.nullable(),
  appId: Id.nullable(),
  productId: Id.nullable(),
  integrationIds: z.array(Id),
  escalateAfterMinutes: z.int().nullable(),
});
export type IncidentRule = z.infer<typeof IncidentRule>;

const IncidentMember = z.object({
  fingerprint: z.string().describe('Of the alert.'),
  labels: Labels,
  proxyId: Id.nullable(),
  proxyName: z.string().nullable(),
  state: z.enum(['firing', 'recovered']),
  value: Value.describe('The last one measured while it fired.'),
  peakValue: Value.describe('The furthest beyond the threshold.'),
  threshold: z.number(),
  since: Time.describe('When it began to fire, last.'),
  recoveredAt: Time.nullable(),
  suppressedBy: Id.nullable().describe('The silence that suppresses its notifications.'),
  inhibitedBy: z.string().nullable().describe('Fingerprint of the firing alert that makes its notification needless.'),
});
export type IncidentMember = z.infer<typeof IncidentMember>;

export const Incident = z
  .object({
    id: Id,
    state: z.enum(states),
    severity: z.enum(severities),
    title: z.string().describe('Such as `Orders fail in production`.'),
    environment: z
      .object({ id: Id, name: z.string(), production: z.boolean() })
      .nullable()
      .describe('Null: the rule watches something that belongs to no environment.'),
    metric: z.enum(alertMetricNames),
    operator: z.enum(['>', '>=', '<', '<=']),
    threshold: z.number(),
    unit: Unit,
    value: Value.describe('The last one measured, of the member furthest beyond the threshold.'),
    peakValue: Value.describe('The furthest beyond the threshold of the whole incident.'),
    proxies: z
      .array(z.object({ id: Id, name: z.string() }))
      .describe('The affected API proxies; at most 20, the firing ones first.'),
    members: z.int().describe('Alerts that belong to it.'),
    firingMembers: z.int().describe('Those that fire now.'),
    rule: IncidentRule.describe('A copy, which outlives the rule.'),
    fingerprint: z.string().describe('The same for the same rule and environment.'),
    suppressed: z.boolean().describe('Nobody is notified: every firing member is suppressed.'),
    suppressedBy: z
      .array(z.object({ silenceId: Id, comment: z.string().nullable() }))
      .describe('The silences that do so; the comment of a deleted one is null.'),
    owner: Person.nullable().describe('Who acknowledged it last.'),
    openedAt: Time,
    acknowledgedAt: Time.nullable().describe('When it was first acknowledged.'),
    monitoringAt: Time.nullable().describe('When it was last moved to monitoring.'),
    reopenedAt: Time.nullable(),
    reopenings: z.int(),
    recoveredAt: Time.nullable().describe('When the last member recovered; null while one fires.'),
    resolvedAt: Time.nullable(),
    resolvedBy: Person.nullable().describe('Null while unresolved, and if it resolved on its own.'),
    summary: z.string().nullable().describe('Given when it was resolved.'),
    visibility: Visibility,
    trafficPath: z.string().describe('Page of the console that shows the traffic around it.'),
    previousId: Id.nullable().describe('The incident before it with the same fingerprint.'),
    ...versioned,
  })
  .meta({ id: 'Incident' });
export type Incident = z.infer<typeof Incident>;

export const IncidentWithMembers = Incident.extend({
  alerts: z.array(IncidentMember).describe('Its members, the firing ones first; at most 500.'),
  nextEscalation: z
    .object({ integrationId: Id, at: Time })
    .nullable()
    .describe('Who is notified next, and when, unless somebody acknowledges it.'),
  warning: z
    .string()
    .nullable()
    .describe('Why its state is no reason to relax: it is resolved or watched while the rule still fires.'),
}).meta({ id: 'IncidentWithMembers' });
export type IncidentWithMembers = z.infer<typeof IncidentWithMembers>;

export const timelineKinds = [
  'opened',
  'member_added',
  'member_recovered',
  'recovered',
  'measured',
  'acknowledged',
  'monitoring',
  'resolved',
  'reopened',
  'suppressed',
  'unsuppressed',
  'note',
  'notification',
] as const;

export const IncidentTimelineEntry = z
  .object({
    id: z.string(),
    at: Time,
    kind: z.enum(timelineKinds),
    by: Person.nullable().describe('Null: the service itself.'),
    text: z.string().describe('The note, the summary, or a sentence that says what happened.'),
    alert: z
      .object({ fingerprint: z.string(), labels: Labels, proxyId: Id.nullable(), proxyName: z.string().nullable() })
      .nullable()
      .describe('The member that it is about.'),
    value: Value.describe('Measured then; null in entries that are about no value.'),
    threshold: z.number().nullable(),
    notification: z
      .object({
        deliveryId: z.string(),
        integrationId: Id,
        integrationName: z.string(),
        integrationKind: z.string(),
        kind: z.string().describe('Such as `incident.opened`.'),
        state: z.string().describe('As the integration’s deliveries list it.'),
        attempts: z.int(),
        responseStatus: z.int().nullable(),
        failure: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'IncidentTimelineEntry' });
export type IncidentTimelineEntry = z.infer<typeof IncidentTimelineEntry>;

const IncidentFigures = z
  .object({
    unresolved: z.int(),
    unacknowledged: z.int(),
    meanSecondsToAcknowledge: z.number().nullable().describe('Of those acknowledged; null: none was.'),
    meanSecondsToResolve: z.number().nullable().describe('Of those resolved; null: none was.'),
  })
  .describe('Of all incidents that the filters match, not only this page’s; times count from the opening.');

const params = z.object({ incidentId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'incident' } as const;
const production = 'never' as const;
const tag = 'Alerts';

const exampleEnvironment = { id: 'env_00000000000000000000000001', name: 'production', production: true };
const exampleProxy = { id: 'prx_00000000000000000000000001', name: 'orders' };
const exampleRule = {
  id: 'alr_00000000000000000000000001',
  name: 'Orders fail',
  metric: 'error_rate' as const,
  latencyPart: 'total' as const,
  operator: '>' as const,
  threshold: 5,
  clearThreshold: null,
  durationSeconds: 60,
  keepFiringSeconds: 60,
  minimumRequests: 20,
  severity: 'critical' as const,
  environmentId: exampleEnvironment.id,
  proxyId: exampleProxy.id,
  appId: null,
  productId: null,
  integrationIds: ['int_00000000000000000000000001'],
  escalateAfterMinutes: 10,
};

/** An incident in the examples of the reference. */
export const exampleIncident = {
  id: 'inc_00000000000000000000000001',
  state: 'open' as const,
  severity: 'critical' as const,
  title: 'Orders fail in production',
  environment: exampleEnvironment,
  metric: 'error_rate' as const,
  operator: '>' as const,
  threshold: 5,
  unit: 'percent' as const,
  value: 12.5,
  peakValue: 38.2,
  proxies: [exampleProxy],
  members: 1,
  firingMembers: 1,
  rule: exampleRule,
  fingerprint: '5b1c9e20a7f34d68',
  suppressed: false,
  suppressedBy: [],
  owner: null,
  openedAt: '2026-01-15T09:02:00.000Z',
  acknowledgedAt: null,
  monitoringAt: null,
  reopenedAt: null,
  reopenings: 0,
  recoveredAt: null,
  resolvedAt: null,
  resolvedBy: null,
  summary: null,
  visibility: 'automatic' as const,
  trafficPath:
    '/traffic?environmentId=env_00000000000000000000000001&proxyId=prx_00000000000000000000000001&from=2026-01-15T08:47:00.000Z&to=2026-01-15T09:17:00.000Z',
  previousId: null,
  version: 1,
  createdAt: '2026-01-15T09:02:00.000Z',
  updatedAt: '2026-01-15T09:02:00.000Z',
};
const exampleAlert = {
  fingerprint: '0c2f9a3d51e86b74',
  labels: { proxyId: exampleProxy.id, proxy: exampleProxy.name },
  proxyId: exampleProxy.id,
  proxyName: exampleProxy.name,
};
const exampleWithMembers = {
  ...exampleIncident,
  alerts: [
    {
      ...exampleAlert,
      state: 'firing' as const,
      value: 12.5,
      peakValue: 38.2,
      threshold: 5,
      since: '2026-01-15T09:02:00.000Z',
      recoveredAt: null,
      suppressedBy: null,
      inhibitedBy: null,
    },
  ],
  nextEscalation: null,
  warning: null,
};
const examplePerson = { id: 'usr_00000000000000000000000001', name: 'Robin Example' };
const exampleAcknowledged = {
  ...exampleWithMembers,
  state: 'acknowledged' as const,
  owner: examplePerson,
  acknowledgedAt: '2026-01-15T09:04:00.000Z',
  version: 2,
};
const exampleNote = {
  id: 'ine_00000000000000000000000002',
  at: '2026-01-15T09:05:00.000Z',
  kind: 'note' as const,
  by: examplePerson,
  text: 'The orders database was restarted.',
  alert: null,
  value: null,
  threshold: null,
  notification: null,
};
const exampleOpened = {
  ...exampleNote,
  id: 'ine_00000000000000000000000001',
  at: exampleIncident.openedAt,
  kind: 'opened' as const,
  by: null,
  text: 'Orders fail in production: 12.5 %, above 5 %.',
  alert: exampleAlert,
  value: 12.5,
  threshold: 5,
};
const exampleParams = { incidentId: exampleIncident.id };

export const incidentOperations = [
  defineOperation({
    id: 'listIncidents',
    method: 'GET',
    path: '/incidents',
    tag,
    summary: 'List incidents, with the mean times to acknowledge and to resolve them',
    access: 'incident.read',
    audit: null,
    request: {
      query: listQuery(['-openedAt', 'updatedAt', 'severity'], {
        state: z.enum(states).optional(),
        unresolved: z.stringbool().optional().describe('Those that are not resolved, or those that are.'),
        severity: z.enum(severities).optional(),
        environmentId: Id.optional(),
        proxyId: Id.optional().describe('Those with a member of this API proxy.'),
        alertRuleId: Id.optional(),
        from: Time.optional().describe('Those opened at or after this time.'),
        to: Time.optional().describe('Those opened before this time.'),
      }),
    },
    data: listData('incidents', Incident).extend({ figures: IncidentFigures }),
    example: {
      request: { query: { unresolved: 'true' } },
      data: {
        incidents: [exampleIncident],
        total: 1,
        figures: { unresolved: 1, unacknowledged: 1, meanSecondsToAcknowledge: null, meanSecondsToResolve: null },
      },
    },
  }),
  defineOperation({
    id: 'getIncident',
    method: 'GET',
    path: '/incidents/:incidentId',
    tag,
    summary: 'Show an incident with its members',
    access: 'incident.read',
    audit: null,
    request: { params },
    data: IncidentWithMembers,
    example: { request: { params: exampleParams }, data: exampleWithMembers },
  }),
  defineOperation({
    id: 'getIncidentTimeline',
    method: 'GET',
    path: '/incidents/:incidentId/timeline',
    tag,
    summary: 'List what happened in an incident',
    description:
      'Everything in order: values as they changed, at most one a minute; notifications with their answers; notes; moves.',
    access: 'incident.read',
    audit: null,
    request: { params, query: listQuery(['at'], { kind: z.enum(timelineKinds).optional() }) },
    data: listData('entries', IncidentTimelineEntry),
    example: {
      request: { params: exampleParams, query: { sort: '-at' } },
      data: { entries: [exampleNote, exampleOpened], total: 2 },
    },
  }),
  defineOperation({
    id: 'acknowledgeIncident',
    method: 'POST',
    path: '/incidents/:incidentId/acknowledge',
    tag,
    summary: 'Acknowledge an incident',
    description: 'Makes the caller its owner and stops its escalation.',
    access: 'incident.write',
    audit,
    production,
    request: { params },
    data: IncidentWithMembers,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: exampleAcknowledged },
  }),
  defineOperation({
    id: 'monitorIncident',
    method: 'POST',
    path: '/incidents/:incidentId/monitor',
    tag,
    summary: 'Move an incident to monitoring',
    description: 'For one whose cause is removed. It reopens when the rule fires again.',
    access: 'incident.write',
    audit,
    production,
    request: { params },
    data: IncidentWithMembers,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleAcknowledged,
        state: 'monitoring',
        monitoringAt: '2026-01-15T09:20:00.000Z',
        warning: 'Its rule still fires for one member.',
        version: 3,
      },
    },
  }),
  defineOperation({
    id: 'resolveIncident',
    method: 'POST',
    path: '/incidents/:incidentId/resolve',
    tag,
    summary: 'Resolve an incident',
    description:
      'A later crossing opens another incident. While the rule still fires, the response has a `warning`; the members that fire open no other incident until they have recovered.',
    access: 'incident.write',
    audit,
    production,
    request: { params, body: z.strictObject({ summary: z.string().trim().min(1).max(5_000) }) },
    data: IncidentWithMembers,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { summary: 'The orders database ran out of connections.' } },
      data: {
        ...exampleAcknowledged,
        state: 'resolved',
        value: 2.1,
        firingMembers: 0,
        recoveredAt: '2026-01-15T09:25:00.000Z',
        resolvedAt: '2026-01-15T09:30:00.000Z',
        resolvedBy: examplePerson,
        summary: 'The orders database ran out of connections.',
        version: 4,
      },
    },
  }),
  defineOperation({
    id: 'setIncidentVisibility',
    method: 'PUT',
    path: '/incidents/:incidentId/visibility',
    tag,
    summary: 'Show an incident on the status page, or hide it there',
    description:
      'The developer portal shows what callers notice of it: the affected APIs of published products, errors or slow responses, its state and its times. Only incidents about errors or latency in production can be shown.',
    access: 'incident.write',
    audit,
    production,
    request: { params, body: z.strictObject({ visibility: Visibility }) },
    data: IncidentWithMembers,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { visibility: 'private' } },
      data: { ...exampleAcknowledged, visibility: 'private', version: 3 },
    },
  }),
  defineOperation({
    id: 'addIncidentNote',
    method: 'POST',
    path: '/incidents/:incidentId/notes',
    tag,
    summary: 'Add a note to an incident',
    access: 'incident.write',
    audit: { ...audit, severity: 'low' },
    production,
    request: { params, body: z.strictObject({ text: z.string().trim().min(1).max(5_000) }) },
    data: IncidentTimelineEntry,
    status: 201,
    example: { request: { params: exampleParams, body: { text: exampleNote.text } }, data: exampleNote },
  }),
] as const;
