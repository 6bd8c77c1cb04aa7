import type { TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { PortalRequest } from './contract.ts';

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
