import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import { countColumns, type HourlyRow, histogramOf } from '../rollups/sums.ts';
import { percentilesOf } from './answers.ts';
import type { TrafficAggregate } from './contract.ts';
import { type Filters, readFigures } from './figures.ts';
import { type Named, readNames } from './names.ts';
import type { Span } from './spans.ts';

/** Rows that have pages; to count off more would take longer than anybody waits. */
const mostPagedRows = 10_000;

/** The dimensions of rows that have names, with their columns. */
export const rowColumns = {
  environment: 'environment_id',
  proxy: 'proxy_id',
  app: 'app_id',
  product: 'product_id',
} as const;

/** Names of what rows are about, by dimension and key. */
export type RowNames = Readonly<Record<keyof typeof rowColumns, ReadonlyMap<string, Named>>>;

/** @param rows keys of rows */
export async function readRowNames(
  transaction: TenantTransaction,
  rows: readonly Readonly<Record<(typeof rowColumns)[keyof typeof rowColumns], string>>[],
): Promise<RowNames> {
  const namesOf = (dimension: keyof typeof rowColumns) =>
    readNames(transaction, dimension, [...new Set(rows.map((row) => row[rowColumns[dimension]]))]);
  return {
    environment: await namesOf('environment'),
    proxy: await namesOf('proxy'),
    app: await namesOf('app'),
    product: await namesOf('product'),
  };
}

/** The conditions of filters on rows by all dimensions. */
export function isWanted({ environmentId, proxyId, appId, productId, country }: Filters) {
  const unless = (value: string | undefined, column: string) =>
    value === undefined ? sql`` : sql`and ${sql.ref(column)} = ${value === 'none' ? '' : value}`;
  return sql`${unless(environmentId, 'environment_id')} ${unless(proxyId, 'proxy_id')} ${unless(appId, 'app_id')}
    ${unless(productId, 'product_id')} ${unless(country, 'country')}`;
}

/** A page of hourly rows, and how many there are. */
export async function listAggregates(
  transaction: TenantTransaction,
  span: Span,
  query: Filters & { readonly page: number; readonly pageSize: number; readonly sort: string },
): Promise<{ readonly aggregates: TrafficAggregate[]; readonly total: number }> {
  const { page, pageSize } = query;
  if (page * pageSize > mostPagedRows) {
    throw fieldError('page', 'Only the first 10,000 rows have pages. Choose a shorter range, or export the rows.');
  }
  const direction = query.sort.startsWith('-') ? sql`desc` : sql`asc`;
  const order = ['hour', 'environment_id', 'proxy_id', 'app_id', 'product_id', 'country'];
  const { rows } = await sql<HourlyRow & { readonly hour: Date }>`
    select hour, environment_id, proxy_id, app_id, product_id, country,
      ${sql.join(countColumns.map((column) => sql.ref(column)))}, gateway_time::text, target_time::text
    from traffic_aggregates
    where organization_id = ${transaction.tenantId} and hour >= ${span.from} and hour < ${span.to} ${isWanted(query)}
    order by ${sql.join(order.map((column) => sql`${sql.ref(column)} ${direction}`))}
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(transaction);
  const figures = await readFigures(transaction, { source: 'hours', span, filters: query, bySteps: false });
  const names = await readRowNames(transaction, rows);
  return { aggregates: rows.map((row) => present(row, names)), total: figures[0]?.rows ?? 0 };
}

function present(row: HourlyRow & { readonly hour: Date }, names: RowNames): TrafficAggregate {
  const [proxy, app, product] = [
    names.proxy.get(row.proxy_id)!,
    names.app.get(row.app_id)!,
    names.product.get(row.product_id)!,
  ];
  const { latencyP50Us, latencyP95Us, latencyP99Us, ...percentiles } = percentilesOf({
    gatewayTime: histogramOf(row.gateway_time),
    targetTime: histogramOf(row.target_time),
    latency: [],
  });
  return {
    hour: row.hour.toISOString(),
    environmentId: row.environment_id,
    environmentName: names.environment.get(row.environment_id)!.name,
    proxyId: row.proxy_id,
    proxyName: proxy.name,
    appId: app.id,
    appName: app.name,
    productId: product.id,
    productName: product.name,
    country: row.country,
    requests: Number(row.requests),
    status2xx: Number(row.status_2xx),
    status3xx: Number(row.status_3xx),
    status4xx: Number(row.status_4xx),
    status5xx: Number(row.status_5xx),
    limited: Number(row.limited),
    requestBytes: Number(row.request_bytes),
    responseBytes: Number(row.response_bytes),
    ...percentiles,
  };
}
