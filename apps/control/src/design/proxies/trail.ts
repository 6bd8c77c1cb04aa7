import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { Change } from '../../frame/handler.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { presentWithChanges } from '../../platform/audit/store.ts';
import type { HistoryEntry } from './contract.ts';

interface Part {
  readonly id: string;
  readonly version: number;
}

/**
 * The change of a part of a proxy, such as a route, as a row of the proxy's own trail: its fields stand under the part's
 * name. The part's version is what an `If-Match` is held against.
 *
 * @param note names the part, since a trail shows only what changed about it
 */
export function within(
  name: 'route' | 'policy',
  proxyId: string,
  before: Part | null,
  after: Part | null,
  note: string,
): Change {
  const nested = (part: Part | null) => {
    if (part === null) return null;
    const { version, ...fields } = part;
    return { version, [name]: { ...fields, updatedAt: undefined } };
  };
  return { entityId: proxyId, before: nested(before), after: nested(after), note };
}

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
