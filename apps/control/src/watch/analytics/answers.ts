import { Histogram, lowestOf } from '@millrace/histograms';
import type { LatencyMeasure, TrafficCounts, TrafficPercentiles } from './contract.ts';
import type { Figure } from './figures.ts';
import type { Source, Span } from './spans.ts';

/** Sources that count neither limits nor bytes. */
const withoutBytes: readonly Source[] = ['routes', 'deployments'];

/** What nothing was counted for. */
export function noCounts(source: Source): TrafficCounts {
  const missing = withoutBytes.includes(source) ? null : 0;
  return {
    requests: 0,
    status2xx: 0,
    status3xx: 0,
    status4xx: 0,
    status5xx: 0,
    limited: missing,
    requestBytes: missing,
    responseBytes: missing,
  };
}

export function countsOf({ counts }: Figure): TrafficCounts {
  const [requests, status2xx, status3xx, status4xx, status5xx, limited, requestBytes, responseBytes] = counts;
  return {
    requests: requests ?? 0,
    status2xx: status2xx ?? 0,
    status3xx: status3xx ?? 0,
    status4xx: status4xx ?? 0,
    status5xx: status5xx ?? 0,
    limited: limited ?? null,
    requestBytes: requestBytes ?? null,
    responseBytes: responseBytes ?? null,
  };
}

/** The sum of figures, or what nothing was counted for. */
export function totalOf(figures: readonly Figure[], source: Source): TrafficCounts {
  return figures.map(countsOf).reduce(add, noCounts(source));
}

function add(first: TrafficCounts, second: TrafficCounts): TrafficCounts {
  const sum = (name: 'limited' | 'requestBytes' | 'responseBytes') =>
    first[name] === null || second[name] === null ? null : first[name] + second[name];
  return {
    requests: first.requests + second.requests,
    status2xx: first.status2xx + second.status2xx,
    status3xx: first.status3xx + second.status3xx,
    status4xx: first.status4xx + second.status4xx,
    status5xx: first.status5xx + second.status5xx,
    limited: sum('limited'),
    requestBytes: sum('requestBytes'),
    responseBytes: sum('responseBytes'),
  };
}

/** A point for each step, whether or not anything was counted in it. */
export function pointsOf(figures: readonly Figure[], { steps }: Pick<Span, 'steps'>, source: Source) {
  const byStep = Map.groupBy(figures, ({ step }) => step);
  return steps.map((at, step) => ({ at: at.toISOString(), ...totalOf(byStep.get(step) ?? [], source) }));
}

/** Null: there were no requests. */
export function ratioOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

const noHistograms = { gatewayTime: [], targetTime: [], latency: [] } as const;

/** @param figure undefined: nothing was counted */
export function percentilesOf(figure: Pick<Figure, LatencyMeasure> | undefined): TrafficPercentiles {
  const { gatewayTime, targetTime, latency } = figure ?? noHistograms;
  const [gateway, target, both] = [gatewayTime, targetTime, latency].map((encoded) => Histogram.from(encoded));
  return {
    gatewayTimeP50Us: gateway!.percentile(0.5),
    gatewayTimeP95Us: gateway!.percentile(0.95),
    gatewayTimeP99Us: gateway!.percentile(0.99),
    targetTimeP50Us: target!.percentile(0.5),
    targetTimeP95Us: target!.percentile(0.95),
    targetTimeP99Us: target!.percentile(0.99),
    latencyP50Us: both!.percentile(0.5),
    latencyP95Us: both!.percentile(0.95),
    latencyP99Us: both!.percentile(0.99),
  };
}

/** Buckets of a histogram that are one band: half a power of two. */
const bandBuckets = 8;

/** How many requests took how long in each step, in bands from the fastest to the slowest request. */
export function heatMapOf(figures: readonly Figure[], { steps }: Pick<Span, 'steps'>, measure: LatencyMeasure) {
  const bands = figures.flatMap((figure) =>
    figure[measure].filter((_number, index) => index % 2 === 0).map((bucket) => Math.floor(bucket / bandBuckets)),
  );
  const first = bands.reduce((least, band) => Math.min(least, band), Number.POSITIVE_INFINITY);
  const last = bands.reduce((most, band) => Math.max(most, band), Number.NEGATIVE_INFINITY);
  const count = bands.length === 0 ? 0 : last - first + 1;
  const cells = steps.map(() => Array.from({ length: count }, () => 0));
  for (const figure of figures) {
    const encoded = figure[measure];
    for (let index = 0; index < encoded.length; index += 2) {
      cells[figure.step]![Math.floor(encoded[index]! / bandBuckets) - first]! += encoded[index + 1]!;
    }
  }
  const boundsUs = Array.from({ length: count }, (_, band) => lowestOf((first + band) * bandBuckets));
  return { measure, boundsUs, cells };
}

/** What a limit refused, what other callers did wrong, and what failed here or at the target. */
export function errorsOf({ status4xx, status5xx, limited }: TrafficCounts) {
  return { limited, clientErrors: status4xx - (limited ?? 0), serverErrors: status5xx };
}
