import type { RecentRequest } from '@millrace/gateway-configuration/reports';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** Requests kept of each app: the newest ones. */
const mostOfApp = 100;
const keptDays = 7;

/**
 * Stores what a node reports of apps' last requests, with the path pattern of their routes as it is now, and removes what
 * is older than each app's newest ones. Requests of apps that the organization doesn't have are ignored; those of a clock
 * that is ahead count for the present.
 */
export async function keepRecentRequests(
  transaction: TenantTransaction,
  requests: readonly RecentRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const column = <Name extends keyof RecentRequest>(name: Name) => requests.map((request) => request[name]);
  await sql`
    insert into recent_requests (organization_id, app_id, at, request_id, method, proxy_id, product_id, route, status,
      duration_us)
    select app.organization_id, app.id, least(given.at, now()), given.request_id, given.method, given.proxy_id,
      given.product_id, proxy.base_path || route.path_pattern, given.status, given.duration_us
    from unnest(${column('appId')}::text[], ${column('at')}::timestamptz[], ${column('requestId')}::text[],
      ${column('method')}::text[], ${column('proxyId')}::text[], ${column('productId')}::text[],
      ${column('routeId')}::text[], ${column('status')}::int[], ${column('durationUs')}::bigint[]
    ) as given (app_id, at, request_id, method, proxy_id, product_id, route_id, status, duration_us)
    join apps app on app.organization_id = ${transaction.tenantId} and app.id = given.app_id
    left join proxies proxy on proxy.organization_id = app.organization_id and proxy.id = given.proxy_id
    left join routes route on route.organization_id = app.organization_id and route.proxy_id = given.proxy_id
      and route.id = given.route_id
    where given.at > now() - ${keptDays} * interval '1 day'
    order by app.id, given.at
    on conflict do nothing`.execute(transaction);
  const appIds = [...new Set(column('appId'))].toSorted();
  await sql`
    delete from recent_requests old using unnest(${appIds}::text[]) as given (app_id)
    cross join lateral (
      select kept.at, kept.request_id from recent_requests kept
      where kept.organization_id = ${transaction.tenantId} and kept.app_id = given.app_id
      order by kept.at desc, kept.request_id desc offset ${mostOfApp - 1} limit 1) last
    where old.organization_id = ${transaction.tenantId} and old.app_id = given.app_id
      and (old.at, old.request_id) < (last.at, last.request_id)`.execute(transaction);
}
