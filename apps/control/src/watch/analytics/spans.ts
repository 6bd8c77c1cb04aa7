import { fieldError } from '../../frame/errors.ts';
import { addDays, ceilToHour, dayOfHour, floorToHour, hourMs, keptMinutesDays, startOfDay } from '../rollups/rules.ts';
import type { Head } from '../rollups/store.ts';
import { mostSteps, type TrafficDimension, type TrafficQuery, type TrafficStep } from './contract.ts';

const minuteMs = 60_000;
const slotMs = 10_000;
const dayMs = 86_400_000;
const liveMs = 900_000;
/** Spans up to this have steps of hours by default. */
const longestByHourMs = 8 * dayMs;

/** Which rows answer: hourly ones, those of routes, nodes or deployments, or the sums of ten seconds. */
export type Source = 'hours' | 'routes' | 'nodes' | 'deployments' | 'live';

/** A half-open span in steps. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
  readonly step: TrafficStep;
  /** The beginning of each step. */
  readonly steps: readonly Date[];
  /** Where the steps are days: which. */
  readonly days: readonly string[] | null;
}

/** What is asked for, as far as it says when and of what. */
export type Asked = Pick<
  TrafficQuery,
  | 'range'
  | 'from'
  | 'to'
  | 'step'
  | 'compare'
  | 'environmentId'
  | 'proxyId'
  | 'appId'
  | 'productId'
  | 'country'
  | 'routeId'
  | 'deploymentId'
  | 'gatewayNodeId'
> & { readonly by?: TrafficDimension | undefined };

const ofHours = ['environmentId', 'proxyId', 'appId', 'productId', 'country'] as const;

/** What each source can be filtered and split by. */
const sources: Readonly<Record<Source, { filters: readonly (keyof Asked)[]; by: readonly TrafficDimension[] }>> = {
  hours: { filters: ofHours, by: ['environment', 'proxy', 'app', 'product', 'country'] },
  routes: { filters: ['environmentId', 'proxyId', 'routeId'], by: ['route', 'proxy', 'environment'] },
  nodes: { filters: ['environmentId', 'gatewayNodeId'], by: ['gateway_node', 'environment'] },
  deployments: { filters: ['environmentId', 'proxyId', 'deploymentId'], by: ['deployment', 'proxy', 'environment'] },
  live: { filters: ['environmentId', 'proxyId'], by: ['proxy', 'environment'] },
};

const subjects: Readonly<Record<Source, string>> = {
  hours: 'Traffic',
  routes: 'Traffic of routes',
  nodes: 'Traffic of gateway nodes',
  deployments: 'Traffic of deployments',
  live: 'Live traffic',
};

const allFilters = [...ofHours, 'routeId', 'deploymentId', 'gatewayNodeId'] as const;

/** @throws ApiError where no rows have all of what is asked for */
export function sourceOf(asked: Asked): Source {
  const source = chooseSource(asked);
  const subject = subjects[source];
  for (const filter of allFilters) {
    if (asked[filter] !== undefined && !sources[source].filters.includes(filter)) {
      throw fieldError(filter, `${subject} isn’t counted by this. Remove the filter.`);
    }
  }
  if (asked.by !== undefined && !sources[source].by.includes(asked.by)) {
    if (source === 'live') throw fieldError('range', `${subject} isn’t counted by this. Choose a longer range.`);
    throw fieldError('by', `${subject} isn’t counted by this. Choose ${sources[source].by.join(', ')}.`);
  }
  return source;
}

function chooseSource({ range, by, routeId, deploymentId, gatewayNodeId }: Asked): Source {
  if (range === '15m') return 'live';
  if (deploymentId !== undefined || by === 'deployment') return 'deployments';
  if (routeId !== undefined || by === 'route') return 'routes';
  if (gatewayNodeId !== undefined || by === 'gateway_node') return 'nodes';
  return 'hours';
}

/**
 * The span that is asked for, in whole steps.
 *
 * @param options.isUnstepped whether its steps are not answered, and it can be of any length
 * @throws ApiError where it is empty, has too many steps, or its rows are no longer kept
 */
export function spanOf(asked: Asked, source: Source, head: Head, now: Date, { isUnstepped = false } = {}): Span {
  if (asked.range !== undefined && (asked.from !== undefined || asked.to !== undefined)) {
    throw fieldError('range', 'Give either a range or from and to.');
  }
  if (source === 'live') return liveSpan(asked, now);
  const { from: begin, to } = boundsOf(asked, head, now);
  const step = asked.step ?? usualStep(source, to.getTime() - begin.getTime());
  if (step === '10s' || (step === 'minute' && source !== 'deployments')) {
    throw fieldError('step', 'Choose hour or day.');
  }
  const span = betweenOf(begin, to, step, head);
  if (span.from >= span.to) throw fieldError(asked.to === undefined ? 'from' : 'to', 'End the range after it begins.');
  if (span.steps.length > mostSteps && !isUnstepped) {
    throw fieldError('step', `This range has more than ${mostSteps} steps. Choose a longer step or a shorter range.`);
  }
  requireKept(span, source, head, now);
  return span;
}

/**
 * The span before: of days, as many days earlier, and of a day in progress as many of its hours; else the same length.
 * A range of days is compared by days also where its steps are hours, so that every answer has the same period before.
 */
export function previousSpan({ range }: Pick<Asked, 'range'>, span: Span, source: Source, head: Head, now: Date): Span {
  const { from, to, step } = span;
  const count = span.days?.length ?? (range === '7d' || range === '30d' ? daysBefore[range] + 1 : null);
  let previous: Span;
  if (count === null) {
    previous = betweenOf(new Date(from.getTime() - (to.getTime() - from.getTime())), from, step, head);
  } else {
    const first = dayOfHour(from, head);
    const last = addDays(first, count - 1);
    const intoLastMs = to.getTime() - startOfDay(last, head).getTime();
    const until = Math.min(
      startOfDay(addDays(last, -count), head).getTime() + intoLastMs,
      startOfDay(addDays(last, 1 - count), head).getTime(),
    );
    previous = betweenOf(startOfDay(addDays(first, -count), head), new Date(until), step, head);
  }
  if (source !== 'live') requireKept(previous, source, head, now);
  return previous;
}

function betweenOf(from: Date, to: Date, step: TrafficStep, head: Head): Span {
  return step === 'day' ? spanOfDays(from, to, head) : evenSpan(from, to, step);
}

/** The beginning of the step in progress; null: all are over. */
export function incompleteFrom({ steps, to }: Span, now: Date): Date | null {
  return to <= now ? null : (steps.findLast((step) => step <= now) ?? steps[0]!);
}

function liveSpan({ step }: Asked, now: Date): Span {
  if (step === 'hour' || step === 'day') throw fieldError('step', 'Choose 10s or minute.');
  const lengthMs = step === 'minute' ? minuteMs : slotMs;
  const to = Math.ceil(now.getTime() / lengthMs) * lengthMs;
  return evenSpan(new Date(to - liveMs), new Date(to), step ?? '10s');
}

const hoursBefore = { '1h': 2, '24h': 24 } as const;
const daysBefore = { '7d': 6, '30d': 29 } as const;

function boundsOf({ range, from, to }: Asked, head: Head, now: Date): Pick<Span, 'from' | 'to'> {
  const end = to === undefined ? ceilToHour(new Date(now.getTime() + 1)) : new Date(to);
  if (from !== undefined) return { from: new Date(from), to: end };
  const today = dayOfHour(floorToHour(now), head);
  if (range === '7d' || range === '30d') return { from: startOfDay(addDays(today, -daysBefore[range]), head), to: end };
  if (range === '13mo') return { from: startOfDay(monthsBefore(today, 13), head), to: end };
  return { from: new Date(end.getTime() - hoursBefore[range === '1h' ? range : '24h'] * hourMs), to: end };
}

function monthsBefore(day: string, months: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  const date = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() - months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(date, last));
  return at.toISOString().slice(0, 10);
}

function usualStep(source: Source, lengthMs: number): TrafficStep {
  if (source === 'deployments' && lengthMs <= dayMs) return 'minute';
  return lengthMs <= longestByHourMs ? 'hour' : 'day';
}

const stepMs = { '10s': slotMs, minute: minuteMs, hour: hourMs } as const;

function evenSpan(given: Date, until: Date, step: Exclude<TrafficStep, 'day'>): Span {
  const lengthMs = stepMs[step];
  const fromMs = Math.floor(given.getTime() / lengthMs) * lengthMs;
  const toMs = Math.ceil(until.getTime() / lengthMs) * lengthMs;
  // One more than is allowed is enough to refuse.
  const count = Math.max(0, Math.min((toMs - fromMs) / lengthMs, mostSteps + 1));
  const steps = Array.from({ length: count }, (_, index) => new Date(fromMs + index * lengthMs));
  return { from: new Date(fromMs), to: new Date(toMs), step, steps, days: null };
}

function spanOfDays(given: Date, until: Date, head: Head): Span {
  const end = ceilToHour(until);
  const days: string[] = [];
  const first = dayOfHour(floorToHour(given), head);
  for (let day = first; startOfDay(day, head) < end && days.length <= mostSteps; day = addDays(day, 1)) days.push(day);
  const afterLast = startOfDay(addDays(days.at(-1) ?? first, 1), head);
  // Of days whose hours are dropped there are no parts.
  const to = head.hoursFrom !== null && end < head.hoursFrom ? afterLast : end;
  const steps = days.map((day) => startOfDay(day, head));
  return { from: startOfDay(first, head), to, step: 'day', steps, days };
}

function requireKept({ from, days }: Span, source: Source, { hoursFrom }: Head, now: Date): void {
  if (source === 'deployments') {
    const kept = new Date(now.getTime() - keptMinutesDays * dayMs - dayMs);
    if (from < kept)
      throw fieldError('from', `Traffic of deployments is kept for ${keptMinutesDays} days. Choose a later time.`);
  } else if (days === null && hoursFrom !== null && from < hoursFrom) {
    throw fieldError('step', 'Hours are kept for 13 months. Choose the step day.');
  }
}
