import { alertMetrics, type Condition } from '@millrace/alerting';
import type * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { AlertRule } from './contract.ts';

type Presented = z.infer<typeof AlertRule>;

/** What a rule is, without what its evaluation found. */
export type RuleFields = Omit<
  Presented,
  | 'id'
  | 'state'
  | 'firing'
  | 'pending'
  | 'lastEvaluatedAt'
  | 'nextEvaluationAt'
  | 'lastValue'
  | 'lastError'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
>;

/** Time between evaluations; they are of multiples of it since 1970. */
export const evaluationMs = 10_000;
/** How long evaluations are listed. */
export const evaluationsKeptMs = 6 * 3_600_000;

const mostRules = 1_000;

export function refuseTooManyRules(count: number): void {
  if (count < mostRules) return;
  throw new ApiError('conflict', {
    message: `An organization can have at most ${mostRules} alert rules. Delete one first.`,
  });
}

/** Rejects fields that make no sense together. */
export function refuseContradictions(rule: RuleFields): void {
  const { unit, of, source } = alertMetrics[rule.metric];
  if (unit === 'boolean' && (rule.operator !== '>' || rule.threshold !== 0)) {
    throw fieldError('threshold', 'This metric is 1 while it is so and 0 while it is not. Use “> 0”.');
  }
  if (unit === 'boolean' && rule.clearThreshold !== null) {
    throw fieldError('clearThreshold', 'This metric is 1 or 0. Leave the clear threshold out.');
  }
  const isAbove = rule.operator === '>' || rule.operator === '>=';
  if (
    rule.clearThreshold !== null &&
    rule.clearThreshold > rule.threshold === isAbove &&
    rule.clearThreshold !== rule.threshold
  ) {
    throw fieldError(
      'clearThreshold',
      `A value clears on the other side of the threshold. Enter at ${isAbove ? 'most' : 'least'} ${rule.threshold}.`,
    );
  }
  if (of !== 'proxy' && rule.proxyId !== null) throw fieldError('proxyId', 'This metric isn’t about API proxies.');
  const isOfConsumers = source === 'traffic' || of === 'subscription';
  if (!isOfConsumers && rule.appId !== null) throw fieldError('appId', 'This metric isn’t about apps.');
  if (!isOfConsumers && rule.productId !== null) throw fieldError('productId', 'This metric isn’t about API products.');
  if ((of === 'subscription' || of === 'integration') && rule.environmentId !== null) {
    throw fieldError('environmentId', 'This metric isn’t about environments.');
  }
  const isOfCaller = rule.appId !== null || rule.productId !== null;
  if (rule.metric.startsWith('latency_') && rule.latencyPart === 'total' && isOfCaller && source === 'traffic') {
    throw fieldError('latencyPart', 'By app or API product, times are counted for gateway and target. Choose one.');
  }
}

/** The metrics whose values are of a number of requests that can be too small. */
export function usesMinimum(metric: Condition['metric']): boolean {
  return alertMetrics[metric].source === 'traffic' && metric !== 'request_rate' && metric !== 'traffic_absent';
}

/** Whether a change begins an evaluation again: what is watched, or when it fires, is another. */
export function isOtherCondition(before: RuleFields, after: RuleFields): boolean {
  return watched.some((name) => before[name] !== after[name]);
}

const watched = [
  'environmentId',
  'proxyId',
  'appId',
  'productId',
  'metric',
  'latencyPart',
  'operator',
  'threshold',
  'clearThreshold',
  'durationSeconds',
  'keepFiringSeconds',
  'minimumRequests',
  'noData',
  'enabled',
] as const satisfies readonly (keyof RuleFields)[];

/** Longest range that a rule is tried on. */
const mostDays = 31;

/** Rejects trying what can't be tried. */
export function refuseUntestable(rule: RuleFields, from: Date, to: Date, now: Date): void {
  if (alertMetrics[rule.metric].source !== 'traffic') {
    throw new ApiError('unprocessable', {
      message: 'The past of this metric isn’t kept. Only metrics of traffic can be tried.',
    });
  }
  if (to > now) throw fieldError('to', 'Enter a time that is not in the future.');
  if (from >= to) throw fieldError('from', 'Enter a time before the end.');
  if (to.getTime() - from.getTime() > mostDays * 86_400_000) {
    throw fieldError('from', `Enter a time at most ${mostDays} days before the end.`);
  }
}
