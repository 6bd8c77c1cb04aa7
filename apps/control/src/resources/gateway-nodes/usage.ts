import type { DeploymentRow, RouteRow, TrafficRow, UsageBatch } from '@millrace/configuration/reports';
import { Histogram } from '@millrace/histograms';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { NodeCaller } from '../../frame/caller.ts';
import type { NodeContext } from '../../frame/handler.ts';
import type { ControlParts } from '../../parts.ts';

/** A node keeps what is not acknowledged for a day or a few; no batch comes again after so long. */
const keptBatchDays = 30;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/**
 * Adds what a node has counted to the hours, minutes and routes that it is of, once for each batch, however often and
 * wherever at once it is sent. Rows of proxies and deployments that the organization does not have are left out. What
 * canaries have cost is judged afterwards.
 *
 * @returns false where the batch was applied before
 */
export async function applyUsage(
  { canaries }: Pick<ControlParts, 'canaries'>,
  context: NodeContext<TenantTransaction>,
  batch: UsageBatch,
): Promise<boolean> {
  const { transaction, caller, now } = context;
  const applied = await transaction
    .insertInto('usage_batches')
    .values({ organization_id: transaction.tenantId, id: batch.batchId, node_id: caller.id })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (applied === undefined) return false;
  await addTraffic(transaction, caller, mergeTraffic(batch.traffic, now));
  await addDeployments(transaction, caller, mergeDeployments(batch.deployments, now));
  await addRoutes(transaction, caller, mergeRoutes(batch.routes, now));
  await sql`
    delete from usage_batches
    where organization_id = ${transaction.tenantId} and applied_at < now() - ${keptBatchDays} * interval '1 day'`.execute(
    transaction,
  );
  context.afterCommit(() => canaries.judge(transaction.tenantId, caller.environmentId));
  return true;
}

const counts = ['requests', 'status2xx', 'status3xx', 'status4xx', 'status5xx'] as const;
const trafficCounts = [...counts, 'limited', 'requestBytes', 'responseBytes'] as const;

/**
 * Rows of one key as one, in the order of their keys: a statement writes no row twice, and two batches at once lock rows
 * in the same order.
 */
function merge<Row>(rows: readonly Row[], keyOf: (row: Row) => string, add: (into: Row, row: Row) => Row): Row[] {
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const into = merged.get(key);
    merged.set(key, into === undefined ? row : add(into, row));
  }
  return [...merged].sort(([first], [second]) => (first < second ? -1 : 1)).map(([, row]) => row);
}

function sumOf<Name extends string>(
  names: readonly Name[],
  first: Readonly<Record<Name, number>>,
  second: Readonly<Record<Name, number>>,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, first[name] + second[name]])) as Record<Name, number>;
}

function addHistograms(first: readonly number[], second: readonly number[]): number[] {
  const histogram = Histogram.from(first);
  histogram.addEncoded(second);
  return histogram.encode();
}

/** The beginning of the period; a node whose clock is ahead has counted it just now. */
function startOf(time: string, periodMs: number, now: Date): string {
  const atMs = Math.min(Date.parse(time), now.getTime());
  return new Date(Math.floor(atMs / periodMs) * periodMs).toISOString();
}

function mergeTraffic(rows: readonly TrafficRow[], now: Date): readonly TrafficRow[] {
  return merge(
    rows.map((row) => ({ ...row, hour: startOf(row.hour, hourMs, now) })),
    (row) => JSON.stringify([row.hour, row.proxyId, row.appId, row.productId, row.country]),
    (into, row) => ({
      ...into,
      ...sumOf(trafficCounts, into, row),
      gatewayTime: addHistograms(into.gatewayTime, row.gatewayTime),
      targetTime: addHistograms(into.targetTime, row.targetTime),
    }),
  );
}

function mergeDeployments(rows: readonly DeploymentRow[], now: Date): readonly DeploymentRow[] {
  return merge(
    rows.map((row) => ({ ...row, minute: startOf(row.minute, minuteMs, now) })),
    (row) => JSON.stringify([row.deploymentId, row.minute]),
    (into, row) => ({ ...into, ...sumOf(counts, into, row), latency: addHistograms(into.latency, row.latency) }),
  );
}

function mergeRoutes(rows: readonly RouteRow[], now: Date): readonly RouteRow[] {
  return merge(
    rows.map((row) => ({ ...row, hour: startOf(row.hour, hourMs, now) })),
    (row) => JSON.stringify([row.hour, row.proxyId, row.routeId]),
    (into, row) => ({ ...into, ...sumOf(counts, into, row) }),
  );
}

/** An array of PostgreSQL, as text: arrays of arrays would have to be of one length. */
function arrayText(histogram: readonly number[]): string {
  return `{${histogram.join(',')}}`;
}

async function addTraffic(
  transaction: TenantTransaction,
  node: NodeCaller,
  rows: readonly TrafficRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const column = <Name extends keyof TrafficRow>(name: Name) => rows.map((row) => row[name]);
  await sql`
    insert into traffic_aggregates as present (organization_id, hour, environment_id, proxy_id, app_id, product_id,
      country, requests, status_2xx, status_3xx, status_4xx, status_5xx, limited, request_bytes, response_bytes,
      gateway_time, target_time)
    select ${transaction.tenantId}, given.hour, ${node.environmentId}, given.proxy_id, given.app_id, given.product_id,
      given.country, given.requests, given.status_2xx, given.status_3xx, given.status_4xx, given.status_5xx,
      given.limited, given.request_bytes, given.response_bytes, given.gateway_time::bigint[], given.target_time::bigint[]
    from unnest(
      ${column('hour')}::timestamptz[], ${column('proxyId')}::text[], ${rows.map((row) => row.appId ?? '')}::text[],
      ${rows.map((row) => row.productId ?? '')}::text[], ${column('country')}::text[], ${column('requests')}::bigint[],
      ${column('status2xx')}::bigint[], ${column('status3xx')}::bigint[], ${column('status4xx')}::bigint[],
      ${column('status5xx')}::bigint[], ${column('limited')}::bigint[], ${column('requestBytes')}::bigint[],
      ${column('responseBytes')}::bigint[], ${rows.map((row) => arrayText(row.gatewayTime))}::text[],
      ${rows.map((row) => arrayText(row.targetTime))}::text[]
    ) with ordinality as given (hour, proxy_id, app_id, product_id, country, requests, status_2xx, status_3xx,
      status_4xx, status_5xx, limited, request_bytes, response_bytes, gateway_time, target_time, place)
    join proxies on proxies.organization_id = ${transaction.tenantId} and proxies.id = given.proxy_id
    order by given.place
    on conflict (organization_id, hour, environment_id, proxy_id, app_id, product_id, country) do update set
      requests = present.requests + excluded.requests,
      status_2xx = present.status_2xx + excluded.status_2xx,
      status_3xx = present.status_3xx + excluded.status_3xx,
      status_4xx = present.status_4xx + excluded.status_4xx,
      status_5xx = present.status_5xx + excluded.status_5xx,
      limited = present.limited + excluded.limited,
      request_bytes = present.request_bytes + excluded.request_bytes,
      response_bytes = present.response_bytes + excluded.response_bytes,
      gateway_time = add_histograms(present.gateway_time, excluded.gateway_time),
      target_time = add_histograms(present.target_time, excluded.target_time)`.execute(transaction);
}

async function addDeployments(
  transaction: TenantTransaction,
  node: NodeCaller,
  rows: readonly DeploymentRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const column = <Name extends keyof DeploymentRow>(name: Name) => rows.map((row) => row[name]);
  await sql`
    insert into deployment_traffic as present (organization_id, deployment_id, minute, requests, status_2xx, status_3xx,
      status_4xx, status_5xx, latency)
    select ${transaction.tenantId}, given.deployment_id, given.minute, given.requests, given.status_2xx,
      given.status_3xx, given.status_4xx, given.status_5xx, given.latency::bigint[]
    from unnest(
      ${column('deploymentId')}::text[], ${column('minute')}::timestamptz[], ${column('requests')}::bigint[],
      ${column('status2xx')}::bigint[], ${column('status3xx')}::bigint[], ${column('status4xx')}::bigint[],
      ${column('status5xx')}::bigint[], ${rows.map((row) => arrayText(row.latency))}::text[]
    ) with ordinality as given (deployment_id, minute, requests, status_2xx, status_3xx, status_4xx, status_5xx, latency,
      place)
    join deployments d on d.organization_id = ${transaction.tenantId} and d.id = given.deployment_id
      and d.environment_id = ${node.environmentId}
    order by given.place
    on conflict (organization_id, deployment_id, minute) do update set
      requests = present.requests + excluded.requests,
      status_2xx = present.status_2xx + excluded.status_2xx,
      status_3xx = present.status_3xx + excluded.status_3xx,
      status_4xx = present.status_4xx + excluded.status_4xx,
      status_5xx = present.status_5xx + excluded.status_5xx,
      latency = add_histograms(present.latency, excluded.latency)`.execute(transaction);
}

async function addRoutes(transaction: TenantTransaction, node: NodeCaller, rows: readonly RouteRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <Name extends keyof RouteRow>(name: Name) => rows.map((row) => row[name]);
  await sql`
    insert into route_traffic as present (organization_id, hour, environment_id, proxy_id, route_id, requests,
      status_2xx, status_3xx, status_4xx, status_5xx)
    select ${transaction.tenantId}, given.hour, ${node.environmentId}, given.proxy_id, given.route_id, given.requests,
      given.status_2xx, given.status_3xx, given.status_4xx, given.status_5xx
    from unnest(
      ${column('hour')}::timestamptz[], ${column('proxyId')}::text[], ${column('routeId')}::text[],
      ${column('requests')}::bigint[], ${column('status2xx')}::bigint[], ${column('status3xx')}::bigint[],
      ${column('status4xx')}::bigint[], ${column('status5xx')}::bigint[]
    ) with ordinality as given (hour, proxy_id, route_id, requests, status_2xx, status_3xx, status_4xx, status_5xx, place)
    join proxies on proxies.organization_id = ${transaction.tenantId} and proxies.id = given.proxy_id
    order by given.place
    on conflict (organization_id, hour, environment_id, proxy_id, route_id) do update set
      requests = present.requests + excluded.requests,
      status_2xx = present.status_2xx + excluded.status_2xx,
      status_3xx = present.status_3xx + excluded.status_3xx,
      status_4xx = present.status_4xx + excluded.status_4xx,
      status_5xx = present.status_5xx + excluded.status_5xx`.execute(transaction);
}
