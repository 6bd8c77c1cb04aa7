import { type AlertMetric, alertMetrics } from '@millrace/alerting';

export const metricNames: Readonly<Record<AlertMetric, string>> = {
  request_rate: 'Request rate',
  error_rate: 'Error rate (5xx)',
  client_error_rate: 'Client error rate (4xx)',
  limited_rate: 'Refused by limits',
  latency_p50: 'Latency, median',
  latency_p95: 'Latency, 95th percentile',
  latency_p99: 'Latency, 99th percentile',
  traffic_absent: 'No traffic',
  quota_used: 'Quota used',
  prepaid_balance: 'Prepaid balance',
  node_offline: 'Gateway node offline',
  node_degraded: 'Gateway node degraded',
  configuration_behind: 'Configuration behind',
  certificate_days_left: 'Certificate expires',
  failed_deliveries: 'Failed deliveries',
};

/** Every metric as an option of a field or filter. */
export const metricOptions = Object.entries(metricNames).map(([value, label]) => ({ value, label }));

export type MetricUnit = (typeof alertMetrics)[AlertMetric]['unit'];

/** Units as they are written beside a field; empty where the value has none. */
export const unitTexts: Readonly<Record<MetricUnit, string>> = {
  per_second: 'per second',
  percent: '%',
  milliseconds: 'ms',
  seconds: 'seconds',
  days: 'days',
  count: '',
  money: 'in its currency',
  boolean: '',
};

/** Which fields of a rule its metric uses; the others are neither shown nor sent as they were typed. */
export function fieldsUsedBy(metric: AlertMetric) {
  const { unit, source, of } = alertMetrics[metric];
  const isTraffic = source === 'traffic';
  return {
    environmentId: of !== 'subscription' && of !== 'integration',
    proxyId: of === 'proxy',
    appId: of === 'proxy' || of === 'subscription',
    productId: of === 'proxy' || of === 'subscription',
    latencyPart: metric.startsWith('latency_'),
    threshold: unit !== 'boolean',
    minimumRequests: isTraffic && unit !== 'boolean' && metric !== 'request_rate',
    noData: isTraffic,
    /** Whether it can be tried on the past. */
    past: isTraffic,
  } as const;
}
