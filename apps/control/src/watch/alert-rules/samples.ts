import type { Condition, Sample } from '@millrace/alerting';
import { Histogram } from '@millrace/histograms';
import type { SlotCounts } from '../slots/store.ts';
import { usesMinimum } from './rules.ts';

/**
 * Counts of requests that ended within a time. Histograms that no rule needs are empty, and the whole latency where only
 * hourly figures are known.
 */
export type TrafficCounts = Pick<
  SlotCounts,
  'requests' | 'status4xx' | 'status5xx' | 'limited' | 'gatewayTime' | 'targetTime' | 'latency'
>;

type Part = Condition['latencyPart'];
type Watched = Pick<Condition, 'metric' | 'latencyPart' | 'minimumRequests'>;

/** How far a value's window is widened to reach the requests that a rule demands. */
export const widestMs = 300_000;

const histogramOf = { gateway: 'gatewayTime', target: 'targetTime', total: 'latency' } as const;
const shares = { latency_p50: 0.5, latency_p95: 0.95, latency_p99: 0.99 } as const;
const microsecondsOfMillisecond = 1_000;

/** The figures of one proxy in one environment in the time up to an evaluation; what was computed of them is kept. */
export class TrafficWindow {
  readonly #slots: readonly (TrafficCounts | undefined)[];
  readonly #slotSeconds: number;
  readonly #known = new Map<string, Sample>();

  /**
   * @param slots the newest first; undefined: no requests
   * @param slotSeconds length of each
   */
  constructor(slots: readonly (TrafficCounts | undefined)[], slotSeconds: number) {
    this.#slots = slots;
    this.#slotSeconds = slotSeconds;
  }

  /** What a rule sees: a value of the last slot, or of as many before it as reach its minimum of requests. */
  sample({ metric, latencyPart, minimumRequests }: Watched): Sample {
    const key = `${metric} ${latencyPart} ${minimumRequests}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const sample = this.#compute({ metric, latencyPart, minimumRequests });
    this.#known.set(key, sample);
    return sample;
  }

  #compute({ metric, latencyPart, minimumRequests }: Watched): Sample {
    const last = this.#slots[0]?.requests ?? 0;
    if (metric === 'request_rate') return { kind: 'value', value: last / this.#slotSeconds, requests: last };
    if (metric === 'traffic_absent') return { kind: 'value', value: last === 0 ? 1 : 0, requests: last };
    const part = metric === 'latency_p50' || metric === 'latency_p95' || metric === 'latency_p99' ? latencyPart : null;
    const wanted = Math.max(1, minimumRequests);
    let requests = 0;
    let slots = 0;
    for (; slots < this.#slots.length && requests < wanted; slots++) requests += requestsOf(this.#slots[slots], part);
    if (requests < wanted) return { kind: 'value', value: null, requests };
    const counted = this.#slots.slice(0, slots).filter((slot) => slot !== undefined);
    return { kind: 'value', value: rateOrPercentile(counted, metric, latencyPart, requests), requests };
  }
}

function requestsOf(slot: TrafficCounts | undefined, part: Part | null): number {
  if (slot === undefined) return 0;
  if (part === null) return slot.requests;
  let requests = 0;
  const encoded = slot[histogramOf[part]];
  for (let index = 1; index < encoded.length; index += 2) requests += encoded[index]!;
  return requests;
}

function rateOrPercentile(slots: readonly TrafficCounts[], metric: Condition['metric'], part: Part, requests: number) {
  const percent = (count: (slot: TrafficCounts) => number) =>
    (100 * slots.reduce((sum, slot) => sum + count(slot), 0)) / requests;
  switch (metric) {
    case 'error_rate':
      return percent(({ status5xx }) => status5xx);
    case 'client_error_rate':
      return percent(({ status4xx }) => status4xx);
    case 'limited_rate':
      return percent(({ limited }) => limited);
    case 'latency_p50':
    case 'latency_p95':
    case 'latency_p99': {
      const histogram = new Histogram();
      for (const slot of slots) histogram.addEncoded(slot[histogramOf[part]]);
      const microseconds = histogram.percentile(shares[metric]);
      return microseconds === null ? null : microseconds / microsecondsOfMillisecond;
    }
    default:
      throw new Error(`${metric} is not a metric of traffic`);
  }
}

/** The condition as it is evaluated: metrics that are no share or percentile have no minimum of requests. */
export function evaluatedCondition(condition: Condition): Condition {
  return usesMinimum(condition.metric) ? condition : { ...condition, minimumRequests: 0 };
}
