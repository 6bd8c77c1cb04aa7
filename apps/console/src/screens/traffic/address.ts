import type { ListSearch } from '@millrace/ui/list-search';
import type { ArgumentsOf } from '../../frame/api.ts';

/** What every question about traffic takes. */
export type TrafficQuery = NonNullable<ArgumentsOf<'summarizeTraffic'>['query']>;
export type Range = NonNullable<TrafficQuery['range']>;
export type Step = NonNullable<TrafficQuery['step']>;
type By = NonNullable<NonNullable<ArgumentsOf<'listTopTraffic'>['query']>['by']>;

/** What traffic can be filtered and split by. */
export interface Dimension {
  readonly by: By;
  /** In the address, as in the API. */
  readonly filter: keyof TrafficQuery & keyof typeof labels;
  readonly label: string;
}

const labels = {
  environmentId: 'Environment',
  proxyId: 'API proxy',
  appId: 'App',
  productId: 'API product',
  country: 'Country',
  routeId: 'Route',
  deploymentId: 'Deployment',
  gatewayNodeId: 'Gateway node',
} as const;

function dimension(by: By, filter: Dimension['filter']): Dimension {
  return { by, filter, label: labels[filter] };
}

export const dimensions: readonly Dimension[] = [
  dimension('environment', 'environmentId'),
  dimension('proxy', 'proxyId'),
  dimension('app', 'appId'),
  dimension('product', 'productId'),
  dimension('country', 'country'),
  dimension('route', 'routeId'),
  dimension('deployment', 'deploymentId'),
  dimension('gateway_node', 'gatewayNodeId'),
];

/** Filters that figures by route, deployment or node are combined with; those of the last minutes likewise. */
const combined: Readonly<Partial<Record<Dimension['filter'], readonly Dimension['filter'][]>>> = {
  routeId: ['environmentId', 'proxyId', 'routeId'],
  deploymentId: ['environmentId', 'proxyId', 'deploymentId'],
  gatewayNodeId: ['environmentId', 'gatewayNodeId'],
};
const combinedLive: readonly Dimension['filter'][] = ['environmentId', 'proxyId'];

export const ranges = ['15m', '1h', '24h', '7d', '30d', '13mo'] as const satisfies readonly Range[];
export const defaultRange = '24h';
const longestOfDeployments = '30d';

/** The state of the traffic screens, which is all in their address. */
export type TrafficSearch = ListSearch;

/** What the address asks of the API, without what only some of its operations take. */
export function queryOf(search: TrafficSearch): TrafficQuery {
  const names = ['range', 'from', 'to', 'step', 'compare', ...dimensions.map(({ filter }) => filter)];
  const given = names.flatMap((name) => (search[name] === undefined ? [] : [[name, String(search[name])]]));
  const query: Record<string, string> = Object.fromEntries(given);
  return (query.from === undefined && query.range === undefined ? { range: defaultRange, ...query } : query) as object;
}

/** Whether the figures are of the last minutes, and still change. */
export function isLive({ range, from }: TrafficSearch): boolean {
  return range === '15m' && from === undefined;
}

/** A range in place of the one before; what doesn't go with it is left out. */
export function withRange(search: TrafficSearch, range: Range): TrafficSearch {
  const { from: _from, to: _to, step: _step, ...kept } = search;
  if (range === '15m') return keepFilters({ ...kept, range }, combinedLive);
  const { deploymentId, ...others } = kept;
  return range === '13mo' && deploymentId !== undefined ? { ...others, range } : { ...kept, range };
}

/** Two moments in place of a range. */
export function withSpan(search: TrafficSearch, from: string | undefined, to: string | undefined): TrafficSearch {
  const { range: _range, step: _step, ...kept } = search;
  return { ...kept, from, to };
}

/** A filter, or none; others that it can't be combined with are left out, and so is a range that doesn't have it. */
export function withFilter(search: TrafficSearch, filter: Dimension['filter'], value: string | null): TrafficSearch {
  if (value === null) return { ...search, [filter]: undefined };
  const isFlat = (name: Dimension['filter']) => combined[name] === undefined;
  const allowed =
    combined[filter] ?? dimensions.map(({ filter: name }) => name).filter((name) => isFlat(name) || goWith(name));
  const { step: _step, ...kept } = keepFilters({ ...search, [filter]: value }, allowed);
  const changed = filter === 'deploymentId' ? kept : { ...kept, step: search.step };
  if (isLive(changed) && !combinedLive.includes(filter)) return withRange(changed, '1h');
  if (filter === 'deploymentId' && changed.range === '13mo') return withRange(changed, longestOfDeployments);
  return changed;

  /** Whether a filter that few others go with may stay beside this one. */
  function goWith(name: Dimension['filter']): boolean {
    return combined[name]?.includes(filter) ?? false;
  }
}

function keepFilters(search: TrafficSearch, allowed: readonly Dimension['filter'][]): TrafficSearch {
  const dropped = dimensions.filter(({ filter }) => !allowed.includes(filter));
  return { ...search, ...Object.fromEntries(dropped.map(({ filter }) => [filter, undefined])) };
}

/** What the figures that the address shows can be split by: with its range, and all of its filters. */
export function splitsOf(search: TrafficSearch): readonly Dimension[] {
  const shown = (of: TrafficSearch, { filter }: Dimension) =>
    JSON.stringify(Object.entries({ ...queryOf({ ...of, step: undefined }), [filter]: undefined }).sort());
  return dimensions.filter((each) => shown(withFilter(search, each.filter, 'any'), each) === shown(search, each));
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Steps that an answer has at most. */
const mostSteps = 2_000;
const minuteMs = 60_000;

/** The steps that a range can have, the finest first; one alone is no choice. */
export function stepsOf(search: TrafficSearch, now: Date = new Date()): readonly Step[] {
  if (isLive(search)) return ['10s', 'minute'];
  const lengthMs = lengthOf(search, now);
  // A range is rounded to whole hours and days.
  const fits = (stepMs: number) => (lengthMs + dayMs) / stepMs <= mostSteps;
  return [
    ...(search.deploymentId !== undefined && lengthMs <= dayMs ? (['minute'] as const) : []),
    ...(fits(hourMs) ? (['hour'] as const) : []),
    ...(lengthMs > 2 * dayMs ? (['day'] as const) : []),
  ];
}

/** The step of the figures where the address has none. */
export function defaultStepOf(search: TrafficSearch, now: Date = new Date()): Step {
  if (isLive(search)) return '10s';
  const lengthMs = lengthOf(search, now);
  if (search.deploymentId !== undefined && lengthMs <= dayMs) return 'minute';
  return lengthMs <= longestByHourMs ? 'hour' : 'day';
}

const longestByHourMs = 8 * dayMs;

const rangeMs: Readonly<Record<Range, number>> = {
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '13mo': 396 * dayMs,
};

function lengthOf({ range = defaultRange, from, to }: TrafficSearch, now: Date): number {
  if (from === undefined) return rangeMs[range as Range] ?? dayMs;
  const end = to === undefined ? now.getTime() : Date.parse(String(to));
  return Math.max(hourMs, end - Date.parse(String(from)));
}

/** What the traffic of something is filtered by. */
export type TrafficFilters = Readonly<Partial<Record<Dimension['filter'], string>>>;

/** The address of the traffic of something, in the last 24 hours. */
export function trafficOf(filters: TrafficFilters): TrafficSearch {
  return { range: defaultRange, ...filters };
}
