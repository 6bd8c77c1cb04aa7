import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { HistoryEntry } from './contract.ts';
import { presentWithChanges } from './store.ts';

interface Filters extends Listing {
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
  readonly category?: string | undefined;
}

/** What was done to the proxy and to all that belongs to it, by the audit trail. */
export async function listHistory(transaction: TenantTransaction, proxyId: string, filters: Filters) {
  const organizationId = transaction.tenantId;
  const belonging = sql<boolean>`(entity_type, entity_id) in (
    select 'proxy', ${proxyId}::text
    union all select 'deployment', id from deployments where organization_id = ${organizationId} and proxy_id = ${proxyId}
    union all select 'lifecycle_request', id from lifecycle_requests
      where organization_id = ${organizationId} and proxy_id = ${proxyId}
    union all select 'specification', id from specifications
      where organization_id = ${organizationId} and proxy_id = ${proxyId}
    union all select 'governance_waiver', id from governance_waivers
      where organization_id = ${organizationId} and proxy_id = ${proxyId})`;
  let query = transaction
    .selectFrom('audit_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(belonging)
    .where((builder) => matches(builder, ['operation', 'actor_name', 'note'], filters.search));
  if (filters.actorId !== undefined) query = query.where('actor_id', '=', filters.actorId);
  if (filters.operation !== undefined) query = query.where('operation', '=', filters.operation);
  if (filters.category !== undefined) {
    query = query.where('category', '=', filters.category as Row['category']);
  }
  const { rows, total } = await readPage(query, filters, { at: 'sequence' }, 'sequence');
  return { entries: rows.map(present), total };
}

type Row = Selectable<Schema['audit_entries']>;

/** Where a call came from is for those who may read the audit trail. */
function present(row: Row): z.infer<typeof HistoryEntry> {
  const {
    sequence: _sequence,
    ip: _ip,
    userAgent: _userAgent,
    requestId: _requestId,
    ...entry
  } = presentWithChanges(row);
  return entry;
}
