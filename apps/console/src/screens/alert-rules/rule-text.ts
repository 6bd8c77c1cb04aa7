import { type AlertMetric, alertMetrics, type Condition } from '@millrace/alerting';
import { durationText } from '../../frame/duration-text.ts';
import { fieldsUsedBy, type MetricUnit } from './metrics.ts';

/** A rule, and the names of what it refers to; null for all of a kind. */
export interface DescribedRule extends Condition {
  readonly environment: string | null;
  readonly proxy: string | null;
  readonly app: string | null;
  readonly product: string | null;
  /** In the order in which they are notified. */
  readonly integrations: readonly string[];
  readonly escalateAfterMinutes: number | null;
}

/**
 * What a rule does, in plain sentences: when it fires, what doesn't count, when it is resolved, and who is notified.
 *
 * @param formatValue formats a value of a unit in the reader's language
 */
export function ruleSentences(
  rule: DescribedRule,
  formatValue: (unit: MetricUnit, value: number) => string,
): readonly string[] {
  const used = fieldsUsedBy(rule.metric);
  return [
    `Fires for ${scopeOf(rule)} when ${conditionOf(rule, formatValue)} ${holdingOf(rule)}.`,
    ...(used.minimumRequests && rule.minimumRequests > 1
      ? [`A value of fewer than ${rule.minimumRequests} requests within 5 minutes doesn’t count.`]
      : []),
    resolutionOf(rule, formatValue),
    ...(used.noData ? [noDataTexts[rule.noData]] : []),
    notificationOf(rule),
  ];
}

const operatorTexts = { '>': 'above', '>=': 'at or above', '<': 'below', '<=': 'at or below' } as const;
const oppositeTexts = { '>': 'at or below', '>=': 'below', '<': 'at or above', '<=': 'above' } as const;

/** An operator as a word, such as `above`. */
export function operatorText(operator: Condition['operator']): string {
  return operatorTexts[operator];
}

const partTexts = { total: 'the latency', gateway: 'the gateway’s own time', target: 'the target’s time' } as const;

function scopeOf({ metric, environment, proxy, app, product }: DescribedRule): string {
  const { of } = alertMetrics[metric];
  switch (of) {
    case 'proxy': {
      const place = environment === null ? (proxy === null ? ' and environment' : ' in each environment') : '';
      const scope = proxy === null ? `each API proxy${place}` : `${proxy}${place}`;
      const inPlace = environment === null ? scope : `${scope} in ${environment}`;
      const only = [...(app === null ? [] : [`of ${app}`]), ...(product === null ? [] : [`through ${product}`])];
      return only.length === 0 ? inPlace : `${inPlace}, counting only requests ${only.join(' ')},`;
    }
    case 'subscription':
      return `each subscription${app === null ? '' : ` of ${app}`}${product === null ? '' : ` to ${product}`}`;
    case 'gateway_node':
      return `each gateway node${environment === null ? '' : ` of ${environment}`}`;
    case 'certificate':
      return `each certificate${environment === null ? '' : ` of ${environment}`}`;
    case 'integration':
      return 'each integration and webhook endpoint';
  }
}

function conditionOf(rule: DescribedRule, formatValue: (unit: MetricUnit, value: number) => string): string {
  const { metric, operator, threshold, latencyPart } = rule;
  const { unit } = alertMetrics[metric];
  const beyond = `is ${operatorTexts[operator]} ${formatValue(unit, threshold)}`;
  const subjects: Readonly<Record<AlertMetric, string>> = {
    request_rate: `the request rate ${beyond}`,
    error_rate: `the share of 5xx answers ${beyond}`,
    client_error_rate: `the share of 4xx answers ${beyond}`,
    limited_rate: `the share of requests refused by limits ${beyond}`,
    latency_p50: `the median of ${partTexts[latencyPart]} ${beyond}`,
    latency_p95: `the 95th percentile of ${partTexts[latencyPart]} ${beyond}`,
    latency_p99: `the 99th percentile of ${partTexts[latencyPart]} ${beyond}`,
    traffic_absent: 'no request arrives',
    quota_used: `the used share of its quota ${beyond}`,
    prepaid_balance: `its prepaid balance ${beyond}`,
    node_offline: 'it is offline',
    node_degraded: 'it is degraded',
    configuration_behind: `the delay of its configuration ${beyond}`,
    certificate_days_left: `the time until it expires ${beyond}`,
    failed_deliveries: `the number of its failed deliveries ${beyond}`,
  };
  return subjects[metric];
}

function holdingOf({ durationSeconds }: DescribedRule): string {
  return durationSeconds === 0 ? 'at one evaluation' : `for ${durationText(durationSeconds)}`;
}

function resolutionOf(rule: DescribedRule, formatValue: (unit: MetricUnit, value: number) => string): string {
  const { metric, operator, threshold, clearThreshold, keepFiringSeconds } = rule;
  const { unit } = alertMetrics[metric];
  const kept = keepFiringSeconds === 0 ? '' : ` for ${durationText(keepFiringSeconds)}`;
  if (unit === 'boolean') return `Resolves once that has no longer been so${kept}.`;
  return `Resolves once the value has been ${oppositeTexts[operator]} ${formatValue(unit, clearThreshold ?? threshold)}${kept}.`;
}

const noDataTexts = {
  ok: 'Without data it doesn’t fire.',
  alert: 'It also fires when no gateway node reports.',
  keep: 'Without data it stays as it was.',
} as const;

function notificationOf({ integrations, escalateAfterMinutes }: DescribedRule): string {
  const [first, ...others] = integrations;
  if (first === undefined) return 'Nobody is notified: its incidents are only shown here.';
  if (escalateAfterMinutes === null || others.length === 0) return `Notifies ${listed(integrations)}.`;
  const each = others.length === 1 ? '' : ' each';
  return `Notifies ${first} first; ${listed(others)} after another ${durationText(escalateAfterMinutes * 60)}${each} if nobody acknowledges.`;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}
