import { type AlertMetric, alertMetrics, isBeyond, type Operator, worse } from '@millrace/alerting';
import { ApiError } from '../../frame/errors.ts';
import type { Incident, IncidentMember, IncidentRule } from './contract.ts';
import type { EvaluatedAlert, EvaluatedGroup } from './evaluated.ts';

/** An incident as decisions about it need it. */
export interface KeptIncident {
  readonly state: Incident['state'];
  readonly suppressed: boolean;
  readonly value: number | null;
  readonly peakValue: number | null;
  readonly recoveredAt: Date | null;
  /** When a value was last recorded in the timeline, and which. */
  readonly measuredAt: Date;
  readonly measuredValue: number | null;
  readonly members: ReadonlyMap<string, KeptMember>;
}

/** An alert of an incident. */
export interface KeptMember
  extends Pick<
    IncidentMember,
    'fingerprint' | 'labels' | 'state' | 'value' | 'peakValue' | 'threshold' | 'suppressedBy' | 'inhibitedBy'
  > {
  readonly since: Date;
  readonly recoveredAt: Date | null;
}

/** An entry of the timeline that the service makes itself. */
export interface NewEntry {
  readonly kind:
    | 'opened'
    | 'member_added'
    | 'member_recovered'
    | 'recovered'
    | 'measured'
    | 'resolved'
    | 'reopened'
    | 'suppressed'
    | 'unsuppressed';
  readonly text: string;
  readonly fingerprint?: string;
  readonly value?: number | null;
  readonly threshold?: number;
}

/** What an evaluation means to a group. */
export interface Transition {
  /** `opened` and `reopened` notify from the start, `unsuppressed` those that were not yet notified. */
  readonly outcome: 'none' | 'updated' | 'opened' | 'reopened' | 'resolved' | 'suppressed' | 'unsuppressed';
  readonly incident: KeptIncident;
  /** Members that were added or changed. */
  readonly changed: readonly KeptMember[];
  readonly entries: readonly NewEntry[];
}

const measuredEveryMs = 60_000;

/**
 * What an evaluation means to the unresolved incident of its group, to the last resolved one, or to a group that had
 * none. Applying the same evaluation to its result changes nothing.
 *
 * @param kept null: the group had no incident
 * @returns null: there is none, and none is opened; `opened`: a new one, instead of the kept one
 */
export function applyEvaluation(kept: KeptIncident | null, evaluated: EvaluatedGroup): Transition | null {
  const firing = evaluated.alerts.filter(({ state }) => state === 'firing');
  if (kept === null) return firing.length === 0 ? null : open(firing, evaluated);
  if (kept.state === 'resolved' && firing.some((alert) => isCrossing(kept.members.get(alert.fingerprint), alert))) {
    return open(firing, evaluated);
  }
  return update(kept, evaluated);
}

/** Whether an alert began to fire after what is kept of it. */
function isCrossing(member: KeptMember | undefined, alert: EvaluatedAlert): boolean {
  return member === undefined || alert.since.getTime() > member.since.getTime();
}

function open(firing: readonly EvaluatedAlert[], { rule, now }: EvaluatedGroup): Transition {
  const changed = firing.map((alert) => memberOf(alert));
  const worst = worstOf(changed, rule.operator)!;
  const suppressed = changed.every(isSuppressed);
  const incident: KeptIncident = {
    state: 'open',
    suppressed,
    value: worst.value,
    peakValue: worst.value,
    recoveredAt: null,
    measuredAt: now,
    measuredValue: worst.value,
    members: new Map(changed.map((member) => [member.fingerprint, member])),
  };
  const opened: NewEntry = { kind: 'opened', text: describeMember(worst, rule), ...measuredIn(worst) };
  const others = changed
    .filter((member) => member !== worst)
    .map((member): NewEntry => ({ kind: 'member_added', text: describeMember(member, rule), ...measuredIn(member) }));
  const entries = suppressed ? [opened, ...others, suppressedEntry(changed)] : [opened, ...others];
  return { outcome: 'opened', incident, changed, entries };
}

function update(kept: KeptIncident, { rule, alerts, now }: EvaluatedGroup): Transition {
  const members = new Map(kept.members);
  const changed: KeptMember[] = [];
  const entries: NewEntry[] = [];
  let crossing = false;
  const change = (member: KeptMember) => {
    members.set(member.fingerprint, member);
    changed.push(member);
  };
  for (const alert of alerts) {
    const member = members.get(alert.fingerprint);
    if (alert.state === 'firing') {
      if (isCrossing(member, alert)) {
        const added = memberOf(alert, member?.peakValue, rule.operator);
        change(added);
        crossing = true;
        const again = member === undefined ? '' : ' It fires again.';
        entries.push({ kind: 'member_added', text: `${describeMember(added, rule)}${again}`, ...measuredIn(added) });
      } else if (member?.state === 'firing') {
        const measured = memberOf({ ...alert, since: member.since }, member.peakValue, rule.operator);
        if (isDifferent(member, measured)) change(measured);
      }
    } else if (member?.state === 'firing' && alert.since.getTime() >= member.since.getTime()) {
      change({ ...member, state: 'recovered', recoveredAt: now });
      entries.push({
        kind: 'member_recovered',
        text: `${subjectOf(member.labels, rule)} recovered.`,
        fingerprint: member.fingerprint,
        ...(alert.value === null ? {} : { value: alert.value, threshold: alert.threshold }),
      });
    }
  }
  const firing = [...members.values()].filter(({ state }) => state === 'firing');
  const worst = worstOf(firing, rule.operator);
  const records = worst !== null && !crossing && isRecorded(kept, worst.value, now);
  if (changed.length === 0 && !records) return { outcome: 'none', incident: kept, changed, entries };
  const next: KeptIncident = {
    ...kept,
    members,
    value: worst === null ? kept.value : worst.value,
    peakValue: [...members.values()].reduce(
      (peak, member) => worse(rule.operator, peak, member.peakValue),
      kept.peakValue,
    ),
    recoveredAt: firing.length > 0 ? null : (kept.recoveredAt ?? now),
  };
  if (worst === null) return recovered(kept, next, changed, entries);
  return measured({ kept, next, changed, entries, worst, firing, crossing, records, rule, now });
}

/** No member fires now. */
function recovered(
  kept: KeptIncident,
  next: KeptIncident,
  changed: readonly KeptMember[],
  entries: readonly NewEntry[],
): Transition {
  if (kept.state === 'monitoring' || kept.state === 'resolved') {
    const entry: NewEntry = { kind: 'recovered', text: 'The rule no longer fires.' };
    return { outcome: 'updated', incident: next, changed, entries: [...entries, entry] };
  }
  const text = ownSummary(next.members.size);
  return {
    outcome: 'resolved',
    incident: { ...next, state: 'resolved' },
    changed,
    entries: [...entries, { kind: 'resolved', text }],
  };
}

/** The summary of an incident that resolved on its own. */
export function ownSummary(members: number): string {
  return members === 1 ? 'The alert recovered.' : `All ${members} alerts recovered.`;
}

/** Whether a value goes to the timeline: one that changed, and at most one a minute. */
function isRecorded({ state, measuredAt, measuredValue }: KeptIncident, value: number | null, now: Date): boolean {
  return state !== 'resolved' && value !== measuredValue && now.getTime() - measuredAt.getTime() >= measuredEveryMs;
}

/** Some members fire. */
function measured({
  kept,
  next,
  changed,
  entries,
  worst,
  firing,
  crossing,
  records,
  rule,
  now,
}: {
  readonly kept: KeptIncident;
  readonly next: KeptIncident;
  readonly changed: readonly KeptMember[];
  readonly entries: readonly NewEntry[];
  readonly worst: KeptMember;
  readonly firing: readonly KeptMember[];
  readonly crossing: boolean;
  readonly records: boolean;
  readonly rule: IncidentRule;
  readonly now: Date;
}): Transition {
  const added = [...entries];
  const reopens = kept.state === 'monitoring' && crossing;
  if (reopens) added.push({ kind: 'reopened', text: describeMember(worst, rule), ...measuredIn(worst) });
  if (records) added.push({ kind: 'measured', text: describeMember(worst, rule), ...measuredIn(worst) });
  const suppressed = firing.every(isSuppressed);
  if (suppressed && !kept.suppressed) added.push(suppressedEntry(firing));
  if (!suppressed && kept.suppressed) {
    added.push({ kind: 'unsuppressed', text: 'Its notifications are no longer suppressed.' });
  }
  const incident: KeptIncident = {
    ...next,
    suppressed,
    state: reopens ? 'open' : kept.state,
    ...(records || crossing ? { measuredAt: now, measuredValue: worst.value } : {}),
  };
  const outcome = reopens
    ? 'reopened'
    : suppressed === kept.suppressed || kept.state === 'resolved'
      ? 'updated'
      : suppressed
        ? 'suppressed'
        : 'unsuppressed';
  return { outcome, incident, changed, entries: added };
}

function memberOf(alert: EvaluatedAlert, peak: number | null = null, operator?: Operator): KeptMember {
  return {
    fingerprint: alert.fingerprint,
    labels: alert.labels,
    state: 'firing',
    value: alert.value,
    peakValue: operator === undefined ? alert.value : worse(operator, peak, alert.value),
    threshold: alert.threshold,
    since: alert.since,
    recoveredAt: null,
    suppressedBy: alert.suppressedBy,
    inhibitedBy: alert.inhibitedBy,
  };
}

function isDifferent(first: KeptMember, second: KeptMember): boolean {
  const { value, peakValue, threshold, suppressedBy, inhibitedBy } = second;
  return (
    first.value !== value ||
    first.peakValue !== peakValue ||
    first.threshold !== threshold ||
    first.suppressedBy !== suppressedBy ||
    first.inhibitedBy !== inhibitedBy
  );
}

const isSuppressed = ({ suppressedBy, inhibitedBy }: KeptMember) => suppressedBy !== null || inhibitedBy !== null;

const suppressedEntry = (firing: readonly KeptMember[]): NewEntry => ({
  kind: 'suppressed',
  text: firing.some(({ suppressedBy }) => suppressedBy !== null)
    ? 'Nobody is notified: a silence applies.'
    : 'Nobody is notified: another alert makes it needless.',
});

const measuredIn = ({ fingerprint, value, threshold }: KeptMember) => ({ fingerprint, value, threshold });

/** The member whose value is furthest beyond the threshold; null without any. */
function worstOf(members: readonly KeptMember[], operator: Operator): KeptMember | null {
  return members.reduce<KeptMember | null>((worst, member) => {
    if (worst === null) return member;
    return worst.value !== member.value && worse(operator, worst.value, member.value) === member.value ? member : worst;
  }, null);
}

/** What a metric is called in sentences. */
const metricTexts: Readonly<Record<IncidentRule['metric'], string>> = {
  request_rate: 'request rate',
  error_rate: 'error rate',
  client_error_rate: 'client error rate',
  limited_rate: 'share of limited requests',
  latency_p50: 'median latency',
  latency_p95: '95th percentile of latency',
  latency_p99: '99th percentile of latency',
  traffic_absent: 'traffic',
  quota_used: 'quota used',
  prepaid_balance: 'prepaid balance',
  node_offline: 'gateway node',
  node_degraded: 'gateway node',
  configuration_behind: 'configuration age',
  certificate_days_left: 'certificate’s remaining days',
  failed_deliveries: 'failed deliveries',
};

/** What a `boolean` metric says while it is so. */
const stateTexts: Partial<Readonly<Record<IncidentRule['metric'], string>>> = {
  traffic_absent: 'no requests arrive',
  node_offline: 'it is offline',
  node_degraded: 'it is degraded',
};

const unitTexts: Readonly<Record<Incident['unit'], string>> = {
  per_second: ' requests/s',
  percent: ' %',
  milliseconds: ' ms',
  seconds: ' s',
  days: ' days',
  count: '',
  money: '',
  boolean: '',
};

/** Made once: thousands of values may be written at an evaluation. */
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

function quantity(value: number, metric: IncidentRule['metric']): string {
  const rounded = Number(value.toPrecision(4));
  return `${numbers.format(rounded)}${unitTexts[alertMetrics[metric].unit]}`;
}

const operatorTexts: Readonly<Record<Operator, string>> = {
  '>': 'above',
  '>=': 'at or above',
  '<': 'below',
  '<=': 'at or below',
};

/** Such as `orders, error rate: 12.5 %, above 5 %.` */
function describeMember({ labels, value, threshold }: KeptMember, { metric, operator, ...rule }: IncidentRule): string {
  const subject = `${subjectOf(labels, rule)}, ${metricTexts[metric]}`;
  if (value === null) return `${subject}: nothing was reported.`;
  const state = stateTexts[metric];
  if (state !== undefined) return `${subject}: ${state}.`;
  // It may be kept firing, or be one of several with the worst first.
  const compared = isBeyond(operator, value, threshold) ? operatorTexts[operator] : 'threshold';
  return `${subject}: ${quantity(value, metric)}, ${compared} ${quantity(threshold, metric)}.`;
}

/** What an alert is of, such as an API proxy's name. */
function subjectOf(labels: KeptMember['labels'], { name }: Pick<IncidentRule, 'name'>): string {
  return labels.proxy ?? labels.gatewayNode ?? labels.integration ?? labels.certificate ?? labels.app ?? name;
}

/** What identifies the incidents of a rule in an environment. */
export function fingerprintOf(ruleId: string, environmentId: string | null): string {
  return `${ruleId}:${environmentId ?? 'none'}`;
}

const moves = {
  acknowledge: { from: ['open'], to: 'acknowledged' },
  monitor: { from: ['acknowledged'], to: 'monitoring' },
  resolve: { from: ['acknowledged', 'monitoring'], to: 'resolved' },
} as const satisfies Readonly<Record<string, { readonly from: readonly Incident['state'][]; readonly to: string }>>;

/** A move that a person makes, with what it says. */
export type PersonalMove =
  | { readonly kind: 'acknowledge' | 'monitor' }
  | { readonly kind: 'resolve'; readonly summary: string };

/** What a move's entry in the timeline is. */
export function entryOfMove(move: PersonalMove) {
  const kind = moves[move.kind].to;
  if (move.kind === 'resolve') return { kind, text: move.summary };
  return { kind, text: move.kind === 'acknowledge' ? 'Acknowledged.' : 'Moved to monitoring.' };
}

/** A move that a person makes. */
export type Move = keyof typeof moves;

/**
 * Rejects a move that an incident's state doesn't allow.
 *
 * @throws ApiError `conflict`, which names the allowed ones
 */
export function refuseMove({ state }: Pick<Incident, 'state'>, move: Move): void {
  const from: readonly Incident['state'][] = moves[move].from;
  if (from.includes(state)) return;
  const allowed = Object.entries(moves)
    .filter(([, { from: states }]) => (states as readonly string[]).includes(state))
    .map(([name]) => name);
  const next = allowed.length === 0 ? 'It can no longer be moved.' : `Next: ${allowed.join(' or ')} it.`;
  throw new ApiError('conflict', { message: `This incident is ${state}. ${next}` });
}

/** Metrics whose incidents callers notice, and as what. Those of others concern the organization alone. */
export const impacts: Partial<Readonly<Record<AlertMetric, 'errors' | 'slow'>>> = {
  error_rate: 'errors',
  latency_p50: 'slow',
  latency_p95: 'slow',
  latency_p99: 'slow',
};

/** @throws ApiError `conflict` where callers would notice nothing of it */
export function refuseToShow({ metric, environment }: Pick<Incident, 'metric' | 'environment'>): void {
  if (impacts[metric] !== undefined && environment?.production) return;
  throw new ApiError('conflict', {
    message: 'Only incidents about errors or latency in a production environment can be shown on the status page.',
  });
}

/** Why an incident's state is no reason to relax; null: there is no such reason. */
export function warningOf({ state, firingMembers }: Pick<Incident, 'state' | 'firingMembers'>): string | null {
  if (firingMembers === 0 || (state !== 'resolved' && state !== 'monitoring')) return null;
  return firingMembers === 1
    ? 'Its rule still fires for one alert.'
    : `Its rule still fires for ${firingMembers} alerts.`;
}

const aroundMs = 15 * 60_000;

/** Page of the console with the traffic around an incident: a quarter of an hour before it and after it. */
export function trafficPathOf({
  openedAt,
  endedAt,
  environmentId,
  proxyIds,
}: {
  readonly openedAt: Date;
  /** Null: not yet. */
  readonly endedAt: Date | null;
  readonly environmentId: string | null;
  readonly proxyIds: readonly string[];
}): string {
  const query = new URLSearchParams();
  if (environmentId !== null) query.set('environmentId', environmentId);
  if (proxyIds.length === 1) query.set('proxyId', proxyIds[0]!);
  query.set('from', new Date(openedAt.getTime() - aroundMs).toISOString());
  if (endedAt !== null) query.set('to', new Date(endedAt.getTime() + aroundMs).toISOString());
  return `/traffic?${query}`;
}

/** Who was notified of an incident, and who will be as long as nobody acknowledges it. */
export interface Notices {
  readonly notified: readonly string[];
  /** In the order of their times, which are ISO 8601. */
  readonly escalation: readonly { readonly integrationId: string; readonly at: string }[];
  /** Notifications so far: each has its number in its id. */
  readonly count: number;
}

/** Those notified up to a moment: escalations that were due by then are among them. */
export function notifiedBy({ notified, escalation }: Notices, now: Date): readonly string[] {
  const due = escalation.filter(({ at }) => at <= now.toISOString()).map(({ integrationId }) => integrationId);
  return [...new Set([...notified, ...due])];
}
