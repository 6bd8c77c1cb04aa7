import { addEncoded } from '@millrace/histograms';
import type { TenantTransaction } from '../../database/schema.ts';
import { type RequestCounts, readLive, readSlots, type SlotCounts } from '../slots/store.ts';
import type { Figure, Measure, Question } from './figures.ts';

/** Places in a figure's counts. */
const [requests, , , status4xx, status5xx, limited, requestBytes, responseBytes] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const measured: Readonly<Record<Measure, (counts: readonly number[]) => number>> = {
  requests: (counts) => counts[requests]!,
  errors: (counts) => counts[status5xx]!,
  clientErrors: (counts) => counts[status4xx]! - counts[limited]!,
  limited: (counts) => counts[limited]!,
  requestBytes: (counts) => counts[requestBytes]!,
  responseBytes: (counts) => counts[responseBytes]!,
  failures: (counts) => counts[status4xx]! + counts[status5xx]!,
};

interface LiveFigure extends Figure {
  readonly counts: readonly number[];
}

/** The figures of a live span, from the sums of ten seconds. */
export async function readLiveFigures(
  transaction: TenantTransaction,
  question: Omit<Question, 'source'>,
): Promise<readonly Figure[]> {
  const { span, filters, bySteps, by } = question;
  const stepMs = span.steps[1]!.getTime() - span.from.getTime();
  const query = { from: span.from, to: span.to, environmentId: filters.environmentId, proxyId: filters.proxyId };
  const placeOf = (slot: Date) => (bySteps ? Math.floor((slot.getTime() - span.from.getTime()) / stepMs) : 0);
  if (by === undefined) {
    const { slots } = await readLive(transaction, { ...query, stepMs });
    return added(slots.map((slot) => figureOf(placeOf(slot.slot), '', slot, slot)));
  }
  const keyOf = (row: { readonly environmentId: string; readonly proxyId: string }) =>
    by === 'environment' ? row.environmentId : row.proxyId;
  const figures = bySteps
    ? (await readSlots(transaction, query)).map((slot) => figureOf(placeOf(slot.slot), keyOf(slot), slot))
    : (await readLive(transaction, { ...query, stepMs })).proxies.map((row) => figureOf(0, keyOf(row), row));
  return added(keptApart(figures, question.keep));
}

const noTimes = { gatewayTime: [], targetTime: [], latency: [] };

function figureOf(
  step: number,
  key: string,
  slot: RequestCounts,
  times: Pick<SlotCounts, 'gatewayTime' | 'targetTime' | 'latency'> = noTimes,
): LiveFigure {
  const { gatewayTime, targetTime, latency } = times;
  const counts = [
    slot.requests,
    slot.status2xx,
    slot.status3xx,
    slot.status4xx,
    slot.status5xx,
    slot.limited,
    slot.requestBytes,
    slot.responseBytes,
  ];
  return { step, key, counts, rows: 1, gatewayTime, targetTime, latency };
}

function keptApart(figures: readonly LiveFigure[], keep: Question['keep']): readonly LiveFigure[] {
  if (keep === undefined) return figures;
  const kept = new Set('keys' in keep ? keep.keys : largest(figures, keep));
  return figures.map((figure) => (kept.has(figure.key!) ? figure : { ...figure, key: null }));
}

function largest(
  figures: readonly LiveFigure[],
  { measure, most }: { readonly measure: Measure; readonly most: number },
): readonly string[] {
  const sums = new Map<string, number>();
  for (const { key, counts } of figures) sums.set(key!, (sums.get(key!) ?? 0) + measured[measure](counts));
  return [...sums]
    .sort(([firstKey, first], [secondKey, second]) => second - first || (firstKey < secondKey ? -1 : 1))
    .slice(0, most)
    .map(([key]) => key);
}

/** Those of one step and key as one. */
function added(figures: readonly LiveFigure[]): readonly LiveFigure[] {
  const sums = new Map<string, LiveFigure>();
  for (const figure of figures) {
    const name = `${figure.step} ${figure.key}`;
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, figure);
    else {
      sums.set(name, {
        ...sum,
        counts: sum.counts.map((count, index) => count + figure.counts[index]!),
        rows: sum.rows + figure.rows,
        gatewayTime: addEncoded(sum.gatewayTime, figure.gatewayTime),
        targetTime: addEncoded(sum.targetTime, figure.targetTime),
        latency: addEncoded(sum.latency, figure.latency),
      });
    }
  }
  return [...sums.values()];
}
