import { sql } from 'kysely';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Usage } from './contract.ts';
import { type Days, everyDay } from './rules.ts';

type Presented = z.infer<typeof Usage>;
type Counts = Presented['total'];

/** All apps of a developer, one of them, or what is called through one product. */
export interface AccountCallers {
  readonly developerId: string;
  readonly appId?: string | undefined;
  readonly productId?: string | undefined;
}

/** Whose calls. */
export type Callers = AccountCallers | { readonly appId: string; readonly productId: string };

/** Maximum number of products, APIs and routes listed separately. */
const mostProducts = 100;

/** Sums of counts by day, by product, or in total; sums of bigint arrive as text. */
interface Sum {
  readonly grouped: 'day' | 'product' | 'all';
  readonly day: string | null;
  readonly product_id: string | null;
  readonly product_name: string | null;
  readonly requests: string;
  readonly succeeded: string;
  readonly failed: string;
  readonly errors: string;
  readonly limited: string;
  readonly request_bytes: string;
  readonly response_bytes: string;
}

/** What gateway nodes have reported about these callers. */
export async function readUsage(transaction: TenantTransaction, callers: Callers, days: Days): Promise<Presented> {
  const organizationId = transaction.tenantId;
  const { rows } = await sql<Sum>`
    select sums.*, product.display_name as product_name from (
      select case when grouping(day) = 0 then 'day' when grouping(product_id) = 0 then 'product' else 'all' end as grouped,
             day, product_id, coalesce(sum(requests), 0) as requests,
             coalesce(sum(status_2xx + status_3xx), 0) as succeeded, coalesce(sum(status_4xx + status_5xx), 0) as failed,
             coalesce(sum(status_5xx), 0) as errors,
             coalesce(sum(limited), 0) as limited, coalesce(sum(request_bytes), 0) as request_bytes,
             coalesce(sum(response_bytes), 0) as response_bytes
      from (select *, to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day from traffic_aggregates
            where organization_id = ${organizationId} and ${madeBy(transaction, callers)}
              and ${within(days)}) hours
      group by grouping sets ((day), (product_id), ())) sums
    left join products product on product.organization_id = ${organizationId} and product.id = sums.product_id
    order by sums.requests desc, sums.product_id`.execute(transaction);
  const ofDay = new Map(rows.filter(({ grouped }) => grouped === 'day').map((row) => [row.day, countsOf(row)]));
  const all = rows.find(({ grouped }) => grouped === 'all');
  return {
    ...days,
    total: countsOf(all),
    days: everyDay(days).map((day) => ({ day, ...(ofDay.get(day) ?? countsOf(undefined)) })),
    products: rows
      .filter(({ grouped, product_id: id }) => grouped === 'product' && id !== '')
      .slice(0, mostProducts)
      .map((row) => ({ productId: row.product_id ?? '', productName: row.product_name, ...countsOf(row) })),
  };
}

/** Calls by API proxy, most calls first. */
export async function readApiUsage(transaction: TenantTransaction, callers: Callers, days: Days) {
  const { rows } = await sql<Sum & { proxy_id: string; display_name: string | null; base_path: string | null }>`
    select sums.*, proxy.display_name, proxy.base_path from (
      select proxy_id, sum(requests) as requests, sum(status_2xx + status_3xx) as succeeded,
             sum(status_4xx + status_5xx) as failed, sum(status_5xx) as errors, sum(limited) as limited,
             sum(request_bytes) as request_bytes, sum(response_bytes) as response_bytes
      from traffic_aggregates
      where organization_id = ${transaction.tenantId} and ${madeBy(transaction, callers)} and ${within(days)}
      group by proxy_id) sums
    left join proxies proxy on proxy.organization_id = ${transaction.tenantId} and proxy.id = sums.proxy_id
    order by sums.requests desc, sums.proxy_id limit ${mostProducts}`.execute(transaction);
  return rows.map((row) => ({
    proxyId: row.proxy_id,
    displayName: row.display_name,
    basePath: row.base_path,
    ...countsOf(row),
  }));
}

/** Failed calls by route, most first; of apps that no policy identified there are none. */
export async function readRouteFailures(transaction: TenantTransaction, callers: Callers, days: Days) {
  const organizationId = transaction.tenantId;
  const { rows } = await sql<{
    proxy_id: string;
    route_id: string;
    method: string | null;
    path: string | null;
    failed: string;
    errors: string;
  }>`
    select sums.*, route.method, proxy.base_path || route.path_pattern as path from (
      select proxy_id, route_id, sum(status_4xx + status_5xx) as failed, sum(status_5xx) as errors
      from route_failures
      where organization_id = ${organizationId} and ${madeBy(transaction, callers)} and ${within(days)}
      group by proxy_id, route_id
      order by failed desc, errors desc, proxy_id, route_id limit ${mostProducts}) sums
    left join proxies proxy on proxy.organization_id = ${organizationId} and proxy.id = sums.proxy_id
    left join routes route on route.organization_id = ${organizationId} and route.proxy_id = sums.proxy_id
      and route.id = sums.route_id
    order by failed desc, errors desc, proxy_id, route_id`.execute(transaction);
  return rows.map(({ proxy_id, route_id, method, path, failed, errors }) => ({
    proxyId: proxy_id,
    routeId: route_id || null,
    ...{ method, path },
    failed: Number(failed),
    errors: Number(errors),
  }));
}

/** Calls of an app through a product that no limit rejected, in whole hours, as reported so far. */
export async function countAdmitted(
  transaction: TenantTransaction,
  callers: Callers,
  { start, end }: { readonly start: Date; readonly end: Date },
): Promise<number> {
  const { rows } = await sql<{ admitted: string }>`
    select coalesce(sum(requests - limited), 0) as admitted from traffic_aggregates
    where organization_id = ${transaction.tenantId} and ${madeBy(transaction, callers)}
      and hour >= ${start} and hour < ${end}`.execute(transaction);
  return Number(rows[0]?.admitted ?? 0);
}

function within({ from, to }: Days) {
  return sql<boolean>`hour >= ${from}::date::timestamp at time zone 'UTC'
    and hour < (${to}::date + 1)::timestamp at time zone 'UTC'`;
}

function madeBy({ tenantId }: TenantTransaction, callers: Callers) {
  const { appId, productId } = callers;
  const conditions = [
    ...(appId === undefined ? [] : [sql<boolean>`app_id = ${appId}`]),
    ...(productId === undefined ? [] : [sql<boolean>`product_id = ${productId}`]),
  ];
  if ('developerId' in callers) {
    conditions.push(sql<boolean>`app_id in (select apps.id from apps
      where apps.organization_id = ${tenantId} and apps.developer_id = ${callers.developerId})`);
  }
  return sql.join(conditions, sql` and `);
}

function countsOf(row: Sum | undefined): Counts {
  return {
    requests: Number(row?.requests ?? 0),
    succeeded: Number(row?.succeeded ?? 0),
    failed: Number(row?.failed ?? 0),
    errors: Number(row?.errors ?? 0),
    limited: Number(row?.limited ?? 0),
    requestBytes: Number(row?.request_bytes ?? 0),
    responseBytes: Number(row?.response_bytes ?? 0),
  };
}
