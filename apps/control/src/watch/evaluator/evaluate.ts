import {
  type AlertState,
  type Condition,
  fingerprintOf,
  inhibited,
  type Labels,
  type Sample,
  type Silence,
  silencesInForce,
  step,
  suppressorOf,
  worse,
} from '@millrace/alerting';
import { type Names, named, proxyLabels, ruleLabels } from '../alert-rules/labels.ts';
import type { RuleFields } from '../alert-rules/rules.ts';
import { evaluatedCondition } from '../alert-rules/samples.ts';
import type { CallerTraffic } from './caller-traffic.ts';
import { isRecordMetric, type RecordMetric, type RecordValue } from './records.ts';
import { pairKey, type Traffic } from './traffic.ts';

export type Rule = RuleFields & { readonly id: string };

/** An alert that is pending or fires, as an evaluation left it. */
export interface KnownAlert {
  readonly fingerprint: string;
  readonly labels: Labels;
  readonly state: AlertState;
  /** In the metric's unit; null: no data, or too few requests. */
  readonly value: number | null;
  readonly requests: number;
  readonly noData: boolean;
  readonly suppressedBy: string | null;
  readonly inhibitedBy: string | null;
}

/** What could not be read, in a sentence. */
export interface Unread {
  readonly error: string;
}

/** What the rules of one organization are evaluated on. */
export interface Figures {
  readonly traffic: Traffic | Unread;
  /** Of apps and products that rules are about. */
  readonly callers: CallerTraffic | Unread | undefined;
  readonly records: ReadonlyMap<RecordMetric, readonly RecordValue[] | Unread>;
}

/** An alert after its step, before it has names. */
interface Stepped {
  /** What it is of. */
  readonly of: Labels;
  readonly state: AlertState;
  readonly sample: Sample;
  readonly before: KnownAlert | null;
}

/** What one evaluation found of a rule. */
export interface Outcome<Alert> {
  readonly rule: Rule;
  /** Why it could not be evaluated. */
  readonly error: string | null;
  readonly series: number;
  readonly withoutData: number;
  /** The value nearest to firing, or furthest beyond, and the requests that it is of. */
  readonly value: number | null;
  readonly requests: number;
  readonly alerts: readonly Alert[];
  /** Alerts that were pending or fired before, and no longer do. */
  readonly ended: readonly KnownAlert[];
}

/** How long a rule fails before that is an alert. */
const failingSeconds = 60;
const failureLabel = 'failed';

/** Evaluates a rule at a moment, without names yet. */
export function evaluateRule(
  rule: Rule,
  known: readonly KnownAlert[],
  figures: Figures,
  atMs: number,
): Outcome<Stepped> {
  const series = seriesOf(rule, known, figures);
  const failure = known.find(({ labels }) => labels[failureLabel] !== undefined) ?? null;
  const alerts: Stepped[] = [];
  const ended: KnownAlert[] = [];
  const take = (condition: Condition, of: Labels, sample: Sample, before: KnownAlert | null): void => {
    const { state } = step(condition, before?.state ?? null, sample, atMs);
    if (state !== null) alerts.push({ of, state, sample, before });
    else if (before !== null) ended.push(before);
  };
  const failing = { ...rule, noData: 'alert', durationSeconds: failingSeconds, keepFiringSeconds: 0 } as const;
  if ('error' in series) {
    for (const before of known) {
      const sample = { kind: 'value', value: before.value, requests: before.requests } as const;
      if (before !== failure) alerts.push({ of: before.labels, state: before.state, sample, before });
    }
    take(failing, failureOf(rule), { kind: 'no_data' }, failure);
    return { rule, error: series.error, series: 0, withoutData: 0, value: null, requests: 0, alerts, ended };
  }
  if (failure !== null) take(failing, failure.labels, nothing, failure);
  const condition = evaluatedCondition(rule);
  let withoutData = 0;
  let value: number | null = null;
  let requests = 0;
  for (const { of, sample, before } of series) {
    take(condition, of, sample, before);
    if (sample.kind === 'no_data') withoutData++;
    else {
      const worst = worse(rule.operator, value, sample.value);
      if (worst !== value || requests === 0) requests = sample.requests;
      value = worst;
    }
  }
  return { rule, error: null, series: series.length, withoutData, value, requests, alerts, ended };
}

interface Series {
  readonly of: Labels;
  readonly sample: Sample;
  readonly before: KnownAlert | null;
}

const nothing: Sample = { kind: 'value', value: null, requests: 0 };
const noData: Sample = { kind: 'no_data' };

/** Everything that a rule watches, and alerts of what is no longer there. */
function seriesOf(rule: Rule, known: readonly KnownAlert[], figures: Figures): readonly Series[] | Unread {
  const { metric } = rule;
  return isRecordMetric(metric) ? ofRecords(rule, metric, known, figures) : ofTraffic(rule, known, figures);
}

function ofTraffic(rule: Rule, known: readonly KnownAlert[], figures: Figures): readonly Series[] | Unread {
  if ('error' in figures.traffic) return figures.traffic;
  let { traffic } = figures;
  if (rule.appId !== null || rule.productId !== null) {
    const { callers } = figures;
    if (callers === undefined) return { error: 'Figures of apps and products were not read.' };
    if ('error' in callers) return callers;
    traffic = callers.of(rule, traffic);
  }
  const before = new Map(
    known.map((alert) => [pairKey(alert.labels.environmentId ?? '', alert.labels.proxyId ?? ''), alert]),
  );
  const series: Series[] = [];
  for (const pair of traffic.pairs) {
    if (rule.environmentId !== null && pair.ids.environmentId !== rule.environmentId) continue;
    if (rule.proxyId !== null && pair.ids.proxyId !== rule.proxyId) continue;
    const sample = pair.isReported ? pair.window.sample(rule) : noData;
    series.push({ of: pair.ids, sample, before: before.get(pair.key) ?? null });
    before.delete(pair.key);
  }
  for (const alert of before.values()) {
    if (alert.labels[failureLabel] !== undefined) continue;
    const isReported = traffic.isReported(alert.labels.environmentId ?? null);
    series.push({ of: alert.labels, sample: isReported ? nothing : noData, before: alert });
  }
  return series;
}

function ofRecords(
  rule: Rule,
  metric: RecordMetric,
  known: readonly KnownAlert[],
  { records }: Figures,
): readonly Series[] | Unread {
  const read = records.get(metric);
  if (read === undefined) return { error: 'What the rule watches was not read.' };
  if ('error' in read) return read;
  const before = new Map(known.map((alert) => [alert.fingerprint, alert]));
  const series: Series[] = [];
  for (const { labels, value } of read) {
    if (rule.environmentId !== null && labels.environmentId !== rule.environmentId) continue;
    if (rule.appId !== null && labels.appId !== rule.appId) continue;
    if (rule.productId !== null && labels.productId !== rule.productId) continue;
    const fingerprint = fingerprintOf(rule.id, labels);
    series.push({ of: labels, sample: { kind: 'value', value, requests: 0 }, before: before.get(fingerprint) ?? null });
    before.delete(fingerprint);
  }
  for (const alert of before.values()) {
    if (alert.labels[failureLabel] === undefined) series.push({ of: alert.labels, sample: nothing, before: alert });
  }
  return series;
}

function failureOf({ environmentId }: Rule): Labels {
  return { [failureLabel]: 'true', ...(environmentId === null ? {} : { environmentId }) };
}

/** The ids whose names the labels of alerts need. */
export function unnamedIds(outcomes: readonly Outcome<Stepped>[]): readonly string[] {
  return outcomes.flatMap(({ rule, alerts }) =>
    alerts.flatMap(({ of }) =>
      [of.environmentId, of.proxyId, rule.appId, rule.productId].filter((id) => id !== undefined && id !== null),
    ),
  );
}

/** Gives alerts their labels, and says which of them nobody is notified of. */
export function describeAlerts(
  outcomes: readonly Outcome<Stepped>[],
  { names, silences, atMs }: { readonly names: Names; readonly silences: readonly Silence[]; readonly atMs: number },
): readonly Outcome<KnownAlert>[] {
  const inForce = silencesInForce(silences, atMs);
  const described = outcomes.map((outcome) => ({
    ...outcome,
    alerts: outcome.alerts.map((alert): KnownAlert => {
      const labels = labelsOf(outcome.rule, alert.of, names);
      const isWithoutData = alert.sample.kind === 'no_data';
      return {
        fingerprint: alert.before?.fingerprint ?? fingerprintOf(outcome.rule.id, labels),
        labels,
        state: alert.state,
        value: alert.sample.kind === 'value' ? alert.sample.value : null,
        requests: alert.sample.kind === 'value' ? alert.sample.requests : 0,
        noData: isWithoutData,
        suppressedBy: suppressorOf(inForce, matchedLabels(labels, isWithoutData)),
        inhibitedBy: null,
      };
    }),
  }));
  const firing = described.flatMap(({ alerts }) => alerts.filter(({ state }) => state.state === 'firing'));
  if (firing.length === 0) return described;
  const inhibitors = inhibited(
    firing.map((alert) => ({ ...alert, labels: matchedLabels(alert.labels, alert.noData) })),
  );
  return described.map((outcome) => ({
    ...outcome,
    alerts: outcome.alerts.map((alert) => ({ ...alert, inhibitedBy: inhibitors.get(alert.fingerprint) ?? null })),
  }));
}

function labelsOf(rule: Rule, of: Labels, names: Names): Labels {
  if (of[failureLabel] !== undefined) {
    const environment = of.environmentId === undefined ? {} : named('environment', of.environmentId, names);
    return { ...ruleLabels(rule), ...environment, [failureLabel]: 'true' };
  }
  if (isRecordMetric(rule.metric)) return { ...of, ...ruleLabels(rule) };
  return proxyLabels(rule, { environmentId: of.environmentId!, proxyId: of.proxyId! }, names);
}

/** What silences and inhibition match: the labels, and whether the alert is about missing data. */
function matchedLabels(labels: Labels, isWithoutData: boolean): Labels {
  return isWithoutData ? { ...labels, noData: 'true' } : labels;
}
