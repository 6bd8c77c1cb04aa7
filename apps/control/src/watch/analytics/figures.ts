import { addEncoded } from '@millrace/histograms';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { addDays, dayOfHour, startOfDay } from '../rollups/rules.ts';
import { type Head, readHead } from '../rollups/store.ts';
import { countColumns, histogramOf } from '../rollups/sums.ts';
import { unpackHistograms } from '../slots/packing.ts';
import type { TrafficDimension, TrafficMeasure } from './contract.ts';
import type { Asked, Source, Span } from './spans.ts';

/** What figures are read of, and how they are split. */
export interface Question {
  readonly source: Exclude<Source, 'live'>;
  readonly span: Span;
  readonly filters: Filters;
  /** By step of the span; otherwise over all of it. */
  readonly bySteps: boolean;
  readonly by?: TrafficDimension | undefined;
  /** Which keys of `by` are kept apart; by default all of them. The rest is added up. */
  readonly keep?: { readonly measure: Measure; readonly most: number } | { readonly keys: readonly string[] };
  /** Reads histograms instead of counts of keys; not together with `by`. */
  readonly histograms?: boolean;
}

export type Filters = Pick<
  Asked,
  'environmentId' | 'proxyId' | 'appId' | 'productId' | 'country' | 'routeId' | 'deploymentId' | 'gatewayNodeId'
>;

export type Measure = TrafficMeasure | 'failures';

/** Requests that were added up. */
export interface Figure {
  /** Place of the step in the span; 0 where figures are not split by steps. */
  readonly step: number;
  /** Empty: unknown, or not split; null: all keys that are not kept apart. */
  readonly key: string | null;
  /** In the order of `countColumns`; null: not counted. */
  readonly counts: readonly (number | null)[];
  /** Of how many hourly rows it is the sum. */
  readonly rows: number;
  /** Histograms of microseconds. */
  readonly gatewayTime: readonly number[];
  readonly targetTime: readonly number[];
  readonly latency: readonly number[];
}

/** What hourly rows have a column for. */
const columnsOfDimensions = { proxy: 'proxy_id', app: 'app_id', product: 'product_id', country: 'country' } as const;
type RowDimension = keyof typeof columnsOfDimensions;
const rowDimensions = Object.keys(columnsOfDimensions) as readonly RowDimension[];

const measures: Readonly<Record<Measure, RawBuilder<unknown>>> = {
  requests: sql`requests`,
  errors: sql`status_5xx`,
  clientErrors: sql`status_4xx - coalesce(limited, 0)`,
  limited: sql`limited`,
  requestBytes: sql`request_bytes`,
  responseBytes: sql`response_bytes`,
  failures: sql`status_4xx + status_5xx`,
};

/** Rows and sums that change while a plan is made are marked; nobody marks so often that this isn't enough. */
const mostAttempts = 10;

/**
 * Adds up the traffic of a span: from the sums of days and hours, and from rows where they have changed since they were
 * summed. One statement reads all of it, so that every request that is counted counts once, whatever is added or summed
 * meanwhile: if what was planned from the marks no longer holds, it reads nothing and is planned again.
 */
export async function readFigures(transaction: TenantTransaction, question: Question): Promise<readonly Figure[]> {
  if (question.source === 'deployments') return readDeployments(transaction, question);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const plan = await planOf(transaction, question);
    const figures = await readPlanned(transaction, question, plan);
    if (figures !== null) return figures;
  }
  throw new Error('traffic changed too often to be read');
}

/** From what a span is read. */
interface Plan {
  readonly head: Head;
  /** Marked hours of the span. */
  readonly marked: readonly Date[];
  /** Days that are read whole, as a half-open span; null: none. */
  readonly days: { readonly from: string; readonly to: string } | null;
  /** Those of them that are read by the hour, since an hour of theirs is marked. */
  readonly markedDays: readonly string[];
  /** Half-open spans that are read by the hour. */
  readonly hours: readonly Pick<Span, 'from' | 'to'>[];
}

async function planOf(transaction: TenantTransaction, { span, bySteps }: Question): Promise<Plan> {
  const { from, to, days } = span;
  const head = await readHead(transaction);
  const { rows } = await sql<{ hour: Date }>`
    select distinct hour from traffic_marks
    where organization_id = ${transaction.tenantId} and hour >= ${from} and hour < ${to}
    order by hour`.execute(transaction);
  const marked = rows.map(({ hour }) => hour);
  const { rolledUntil } = head;
  const none = { head, marked, days: null, markedDays: [], hours: [{ from, to }] };
  if (rolledUntil === null || (bySteps && days === null)) return none;
  const begun = dayOfHour(from, head);
  const first = startOfDay(begun, head) < from ? addDays(begun, 1) : begun;
  const end = dayOfHour(new Date(Math.min(to.getTime(), rolledUntil.getTime())), head);
  if (first >= end) return none;
  const markedDays = [...new Set(marked.map((hour) => dayOfHour(hour, head)))].filter(
    (day) => day >= first && day < end,
  );
  const hours = [
    { from, to: startOfDay(first, head) },
    ...markedDays.map((day) => ({ from: startOfDay(day, head), to: startOfDay(addDays(day, 1), head) })),
    { from: startOfDay(end, head), to },
  ];
  return { head, marked, days: { from: first, to: end }, markedDays, hours: joined(hours) };
}

/** Spans in their order, those that touch as one and without empty ones. */
function joined(spans: readonly Pick<Span, 'from' | 'to'>[]): Pick<Span, 'from' | 'to'>[] {
  const result: Pick<Span, 'from' | 'to'>[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (span.from >= span.to) continue;
    if (last !== undefined && last.to.getTime() === span.from.getTime())
      result[result.length - 1] = { ...last, to: span.to };
    else result.push(span);
  }
  return result;
}

interface FigureRow extends Readonly<Record<(typeof countColumns)[number], string | null>> {
  readonly is_current: boolean;
  readonly step: number | null;
  readonly key: string | null;
  readonly rows: string;
  readonly gateway_packed: Buffer | null;
  readonly target_packed: Buffer | null;
  readonly gateway_raw: string | null;
  readonly target_raw: string | null;
}

/** Null: the plan no longer holds. */
async function readPlanned(
  transaction: TenantTransaction,
  question: Question,
  plan: Plan,
): Promise<readonly Figure[] | null> {
  const { tenantId } = transaction;
  const { head, marked } = plan;
  const { from, to } = question.span;
  const { histograms = false } = question;
  // Hours that were marked and no longer are have been summed meanwhile: their rows are read, which are the same.
  const { rows } = await sql<FigureRow>`
    with current as (
      select not exists (select from traffic_marks where organization_id = ${tenantId}
          and hour >= ${from} and hour < ${to} and hour <> all(${marked}::timestamptz[]))
        and not exists (select from traffic_heads where organization_id = ${tenantId}
          and (time_zone <> ${head.timeZone} or hours_from is distinct from ${head.hoursFrom})) as is_current
    ), ${isRanked(question) ? rankedFigures(tenantId, question, plan) : allFigures(tenantId, question, plan)}
    ${
      histograms
        ? sql`, raw_gateway as (${mergedRaw('gateway_time')}), raw_target as (${mergedRaw('target_time')})
    select current.is_current, answer.*, raw_gateway.buckets as gateway_raw, raw_target.buckets as target_raw
    from current left join answer on current.is_current
    left join raw_gateway using (step) left join raw_target using (step)`
        : sql`
    select current.is_current, answer.*, null as gateway_raw, null as target_raw
    from current left join answer on current.is_current`
    }`.execute(transaction);
  if (!rows[0]!.is_current) return null;
  return rows.filter(({ step }) => step !== null).map(presentFigure);
}

/** The figures of all that a question's plan reads, as `answer`. */
function allFigures(tenantId: string, question: Question, plan: Plan) {
  const { summed, raw } = partsOf(tenantId, question, plan);
  const { histograms = false } = question;
  return sql`summed as (${unionOf(summed, sql`null::bytea`)}
    ), raw as (${unionOf(raw, sql`null::bigint[]`)}
    ), parts as (
      select step, key, ${counts()}, rows, gateway_time as gateway_packed, target_time as target_packed from summed
      union all
      select step, key, ${counts()}, rows, null, null from raw
    ), figures as (
      select step, key, ${sumsOfCounts()}, sum(rows) as rows,
        ${histograms ? sql`string_agg(gateway_packed, '')` : sql`null::bytea`} as gateway_packed,
        ${histograms ? sql`string_agg(target_packed, '')` : sql`null::bytea`} as target_packed
      from parts group by step, key
    ), answer as (${keptApart(question)})`;
}

/** Whether the keys that are kept apart can be found first: the rest is what the sums of everything have beyond them. */
function isRanked({ source, filters, by, keep }: Question): boolean {
  const { proxyId, appId, productId, country } = filters;
  const isFiltered = [proxyId, appId, productId, country].some((value) => value !== undefined);
  return source === 'hours' && keep !== undefined && by !== undefined && by in columnsOfDimensions && !isFiltered;
}

/** The same for a question that {@link isRanked}, which need not add up every key by every step. */
function rankedFigures(tenantId: string, question: Question, plan: Plan) {
  const { keep } = question;
  const ofKept = partsOf(tenantId, question, plan, { areKept: true });
  const total = partsOf(tenantId, { ...question, by: undefined }, plan);
  const union = ({ summed, raw }: Parts, select: RawBuilder<unknown>) =>
    sql.join(
      [...summed, ...raw].map((part) => sql`select ${select} from (${part}) part`),
      sql` union all `,
    );
  const kept =
    'keys' in keep!
      ? sql`select unnest(${keep.keys}::text[]) as key`
      : sql`select key from (${union(partsOf(tenantId, question, plan), sql`key, ${measures[keep!.measure]} as size`)}) ranked
          group by key order by coalesce(sum(size), 0) desc, key limit ${keep!.most}`;
  const columnsOfParts = sql`step, key, ${counts()}, rows`;
  const rest = [...countColumns, 'rows'].map(
    (column) => sql`total.${sql.ref(column)} - coalesce(apart.${sql.ref(column)}, 0) as ${sql.ref(column)}`,
  );
  return sql`kept as materialized (${kept}
    ), figures as (
      select step, key, ${sumsOfCounts()}, sum(rows) as rows from (${union(ofKept, columnsOfParts)}) parts group by step, key
    ), total as (
      select step, ${sumsOfCounts()}, sum(rows) as rows from (${union(total, columnsOfParts)}) parts group by step
    ), apart as (
      select step, ${sumsOfCounts()}, sum(rows) as rows from figures group by step
    ), answer as (
      select step, key, ${counts()}, rows, null::bytea as gateway_packed, null::bytea as target_packed from figures
      union all
      select step, null, ${sql.join(rest)}, null, null from total left join apart using (step)
      where total.rows > coalesce(apart.rows, 0))`;
}

/** Histograms of rows, merged by step: bucket, count, bucket, count, … as text. */
function mergedRaw(column: 'gateway_time' | 'target_time') {
  return sql`
      select step, string_agg(bucket || ',' || count, ',' order by bucket) as buckets from (
        select step, ${sql.ref(column)}[place] as bucket, sum(${sql.ref(column)}[place + 1]) as count
        from raw, generate_series(1, cardinality(${sql.ref(column)}), 2) as place group by 1, 2) merged
      group by step`;
}

/** @param noHistogram as the parts have it */
function unionOf(parts: readonly RawBuilder<unknown>[], noHistogram: RawBuilder<unknown>) {
  const nothing = sql`
      select 0 as step, '' as key, ${sql.join(countColumns.map((column) => sql`0::bigint as ${sql.ref(column)}`))},
        0::bigint as rows, ${noHistogram} as gateway_time, ${noHistogram} as target_time where false`;
  return sql.join([nothing, ...parts], sql` union all `);
}

function counts() {
  return sql.join(countColumns.map((column) => sql.ref(column)));
}

function sumsOfCounts() {
  return sql.join(countColumns.map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`));
}

/** The figures with keys that are not kept apart added up. */
function keptApart({ keep }: Question) {
  if (keep === undefined) return sql`select * from figures`;
  const kept =
    'keys' in keep
      ? sql`select unnest(${keep.keys}::text[]) as key`
      : sql`select key from figures group by key order by coalesce(sum(${measures[keep.measure]}), 0) desc, key
          limit ${keep.most}`;
  return sql`
      select step, kept.key, ${sumsOfCounts()}, sum(rows) as rows, null::bytea as gateway_packed,
        null::bytea as target_packed
      from figures left join (${kept}) kept using (key) group by step, kept.key`;
}

function presentFigure(row: FigureRow): Figure {
  return {
    step: row.step!,
    key: row.key,
    counts: countColumns.map((column) => (row[column] === null ? null : Number(row[column]))),
    rows: Number(row.rows),
    gatewayTime: mergedHistogram(row.gateway_packed, row.gateway_raw),
    targetTime: mergedHistogram(row.target_packed, row.target_raw),
    latency: [],
  };
}

function mergedHistogram(packed: Buffer | null, raw: string | null): readonly number[] {
  const summed = packed === null ? [] : unpackHistograms([packed]);
  return raw === null ? summed : addEncoded(summed, histogramOf(`{${raw}}`));
}

interface Parts {
  readonly summed: readonly RawBuilder<unknown>[];
  readonly raw: readonly RawBuilder<unknown>[];
}

/**
 * The selects of sums and of rows that a plan reads, with the same columns.
 *
 * @param options.areKept only of the keys in `kept`, in a question that {@link isRanked}
 */
function partsOf(tenantId: string, question: Question, plan: Plan, { areKept = false } = {}): Parts {
  const { source } = question;
  if (source === 'routes') return partsOfEvents(tenantId, question, plan, routeRows(question));
  if (source === 'nodes') return partsOfEvents(tenantId, question, plan, nodeRows(question));
  const { filters, by } = question;
  const values = { proxy: filters.proxyId, app: filters.appId, product: filters.productId, country: filters.country };
  const used = rowDimensions.filter((dimension) => values[dimension] !== undefined || by === dimension);
  const wanted = used.filter((dimension) => values[dimension] !== undefined);
  const ofEnvironment = environmentOf(filters);
  const inRows = (dimension: RowDimension) =>
    sql`and ${sql.ref(columnsOfDimensions[dimension])} = ${keyOf(values[dimension])}`;
  const rowFilter = sql`${ofEnvironment} ${sql.join(wanted.map(inRows), sql` `)}`;
  const rowKey =
    by === undefined
      ? sql`''`
      : sql.ref(by === 'environment' ? 'environment_id' : columnsOfDimensions[by as RowDimension]);
  const ofKept = (column: RawBuilder<unknown>) =>
    areKept ? sql`and ${column} = any(array(select key from kept))` : sql``;
  const rows = {
    table: 'traffic_aggregates',
    key: rowKey,
    filter: sql`${rowFilter} ${ofKept(rowKey)}`,
    counts: counts(),
  };
  if (used.length > 1) {
    return {
      summed: [daysPart(tenantId, question, plan, { table: 'traffic_days', key: rowKey, filter: rowFilter })],
      raw: plan.hours.map(({ from, to }) => rowsPart(tenantId, question, rows, inHours(from, to))),
    };
  }
  const dimension = used[0] ?? 'all';
  const ofKey = wanted[0] === undefined ? sql`` : sql`and key = ${keyOf(values[wanted[0]])}`;
  const filter = sql`and dimension = ${dimension} ${ofKey} ${ofKept(sql`key`)} ${ofEnvironment}`;
  const key = by === undefined ? sql`''` : sql.ref(by === 'environment' ? 'environment_id' : 'key');
  const hourSums = plan.hours.map((hours) => hourSumsPart(tenantId, question, plan, hours, { key, filter }));
  return {
    summed: [daysPart(tenantId, question, plan, { table: 'traffic_day_sums', key, filter }), ...hourSums],
    raw: withoutSums(plan).map((within) => rowsPart(tenantId, question, rows, within)),
  };
}

function keyOf(value: string | undefined): string {
  return value === undefined || value === 'none' ? '' : value;
}

function environmentOf({ environmentId }: Filters) {
  return environmentId === undefined ? sql`` : sql`and environment_id = ${environmentId}`;
}

interface Selection {
  readonly key: RawBuilder<unknown>;
  readonly filter: RawBuilder<unknown>;
}

/** How rows by the hour, other than those of all dimensions, are read. */
interface EventRows extends Selection {
  readonly table: string;
  /** Their counts, with null for what they don't have. */
  readonly counts: RawBuilder<unknown>;
  /** The same of their days. */
  readonly days: Selection;
}

function routeRows({ by, filters }: Question): EventRows {
  const { routeId, proxyId } = filters;
  const ofEnvironment = environmentOf(filters);
  const name = sql`proxy_id || '/' || route_id`;
  const keys = { route: name, proxy: sql`proxy_id`, environment: sql`environment_id` };
  const dayKeys = { route: sql`key`, proxy: sql`split_part(key, '/', 1)`, environment: sql`environment_id` };
  const keyIn = (all: typeof keys) => (by === undefined ? sql`''` : all[by as keyof typeof keys]);
  return {
    table: 'route_traffic',
    key: keyIn(keys),
    filter: sql`${ofEnvironment} ${proxyId === undefined ? sql`` : sql`and proxy_id = ${proxyId}`}
      ${routeId === undefined ? sql`` : sql`and route_id = ${routeId}`}`,
    counts: sql`requests, status_2xx, status_3xx, status_4xx, status_5xx, null::bigint as limited,
      null::bigint as request_bytes, null::bigint as response_bytes`,
    days: {
      key: keyIn(dayKeys),
      filter: sql`and dimension = 'route' ${ofEnvironment}
        ${proxyId !== undefined && routeId !== undefined ? sql`and key = ${`${proxyId}/${routeId}`}` : sql``}
        ${proxyId === undefined ? sql`` : sql`and split_part(key, '/', 1) = ${proxyId}`}
        ${routeId === undefined ? sql`` : sql`and split_part(key, '/', 2) = ${routeId}`}`,
    },
  };
}

function nodeRows({ by, filters }: Question): EventRows {
  const { gatewayNodeId } = filters;
  const ofEnvironment = environmentOf(filters);
  const keyIn = (node: RawBuilder<unknown>) =>
    by === undefined ? sql`''` : by === 'environment' ? sql`environment_id` : node;
  return {
    table: 'node_traffic',
    key: keyIn(sql`node_id`),
    filter: sql`${ofEnvironment} ${gatewayNodeId === undefined ? sql`` : sql`and node_id = ${gatewayNodeId}`}`,
    counts: counts(),
    days: {
      key: keyIn(sql`key`),
      filter: sql`and dimension = 'gateway_node' ${ofEnvironment}
        ${gatewayNodeId === undefined ? sql`` : sql`and key = ${gatewayNodeId}`}`,
    },
  };
}

/** Routes and nodes have no sums by the hour. */
function partsOfEvents(tenantId: string, question: Question, plan: Plan, rows: EventRows): Parts {
  return {
    summed: [daysPart(tenantId, question, plan, { table: 'traffic_day_sums', ...rows.days })],
    raw: plan.hours.map(({ from, to }) => rowsPart(tenantId, question, rows, inHours(from, to), false)),
  };
}

function daysPart(
  tenantId: string,
  { span, bySteps }: Question,
  { days, markedDays }: Plan,
  { table, key, filter }: Selection & { readonly table: string },
) {
  const step = bySteps ? sql`width_bucket(day, ${span.days}::date[]) - 1` : sql`0`;
  const within =
    days === null
      ? sql`false`
      : sql`day >= ${days.from}::date and day < ${days.to}::date
        ${markedDays.length === 0 ? sql`` : sql`and day <> all(${markedDays}::date[])`}`;
  return sql`
      select ${step} as step, ${key} as key, ${counts()}, rows, gateway_time, target_time from ${sql.table(table)}
      where organization_id = ${tenantId} ${filter} and ${within}`;
}

function stepOfHour({ span, bySteps }: Question) {
  return bySteps ? sql`width_bucket(hour, ${span.steps}::timestamptz[]) - 1` : sql`0`;
}

function hourSumsPart(
  tenantId: string,
  question: Question,
  { head, marked }: Plan,
  { from, to }: Pick<Span, 'from' | 'to'>,
  { key, filter }: Selection,
) {
  return sql`
      select ${stepOfHour(question)} as step, ${key} as key, ${counts()}, rows, gateway_time, target_time
      from traffic_hour_sums
      where organization_id = ${tenantId} ${filter} and hour >= ${from}
        and hour < least(${to}::timestamptz, ${head.rolledUntil}::timestamptz)
        ${head.rolledUntil === null ? sql`and false` : sql``}
        ${marked.length === 0 ? sql`` : sql`and hour <> all(${marked}::timestamptz[])`}`;
}

function inHours(from: Date, to: Date) {
  return sql`hour >= ${from} and hour < ${to}`;
}

/** The hours of a plan that have no sums, as conditions: each is a part of an index. */
function withoutSums({ head: { rolledUntil }, marked, hours }: Plan): readonly RawBuilder<unknown>[] {
  if (rolledUntil === null) return hours.map(({ from, to }) => inHours(from, to));
  const later = hours
    .filter(({ to }) => to > rolledUntil)
    .map(({ from, to }) => inHours(from > rolledUntil ? from : rolledUntil, to));
  const summed = marked.filter((hour) => hour < rolledUntil);
  return summed.length === 0 ? later : [...later, sql`hour = any(${summed}::timestamptz[])`];
}

function rowsPart(
  tenantId: string,
  question: Question,
  rows: Selection & { readonly table: string; readonly counts: RawBuilder<unknown> },
  within: RawBuilder<unknown>,
  hasHistograms = true,
) {
  return sql`
      select ${stepOfHour(question)} as step, ${rows.key} as key, ${rows.counts}, 1 as rows,
        ${hasHistograms ? sql`gateway_time, target_time` : sql`null::bigint[] as gateway_time, null::bigint[] as target_time`}
      from ${sql.table(rows.table)}
      where organization_id = ${tenantId} ${rows.filter} and ${within}`;
}

/** Deployments are counted by the minute, and never summed. */
async function readDeployments(transaction: TenantTransaction, question: Question): Promise<readonly Figure[]> {
  const { span, filters, bySteps, by, histograms = false } = question;
  const { environmentId, proxyId, deploymentId } = filters;
  const step = bySteps ? sql`width_bucket(minute, ${span.steps}::timestamptz[]) - 1` : sql`0`;
  const keys = { deployment: sql`deployment_id`, proxy: sql`deployment.proxy_id`, environment: sql`environment_id` };
  const key = by === undefined ? sql`''` : keys[by as keyof typeof keys];
  const { rows } = await sql<FigureRow & { readonly latency_raw: string | null }>`
    with raw as (
      select ${step} as step, ${key} as key, traffic.* from deployment_traffic traffic
      join deployments deployment on deployment.organization_id = ${transaction.tenantId}
        and deployment.id = traffic.deployment_id
      where traffic.organization_id = ${transaction.tenantId} and minute >= ${span.from} and minute < ${span.to}
        ${deploymentId === undefined ? sql`` : sql`and deployment_id = ${deploymentId}`}
        ${environmentId === undefined ? sql`` : sql`and environment_id = ${environmentId}`}
        ${proxyId === undefined ? sql`` : sql`and deployment.proxy_id = ${proxyId}`}
    ), figures as (
      select step, key, sum(requests) as requests, sum(status_2xx) as status_2xx, sum(status_3xx) as status_3xx,
        sum(status_4xx) as status_4xx, sum(status_5xx) as status_5xx, null::numeric as limited,
        null::numeric as request_bytes, null::numeric as response_bytes, count(*) as rows, null::bytea as gateway_packed,
        null::bytea as target_packed
      from raw group by step, key
    ), answer as (${keptApart(question)}), buckets as (
      select step, latency[place] as bucket, sum(latency[place + 1]) as count
      from raw, generate_series(1, cardinality(latency), 2) as place where ${histograms} group by 1, 2
    ), merged as (
      select step, string_agg(bucket || ',' || count, ',' order by bucket) as latency_raw from buckets group by step
    )
    select true as is_current, answer.*, null as gateway_raw, null as target_raw, latency_raw
    from answer left join merged using (step)`.execute(transaction);
  return rows.map((row) => ({ ...presentFigure(row), latency: mergedHistogram(null, row.latency_raw) }));
}
