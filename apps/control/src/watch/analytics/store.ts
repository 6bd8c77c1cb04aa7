import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Filters } from './figures.ts';
import type { Span } from './spans.ts';

const mostStatuses = 20;

/**
 * Exact statuses of failed requests among the recent ones that are kept of each app; null where they have none of
 * the filters’ columns.
 */
export async function sampleStatuses(
  transaction: TenantTransaction,
  { environmentId, proxyId, appId, productId, country, routeId, deploymentId, gatewayNodeId }: Filters,
  { from, to }: Pick<Span, 'from' | 'to'>,
) {
  if ([environmentId, country, routeId, deploymentId, gatewayNodeId].some((filter) => filter !== undefined))
    return null;
  const { rows } = await sql<{ status: number | null; requests: number; first_at: Date; last_at: Date }>`
    select status, count(*)::int as requests, min(at) as first_at, max(at) as last_at from recent_requests
    where organization_id = ${transaction.tenantId} and at >= ${from} and at < ${to}
      ${proxyId === undefined ? sql`` : sql`and proxy_id = ${proxyId}`}
      ${appId === undefined ? sql`` : sql`and app_id = ${appId === 'none' ? '' : appId}`}
      ${productId === undefined ? sql`` : sql`and coalesce(product_id, '') = ${productId === 'none' ? '' : productId}`}
    group by grouping sets ((), (status)) having count(*) > 0
    order by requests desc, status`.execute(transaction);
  const all = rows.find(({ status }) => status === null);
  if (all === undefined) return null;
  return {
    from: all.first_at.toISOString(),
    requests: all.requests,
    statuses: rows
      .filter((row): row is typeof row & { status: number } => row.status !== null && row.status >= 400)
      .slice(0, mostStatuses)
      .map((row) => ({ status: row.status, requests: row.requests, lastAt: row.last_at.toISOString() })),
  };
}
