export { type InhibitRule, inhibited, inhibitRules } from './inhibition.ts';
export { fingerprintOf, type Group, groupByEnvironment } from './labels.ts';
export { compileMatchers, type LabelTest } from './matching.ts';
export { type AlertMetric, alertMetricNames, alertMetrics } from './metrics.ts';
export { type Firing, Replay } from './replay.ts';
export {
  type AlertState,
  Condition,
  conditionFields,
  type Labels,
  type Operator,
  type Sample,
  type Severity,
  severities,
} from './rule.ts';
export { Matcher, RecurringDays, type Silence, type SilenceSchedule, silenceSchedule } from './silence.ts';
export { type SilencesInForce, silencesInForce, suppressorOf } from './silencing.ts';
export { type Change, isBeyond, type Step, type StepCondition, step, worse } from './step.ts';
export { type Window, windowAfter, windowAt } from './windows.ts';
