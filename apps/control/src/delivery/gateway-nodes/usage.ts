import type {
  DeploymentRow,
  FailureRow,
  MeteredRow,
  RouteRow,
  SlotRow,
  TrafficRow,
  UsageBatch,
} from '@millrace/gateway-configuration/reports';
import { addEncoded } from '@millrace/histograms';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { NodeCaller } from '../../frame/caller.ts';
import { emit } from '../../frame/events.ts';
import type { NodeContext } from '../../frame/handler.ts';
import type { DeploymentMonitor } from '../deployments/monitor.ts';
import { trafficCounted, usageMetered } from '../events.ts';
import { holdTrafficHead, markTraffic, type TrafficHead } from './traffic-head.ts';

/** How far a node's clock may be ahead before it is reported. */
const aheadMs = 3_600_000;
const hourMs = 3_600_000;
const quarterMs = 900_000;
const minuteMs = 60_000;
const slotMs = 10_000;

export interface AppliedUsage {
  /** False if the batch was applied before. */
  readonly applied: boolean;
  /** Rows so far ahead that the node's clock is wrong; they count for the present. */
  readonly aheadRows: number;
}

/**
 * Adds a node's usage to its hours, minutes, routes and terms, once per batch, however often, late and concurrently it is
 * sent. Rows of proxies, deployments and terms that the organization doesn't have are ignored. The cost of canaries is
 * evaluated afterwards.
 */
export async function applyUsage(
  { monitor }: { readonly monitor: DeploymentMonitor },
  context: NodeContext<TenantTransaction>,
  batch: UsageBatch,
): Promise<AppliedUsage> {
  const { transaction, caller, now } = context;
  if (!(await isNew(transaction, caller, batch))) return { applied: false, aheadRows: 0 };
  const { traffic, deployments, routes, metered, slots, failures } = batch;
  const known = await knownProxies(transaction, [...traffic, ...routes, ...slots, ...failures]);
  const isKnown = ({ proxyId }: { readonly proxyId: string }) => known.has(proxyId);
  await addHours(context, {
    traffic: traffic.filter(isKnown),
    routes: routes.filter(isKnown),
    failures: failures.filter(isKnown),
  });
  await addDeployments(transaction, caller, mergeDeployments(deployments, now));
  const rows = mergeMetered(metered, now);
  await addMetered(transaction, caller, rows);
  const name = `${batch.streamId} ${batch.sequence}`;
  if (rows.length > 0) emit(transaction, usageMetered, { batch: name, rows });
  const counted = slotsUntil(slots, now).filter(isKnown);
  if (counted.length > 0) {
    emit(transaction, trafficCounted, { batch: name, environmentId: caller.environmentId, rows: counted });
  }
  context.afterCommit(() => monitor.check(transaction.tenantId, caller.environmentId));
  const times = [
    ...[...traffic, ...routes, ...failures].map(({ hour }) => hour),
    ...deployments.map(({ minute }) => minute),
    ...metered.map(({ quarter }) => quarter),
    ...slots.map(({ slot }) => slot),
  ];
  return { applied: true, aheadRows: times.filter((time) => Date.parse(time) > now.getTime() + aheadMs).length };
}

/** Whether the batch was not applied before; from now on it was. Batches are remembered forever, as ranges. */
async function isNew(transaction: TenantTransaction, node: NodeCaller, batch: UsageBatch): Promise<boolean> {
  const { rows } = await sql`
    insert into usage_streams as present (organization_id, id, node_id, applied)
    values (${transaction.tenantId}, ${batch.streamId}, ${node.id},
      int8multirange(int8range(${batch.sequence}::bigint, ${batch.sequence}::bigint, '[]')))
    on conflict (organization_id, id) do update set applied = present.applied + excluded.applied
    where not present.applied @> excluded.applied
    returning id`.execute(transaction);
  return rows.length > 0;
}

const counts = ['requests', 'status2xx', 'status3xx', 'status4xx', 'status5xx'] as const;
const trafficCounts = [...counts, 'limited', 'requestBytes', 'responseBytes'] as const;

/**
 * Merges rows with one key, ordered by key: a statement can't write a row twice, and concurrent batches have to lock rows
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

/** The start of the period; a fast clock counts as now. */
function startOf(time: string, periodMs: number, now: Date): string {
  const atMs = Math.min(Date.parse(time), now.getTime());
  return new Date(Math.floor(atMs / periodMs) * periodMs).toISOString();
}

/** The start of the hour. What is later than hours are kept counts for the oldest that is. */
function hourOf(time: string, now: Date, { hoursFrom }: TrafficHead): string {
  const hour = startOf(time, hourMs, now);
  return hoursFrom === null || Date.parse(hour) >= hoursFrom.getTime() ? hour : hoursFrom.toISOString();
}

/** Adds what is counted by the hour. */
async function addHours(
  { transaction, caller, now }: NodeContext<TenantTransaction>,
  rows: Pick<UsageBatch, 'traffic' | 'routes' | 'failures'>,
): Promise<void> {
  if (rows.traffic.length === 0 && rows.routes.length === 0 && rows.failures.length === 0) return;
  const head = await holdTrafficHead(transaction);
  const traffic = mergeTraffic(rows.traffic, now, head);
  const routes = mergeRoutes(rows.routes, now, head);
  await addTraffic(transaction, caller, traffic);
  await addRoutes(transaction, caller, routes);
  await addFailures(transaction, caller, mergeFailures(rows.failures, now, head));
  await addNodeTraffic(transaction, caller, traffic);
  await markTraffic(
    transaction,
    head,
    [...traffic, ...routes].map(({ hour }) => hour),
  );
}

function mergeTraffic(rows: readonly TrafficRow[], now: Date, head: TrafficHead): readonly TrafficRow[] {
  return merge(
    rows.map((row) => ({ ...row, hour: hourOf(row.hour, now, head) })),
    (row) => JSON.stringify([row.hour, row.proxyId, row.appId, row.productId, row.country]),
    (into, row) => ({
      ...into,
      ...sumOf(trafficCounts, into, row),
      gatewayTime: addEncoded(into.gatewayTime, row.gatewayTime),
      targetTime: addEncoded(into.targetTime, row.targetTime),
    }),
  );
}

function mergeDeployments(rows: readonly DeploymentRow[], now: Date): readonly DeploymentRow[] {
  return merge(
    rows.map((row) => ({ ...row, minute: startOf(row.minute, minuteMs, now) })),
    (row) => JSON.stringify([row.deploymentId, row.minute]),
    (into, row) => ({ ...into, ...sumOf(counts, into, row), latency: addEncoded(into.latency, row.latency) }),
  );
}

function mergeRoutes(rows: readonly RouteRow[], now: Date, head: TrafficHead): readonly RouteRow[] {
  return merge(
    rows.map((row) => ({ ...row, hour: hourOf(row.hour, now, head) })),
    (row) => JSON.stringify([row.hour, row.proxyId, row.routeId]),
    (into, row) => ({ ...into, ...sumOf(counts, into, row) }),
  );
}

const failureCounts = ['status4xx', 'status5xx'] as const;

function mergeFailures(rows: readonly FailureRow[], now: Date, head: TrafficHead): readonly FailureRow[] {
  return merge(
    rows.map((row) => ({ ...row, hour: hourOf(row.hour, now, head) })),
    (row) => JSON.stringify([row.appId, row.hour, row.proxyId, row.routeId, row.productId]),
    (into, row) => ({ ...into, ...sumOf(failureCounts, into, row) }),
  );
}

/** At the beginnings of their slots; what a fast clock says counts as now. */
function slotsUntil(rows: readonly SlotRow[], now: Date): readonly SlotRow[] {
  const beginnings = new Map(rows.map(({ slot }) => [slot, '']));
  for (const slot of beginnings.keys()) beginnings.set(slot, startOf(slot, slotMs, now));
  return rows.map((row) => ({ ...row, slot: beginnings.get(row.slot)! }));
}

async function knownProxies(
  transaction: TenantTransaction,
  rows: readonly { readonly proxyId: string }[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const { rows: proxies } = await sql<{ id: string }>`
    select id from proxies where organization_id = ${transaction.tenantId}
      and id = any(${[...new Set(rows.map(({ proxyId }) => proxyId))]})`.execute(transaction);
  return new Set(proxies.map(({ id }) => id));
}

const meteredCounts = ['requests', 'requestBytes', 'responseBytes', 'withoutUnits', 'unreadableUnits'] as const;

const microOfUnit = 1_000_000n;

function mergeMetered(rows: readonly MeteredRow[], now: Date): readonly MeteredRow[] {
  return merge(
    rows.map((row) => ({ ...row, quarter: startOf(row.quarter, quarterMs, now) })),
    (row) => JSON.stringify([row.quarter, row.termId, row.proxyId, row.statusClass]),
    (into, row) => ({ ...into, ...sumOf(meteredCounts, into, row), units: sumOfUnits(into.units, row.units) }),
  );
}

function sumOfUnits(first: string, second: string): string {
  const sum = microUnitsOf(first) + microUnitsOf(second);
  return `${sum / microOfUnit}.${String(sum % microOfUnit).padStart(6, '0')}`;
}

function microUnitsOf(units: string): bigint {
  const [whole = '', fraction = ''] = units.split('.');
  return BigInt(whole) * microOfUnit + BigInt(fraction.padEnd(6, '0'));
}

/**
 * Histograms as the text of one array each, for `unnest`: arrays of arrays would have to be of one length, and each element
 * of an array of texts would be escaped.
 */
function histogramTexts(histograms: readonly (readonly number[])[]) {
  const texts = histograms.map((histogram) => `{${histogram.join(',')}}`);
  return sql`string_to_array(${texts.join(';')}, ';')`;
}

/** A histogram from the text of its array. */
function histogramOf(text: string): number[] {
  return JSON.parse(`[${text.slice(1, -1)}]`);
}

/**
 * New rows as they are; to those that are there already what is counted is added. Histograms are added here, of all rows at
 * once: a function of the database takes half a millisecond for each. First all new rows are inserted, then all others
 * locked, both in their order, so that no two batches wait for each other.
 */
async function addTraffic(
  transaction: TenantTransaction,
  node: NodeCaller,
  rows: readonly TrafficRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { rows: there } = await sql<{ place: number }>`
    select given.place::float8 as place from ${givenTrafficKeys(rows)}
    join traffic_aggregates present on ${isTrafficRow(transaction, node)}`.execute(transaction);
  const seen = new Set(there.map(({ place }) => place - 1));
  const inserted = await insertTraffic(
    transaction,
    node,
    rows.filter((_row, index) => !seen.has(index)),
  );
  const known = rows.filter((row) => !inserted.has(trafficKey(row)));
  if (known.length === 0) return;
  const { rows: present } = await sql<{ place: number; gateway_time: string; target_time: string }>`
    select given.place::float8 as place, present.gateway_time::text, present.target_time::text
    from ${givenTrafficKeys(known)}
    join traffic_aggregates present on ${isTrafficRow(transaction, node)}
    order by given.place
    for update of present`.execute(transaction);
  const summed = present.map(({ place, gateway_time, target_time }) => {
    const row = known[place - 1]!;
    return {
      ...row,
      gatewayTime: addEncoded(histogramOf(gateway_time), row.gatewayTime),
      targetTime: addEncoded(histogramOf(target_time), row.targetTime),
    };
  });
  if (summed.length === 0) return;
  await sql`
    update traffic_aggregates as present set
      requests = present.requests + given.requests,
      status_2xx = present.status_2xx + given.status_2xx,
      status_3xx = present.status_3xx + given.status_3xx,
      status_4xx = present.status_4xx + given.status_4xx,
      status_5xx = present.status_5xx + given.status_5xx,
      limited = present.limited + given.limited,
      request_bytes = present.request_bytes + given.request_bytes,
      response_bytes = present.response_bytes + given.response_bytes,
      gateway_time = given.gateway_time::bigint[],
      target_time = given.target_time::bigint[]
    from ${givenTraffic(summed)}
    where ${isTrafficRow(transaction, node)}`.execute(transaction);
}

/** Inserts rows that are not there; the keys of those that another has not inserted meanwhile. */
async function insertTraffic(
  transaction: TenantTransaction,
  node: NodeCaller,
  rows: readonly TrafficRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const { rows: inserted } = await sql<{ hour: Date; keys: string[] }>`
    insert into traffic_aggregates (organization_id, hour, environment_id, proxy_id, app_id, product_id,
      country, requests, status_2xx, status_3xx, status_4xx, status_5xx, limited, request_bytes, response_bytes,
      gateway_time, target_time)
    select ${transaction.tenantId}, given.hour, ${node.environmentId}, given.proxy_id, given.app_id, given.product_id,
      given.country, given.requests, given.status_2xx, given.status_3xx, given.status_4xx, given.status_5xx,
      given.limited, given.request_bytes, given.response_bytes, given.gateway_time::bigint[], given.target_time::bigint[]
    from ${givenTraffic(rows)}
    join proxies on proxies.organization_id = ${transaction.tenantId} and proxies.id = given.proxy_id
    order by given.place
    on conflict (organization_id, hour, environment_id, proxy_id, app_id, product_id, country) do nothing
    returning hour, array[proxy_id, app_id, product_id, country] as keys`.execute(transaction);
  return new Set(inserted.map(({ hour, keys }) => JSON.stringify([hour.toISOString(), ...keys])));
}

function trafficKey({ hour, proxyId, appId, productId, country }: TrafficRow): string {
  return JSON.stringify([hour, proxyId, appId ?? '', productId ?? '', country]);
}

function givenTrafficKeys(rows: readonly TrafficRow[]) {
  return sql`unnest(${trafficKeyColumns(rows)})
    with ordinality as given (hour, proxy_id, app_id, product_id, country, place)`;
}

function givenTraffic(rows: readonly TrafficRow[]) {
  const column = <Name extends keyof TrafficRow>(name: Name) => rows.map((row) => row[name]);
  return sql`unnest(
      ${trafficKeyColumns(rows)}, ${column('requests')}::bigint[],
      ${column('status2xx')}::bigint[], ${column('status3xx')}::bigint[], ${column('status4xx')}::bigint[],
      ${column('status5xx')}::bigint[], ${column('limited')}::bigint[], ${column('requestBytes')}::bigint[],
      ${column('responseBytes')}::bigint[], ${histogramTexts(column('gatewayTime'))}, ${histogramTexts(column('targetTime'))}
    ) with ordinality as given (hour, proxy_id, app_id, product_id, country, requests, status_2xx, status_3xx,
      status_4xx, status_5xx, limited, request_bytes, response_bytes, gateway_time, target_time, place)`;
}

function trafficKeyColumns(rows: readonly TrafficRow[]) {
  const column = <Name extends keyof TrafficRow>(name: Name) => rows.map((row) => row[name]);
  return sql`${column('hour')}::timestamptz[], ${column('proxyId')}::text[],
    ${rows.map((row) => row.appId ?? '')}::text[], ${rows.map((row) => row.productId ?? '')}::text[],
    ${column('country')}::text[]`;
}

function isTrafficRow(transaction: TenantTransaction, node: NodeCaller) {
  return sql`present.organization_id = ${transaction.tenantId} and present.hour = given.hour
      and present.environment_id = ${node.environmentId} and present.proxy_id = given.proxy_id
      and present.app_id = given.app_id and present.product_id = given.product_id and present.country = given.country`;
}

/** Like {@link addTraffic}. */
async function addDeployments(
  transaction: TenantTransaction,
  node: NodeCaller,
  rows: readonly DeploymentRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { rows: inserted } = await sql<{ deployment_id: string; minute: Date }>`
    insert into deployment_traffic (organization_id, deployment_id, minute, requests, status_2xx, status_3xx,
      status_4xx, status_5xx, latency)
    select ${transaction.tenantId}, given.deployment_id, given.minute, given.requests, given.status_2xx,
      given.status_3xx, given.status_4xx, given.status_5xx, given.latency::bigint[]
    from ${givenDeployments(rows)}
    join deployments d on d.organization_id = ${transaction.tenantId} and d.id = given.deployment_id
      and d.environment_id = ${node.environmentId}
    order by given.place
    on conflict (organization_id, deployment_id, minute) do nothing
    returning deployment_id, minute`.execute(transaction);
  const added = new Set(inserted.map(({ deployment_id, minute }) => `${deployment_id},${minute.toISOString()}`));
  const known = rows.filter(({ deploymentId, minute }) => !added.has(`${deploymentId},${minute}`));
  if (known.length === 0) return;
  const { rows: present } = await sql<{ place: string; latency: string }>`
    select given.place, present.latency::text
    from ${givenDeployments(known.map((row) => ({ ...row, latency: [] })))}
    join deployments d on d.organization_id = ${transaction.tenantId} and d.id = given.deployment_id
      and d.environment_id = ${node.environmentId}
    join deployment_traffic present on ${isDeploymentRow(transaction)}
    order by given.place
    for update of present`.execute(transaction);
  const summed = present.map(({ place, latency }) => {
    const row = known[Number(place) - 1]!;
    return { ...row, latency: addEncoded(histogramOf(latency), row.latency) };
  });
  await sql`
    update deployment_traffic as present set
      requests = present.requests + given.requests,
      status_2xx = present.status_2xx + given.status_2xx,
      status_3xx = present.status_3xx + given.status_3xx,
      status_4xx = present.status_4xx + given.status_4xx,
      status_5xx = present.status_5xx + given.status_5xx,
      latency = given.latency::bigint[]
    from ${givenDeployments(summed)}
    where ${isDeploymentRow(transaction)}`.execute(transaction);
}

function givenDeployments(rows: readonly DeploymentRow[]) {
  const column = <Name extends keyof DeploymentRow>(name: Name) => rows.map((row) => row[name]);
  return sql`unnest(
      ${column('deploymentId')}::text[], ${column('minute')}::timestamptz[], ${column('requests')}::bigint[],
      ${column('status2xx')}::bigint[], ${column('status3xx')}::bigint[], ${column('status4xx')}::bigint[],
      ${column('status5xx')}::bigint[], ${histogramTexts(column('latency'))}
    ) with ordinality as given (deployment_id, minute, requests, status_2xx, status_3xx, status_4xx, status_5xx, latency,
      place)`;
}

function isDeploymentRow(transaction: TenantTransaction) {
  return sql`present.organization_id = ${transaction.tenantId} and present.deployment_id = given.deployment_id
      and present.minute = given.minute`;
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

/** Adds to failures of apps. No sums are made of them, so their hours aren't marked. */
async function addFailures(
  transaction: TenantTransaction,
  node: NodeCaller,
  rows: readonly FailureRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const column = <Name extends keyof FailureRow>(name: Name) => rows.map((row) => row[name]);
  await sql`
    insert into route_failures as present (organization_id, app_id, hour, environment_id, proxy_id, route_id, product_id,
      status_4xx, status_5xx)
    select ${transaction.tenantId}, given.app_id, given.hour, ${node.environmentId}, given.proxy_id, given.route_id,
      given.product_id, given.status_4xx, given.status_5xx
    from unnest(
      ${column('appId')}::text[], ${column('hour')}::timestamptz[], ${column('proxyId')}::text[],
      ${rows.map(({ routeId }) => routeId ?? '')}::text[], ${rows.map(({ productId }) => productId ?? '')}::text[],
      ${column('status4xx')}::bigint[], ${column('status5xx')}::bigint[]
    ) with ordinality as given (app_id, hour, proxy_id, route_id, product_id, status_4xx, status_5xx, place)
    join proxies on proxies.organization_id = ${transaction.tenantId} and proxies.id = given.proxy_id
    order by given.place
    on conflict (organization_id, app_id, hour, environment_id, proxy_id, route_id, product_id) do update set
      status_4xx = present.status_4xx + excluded.status_4xx,
      status_5xx = present.status_5xx + excluded.status_5xx`.execute(transaction);
}

/** Adds what the node counted in each hour, whatever it was about. */
async function addNodeTraffic(
  transaction: TenantTransaction,
  node: NodeCaller,
  traffic: readonly TrafficRow[],
): Promise<void> {
  if (traffic.length === 0) return;
  const rows = merge(
    traffic,
    ({ hour }) => hour,
    (into, row) => ({ ...into, ...sumOf(trafficCounts, into, row) }),
  );
  const column = <Name extends keyof TrafficRow>(name: Name) => rows.map((row) => row[name]);
  await sql`
    insert into node_traffic as present (organization_id, node_id, hour, environment_id, requests, status_2xx, status_3xx,
      status_4xx, status_5xx, limited, request_bytes, response_bytes)
    select ${transaction.tenantId}, ${node.id}, given.hour, ${node.environmentId}, given.requests, given.status_2xx,
      given.status_3xx, given.status_4xx, given.status_5xx, given.limited, given.request_bytes, given.response_bytes
    from unnest(
      ${column('hour')}::timestamptz[], ${column('requests')}::bigint[], ${column('status2xx')}::bigint[],
      ${column('status3xx')}::bigint[], ${column('status4xx')}::bigint[], ${column('status5xx')}::bigint[],
      ${column('limited')}::bigint[], ${column('requestBytes')}::bigint[], ${column('responseBytes')}::bigint[]
    ) as given (hour, requests, status_2xx, status_3xx, status_4xx, status_5xx, limited, request_bytes, response_bytes)
    on conflict (organization_id, node_id, hour, environment_id) do update set
      requests = present.requests + excluded.requests,
      status_2xx = present.status_2xx + excluded.status_2xx,
      status_3xx = present.status_3xx + excluded.status_3xx,
      status_4xx = present.status_4xx + excluded.status_4xx,
      status_5xx = present.status_5xx + excluded.status_5xx,
      limited = present.limited + excluded.limited,
      request_bytes = present.request_bytes + excluded.request_bytes,
      response_bytes = present.response_bytes + excluded.response_bytes`.execute(transaction);
}

/**
 * Adds to what is billed. Rows of a quarter that is closed already are kept apart, under what was closed by then: an
 * invoice that was made stays explained by its rows, and the next one bills these. Whoever closes usage waits for the
 * batches that are being added, and the other way round.
 */
async function addMetered(
  transaction: TenantTransaction,
  node: NodeCaller,
  rows: readonly MeteredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await holdClosing(transaction);
  const column = <Name extends keyof MeteredRow>(name: Name) => rows.map((row) => row[name]);
  await sql`
    insert into metered_usage as present (organization_id, term_id, quarter, environment_id, proxy_id, status_class,
      late_after, requests, request_bytes, response_bytes, units, without_units, unreadable_units)
    select term.organization_id, term.id, given.quarter, ${node.environmentId}, proxies.id, given.status_class,
      case when given.quarter < closing.closed_until then closing.closed_until else '-infinity' end,
      given.requests, given.request_bytes, given.response_bytes, given.units, given.without_units, given.unreadable_units
    from unnest(
      ${column('quarter')}::timestamptz[], ${column('termId')}::text[], ${column('proxyId')}::text[],
      ${column('statusClass')}::smallint[], ${column('requests')}::bigint[], ${column('requestBytes')}::bigint[],
      ${column('responseBytes')}::bigint[], ${column('units')}::numeric[], ${column('withoutUnits')}::bigint[],
      ${column('unreadableUnits')}::bigint[]
    ) with ordinality as given (quarter, term_id, proxy_id, status_class, requests, request_bytes, response_bytes, units,
      without_units, unreadable_units, place)
    join usage_closings closing on closing.organization_id = ${transaction.tenantId}
    join subscription_terms term on term.organization_id = closing.organization_id and term.id = given.term_id
    join proxies on proxies.organization_id = closing.organization_id and proxies.id = given.proxy_id
    order by given.place
    on conflict (organization_id, term_id, quarter, environment_id, proxy_id, status_class, late_after) do update set
      requests = present.requests + excluded.requests,
      request_bytes = present.request_bytes + excluded.request_bytes,
      response_bytes = present.response_bytes + excluded.response_bytes,
      units = present.units + excluded.units,
      without_units = present.without_units + excluded.without_units,
      unreadable_units = present.unreadable_units + excluded.unreadable_units`.execute(transaction);
}

/** Keeps usage from being closed until the commit. */
async function holdClosing(transaction: TenantTransaction): Promise<void> {
  const hold = () =>
    transaction
      .selectFrom('usage_closings')
      .select('organization_id')
      .where('organization_id', '=', transaction.tenantId)
      .forShare()
      .executeTakeFirst();
  if ((await hold()) !== undefined) return;
  await transaction
    .insertInto('usage_closings')
    .values({ organization_id: transaction.tenantId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await hold();
}
