import { fingerprintOf, Replay, worse } from '@millrace/alerting';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import { slotMs, slotRetentionMs } from '../slots/rules.ts';
import { readSlots } from '../slots/store.ts';
import type { AlertRuleTest } from './contract.ts';
import { loadNames, proxyLabels } from './labels.ts';
import type { RuleFields } from './rules.ts';
import { evaluatedCondition, type TrafficCounts, TrafficWindow, widestMs } from './samples.ts';

type Answer = z.infer<typeof AlertRuleTest>;
type Point = Answer['series'][number]['points'][number];
type Tried = RuleFields & { readonly id: string };

interface Pair {
  readonly environmentId: string;
  readonly proxyId: string;
}

const hourMs = 3_600_000;
/** Evaluations of an hour that is only known as a whole. */
const coarseMs = 60_000;
/** Figures that are read at a time. */
const chunkMs = hourMs;
const widestSlots = widestMs / slotMs;
const mostPoints = 720;
const mostSeries = 20;
const mostFirings = 500;
/** Proxies in environments that one test evaluates. */
const mostPairs = 500;
const longestMs = 10_000;

/** One alert's past. */
class Series {
  readonly pair: Pair;
  readonly replay: Replay;
  readonly points: Point[] = [];
  requests = 0;
  slots: (TrafficCounts | undefined)[] = [];

  constructor(pair: Pair, replay: Replay) {
    this.pair = pair;
    this.replay = replay;
  }
}

/** Evaluates a rule over past figures of traffic, beginning inactive. The caller has checked rule and range. */
export async function tryOnPast(
  transaction: TenantTransaction,
  rule: Tried,
  range: { readonly from: Date; readonly to: Date },
  now: Date,
): Promise<Answer> {
  const run = new Run(rule, range);
  await run.addDeployed(transaction);
  const fromMs = Math.ceil(range.from.getTime() / slotMs) * slotMs;
  const toMs = Math.floor(range.to.getTime() / slotMs) * slotMs;
  const isOfCaller = rule.appId !== null || rule.productId !== null;
  const keptMs = Math.ceil((now.getTime() - slotRetentionMs) / hourMs + 1) * hourMs;
  const slotsFromMs = isOfCaller ? toMs : Math.min(Math.max(fromMs, keptMs), toMs);
  await run.evaluateHours(transaction, fromMs, slotsFromMs);
  await run.evaluateSlots(transaction, slotsFromMs, toMs);
  return run.answer(await loadNames(transaction));
}

class Run {
  readonly #rule: Tried;
  readonly #condition: ReturnType<typeof evaluatedCondition>;
  readonly #range: { readonly from: Date; readonly to: Date };
  readonly #stepMs: number;
  readonly #series = new Map<string, Series>();
  readonly #spans: Answer['spans'] = [];
  readonly #deadlineMs = performance.now() + longestMs;
  #evaluations = 0;

  constructor(rule: Tried, range: { readonly from: Date; readonly to: Date }) {
    this.#rule = rule;
    this.#condition = evaluatedCondition(rule);
    this.#range = range;
    const rangeMs = range.to.getTime() - range.from.getTime();
    this.#stepMs = Math.max(slotMs, Math.ceil(rangeMs / mostPoints / slotMs) * slotMs);
  }

  /** Proxies that are deployed have a past without requests too. */
  async addDeployed(transaction: TenantTransaction): Promise<void> {
    const { environmentId, proxyId } = this.#rule;
    if (environmentId !== null && proxyId !== null) {
      this.#seriesOf({ environmentId, proxyId });
      return;
    }
    const { rows } = await sql<Pair>`
      select distinct environment_id as "environmentId", proxy_id as "proxyId" from deployments
      where organization_id = ${transaction.tenantId} and ended_at is null and state = 'live'
        and (${environmentId}::text is null or environment_id = ${environmentId})
        and (${proxyId}::text is null or proxy_id = ${proxyId}) order by 1, 2 limit ${mostPairs}`.execute(transaction);
    for (const pair of rows) this.#seriesOf(pair);
  }

  /** Evaluates hours as if all of each had been as it was on the whole. */
  async evaluateHours(transaction: TenantTransaction, fromMs: number, toMs: number): Promise<void> {
    const isTotal = this.#rule.metric.startsWith('latency_') && this.#rule.latencyPart === 'total';
    if (fromMs >= toMs || isTotal) return;
    for (let hour = Math.floor(fromMs / hourMs) * hourMs; hour < toMs; hour += hourMs) {
      this.#refuseLong();
      const found = await readHour(transaction, this.#rule, new Date(hour));
      const windows = new Map<Series, TrafficWindow>();
      for (const { environmentId, proxyId, ...counts } of found) {
        const series = this.#seriesOf({ environmentId, proxyId });
        if (series === null) continue;
        series.requests += counts.requests;
        windows.set(series, new TrafficWindow([shareOfHour(counts)], widestMs / 1_000));
      }
      const firstMs = Math.max(fromMs, hour) + coarseMs;
      for (let atMs = firstMs; atMs <= Math.min(toMs, hour + hourMs); atMs += coarseMs) {
        this.#evaluate(atMs, coarseMs, (series) => windows.get(series) ?? emptyWindow);
      }
    }
    this.#addSpan('hours', fromMs, toMs, coarseMs);
  }

  async evaluateSlots(transaction: TenantTransaction, fromMs: number, toMs: number): Promise<void> {
    if (fromMs >= toMs) return;
    const { environmentId, proxyId } = this.#rule;
    const filter = { environmentId: environmentId ?? undefined, proxyId: proxyId ?? undefined };
    for (let chunk = fromMs - widestMs; chunk < toMs; chunk += chunkMs) {
      this.#refuseLong();
      const chunkEnd = Math.min(chunk + chunkMs, toMs);
      const found = await readSlots(transaction, { from: new Date(chunk), to: new Date(chunkEnd), ...filter });
      let index = 0;
      for (let slot = chunk; slot < chunkEnd; slot += slotMs) {
        const here = new Map<Series, TrafficCounts>();
        for (; index < found.length && found[index]!.slot.getTime() === slot; index++) {
          const series = this.#seriesOf(found[index]!);
          if (series === null) continue;
          here.set(series, found[index]!);
          if (slot >= fromMs) series.requests += found[index]!.requests;
        }
        for (const series of this.#series.values()) {
          series.slots = [here.get(series), ...series.slots.slice(0, widestSlots - 1)];
        }
        if (slot >= fromMs) {
          this.#evaluate(slot + slotMs, slotMs, ({ slots }) => new TrafficWindow(slots, slotMs / 1_000));
        }
      }
    }
    this.#addSpan('slots', fromMs, toMs, slotMs);
  }

  answer(names: ReadonlyMap<string, string>): Answer {
    const described = [...this.#series.values()].map((series) => {
      const labels = { ...proxyLabels(this.#rule, series.pair, names) };
      return { series, labels, fingerprint: fingerprintOf(this.#rule.id, labels), firings: series.replay.firings };
    });
    const endMs = this.#range.to.getTime();
    const firings = described
      .flatMap(({ labels, fingerprint, firings: ofSeries }) =>
        ofSeries.map(({ pendingAtMs, firedAtMs, resolvedAtMs, value }) => ({
          fingerprint,
          labels,
          pendingAt: new Date(pendingAtMs).toISOString(),
          firedAt: new Date(firedAtMs).toISOString(),
          resolvedAt: resolvedAtMs === null ? null : new Date(resolvedAtMs).toISOString(),
          seconds: Math.round(((resolvedAtMs ?? endMs) - firedAtMs) / 1_000),
          value,
        })),
      )
      .sort((first, second) => Date.parse(first.firedAt) - Date.parse(second.firedAt));
    const shown = described.toSorted(
      (first, second) =>
        (first.firings[0]?.firedAtMs ?? Number.MAX_VALUE) - (second.firings[0]?.firedAtMs ?? Number.MAX_VALUE) ||
        second.series.requests - first.series.requests,
    );
    return {
      from: this.#range.from.toISOString(),
      to: this.#range.to.toISOString(),
      spans: this.#spans,
      evaluations: this.#evaluations,
      firings: firings.slice(0, mostFirings),
      firingsTotal: firings.length,
      stepSeconds: this.#stepMs / 1_000,
      series: shown
        .slice(0, mostSeries)
        .map(({ series, labels, fingerprint }) => ({ fingerprint, labels, points: series.points })),
      seriesTotal: described.length,
    };
  }

  /** @returns null beyond the most that are evaluated */
  #seriesOf({ environmentId, proxyId }: Pair): Series | null {
    const key = `${environmentId} ${proxyId}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= mostPairs) return null;
    const series = new Series({ environmentId, proxyId }, new Replay(this.#condition));
    this.#series.set(key, series);
    return series;
  }

  #evaluate(atMs: number, everyMs: number, windowOf: (series: Series) => TrafficWindow): void {
    this.#evaluations++;
    const pointMs = Math.floor((atMs - everyMs - this.#range.from.getTime()) / this.#stepMs);
    const at = new Date(this.#range.from.getTime() + Math.max(0, pointMs) * this.#stepMs).toISOString();
    for (const series of this.#series.values()) {
      const sample = windowOf(series).sample(this.#condition);
      series.replay.add(atMs, sample);
      this.#addPoint(series, at, sample.kind === 'value' ? sample : { value: null, requests: 0 });
    }
  }

  #addPoint(series: Series, at: string, { value, requests }: { value: number | null; requests: number }): void {
    const { state } = series.replay;
    const last = series.points.at(-1);
    if (last?.at !== at) {
      series.points.push({ at, value, requests, state, noData: false });
      return;
    }
    last.value = worse(this.#condition.operator, last.value, value);
    last.requests = Math.max(last.requests, requests);
    if (severityOf[state] > severityOf[last.state]) last.state = state;
  }

  #addSpan(source: 'slots' | 'hours', fromMs: number, toMs: number, everyMs: number): void {
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
    this.#spans.push({ from, to, source, evaluationSeconds: everyMs / 1_000 });
  }

  #refuseLong(): void {
    if (performance.now() < this.#deadlineMs) return;
    throw new ApiError('unprocessable', {
      message: 'Trying this rule on so much traffic takes too long. Choose a shorter time, or one API proxy.',
    });
  }
}

const severityOf = { inactive: 0, pending: 1, firing: 2 } as const;
const emptyWindow = new TrafficWindow([], slotMs / 1_000);

/** What five minutes of an hour had on average; percentiles are those of the hour. */
function shareOfHour(counts: TrafficCounts): TrafficCounts {
  const share = widestMs / hourMs;
  const scaled = (encoded: readonly number[]) =>
    encoded.map((number, index) => (index % 2 === 0 ? number : number * share));
  return {
    requests: counts.requests * share,
    status4xx: counts.status4xx * share,
    status5xx: counts.status5xx * share,
    limited: counts.limited * share,
    gatewayTime: scaled(counts.gatewayTime),
    targetTime: scaled(counts.targetTime),
    latency: [],
  };
}

async function readHour(transaction: TenantTransaction, rule: RuleFields, hour: Date) {
  const { environmentId, proxyId, appId, productId } = rule;
  const { rows } = await sql<HourRow>`
    select environment_id as "environmentId", proxy_id as "proxyId", sum(requests)::float8 as requests,
      sum(status_4xx)::float8 as "status4xx", sum(status_5xx)::float8 as "status5xx", sum(limited)::float8 as limited,
      json_agg(gateway_time) as "gatewayTimes", json_agg(target_time) as "targetTimes"
    from traffic_aggregates
    where organization_id = ${transaction.tenantId} and hour = ${hour}
      and (${environmentId}::text is null or environment_id = ${environmentId})
      and (${proxyId}::text is null or proxy_id = ${proxyId})
      and (${appId}::text is null or app_id = ${appId})
      and (${productId}::text is null or product_id = ${productId})
    group by environment_id, proxy_id`.execute(transaction);
  return rows.map(({ gatewayTimes, targetTimes, ...counts }) => ({
    ...counts,
    gatewayTime: gatewayTimes.flat(),
    targetTime: targetTimes.flat(),
    latency: [],
  }));
}

interface HourRow extends Pair, Pick<TrafficCounts, 'requests' | 'status4xx' | 'status5xx' | 'limited'> {
  readonly gatewayTimes: readonly (readonly number[])[];
  readonly targetTimes: readonly (readonly number[])[];
}
