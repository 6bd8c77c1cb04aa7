/** What a rule can watch, by name. */
export const alertMetrics = {
  request_rate: { unit: 'per_second', source: 'traffic', of: 'proxy' },
  error_rate: { unit: 'percent', source: 'traffic', of: 'proxy' },
  client_error_rate: { unit: 'percent', source: 'traffic', of: 'proxy' },
  limited_rate: { unit: 'percent', source: 'traffic', of: 'proxy' },
  latency_p50: { unit: 'milliseconds', source: 'traffic', of: 'proxy' },
  latency_p95: { unit: 'milliseconds', source: 'traffic', of: 'proxy' },
  latency_p99: { unit: 'milliseconds', source: 'traffic', of: 'proxy' },
  traffic_absent: { unit: 'boolean', source: 'traffic', of: 'proxy' },
  quota_used: { unit: 'percent', source: 'records', of: 'subscription' },
  prepaid_balance: { unit: 'money', source: 'records', of: 'subscription' },
  node_offline: { unit: 'boolean', source: 'records', of: 'gateway_node' },
  node_degraded: { unit: 'boolean', source: 'records', of: 'gateway_node' },
  configuration_behind: { unit: 'seconds', source: 'records', of: 'gateway_node' },
  certificate_days_left: { unit: 'days', source: 'records', of: 'certificate' },
  failed_deliveries: { unit: 'count', source: 'records', of: 'integration' },
} as const satisfies Readonly<Record<string, MetricFacts>>;

export type AlertMetric = keyof typeof alertMetrics;

/** Every metric's name, in the order that screens list them. */
export const alertMetricNames = Object.keys(alertMetrics) as [AlertMetric, ...AlertMetric[]];

interface MetricFacts {
  /** `money`: major units of the balance's currency. `boolean`: 1 while it is so, 0 while it is not. */
  readonly unit: 'per_second' | 'percent' | 'milliseconds' | 'seconds' | 'days' | 'count' | 'money' | 'boolean';
  /** `traffic` is read from the gateway's figures, and can be replayed over the past; `records` is the present state. */
  readonly source: 'traffic' | 'records';
  /** What has one alert each. */
  readonly of: 'proxy' | 'subscription' | 'gateway_node' | 'certificate' | 'integration';
}
