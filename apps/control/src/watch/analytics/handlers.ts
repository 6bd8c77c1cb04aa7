import type * as z from 'zod';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { Handlers } from '../../frame/handler.ts';
import { type Head, readHead } from '../rollups/store.ts';
import { countsOf, errorsOf, heatMapOf, noCounts, percentilesOf, pointsOf, ratioOf, totalOf } from './answers.ts';
import type { analyticsOperations, TrafficCounts, TrafficDimension, TrafficMeasure } from './contract.ts';
import { exportCsv } from './export.ts';
import { type Figure, type Filters, type Question, readFigures } from './figures.ts';
import { readLiveFigures } from './live.ts';
import { readNames } from './names.ts';
import { listAggregates } from './rows.ts';
import { type Asked, incompleteFrom, previousSpan, type Source, type Span, sourceOf, spanOf } from './spans.ts';
import { sampleStatuses } from './store.ts';

/** API proxies that errors are listed of. */
const mostFailing = 20;
/** Countries have two letters; no answer has more of them. */
const mostCountries = 676;

export function analyticsHandlers({
  database,
}: {
  readonly database: ControlDatabase;
}): Handlers<typeof analyticsOperations> {
  return {
    summarizeTraffic: async ({ query }, { transaction, now }) => {
      const asking = await begin(transaction, query, now);
      const summarize = async (span: Span) => {
        const [figure] = await asking.read(span, { histograms: true });
        const total = figure === undefined ? noCounts(asking.source) : countsOf(figure);
        return { ...total, errorRatio: ratioOf(total.status5xx, total.requests), ...percentilesOf(figure) };
      };
      const { previous } = asking;
      return {
        ...asking.answered,
        total: await summarize(asking.span),
        previous: previous === null ? null : { ...ends(previous), ...(await summarize(previous)) },
      };
    },
    getTrafficSeries: async ({ query }, { transaction, now }) => {
      const asking = await begin(transaction, query, now);
      const { span, previous, source } = asking;
      const { by, limit } = query;
      const figures = await asking.read(span, {
        bySteps: true,
        ...(by === undefined ? {} : { by, keep: { measure: 'requests', most: limit } }),
      });
      const kept = [...Map.groupBy(figures, ({ key }) => key)].map(([key, ofKey]) => ({
        key,
        total: totalOf(ofKey, source),
        points: pointsOf(ofKey, span, source),
      }));
      const others = kept.find(({ key }) => key === null);
      const listed = by === undefined ? [] : kept.filter(({ key }) => key !== null).toSorted(byRequests);
      const names = await readNames(
        transaction,
        by ?? 'proxy',
        listed.map(({ key }) => key!),
      );
      const earlier = previous === null ? [] : await asking.read(previous, { bySteps: true });
      return {
        ...asking.answered,
        total: totalOf(figures, source),
        points: pointsOf(figures, span, source),
        series: listed.map(({ key, total, points }) => {
          const { id, name } = names.get(key!)!;
          return { id, name, total, points };
        }),
        others: others === undefined ? null : { id: null, name: null, total: others.total, points: others.points },
        previous:
          previous === null
            ? null
            : { ...ends(previous), total: totalOf(earlier, source), points: pointsOf(earlier, previous, source) },
      };
    },
    listTopTraffic: async ({ query }, { transaction, now }) => {
      const { by, measure, limit } = query;
      const asking = await begin(transaction, query, now);
      const { rows, ...answer } = await topOf(asking, by, measure, limit);
      const names = await readNames(
        transaction,
        by,
        rows.map(({ key }) => key),
      );
      return {
        ...asking.answered,
        by,
        measure,
        ...answer,
        rows: rows.map(({ key, ...row }) => ({ ...names.get(key)!, ...row })),
      };
    },
    listTrafficErrors: async ({ query }, { transaction, now }) => {
      const asking = await begin(transaction, query, now);
      const { span, previous, source } = asking;
      const figures = await asking.read(span, { bySteps: true });
      const total = totalOf(figures, source);
      const earlier = previous === null ? null : totalOf(await asking.read(previous, {}), source);
      const failing =
        source === 'nodes'
          ? []
          : (await asking.read(span, { by: 'proxy', keep: { measure: 'failures', most: mostFailing } })).filter(
              ({ key, counts }) => key !== null && (counts[3] ?? 0) + (counts[4] ?? 0) > 0,
            );
      const names = await readNames(
        transaction,
        'proxy',
        failing.map(({ key }) => key!),
      );
      return {
        ...asking.answered,
        total,
        causes: causesOf(total, earlier),
        points: pointsOf(figures, span, source).map(({ at, ...counts }) => ({
          at,
          requests: counts.requests,
          ...errorsOf(counts),
        })),
        proxies: failing
          .map((figure) => {
            const { id, name } = names.get(figure.key!)!;
            const counts = countsOf(figure);
            const { requests, status5xx } = counts;
            return { id, name, requests, ...errorsOf(counts), errorRatio: ratioOf(status5xx, requests) };
          })
          .toSorted((first, second) => failuresOf(second) - failuresOf(first)),
        sample: await sampleStatuses(transaction, query, span),
        previous: previous === null ? null : { ...ends(previous), total: earlier! },
      };
    },
    getLatency: async ({ query }, { transaction, now }) => {
      const asking = await begin(transaction, query, now);
      const { span, previous } = asking;
      const figures = await asking.read(span, { bySteps: true, histograms: true });
      const byStep = new Map(figures.map((figure) => [figure.step, figure]));
      const [total] = await asking.read(span, { histograms: true });
      const [earlier] = previous === null ? [] : await asking.read(previous, { histograms: true });
      return {
        ...asking.answered,
        total: withRequests(total),
        points: span.steps.map((at, step) => ({ at: at.toISOString(), ...withRequests(byStep.get(step)) })),
        heatMap: heatMapOf(figures, span, query.measure),
        previous: previous === null ? null : { ...ends(previous), ...withRequests(earlier) },
      };
    },
    listTrafficCountries: async ({ query }, { transaction, now }) => {
      const asking = await begin(transaction, { ...query, by: 'country' }, now);
      const { rows, total, previous } = await topOf(asking, 'country', 'requests', mostCountries);
      return {
        ...asking.answered,
        total,
        countries: rows.map(({ key, ...row }) => ({ country: key, ...row })),
        previous,
      };
    },
    listTrafficAggregates: async ({ query }, { transaction, now }) => {
      const { head, span } = await begin(transaction, { ...query, ...ofRows, step: 'hour' }, now, {
        isUnstepped: true,
      });
      return { ...ends(span), timeZone: head.timeZone, ...(await listAggregates(transaction, span, query)) };
    },
    exportTraffic: async ({ query }, { transaction, organizationId, now }) => {
      const { head, span } = await begin(transaction, { ...query, ...ofRows }, now, { isUnstepped: true });
      return {
        data: {
          text: exportCsv(database, organizationId, { span, filters: query, head }),
          fileName: `traffic-${now.toISOString().slice(0, 10)}.csv`,
        },
        change: { entityId: null, before: null, after: query },
      };
    },
  };
}

/** Rows by the hour have countries, which live sums don't. */
const ofRows = { by: 'country' } as const;

type Read = Partial<Pick<Question, 'bySteps' | 'by' | 'keep' | 'histograms'>>;

/** What a call asks for, and how its figures are read. */
interface Asking {
  readonly source: Source;
  readonly head: Head;
  readonly span: Span;
  /** Null: not asked for. */
  readonly previous: Span | null;
  /** What every answer states about itself. */
  readonly answered: {
    readonly from: string;
    readonly to: string;
    readonly timeZone: string;
    readonly live: boolean;
    readonly step: Span['step'];
    readonly incompleteFrom: string | null;
  };
  read(span: Span, read: Read): Promise<readonly Figure[]>;
}

async function begin(
  transaction: TenantTransaction,
  asked: Asked,
  now: Date,
  { isUnstepped = false } = {},
): Promise<Asking> {
  const source = sourceOf(asked);
  const head = await readHead(transaction);
  const span = spanOf(asked, source, head, now, { isUnstepped });
  const filters: Filters = asked;
  return {
    source,
    head,
    span,
    previous: asked.compare === undefined ? null : previousSpan(asked, span, source, head, now),
    answered: {
      ...ends(span),
      timeZone: head.timeZone,
      live: source === 'live',
      step: span.step,
      incompleteFrom: incompleteFrom(span, now)?.toISOString() ?? null,
    },
    read: (of, read) => {
      const question = { span: of, filters, bySteps: false, ...read };
      return source === 'live'
        ? readLiveFigures(transaction, question)
        : readFigures(transaction, { ...question, source });
    },
  };
}

function ends({ from, to }: Span) {
  return { from: from.toISOString(), to: to.toISOString() };
}

function withRequests(figure: Figure | undefined) {
  return { requests: figure?.counts[0] ?? 0, ...percentilesOf(figure) };
}

function byRequests(first: { readonly total: TrafficCounts }, second: { readonly total: TrafficCounts }): number {
  return second.total.requests - first.total.requests;
}

const measured: Readonly<Record<TrafficMeasure, (counts: TrafficCounts) => number>> = {
  requests: ({ requests }) => requests,
  errors: ({ status5xx }) => status5xx,
  clientErrors: ({ status4xx, limited }) => status4xx - (limited ?? 0),
  limited: ({ limited }) => limited ?? 0,
  requestBytes: ({ requestBytes }) => requestBytes ?? 0,
  responseBytes: ({ responseBytes }) => responseBytes ?? 0,
};

/** The largest of a dimension by a measure, the rest, and what they had before. */
async function topOf(
  { span, previous, source, read }: Asking,
  by: TrafficDimension,
  measure: TrafficMeasure,
  most: number,
) {
  const figures = await read(span, { by, keep: { measure, most } });
  const total = totalOf(figures, source);
  const rest = figures.find(({ key }) => key === null);
  const keys = figures.filter(({ key }) => key !== null).map(({ key }) => key!);
  const earlier = previous === null ? [] : await read(previous, { by, keep: { keys } });
  const before = new Map(earlier.map((figure) => [figure.key, countsOf(figure)]));
  const sizeOf = measured[measure];
  return {
    total,
    rows: figures
      .filter(({ key }) => key !== null)
      .map((figure) => {
        const counts = countsOf(figure);
        return {
          key: figure.key!,
          ...counts,
          errorRatio: ratioOf(counts.status5xx, counts.requests),
          share: ratioOf(sizeOf(counts), sizeOf(total)) ?? 0,
          previous: previous === null ? null : (before.get(figure.key) ?? noCounts(source)),
        };
      })
      .toSorted((first, second) => sizeOf(second) - sizeOf(first) || (first.key < second.key ? -1 : 1)),
    others: rest === undefined ? null : countsOf(rest),
    previous: previous === null ? null : { ...ends(previous), total: totalOf(earlier, source) },
  };
}

function failuresOf({ limited, clientErrors, serverErrors }: ReturnType<typeof errorsOf>): number {
  return (limited ?? 0) + clientErrors + serverErrors;
}

type Cause = z.input<(typeof analyticsOperations)[3]['responses'][200]['body']>['data']['causes'][number];

/** Most first; without limits where they are not counted. */
function causesOf(total: TrafficCounts, previous: TrafficCounts | null): Cause[] {
  const now = errorsOf(total);
  const before = previous === null ? null : errorsOf(previous);
  const cause = (name: Cause['cause'], requests: number | null, earlier: number | null | undefined): Cause[] =>
    requests === null
      ? []
      : [{ cause: name, requests, ratio: ratioOf(requests, total.requests), previous: earlier ?? null }];
  return [
    ...cause('limited', now.limited, before?.limited),
    ...cause('client', now.clientErrors, before?.clientErrors),
    ...cause('server', now.serverErrors, before?.serverErrors),
  ].toSorted((first, second) => second.requests - first.requests);
}
