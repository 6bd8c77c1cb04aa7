import { conditionFields, severities } from '@millrace/alerting';
import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

const tag = 'Alerts';

const fields = {
  name: displayName(),
  description: z.string().max(2_000),
  environmentId: Id.nullable().describe('Null: every environment.'),
  proxyId: Id.nullable().describe('Null: every API proxy, with an alert of its own each.'),
  appId: Id.nullable().describe('Only this app’s requests, quota or balance; null: all.'),
  productId: Id.nullable().describe('Only requests, quotas or balances of this API product; null: all.'),
  ...conditionFields,
  severity: z.enum(severities),
  integrationIds: z
    .array(Id)
    .max(10)
    .refine((ids) => new Set(ids).size === ids.length, 'List each integration once.')
    .describe('Who is notified, in this order.'),
  escalateAfterMinutes: z
    .int()
    .min(1)
    .max(10_080)
    .nullable()
    .describe('How long the next integration waits for an acknowledgement; null: all are notified at once.'),
  enabled: z.boolean(),
};

const Labels = z
  .record(z.string(), z.string())
  .describe('Such as `environmentId`, `environment`, `proxyId`, `proxy`; silences match them.');

/** One alert of a rule, as the last evaluation left it. */
export const Alert = z
  .object({
    fingerprint: z.string().describe('The same for the same rule and labels.'),
    labels: Labels,
    state: z.enum(['inactive', 'pending', 'firing']),
    noData: z.boolean().describe('Nothing reported what the rule watches.'),
    value: z.number().nullable().describe('In the metric’s unit; null: no data, or too few requests.'),
    requests: z.int().describe('Requests that the value is of.'),
    activeSince: Time.nullable().describe('Since when the condition has held; null while inactive.'),
    firingSince: Time.nullable(),
    suppressedBy: Id.nullable().describe('The silence in force that matches it.'),
    inhibitedBy: z
      .string()
      .nullable()
      .describe('Fingerprint of the firing alert that makes its notification needless.'),
  })
  .meta({ id: 'Alert' });

export const AlertRule = z
  .object({
    id: Id,
    ...fields,
    name: z.string(),
    description: z.string(),
    state: z
      .enum(['disabled', 'unknown', 'inactive', 'pending', 'firing', 'no_data', 'failed'])
      .describe('The worst of its alerts. `unknown`: not evaluated yet. `failed`: the last evaluation failed.'),
    firing: z.int().describe('Alerts that fire.'),
    pending: z.int().describe('Alerts whose condition holds, not yet for the duration.'),
    lastEvaluatedAt: Time.nullable(),
    nextEvaluationAt: Time.nullable().describe('Null while disabled.'),
    lastValue: z
      .number()
      .nullable()
      .describe('The value nearest to firing, or furthest beyond, at the last evaluation.'),
    lastError: z.string().nullable().describe('Why the last evaluation failed.'),
    ...versioned,
  })
  .meta({ id: 'AlertRule' });

/** What one evaluation of a rule saw. */
export const AlertRuleEvaluation = z
  .object({
    at: Time.describe('The moment that was evaluated, a multiple of ten seconds.'),
    evaluatedAt: Time,
    outcome: z.enum(['evaluated', 'failed']),
    error: z.string().nullable(),
    series: z.int().describe('Alerts that were evaluated, inactive ones included.'),
    withoutData: z.int().describe('Those of which nothing was known.'),
    pending: z.int(),
    firing: z.int(),
    value: z.number().nullable().describe('The value nearest to firing, or furthest beyond.'),
    requests: z.int().describe('Requests that this value is of.'),
    alerts: z.array(Alert).describe('Those that are not inactive, or were not before; at most 20.'),
  })
  .meta({ id: 'AlertRuleEvaluation' });

const Range = z.strictObject({
  from: Time.describe('At most 31 days before `to`.'),
  to: Time.describe('At most now.'),
});

/** What a rule would have done. */
export const AlertRuleTest = z
  .object({
    from: Time,
    to: Time,
    spans: z
      .array(
        z.object({
          from: Time,
          to: Time,
          source: z
            .enum(['slots', 'hours'])
            .describe(
              'Figures of ten seconds or, where those aren’t kept, hourly ones, as if all of the hour had been so.',
            ),
          evaluationSeconds: z.int(),
        }),
      )
      .describe('What the answer rests on, in order of time.'),
    evaluations: z.int(),
    firings: z
      .array(
        z.object({
          fingerprint: z.string(),
          labels: Labels,
          pendingAt: Time.describe('When its condition began to hold.'),
          firedAt: Time,
          resolvedAt: Time.nullable().describe('Null: still firing at the end.'),
          seconds: z.int().describe('How long it fired, up to the end.'),
          value: z.number().nullable().describe('The furthest beyond the threshold.'),
        }),
      )
      .describe('In order of time; at most 500.'),
    firingsTotal: z.int(),
    stepSeconds: z.int().describe('Length of a point.'),
    series: z
      .array(
        z.object({
          fingerprint: z.string(),
          labels: Labels,
          points: z
            .array(
              z.object({
                at: Time.describe('Its beginning.'),
                value: z.number().nullable().describe('The evaluated value nearest to firing; null: none.'),
                requests: z.int(),
                state: z.enum(['inactive', 'pending', 'firing']).describe('The worst in it.'),
                noData: z.boolean(),
              }),
            )
            .describe('At most 720.'),
        }),
      )
      .describe('Those that fired first, then those with the most requests; at most 20.'),
    seriesTotal: z.int(),
  })
  .meta({ id: 'AlertRuleTest' });

const params = z.object({ alertRuleId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'alert_rule' } as const;

const written = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  environmentId: fields.environmentId.default(null),
  proxyId: fields.proxyId.default(null),
  appId: fields.appId.default(null),
  productId: fields.productId.default(null),
  latencyPart: fields.latencyPart.default('total'),
  operator: fields.operator.default('>'),
  clearThreshold: fields.clearThreshold.default(null),
  durationSeconds: fields.durationSeconds.default(60),
  keepFiringSeconds: fields.keepFiringSeconds.default(60),
  minimumRequests: fields.minimumRequests.default(1),
  noData: fields.noData.default('ok'),
  severity: fields.severity.default('warning'),
  integrationIds: fields.integrationIds.default([]),
  escalateAfterMinutes: fields.escalateAfterMinutes.default(null),
  enabled: fields.enabled.default(true),
});

const exampleFields = {
  name: 'Orders fail',
  description: '',
  environmentId: 'env_00000000000000000000000001',
  proxyId: 'prx_00000000000000000000000001',
  appId: null,
  productId: null,
  metric: 'error_rate' as const,
  latencyPart: 'total' as const,
  operator: '>' as const,
  threshold: 5,
  clearThreshold: null,
  durationSeconds: 60,
  keepFiringSeconds: 60,
  minimumRequests: 20,
  noData: 'ok' as const,
  severity: 'critical' as const,
  integrationIds: [],
  escalateAfterMinutes: null,
  enabled: true,
};

const exampleAlertRule = {
  id: 'alr_00000000000000000000000001',
  ...exampleFields,
  state: 'firing' as const,
  firing: 1,
  pending: 0,
  lastEvaluatedAt: '2026-01-15T09:02:00.000Z',
  nextEvaluationAt: '2026-01-15T09:02:10.000Z',
  lastValue: 12.5,
  lastError: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { alertRuleId: exampleAlertRule.id };
const exampleLabels = {
  rule: 'Orders fail',
  metric: 'error_rate',
  severity: 'critical',
  environmentId: 'env_00000000000000000000000001',
  environment: 'production',
  proxyId: 'prx_00000000000000000000000001',
  proxy: 'orders',
};
const exampleAlert = {
  fingerprint: '0c2f9a3d51e86b74',
  labels: exampleLabels,
  state: 'firing' as const,
  noData: false,
  value: 12.5,
  requests: 320,
  activeSince: '2026-01-15T09:01:00.000Z',
  firingSince: '2026-01-15T09:02:00.000Z',
  suppressedBy: null,
  inhibitedBy: null,
};
const exampleRange = { from: '2026-01-15T09:00:00.000Z', to: '2026-01-15T10:00:00.000Z' };
const exampleTest = {
  ...exampleRange,
  spans: [{ ...exampleRange, source: 'slots' as const, evaluationSeconds: 10 }],
  evaluations: 360,
  firings: [
    {
      fingerprint: exampleAlert.fingerprint,
      labels: exampleLabels,
      pendingAt: '2026-01-15T09:01:00.000Z',
      firedAt: '2026-01-15T09:02:00.000Z',
      resolvedAt: '2026-01-15T09:09:00.000Z',
      seconds: 420,
      value: 38.2,
    },
  ],
  firingsTotal: 1,
  stepSeconds: 10,
  series: [
    {
      fingerprint: exampleAlert.fingerprint,
      labels: exampleLabels,
      points: [{ at: '2026-01-15T09:02:00.000Z', value: 12.5, requests: 320, state: 'firing' as const, noData: false }],
    },
  ],
  seriesTotal: 1,
};

export const alertRuleOperations = [
  defineOperation({
    id: 'listAlertRules',
    method: 'GET',
    path: '/alert-rules',
    tag,
    summary: 'List alert rules',
    access: 'alert.read',
    audit: null,
    request: {
      query: listQuery(['name', '-createdAt', 'updatedAt', 'severity'], {
        environmentId: Id.optional().describe('Those of this environment, and those of every environment.'),
        proxyId: Id.optional().describe('Those of this API proxy, and those of every API proxy.'),
        metric: conditionFields.metric.optional(),
        severity: fields.severity.optional(),
        state: AlertRule.shape.state.optional(),
        enabled: z.stringbool().optional(),
        integrationId: Id.optional().describe('Those that notify this integration.'),
      }),
    },
    data: listData('alertRules', AlertRule),
    example: { request: { query: { state: 'firing' } }, data: { alertRules: [exampleAlertRule], total: 1 } },
  }),
  defineOperation({
    id: 'createAlertRule',
    method: 'POST',
    path: '/alert-rules',
    tag,
    summary: 'Create an alert rule',
    description:
      'A rule is evaluated every ten seconds. Its alert is pending while the condition holds, fires once it has held at every evaluation for the duration, and is resolved when it has not held for `keepFiringSeconds`.',
    access: 'alert.write',
    audit,
    production: 'never',
    request: { body: written },
    data: AlertRule,
    status: 201,
    example: {
      request: {
        body: { name: 'Slow answers', metric: 'latency_p95', threshold: 800, severity: 'warning', minimumRequests: 50 },
      },
      data: {
        ...exampleAlertRule,
        name: 'Slow answers',
        environmentId: null,
        proxyId: null,
        metric: 'latency_p95',
        threshold: 800,
        severity: 'warning',
        minimumRequests: 50,
        state: 'unknown',
        firing: 0,
        lastEvaluatedAt: null,
        lastValue: null,
      },
    },
  }),
  defineOperation({
    id: 'previewAlertRule',
    method: 'POST',
    path: '/alert-rules/preview',
    tag,
    summary: 'Try a rule on past traffic before creating it',
    description: 'As `testAlertRule`, for a rule that is not stored. Only metrics of traffic can be tried.',
    access: 'alert.read',
    audit: null,
    request: { body: z.strictObject({ rule: written, ...Range.shape }) },
    data: AlertRuleTest,
    example: {
      request: { body: { rule: { name: 'Orders fail', metric: 'error_rate', threshold: 5 }, ...exampleRange } },
      data: exampleTest,
    },
  }),
  defineOperation({
    id: 'getAlertRule',
    method: 'GET',
    path: '/alert-rules/:alertRuleId',
    tag,
    summary: 'Show an alert rule with its alerts',
    access: 'alert.read',
    audit: null,
    request: { params },
    data: AlertRule.extend({
      alerts: z.array(Alert).describe('Those that are pending or fire, worst first; at most 100.'),
    }).meta({ id: 'AlertRuleWithAlerts' }),
    example: { request: { params: exampleParams }, data: { ...exampleAlertRule, alerts: [exampleAlert] } },
  }),
  defineOperation({
    id: 'updateAlertRule',
    method: 'PATCH',
    path: '/alert-rules/:alertRuleId',
    tag,
    summary: 'Change an alert rule',
    description:
      'Changes the given fields. A change of what is watched or of the condition begins again: alerts that fire are resolved first.',
    access: 'alert.write',
    audit,
    production: 'never',
    request: { params, body: z.strictObject(fields).partial() },
    data: AlertRule,
    example: {
      request: { params: exampleParams, body: { threshold: 10 } },
      data: { ...exampleAlertRule, threshold: 10, version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteAlertRule',
    method: 'DELETE',
    path: '/alert-rules/:alertRuleId',
    tag,
    summary: 'Delete an alert rule',
    description: 'Its alerts are resolved; incidents stay.',
    access: 'alert.write',
    audit,
    production: 'never',
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'testAlertRule',
    method: 'POST',
    path: '/alert-rules/:alertRuleId/test',
    tag,
    summary: 'Try a rule on past traffic',
    description:
      'Evaluates the rule, with the given changes, over past figures: when it would have fired, and for how long. Nothing is stored, nobody is notified. Figures of ten seconds are kept for 48 hours; before that, and for one app or API product, hourly ones are evaluated as if all of the hour had been so. Only metrics of traffic can be tried.',
    access: 'alert.read',
    audit: null,
    request: {
      params,
      body: z.strictObject({
        ...Range.shape,
        changes: z.strictObject(fields).partial().default({}).describe('Fields to try; nothing is changed.'),
      }),
    },
    data: AlertRuleTest,
    example: { request: { params: exampleParams, body: exampleRange }, data: exampleTest },
  }),
  defineOperation({
    id: 'listAlertRuleEvaluations',
    method: 'GET',
    path: '/alert-rules/:alertRuleId/evaluations',
    tag,
    summary: 'List what a rule saw',
    description: 'One row for each evaluation of the last six hours: what was seen, and what followed.',
    access: 'alert.read',
    audit: null,
    request: {
      params,
      query: listQuery(['-at'], {
        from: Time.optional(),
        to: Time.optional(),
        outcome: AlertRuleEvaluation.shape.outcome.optional(),
      }),
    },
    data: listData('evaluations', AlertRuleEvaluation),
    example: {
      request: { params: exampleParams, query: {} },
      data: {
        evaluations: [
          {
            at: '2026-01-15T09:02:00.000Z',
            evaluatedAt: '2026-01-15T09:02:03.100Z',
            outcome: 'evaluated',
            error: null,
            series: 1,
            withoutData: 0,
            pending: 0,
            firing: 1,
            value: 12.5,
            requests: 320,
            alerts: [exampleAlert],
          },
        ],
        total: 1,
      },
    },
  }),
] as const;
