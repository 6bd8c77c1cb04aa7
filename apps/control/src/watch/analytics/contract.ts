import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time } from '../../frame/operation.ts';

/** Ranges that end now; all are in the organization's time zone. */
const trafficRanges = ['15m', '1h', '24h', '7d', '30d', '13mo'] as const;

/** How long the steps of a series are. */
const trafficSteps = ['10s', 'minute', 'hour', 'day'] as const;
export type TrafficStep = (typeof trafficSteps)[number];

/** What traffic can be split by. */
export const trafficDimensions = [
  'environment',
  'proxy',
  'app',
  'product',
  'country',
  'route',
  'deployment',
  'gateway_node',
] as const;
export type TrafficDimension = (typeof trafficDimensions)[number];

/** What top lists are sorted by. */
export const trafficMeasures = [
  'requests',
  'errors',
  'clientErrors',
  'limited',
  'requestBytes',
  'responseBytes',
] as const;
export type TrafficMeasure = (typeof trafficMeasures)[number];

/** Which time a heat map shows. */
export const latencyMeasures = ['targetTime', 'gatewayTime', 'latency'] as const;
export type LatencyMeasure = (typeof latencyMeasures)[number];

/** Steps that an answer holds at most. */
export const mostSteps = 2_000;

const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'Must be an ISO 3166-1 code such as DE.')
  .describe('ISO 3166-1 alpha-2; `ZZ`: unknown.');

const IdOrNone = z.union([Id, z.literal('none')]);

const filters = {
  environmentId: Id.optional(),
  proxyId: Id.optional(),
  appId: IdOrNone.optional().describe('`none`: calls whose app is unknown.'),
  productId: IdOrNone.optional().describe('`none`: calls through no product.'),
  country: Country.optional(),
  routeId: Id.optional().describe('Combined with environment and API proxy only.'),
  deploymentId: Id.optional().describe(
    'By minute, at most 30 days back. Combined with environment and API proxy only.',
  ),
  gatewayNodeId: Id.optional().describe('Combined with the environment only.'),
} as const;

const rangeFields = {
  range: z
    .enum(trafficRanges)
    .optional()
    .describe(
      '`15m` is live: its steps are of ten seconds, and it can be filtered by environment and API proxy only. Others end with the hour in progress; `7d`, `30d` and `13mo` begin at a midnight. Default: `24h`, unless `from` is given.',
    ),
  from: Time.optional().describe('Instead of a range: rounded down to the hour, or with the step `day` to midnight.'),
  to: Time.optional().describe('Rounded up to the hour. Default: the end of the hour in progress.'),
} as const;

const stepField = {
  step: z
    .enum(trafficSteps)
    .optional()
    .describe(
      `Default: \`hour\` up to eight days and \`day\` beyond; \`10s\` for the range \`15m\`. \`minute\` is only for deployments. At most ${mostSteps} steps.`,
    ),
} as const;

const compareField = {
  compare: z
    .literal('previous')
    .optional()
    .describe(
      'Adds the same span before: as many days earlier of the ranges `7d`, `30d` and `13mo` and where the steps are days, else as many hours.',
    ),
} as const;

/** What a question about traffic may give. */
export const trafficQuery = { ...rangeFields, ...stepField, ...compareField, ...filters } as const;
const TrafficQuery = z.strictObject(trafficQuery);
export type TrafficQuery = z.infer<typeof TrafficQuery>;

const counts = {
  requests: z.int(),
  status2xx: z.int(),
  status3xx: z.int(),
  status4xx: z.int().describe('With those that a limit refused.'),
  status5xx: z.int(),
  limited: z.int().nullable().describe('Refused with 429 by the gateway; null: not counted for this.'),
  requestBytes: z.int().nullable(),
  responseBytes: z.int().nullable(),
} as const;

/** Sums of requests. */
export const TrafficCounts = z.object(counts).meta({ id: 'TrafficCounts' });
export type TrafficCounts = z.infer<typeof TrafficCounts>;

const percentile = z.number().nullable();
const percentiles = {
  gatewayTimeP50Us: percentile.describe('Time in the gateway alone; within 3.2 %. Null: not measured.'),
  gatewayTimeP95Us: percentile,
  gatewayTimeP99Us: percentile,
  targetTimeP50Us: percentile.describe('Until the target’s whole answer. Null: not measured.'),
  targetTimeP95Us: percentile,
  targetTimeP99Us: percentile,
  latencyP50Us: percentile.describe('Both, until the end of the answer: live and of deployments. Null: not measured.'),
  latencyP95Us: percentile,
  latencyP99Us: percentile,
} as const;

/** Percentiles from merged histograms. */
export const TrafficPercentiles = z.object(percentiles).meta({ id: 'TrafficPercentiles' });
export type TrafficPercentiles = z.infer<typeof TrafficPercentiles>;

const Summary = z.object({ ...counts, errorRatio: z.number().nullable(), ...percentiles });
const ratio = z.number().nullable();

const span = { from: Time, to: Time } as const;

/** What every answer states about itself. */
const answered = {
  ...span,
  timeZone: z.string().describe('The organization’s: its days begin at midnight there.'),
  live: z
    .boolean()
    .describe('From the sums of ten seconds of the last minutes; otherwise from whole hours or minutes.'),
  step: z.enum(trafficSteps),
  incompleteFrom: Time.nullable().describe('Beginning of the step in progress, which still grows; null: all are over.'),
} as const;

const point = { at: Time.describe('Beginning of the step.') } as const;
const TrafficPoint = z.object({ ...point, ...counts });

const named = {
  id: z.string().nullable().describe('Null: unknown to the gateway, such as the app of a call without a key.'),
  name: z.string().nullable().describe('Null: it was deleted, or is unknown. A country’s is its code.'),
} as const;

const Series = z.object({
  ...named,
  total: TrafficCounts,
  points: z.array(TrafficPoint),
});

const TopRow = z.object({
  ...named,
  detail: z
    .string()
    .nullable()
    .describe(
      'Of a proxy its base path, of an app its developer, of a route and deployment its proxy; otherwise null.',
    ),
  parentId: z.string().nullable().describe('The proxy of a route or deployment, the developer of an app.'),
  ...counts,
  errorRatio: ratio.describe('5xx of all requests; null: there were none.'),
  share: z.number().describe('Of the total by the measure; 0 to 1.'),
  previous: TrafficCounts.nullable().describe('Null: not asked for.'),
});

const causes = ['limited', 'client', 'server'] as const;
const errorCounts = {
  limited: z.int().nullable(),
  clientErrors: z.int().describe('4xx without those that a limit refused.'),
  serverErrors: z.int().describe('5xx.'),
} as const;

const CountryRow = z.object({
  country: Country,
  ...counts,
  errorRatio: ratio,
  share: z.number().describe('Of all requests; 0 to 1.'),
  previous: TrafficCounts.nullable(),
});

/** One hourly row. */
export const TrafficAggregate = z
  .object({
    hour: Time,
    environmentId: Id,
    environmentName: z.string().nullable(),
    proxyId: Id,
    proxyName: z.string().nullable(),
    appId: Id.nullable().describe('Null: unknown to the gateway.'),
    appName: z.string().nullable(),
    productId: Id.nullable(),
    productName: z.string().nullable(),
    country: Country,
    requests: z.int(),
    status2xx: z.int(),
    status3xx: z.int(),
    status4xx: z.int(),
    status5xx: z.int(),
    limited: z.int(),
    requestBytes: z.int(),
    responseBytes: z.int(),
    gatewayTimeP50Us: percentile,
    gatewayTimeP95Us: percentile,
    gatewayTimeP99Us: percentile,
    targetTimeP50Us: percentile,
    targetTimeP95Us: percentile,
    targetTimeP99Us: percentile,
  })
  .meta({ id: 'TrafficAggregate' });
export type TrafficAggregate = z.infer<typeof TrafficAggregate>;

const exampleAnswered = {
  from: '2026-01-15T08:00:00.000Z',
  to: '2026-01-15T10:00:00.000Z',
  timeZone: 'Europe/Berlin',
  live: false,
  step: 'hour' as const,
  incompleteFrom: '2026-01-15T09:00:00.000Z',
};
const exampleCounts = {
  requests: 1_200,
  status2xx: 1_150,
  status3xx: 0,
  status4xx: 40,
  status5xx: 10,
  limited: 20,
  requestBytes: 240_000,
  responseBytes: 4_800_000,
};
const noCounts = {
  requests: 0,
  status2xx: 0,
  status3xx: 0,
  status4xx: 0,
  status5xx: 0,
  limited: 0,
  requestBytes: 0,
  responseBytes: 0,
};
const exampleSplit = {
  gatewayTimeP50Us: 900,
  gatewayTimeP95Us: 2_100,
  gatewayTimeP99Us: 4_200,
  targetTimeP50Us: 21_000,
  targetTimeP95Us: 88_000,
  targetTimeP99Us: 140_000,
};
const examplePercentiles = { ...exampleSplit, latencyP50Us: null, latencyP95Us: null, latencyP99Us: null };
const exampleRatio = 10 / 1_200;
const exampleQuery = { from: '2026-01-15T08:00:00.000Z', to: '2026-01-15T10:00:00.000Z' };
const exampleProxy = { id: 'prx_00000000000000000000000001', name: 'Orders' };
const examplePoints = [
  { at: '2026-01-15T08:00:00.000Z', ...exampleCounts },
  { at: '2026-01-15T09:00:00.000Z', ...noCounts },
];

const tag = 'Analytics';

/** What answers are made of beside their contents. */
const reading = { method: 'GET', tag, access: 'analytics.read', audit: null } as const;

export const analyticsOperations = [
  defineOperation({
    ...reading,
    id: 'summarizeTraffic',
    path: '/analytics/summary',
    summary: 'Show totals, error ratio and latency percentiles',
    request: { query: TrafficQuery },
    data: z.object({
      ...answered,
      total: Summary,
      previous: Summary.extend(span).nullable().describe('Null: not asked for.'),
    }),
    example: {
      request: { query: exampleQuery },
      data: {
        ...exampleAnswered,
        total: { ...exampleCounts, errorRatio: exampleRatio, ...examplePercentiles },
        previous: null,
      },
    },
  }),
  defineOperation({
    ...reading,
    id: 'getTrafficSeries',
    path: '/analytics/traffic',
    summary: 'Show traffic over time, in all or by a dimension',
    description:
      'Every step of the range has a point. With `by`, the series with the most requests are listed; together with `others` they add up to `points`.',
    request: {
      query: TrafficQuery.extend({
        by: z.enum(trafficDimensions).optional(),
        limit: z.coerce.number().int().min(1).max(20).default(5).describe('Series, at most 20.'),
      }),
    },
    data: z.object({
      ...answered,
      total: TrafficCounts,
      points: z.array(TrafficPoint),
      series: z.array(Series).describe('Empty without `by`.'),
      others: Series.nullable().describe('What is not listed; null: everything is.'),
      previous: z
        .object({
          ...span,
          total: TrafficCounts,
          points: z.array(TrafficPoint).describe('As many as `points`; each at its own time.'),
        })
        .nullable()
        .describe('Null: not asked for.'),
    }),
    example: {
      request: { query: { ...exampleQuery, by: 'proxy' } },
      data: {
        ...exampleAnswered,
        total: exampleCounts,
        points: examplePoints,
        series: [{ ...exampleProxy, total: exampleCounts, points: examplePoints }],
        others: null,
        previous: null,
      },
    },
  }),
  defineOperation({
    ...reading,
    id: 'listTopTraffic',
    path: '/analytics/top',
    summary: 'List what has the most traffic',
    request: {
      query: TrafficQuery.extend({
        by: z.enum(trafficDimensions).default('proxy'),
        measure: z.enum(trafficMeasures).default('requests'),
        limit: z.coerce.number().int().min(1).max(100).default(10).describe('Rows, at most 100.'),
      }),
    },
    data: z.object({
      ...answered,
      by: z.enum(trafficDimensions),
      measure: z.enum(trafficMeasures),
      total: TrafficCounts,
      rows: z.array(TopRow),
      others: TrafficCounts.nullable().describe('What is not listed; null: everything is.'),
      previous: z
        .object({ ...span, total: TrafficCounts })
        .nullable()
        .describe('Null: not asked for.'),
    }),
    example: {
      request: { query: { ...exampleQuery, by: 'proxy' } },
      data: {
        ...exampleAnswered,
        by: 'proxy',
        measure: 'requests',
        total: exampleCounts,
        rows: [
          {
            ...exampleProxy,
            detail: '/orders',
            parentId: null,
            ...exampleCounts,
            errorRatio: exampleRatio,
            share: 1,
            previous: null,
          },
        ],
        others: null,
        previous: null,
      },
    },
  }),
  defineOperation({
    ...reading,
    id: 'listTrafficErrors',
    path: '/analytics/errors',
    summary: 'Show errors by status and cause',
    description:
      'Rows tell apart what a limit refused, other client errors and server errors. Exact statuses come from the recent requests that are kept, a sample of the last seven days.',
    request: { query: TrafficQuery },
    data: z.object({
      ...answered,
      total: TrafficCounts,
      causes: z
        .array(
          z.object({
            cause: z
              .enum(causes)
              .describe('`limited`: 429 of the gateway; `client`: other 4xx; `server`: 5xx of target or gateway.'),
            requests: z.int(),
            ratio: ratio.describe('Of all requests.'),
            previous: z.int().nullable().describe('Null: not asked for.'),
          }),
        )
        .describe('Those that are counted, most first.'),
      points: z.array(z.object({ ...point, requests: z.int(), ...errorCounts })),
      proxies: z
        .array(z.object({ ...named, requests: z.int(), ...errorCounts, errorRatio: ratio }))
        .describe('The 20 API proxies with the most errors of any kind.'),
      sample: z
        .object({
          from: Time.describe('Of the oldest request considered.'),
          requests: z.int(),
          statuses: z.array(z.object({ status: z.int(), requests: z.int(), lastAt: Time })),
        })
        .nullable()
        .describe('Exact statuses from 400 up, most first, among recent requests; null: none is kept for this.'),
      previous: z
        .object({ ...span, total: TrafficCounts })
        .nullable()
        .describe('Null: not asked for.'),
    }),
    example: {
      request: { query: exampleQuery },
      data: {
        ...exampleAnswered,
        total: exampleCounts,
        causes: [
          { cause: 'limited', requests: 20, ratio: 20 / 1_200, previous: null },
          { cause: 'client', requests: 20, ratio: 20 / 1_200, previous: null },
          { cause: 'server', requests: 10, ratio: exampleRatio, previous: null },
        ],
        points: [
          { at: '2026-01-15T08:00:00.000Z', requests: 1_200, limited: 20, clientErrors: 20, serverErrors: 10 },
          { at: '2026-01-15T09:00:00.000Z', requests: 0, limited: 0, clientErrors: 0, serverErrors: 0 },
        ],
        proxies: [
          {
            ...exampleProxy,
            requests: 1_200,
            limited: 20,
            clientErrors: 20,
            serverErrors: 10,
            errorRatio: exampleRatio,
          },
        ],
        sample: {
          from: '2026-01-15T08:10:00.000Z',
          requests: 100,
          statuses: [{ status: 429, requests: 2, lastAt: '2026-01-15T08:40:00.000Z' }],
        },
        previous: null,
      },
    },
  }),
  defineOperation({
    ...reading,
    id: 'getLatency',
    path: '/analytics/latency',
    summary: 'Show latency percentiles and a heat map',
    description:
      'Percentiles of any range are read from merged histograms, so that they are those of all its requests. A measure that isn’t counted for what is asked has nulls and an empty heat map.',
    request: {
      query: TrafficQuery.extend({
        measure: z.enum(latencyMeasures).default('targetTime').describe('What the heat map shows.'),
      }),
    },
    data: z.object({
      ...answered,
      total: TrafficPercentiles.extend({ requests: z.int() }),
      points: z.array(z.object({ ...point, requests: z.int(), ...percentiles })),
      heatMap: z.object({
        measure: z.enum(latencyMeasures),
        boundsUs: z
          .array(z.number())
          .describe('Lower bound of each band, ascending; each ends where the next begins, the last one is open.'),
        cells: z.array(z.array(z.int())).describe('Requests by step, as in `points`, and band.'),
      }),
      previous: TrafficPercentiles.extend({ ...span, requests: z.int() })
        .nullable()
        .describe('Null: not asked for.'),
    }),
    example: {
      request: { query: exampleQuery },
      data: {
        ...exampleAnswered,
        total: { requests: 1_200, ...examplePercentiles },
        points: [
          { at: '2026-01-15T08:00:00.000Z', requests: 1_200, ...examplePercentiles },
          {
            at: '2026-01-15T09:00:00.000Z',
            requests: 0,
            gatewayTimeP50Us: null,
            gatewayTimeP95Us: null,
            gatewayTimeP99Us: null,
            targetTimeP50Us: null,
            targetTimeP95Us: null,
            targetTimeP99Us: null,
            latencyP50Us: null,
            latencyP95Us: null,
            latencyP99Us: null,
          },
        ],
        heatMap: {
          measure: 'targetTime',
          boundsUs: [8_192, 16_384, 32_768, 65_536],
          cells: [
            [200, 700, 200, 100],
            [0, 0, 0, 0],
          ],
        },
        previous: null,
      },
    },
  }),
  defineOperation({
    ...reading,
    id: 'listTrafficCountries',
    path: '/analytics/countries',
    summary: 'List traffic by country',
    request: { query: TrafficQuery },
    data: z.object({
      ...answered,
      total: TrafficCounts,
      countries: z.array(CountryRow).describe('Most requests first.'),
      previous: z
        .object({ ...span, total: TrafficCounts })
        .nullable()
        .describe('Null: not asked for.'),
    }),
    example: {
      request: { query: exampleQuery },
      data: {
        ...exampleAnswered,
        total: exampleCounts,
        countries: [{ country: 'DE', ...exampleCounts, errorRatio: exampleRatio, share: 1, previous: null }],
        previous: null,
      },
    },
  }),
  defineOperation({
    ...reading,
    id: 'listTrafficAggregates',
    path: '/analytics/aggregates',
    summary: 'List hourly rows',
    description:
      'One row per hour, environment, API proxy, app, product and country, kept for 13 months. Only the first 10,000 rows have pages; export more of them as CSV.',
    request: {
      query: listQuery(['-hour'], {
        ...rangeFields,
        environmentId: filters.environmentId,
        proxyId: filters.proxyId,
        appId: filters.appId,
        productId: filters.productId,
        country: filters.country,
      }).omit({ search: true }),
    },
    data: listData('aggregates', TrafficAggregate).extend({ ...span, timeZone: z.string() }),
    example: {
      request: { query: exampleQuery },
      data: {
        from: exampleAnswered.from,
        to: exampleAnswered.to,
        timeZone: exampleAnswered.timeZone,
        aggregates: [
          {
            hour: '2026-01-15T08:00:00.000Z',
            environmentId: 'env_00000000000000000000000001',
            environmentName: 'production',
            proxyId: exampleProxy.id,
            proxyName: exampleProxy.name,
            appId: null,
            appName: null,
            productId: null,
            productName: null,
            country: 'DE',
            ...exampleCounts,
            ...exampleSplit,
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'exportTraffic',
    method: 'GET',
    path: '/analytics/export',
    tag,
    summary: 'Export traffic as CSV',
    description:
      'One row per hour or day, environment, API proxy, app, product and country: RFC 4180, UTF-8, in the order of time. Days are kept for five years, hours for 13 months. Cells that a spreadsheet would treat as a formula start with an apostrophe. The export itself is audited.',
    access: 'analytics.export',
    audit: { category: 'security', severity: 'medium', entityType: 'traffic' },
    production: 'never',
    request: {
      query: z.strictObject({
        ...rangeFields,
        step: z.enum(['hour', 'day']).default('hour'),
        environmentId: filters.environmentId,
        proxyId: filters.proxyId,
        appId: filters.appId,
        productId: filters.productId,
        country: filters.country,
      }),
    },
    data: z.string(),
    download: { mediaType: 'text/csv' },
    example: {
      request: { query: exampleQuery },
      data: '"from","timeZone","environmentId"\r\n"2026-01-15T08:00:00.000Z","Europe/Berlin","env_00000000000000000000000001"\r\n',
    },
  }),
] as const;
