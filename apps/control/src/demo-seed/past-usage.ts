import { Histogram } from '@millrace/histograms';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { ControlDatabase } from '../database/schema.ts';
import { holdTrafficHead, markTraffic } from '../delivery/gateway-nodes/traffic-head.ts';
import { type Call, type Past, pastCalls } from './past-calls.ts';

/** Whose usage, of what. */
export interface PastUsage extends Past {
  readonly organizationId: string;
  readonly subscriptionId: string;
  readonly environmentId: string;
  readonly proxyId: string;
}

/**
 * Writes the usage of a subscription from its beginning to the beginning of this hour, as if gateway nodes had reported
 * it, and moves the beginning of its term there. Written past the API, which accepts no past: metered rows and traffic
 * rows sum to the same, as they do when a node reports them.
 */
export async function writePastUsage(database: ControlDatabase, usage: PastUsage): Promise<void> {
  const calls = pastCalls(usage);
  const metered = JSON.stringify(meteredRows(calls));
  const hours = trafficRows(calls);
  const traffic = JSON.stringify(hours);
  const { organizationId, environmentId, proxyId, startsAt, subscriptionId } = usage;
  await tenantTransaction(database, organizationId, async (transaction) => {
    const head = await holdTrafficHead(transaction);
    const term = await transaction
      .updateTable('subscription_terms')
      .set({ starts_at: new Date(startsAt) })
      .where('organization_id', '=', organizationId)
      .where('subscription_id', '=', subscriptionId)
      .returning(['id', 'app_id', 'product_id'])
      .executeTakeFirstOrThrow();
    await sql`
      insert into metered_usage (organization_id, term_id, quarter, environment_id, proxy_id, status_class, requests,
        request_bytes, response_bytes, units, without_units, unreadable_units)
      select ${organizationId}, ${term.id}, quarter, ${environmentId}, ${proxyId}, "statusClass", requests,
        "requestBytes", "responseBytes", pages, "withoutPages", 0
      from jsonb_to_recordset(${metered}::jsonb) as given (quarter timestamptz, "statusClass" smallint, requests bigint,
        "requestBytes" bigint, "responseBytes" bigint, pages numeric, "withoutPages" bigint)`.execute(transaction);
    await sql`
      insert into traffic_aggregates (organization_id, hour, environment_id, proxy_id, app_id, product_id, country,
        requests, status_2xx, status_3xx, status_4xx, status_5xx, limited, request_bytes, response_bytes, gateway_time,
        target_time)
      select ${organizationId}, hour, ${environmentId}, ${proxyId}, ${term.app_id}, ${term.product_id}, country,
        requests, status_2xx, 0, status_4xx, status_5xx, limited, "requestBytes", "responseBytes", "gatewayTime",
        "targetTime"
      from jsonb_to_recordset(${traffic}::jsonb) as given (hour timestamptz, country text, requests bigint,
        status_2xx bigint,
        status_4xx bigint, status_5xx bigint, limited bigint, "requestBytes" bigint, "responseBytes" bigint,
        "gatewayTime" bigint[], "targetTime" bigint[])`.execute(transaction);
    // All of these calls extract documents.
    await sql`
      insert into route_failures (organization_id, app_id, hour, environment_id, proxy_id, route_id, product_id, status_4xx,
        status_5xx)
      select ${organizationId}, ${term.app_id}, hour, ${environmentId}, ${proxyId}, route.id, ${term.product_id},
        sum(given.status_4xx), sum(given.status_5xx)
      from jsonb_to_recordset(${traffic}::jsonb) as given (hour timestamptz, status_4xx bigint, status_5xx bigint)
      join routes route on route.organization_id = ${organizationId} and route.proxy_id = ${proxyId}
        and route.method = 'POST' and route.path_pattern = '/extract'
      group by hour, route.id having sum(given.status_4xx + given.status_5xx) > 0`.execute(transaction);
    await markTraffic(
      transaction,
      head,
      hours.map(({ hour }) => hour),
    );
  });
}

/** Rows of what is billed: a quarter of an hour and a class of statuses each, 0 for what the gateway rejected. */
function meteredRows(calls: readonly Call[]) {
  const classOf = ({ status }: Call) => (status === 429 ? 0 : Math.floor(status / 100));
  return grouped(calls, (call) => `${startOf(call, 15)} ${classOf(call)}`).map((group) => ({
    quarter: startOf(group[0], 15),
    statusClass: classOf(group[0]),
    ...sums(group),
    pages: sumOf(group, ({ pages }) => pages),
    // Errors of the extraction API state no pages; what the gateway rejects never asks it.
    withoutPages: sumOf(group, ({ status }) => (status === 400 || status === 503 ? 1 : 0)),
  }));
}

/** Rows of traffic, an hour and a country each. */
function trafficRows(calls: readonly Call[]) {
  return grouped(calls, (call) => `${startOf(call, 60)} ${call.country}`).map((group) => {
    const inClass = (first: number) => sumOf(group, ({ status }) => (Math.floor(status / 100) === first ? 1 : 0));
    return {
      hour: startOf(group[0], 60),
      country: group[0].country,
      ...sums(group),
      status_2xx: inClass(2),
      status_4xx: inClass(4),
      status_5xx: inClass(5),
      limited: sumOf(group, ({ status }) => (status === 429 ? 1 : 0)),
      gatewayTime: histogramOf(group.map(({ gatewayMicros }) => gatewayMicros)),
      targetTime: histogramOf(group.filter(({ status }) => status !== 429).map(({ targetMicros }) => targetMicros)),
    };
  });
}

const minuteMs = 60_000;

type Group = readonly [Call, ...Call[]];

function grouped(calls: readonly Call[], keyOf: (call: Call) => string): readonly Group[] {
  return [...Map.groupBy(calls, keyOf).values()] as unknown as readonly Group[];
}

function sums(group: Group) {
  return {
    requests: group.length,
    requestBytes: sumOf(group, ({ requestBytes }) => requestBytes),
    responseBytes: sumOf(group, ({ responseBytes }) => responseBytes),
  };
}

function sumOf(calls: readonly Call[], numberOf: (call: Call) => number): number {
  return calls.reduce((sum, call) => sum + numberOf(call), 0);
}

/** The beginning of the hour or the quarter of an hour, in UTC, as gateway nodes count. */
function startOf({ atMs }: Call, minutes: number): string {
  return new Date(Math.floor(atMs / (minutes * minuteMs)) * minutes * minuteMs).toISOString();
}

function histogramOf(values: readonly number[]): readonly number[] {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram.encode();
}
