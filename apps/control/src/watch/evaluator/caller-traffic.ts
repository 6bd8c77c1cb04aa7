import { Histogram } from '@millrace/histograms';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { RuleFields } from '../alert-rules/rules.ts';
import { type TrafficCounts, widestMs } from '../alert-rules/samples.ts';
import { slotMs } from '../slots/rules.ts';
import { pairKey, type Traffic, trafficPair } from './traffic.ts';

/** An hour's figures of an app's and product's requests to a proxy in an environment, as they were at a moment. */
interface Sum extends TrafficCounts {
  readonly hour: string;
  readonly environmentId: string;
  readonly proxyId: string;
  readonly appId: string;
  readonly productId: string;
}

interface Snapshot {
  readonly atMs: number;
  readonly sums: readonly Sum[];
}

/** The apps and products that an organization's rules are about. */
export interface WatchedCallers {
  readonly appIds: readonly string[];
  readonly productIds: readonly string[];
}

/** What an organization's callers did between the evaluations of the last minutes. */
export class CallerTraffic {
  /** The newest first. */
  readonly #snapshots: readonly Snapshot[];
  readonly #toMs: number;

  constructor(snapshots: readonly Snapshot[], toMs: number) {
    this.#snapshots = snapshots;
    this.#toMs = toMs;
  }

  /**
   * The traffic of the app or product that a rule is about.
   *
   * @param traffic of all callers
   */
  of({ appId, productId }: Pick<RuleFields, 'appId' | 'productId'>, traffic: Traffic): Traffic {
    const isWatched = (sum: Sum) =>
      (appId === null || sum.appId === appId) && (productId === null || sum.productId === productId);
    const pairs = new Map<string, { environmentId: string; proxyId: string; slots: (TrafficCounts | undefined)[] }>();
    for (const { key, ids } of traffic.pairs) pairs.set(key, { ...ids, slots: [] });
    for (const [index, older] of this.#snapshots.slice(1).entries()) {
      const newer = this.#snapshots[index]!;
      const slot = Math.round((this.#toMs - newer.atMs) / slotMs);
      const before = new Map(older.sums.map((sum) => [keyOf(sum), sum]));
      for (const sum of newer.sums.filter(isWatched)) {
        const counts = sinceThen(sum, before.get(keyOf(sum)));
        if (counts.requests <= 0) continue;
        const key = pairKey(sum.environmentId, sum.proxyId);
        const pair = pairs.get(key) ?? { environmentId: sum.environmentId, proxyId: sum.proxyId, slots: [] };
        pairs.set(key, pair);
        pair.slots[slot] = added(pair.slots[slot], counts);
      }
    }
    const { isReported } = traffic;
    return { pairs: [...pairs.values()].map((pair) => trafficPair(pair, pair.slots, isReported)), isReported };
  }
}

/** Hours of which figures may still change: what ended in them is reported by then. */
const openHours = 2;

/** Reads and keeps the hourly figures of watched apps and products: what is new at an evaluation is the difference. */
export async function readCallerTraffic(
  system: Kysely<Schema>,
  organizations: ReadonlyMap<string, WatchedCallers>,
  at: Date,
): Promise<ReadonlyMap<string, CallerTraffic>> {
  const read = new Map<string, CallerTraffic>();
  for (const [organizationId, callers] of organizations) {
    const sums = await readSums(system, organizationId, callers, at);
    await sql`
      insert into alert_traffic_sums (organization_id, at, sums)
      values (${organizationId}, ${at}, ${JSON.stringify(sums)}::jsonb) on conflict do nothing`.execute(system);
    const { rows } = await sql<{ at: Date; sums: readonly Sum[] }>`
      select at, sums from alert_traffic_sums
      where organization_id = ${organizationId} and at <= ${at} and at >= ${new Date(at.getTime() - widestMs)}
      order by at desc`.execute(system);
    const snapshots = rows.map((row) => ({ atMs: row.at.getTime(), sums: row.sums }));
    read.set(organizationId, new CallerTraffic(snapshots, at.getTime()));
  }
  return read;
}

async function readSums(
  system: Kysely<Schema>,
  organizationId: string,
  { appIds, productIds }: WatchedCallers,
  at: Date,
): Promise<readonly Sum[]> {
  const { rows } = await sql<Omit<Sum, 'gatewayTime' | 'targetTime' | 'latency'> & HistogramRows>`
    select hour, environment_id as "environmentId", proxy_id as "proxyId", app_id as "appId",
      product_id as "productId", sum(requests)::float8 as requests, sum(status_4xx)::float8 as "status4xx",
      sum(status_5xx)::float8 as "status5xx", sum(limited)::float8 as limited,
      json_agg(gateway_time) as "gatewayTimes", json_agg(target_time) as "targetTimes"
    from traffic_aggregates
    where organization_id = ${organizationId}
      and hour >= date_trunc('hour', ${at}::timestamptz) - ${openHours} * interval '1 hour'
      and (app_id = any(${appIds}) or product_id = any(${productIds}))
    group by 1, 2, 3, 4, 5`.execute(system);
  return rows.map(({ gatewayTimes, targetTimes, ...sum }) => ({
    ...sum,
    gatewayTime: merged(gatewayTimes),
    targetTime: merged(targetTimes),
    latency: [],
  }));
}

interface HistogramRows {
  readonly gatewayTimes: readonly (readonly number[])[];
  readonly targetTimes: readonly (readonly number[])[];
}

function merged(encoded: readonly (readonly number[])[]): readonly number[] {
  const histogram = new Histogram();
  for (const part of encoded) histogram.addEncoded(part);
  return histogram.encode();
}

function keyOf({ hour, environmentId, proxyId, appId, productId }: Sum): string {
  return [new Date(hour).getTime(), environmentId, proxyId, appId, productId].join(' ');
}

function sinceThen(sum: Sum, before: Sum | undefined): TrafficCounts {
  if (before === undefined) return sum;
  return {
    requests: sum.requests - before.requests,
    status4xx: sum.status4xx - before.status4xx,
    status5xx: sum.status5xx - before.status5xx,
    limited: sum.limited - before.limited,
    gatewayTime: withoutEncoded(sum.gatewayTime, before.gatewayTime),
    targetTime: withoutEncoded(sum.targetTime, before.targetTime),
    latency: [],
  };
}

function withoutEncoded(encoded: readonly number[], before: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (let index = 0; index < before.length; index += 2) counts.set(before[index]!, before[index + 1]!);
  const rest: number[] = [];
  for (let index = 0; index < encoded.length; index += 2) {
    const count = encoded[index + 1]! - (counts.get(encoded[index]!) ?? 0);
    if (count > 0) rest.push(encoded[index]!, count);
  }
  return rest;
}

function added(first: TrafficCounts | undefined, second: TrafficCounts): TrafficCounts {
  if (first === undefined) return second;
  return {
    requests: first.requests + second.requests,
    status4xx: first.status4xx + second.status4xx,
    status5xx: first.status5xx + second.status5xx,
    limited: first.limited + second.limited,
    gatewayTime: merged([first.gatewayTime, second.gatewayTime]),
    targetTime: merged([first.targetTime, second.targetTime]),
    latency: [],
  };
}
