import { sql } from 'kysely';
import type { Days } from '../../consumers/developers/rules.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { PortalRequest, PortalUsage } from './contract.ts';

interface RequestFilters extends Listing {
  readonly appId?: string | undefined;
  readonly failed?: boolean | undefined;
}

const columns = { at: 'request.at', status: 'request.status', durationMs: 'request.duration_us' };

/** The recent requests of a developer's apps. */
export async function listRequests(transaction: TenantTransaction, developerId: string, filters: RequestFilters) {
  let query = transaction
    .selectFrom('recent_requests as request')
    .innerJoin('apps as app', (join) =>
      join.onRef('app.organization_id', '=', 'request.organization_id').onRef('app.id', '=', 'request.app_id'),
    )
    .selectAll('request')
    .select('app.display_name as app_name')
    .where('request.organization_id', '=', transaction.tenantId)
    .where('app.developer_id', '=', developerId)
    .where((builder) => matches(builder, ['request.request_id', 'request.route'], filters.search));
  const { appId, failed } = filters;
  if (appId !== undefined) query = query.where('request.app_id', '=', appId);
  if (failed !== undefined) query = query.where('request.status', failed ? '>=' : '<', 400);
  const { rows, total } = await readPage(query, filters, columns, 'request.request_id');
  const requests = rows.map(
    (row): PortalRequest => ({
      requestId: row.request_id,
      at: row.at.toISOString(),
      appId: row.app_id,
      appName: row.app_name,
      method: row.method,
      route: row.route,
      status: row.status,
      durationMs: Number(row.duration_us) / 1_000,
    }),
  );
  return { requests, total };
}

/** Whose calls are asked for: of a developer, perhaps of one app or through one product. */
export interface Asked {
  readonly developerId: string;
  readonly appId?: string | undefined;
  readonly productId?: string | undefined;
}

/** The kept requests of some days by route, most failures first; at most 50 routes. */
export async function readRecentRoutes(
  transaction: TenantTransaction,
  { developerId, appId, productId }: Asked,
  { from, to }: Days,
): Promise<PortalUsage['recentRoutes']> {
  const { rows } = await sql<PortalUsage['recentRoutes'][number]>`
    select request.method, request.route, count(*)::int as requests,
      (count(*) filter (where status >= 400))::int as failed, (count(*) filter (where status >= 500))::int as errors,
      round(avg(duration_us) / 1000, 1)::float8 as "averageMs"
    from recent_requests request
    join apps app on app.organization_id = request.organization_id and app.id = request.app_id
    where request.organization_id = ${transaction.tenantId} and app.developer_id = ${developerId}
      and (${appId ?? null}::text is null or request.app_id = ${appId ?? null})
      and (${productId ?? null}::text is null or request.product_id = ${productId ?? null})
      and request.route is not null
      and request.at >= ${from}::date::timestamp at time zone 'UTC'
      and request.at < (${to}::date + 1)::timestamp at time zone 'UTC'
    group by request.method, request.route
    order by failed desc, requests desc, request.route limit 50`.execute(transaction);
  return rows;
}
