import { type AlertMetric, alertMetrics } from '@millrace/alerting';
import type { Form } from '@millrace/ui/form';
import { type FieldOptions, type RenderedField, SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { type ArgumentsOf, bodyOf, type DataOf } from '../../frame/api.ts';
import { DurationField } from '../../frame/duration-field.tsx';
import { AppField, ProductField, ProxyField } from '../../frame/entity-fields.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { useSession } from '../../frame/session.tsx';
import { severityOptions } from './marks.tsx';
import { fieldsUsedBy, metricOptions, unitTexts } from './metrics.ts';
import { useNotifiable } from './rule-names.ts';
import { operatorText } from './rule-text.ts';

export type RuleBody = NonNullable<ArgumentsOf<'createAlertRule'>['body']>;
type Operator = NonNullable<RuleBody['operator']>;

/** What a rule of a metric usually fires at: a threshold of another metric means nothing in its unit. */
const usual: Readonly<Record<AlertMetric, { readonly operator: Operator; readonly threshold: number }>> = {
  request_rate: { operator: '>', threshold: 100 },
  error_rate: { operator: '>', threshold: 5 },
  client_error_rate: { operator: '>', threshold: 20 },
  limited_rate: { operator: '>', threshold: 10 },
  latency_p50: { operator: '>', threshold: 300 },
  latency_p95: { operator: '>', threshold: 1_000 },
  latency_p99: { operator: '>', threshold: 2_000 },
  traffic_absent: { operator: '>', threshold: 0 },
  quota_used: { operator: '>=', threshold: 80 },
  prepaid_balance: { operator: '<', threshold: 10 },
  node_offline: { operator: '>', threshold: 0 },
  node_degraded: { operator: '>', threshold: 0 },
  configuration_behind: { operator: '>', threshold: 60 },
  certificate_days_left: { operator: '<', threshold: 14 },
  failed_deliveries: { operator: '>=', threshold: 1 },
};

const firstMetric = 'error_rate';

/** Edits an alert rule, or a new one: shows only the fields that its metric uses. */
export function RuleForm(props: {
  readonly rule?: DataOf<'getAlertRule'>;
  readonly submitLabel: string;
  readonly onCancel: () => void;
  readonly onValues: (body: RuleBody) => void;
  readonly send: (body: RuleBody) => Promise<unknown>;
}) {
  const { rule, submitLabel, onCancel, onValues, send } = props;
  const { options } = useEnvironments();
  const { can } = useSession();
  const notifiable = useNotifiable();
  const [metric, setMetric] = useState<AlertMetric>(rule?.metric ?? firstMetric);
  const used = fieldsUsedBy(metric);
  const { unit } = alertMetrics[metric];
  const shownFor = (name: keyof typeof used, more: FieldOptions): FieldOptions => ({ ...more, when: () => used[name] });
  return (
    <SchemaForm
      schema={bodyOf('createAlertRule')}
      {...(rule ? { initial: rule } : { preset: { metric: firstMetric, ...usual[firstMetric], minimumRequests: 20 } })}
      omit={can('integration.read') ? ['enabled'] : ['enabled', 'integrationIds', 'escalateAfterMinutes']}
      order={[
        'name',
        'severity',
        'description',
        'metric',
        'latencyPart',
        'environmentId',
        'proxyId',
        'appId',
        'productId',
        'operator',
        'threshold',
        'clearThreshold',
        'durationSeconds',
        'keepFiringSeconds',
        'minimumRequests',
        'noData',
        'integrationIds',
        'escalateAfterMinutes',
      ]}
      fields={{
        name: { placeholder: 'Orders fail' },
        severity: { beside: true, widthPx: 160, options: severityOptions, help: null },
        description: { help: 'What to do about it; shown with the rule' },
        metric: {
          heading: 'What is watched',
          help: null,
          options: metricOptions,
          onChange: (next, form) => {
            const usualOfNext = usual[next as AlertMetric];
            form.setAt('operator', usualOfNext.operator);
            form.setAt('threshold', usualOfNext.threshold);
            form.setAt('clearThreshold', '');
          },
        },
        latencyPart: shownFor('latencyPart', {
          label: 'Time',
          beside: true,
          help: null,
          options: [
            { value: 'total', label: 'Gateway and target' },
            { value: 'gateway', label: 'Gateway only' },
            { value: 'target', label: 'Target only' },
          ],
        }),
        environmentId: shownFor('environmentId', {
          label: 'Environment',
          help: null,
          placeholder: 'Every environment',
          options,
        }),
        proxyId: shownFor('proxyId', {
          beside: true,
          render: (field) => <ProxyField {...given(field)} absent="Every API proxy, each on its own" />,
        }),
        appId: shownFor('appId', {
          onChange: leaveTotal,
          render: (field) => <AppField {...given(field)} absent="Every app" />,
        }),
        productId: shownFor('productId', {
          beside: true,
          onChange: leaveTotal,
          render: (field) => <ProductField unpublished {...given(field)} absent="Every API product" />,
        }),
        operator: shownFor('threshold', {
          heading: 'When it fires',
          label: 'Value is',
          help: null,
          widthPx: 150,
          options: (['>', '>=', '<', '<='] as const).map((value) => ({ value, label: operatorText(value) })),
        }),
        threshold: shownFor('threshold', { beside: true, widthPx: 160, unit: () => unitTexts[unit] }),
        clearThreshold: shownFor('threshold', {
          label: 'Resolves at',
          beside: true,
          widthPx: 160,
          help: null,
          placeholder: 'The threshold',
          unit: () => unitTexts[unit],
        }),
        durationSeconds: {
          ...(!used.threshold && { heading: 'When it fires' }),
          label: 'Fires after',
          render: (field) => <Duration field={field} help="The condition has held all the time" />,
        },
        keepFiringSeconds: {
          label: 'Resolves after',
          beside: true,
          render: (field) => <Duration field={field} help="It has not held any of the time" />,
        },
        minimumRequests: shownFor('minimumRequests', {
          label: 'Requests at least',
          help: 'Fewer of them within 5 minutes don’t fire it',
          widthPx: 240,
        }),
        noData: shownFor('noData', {
          label: 'When no gateway node reports',
          help: null,
          beside: true,
          options: [
            { value: 'ok', label: 'Don’t fire' },
            { value: 'alert', label: 'Fire' },
            { value: 'keep', label: 'Stay as before' },
          ],
        }),
        integrationIds: {
          heading: 'Who is notified',
          label: 'Integrations',
          help: 'In this order; the incident is shown in the console in any case',
          options: notifiable.options,
        },
        escalateAfterMinutes: {
          label: 'Escalation',
          when: ({ integrationIds }) => ((integrationIds ?? []) as readonly string[]).length > 1,
          render: (field) => <Escalation field={field} />,
        },
      }}
      submitLabel={submitLabel}
      onCancel={onCancel}
      onValues={(body) => {
        setMetric(body.metric);
        onValues(sentRule(body));
      }}
      send={(body) => send(sentRule(body))}
    />
  );
}

/** By app or API product, times are counted for gateway and target separately. */
function leaveTotal(id: unknown, form: Form<Readonly<Record<string, unknown>>>): void {
  if (id !== '' && form.values.latencyPart === 'total') form.setAt('latencyPart', 'target');
}

function given(field: RenderedField) {
  return { value: String(field.value ?? ''), onChange: field.onChange, error: field.error };
}

function Duration({ field, help }: { readonly field: RenderedField; readonly help: string }) {
  const { label, value, onChange, error } = field;
  return <DurationField {...{ label, onChange, error }} description={help} value={value as number | ''} />;
}

function Escalation({ field }: { readonly field: RenderedField }) {
  const { label, value, onChange, error } = field;
  const minutes = value === '' || value === null ? '' : Number(value) * 60;
  return (
    <DurationField
      {...{ label, error }}
      smallest="minutes"
      description="The next one is notified if nobody has acknowledged by then; empty for all at once"
      value={minutes}
      onChange={(seconds) => onChange(seconds === '' ? null : seconds / 60)}
    />
  );
}

/** What is sent: without what the metric doesn’t use, though it may have been chosen before. */
function sentRule(body: RuleBody): RuleBody {
  const used = fieldsUsedBy(body.metric);
  const { integrationIds = [] } = body;
  const chosen = (name: 'environmentId' | 'proxyId' | 'appId' | 'productId') =>
    used[name] ? body[name] || null : null;
  return {
    ...body,
    environmentId: chosen('environmentId'),
    proxyId: chosen('proxyId'),
    appId: chosen('appId'),
    productId: chosen('productId'),
    latencyPart: used.latencyPart ? body.latencyPart : 'total',
    ...(!used.threshold && { ...usual[body.metric], clearThreshold: null }),
    ...(!used.minimumRequests && { minimumRequests: 0 }),
    ...(!used.noData && { noData: 'ok' as const }),
    ...(body.integrationIds !== undefined && {
      escalateAfterMinutes: integrationIds.length > 1 ? (body.escalateAfterMinutes ?? null) : null,
    }),
  };
}
