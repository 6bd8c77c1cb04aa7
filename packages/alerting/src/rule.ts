import * as z from 'zod';
import { alertMetricNames } from './metrics.ts';

const Operator = z.enum(['>', '>=', '<', '<=']);
export type Operator = z.infer<typeof Operator>;

const mostSeconds = 7 * 86_400;
const Threshold = z.number().min(-1e12).max(1e12);

/** What a rule watches, and when it fires: the fields that decide evaluation. */
export const conditionFields = {
  metric: z.enum(alertMetricNames).describe('What is watched; rates of errors are percent of the requests.'),
  latencyPart: z
    .enum(['total', 'gateway', 'target'])
    .describe('Which time a latency is of: the gateway’s own, the target’s, or both together.'),
  operator: Operator.describe('How the value is compared with the threshold.'),
  threshold: Threshold,
  clearThreshold: Threshold.nullable().describe(
    'A firing alert’s value must be back on the right side of this as well; null: of the threshold alone.',
  ),
  durationSeconds: z
    .int()
    .min(0)
    .max(mostSeconds)
    .describe('How long the condition must hold at every evaluation before the alert fires.'),
  keepFiringSeconds: z
    .int()
    .min(0)
    .max(mostSeconds)
    .describe('How long a firing alert goes on when the condition no longer holds.'),
  minimumRequests: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .describe(
      'Requests that a value must be of: the evaluated window is widened up to five minutes to reach them. With fewer, the condition doesn’t hold.',
    ),
  noData: z
    .enum(['ok', 'alert', 'keep'])
    .describe(
      'What follows when nothing is known, because no gateway node reports: the condition doesn’t hold, it holds, or the alert stays as it is.',
    ),
} as const;

/** What decides when a rule fires. */
export const Condition = z.strictObject(conditionFields);
export type Condition = z.infer<typeof Condition>;

export const severities = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Names and values that tell a rule's alerts apart, such as `environmentId`. */
export type Labels = Readonly<Record<string, string>>;

/** What an evaluation saw of one alert's series. */
export type Sample =
  | {
      readonly kind: 'value';
      /** In the metric's unit; null: too few requests for a value. */
      readonly value: number | null;
      /** Requests that the value is of; 0 for metrics without any. */
      readonly requests: number;
    }
  /** Nothing is known, because nothing reports. */
  | { readonly kind: 'no_data' };

/** One alert's state between evaluations. An alert without one is inactive. */
export interface AlertState {
  readonly state: 'pending' | 'firing';
  /** Since when the condition has held, in milliseconds. */
  readonly activeSinceMs: number;
  /** When it began to fire; null while it is pending. */
  readonly firingSinceMs: number | null;
  /** When a firing alert's condition was first found not to hold, and it was kept firing; null while it holds. */
  readonly clearedSinceMs: number | null;
  /** The last value with which the condition held; null: it held because there was no data. */
  readonly value: number | null;
}
