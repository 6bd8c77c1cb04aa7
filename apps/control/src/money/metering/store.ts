import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** Calls of a term to one API proxy, with the same first digit of their status. */
export interface TermUsage {
  readonly termId: string;
  readonly proxyId: string;
  /** 0: the gateway rejected them before a target was called; never billed. */
  readonly statusClass: number;
  /** Exact decimals. */
  readonly requests: string;
  readonly requestBytes: string;
  readonly responseBytes: string;
  readonly units: string;
  /** Responses without the header that states units, and those whose header was unreadable: 0 units each. */
  readonly withoutUnits: number;
  readonly unreadableUnits: number;
}

/** Usage that arrived after its quarter of an hour was closed. */
export interface LateUsage extends TermUsage {
  /** Beginning of the quarter of an hour. */
  readonly quarter: Date;
}

const sums = sql`sum(requests)::text as requests, sum(request_bytes)::text as "requestBytes",
  sum(response_bytes)::text as "responseBytes", trim_scale(sum(units))::text as units,
  sum(without_units)::float8 as "withoutUnits", sum(unreadable_units)::float8 as "unreadableUnits"`;

/**
 * Closes usage up to a moment, which never goes back: what arrives afterwards for an earlier quarter of an hour is late, and
 * what {@link usageOfTerms} returns for earlier ones no longer changes. Waits for the batches that are being applied.
 *
 * @param until a whole quarter of an hour
 * @returns up to when usage is closed now
 */
export async function closeUsage(transaction: TenantTransaction, until: Date): Promise<Date> {
  const { closed_until } = await transaction
    .insertInto('usage_closings')
    .values({ organization_id: transaction.tenantId, closed_until: until })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet({ closed_until: sql<Date>`greatest(usage_closings.closed_until, excluded.closed_until)` }),
    )
    .returning('closed_until')
    .executeTakeFirstOrThrow();
  return closed_until;
}

/**
 * Usage of the quarters of an hour from `from` until before `to`, summed by term, proxy and status class. Late usage is not
 * part of it, but for that which arrived before usage was closed up to `lateBefore`, if that is given.
 */
export async function usageOfTerms(
  transaction: TenantTransaction,
  { from, to, lateBefore }: { readonly from: Date; readonly to: Date; readonly lateBefore?: Date },
): Promise<readonly TermUsage[]> {
  const counted = lateBefore === undefined ? sql`late_after = '-infinity'` : sql`late_after < ${lateBefore}`;
  const { rows } = await sql<TermUsage>`
    select term_id as "termId", proxy_id as "proxyId", status_class as "statusClass", ${sums} from metered_usage
    where organization_id = ${transaction.tenantId} and quarter >= ${from} and quarter < ${to} and ${counted}
    group by term_id, proxy_id, status_class
    order by term_id, proxy_id, status_class`.execute(transaction);
  return rows;
}

/**
 * Usage that arrived after usage was closed up to `closedUntil`, and before it was closed again, for earlier quarters of an
 * hour: the invoices of the period that begins at `closedUntil` bill it.
 */
export async function lateUsageOfTerms(
  transaction: TenantTransaction,
  closedUntil: Date,
): Promise<readonly LateUsage[]> {
  const { rows } = await sql<LateUsage>`
    select term_id as "termId", quarter, proxy_id as "proxyId", status_class as "statusClass", ${sums} from metered_usage
    where organization_id = ${transaction.tenantId} and late_after = ${closedUntil} and late_after > '-infinity'
    group by term_id, quarter, proxy_id, status_class
    order by term_id, quarter, proxy_id, status_class`.execute(transaction);
  return rows;
}

/** A gateway node that may still have usage of calls before a moment. */
export interface NodeBehind {
  readonly nodeId: string;
  readonly name: string;
  readonly environmentId: string;
  /** All its usage of calls that began before this has arrived; null: unknown. */
  readonly completeUntil: Date | null;
  readonly lastHeartbeatAt: Date | null;
}

/** Nodes that have not reported all usage of calls before the moment, by name. One that stopped properly has. */
export async function nodesBehind(transaction: TenantTransaction, instant: Date): Promise<readonly NodeBehind[]> {
  const rows = await transaction
    .selectFrom('gateway_nodes')
    .select(['id', 'name', 'environment_id', 'usage_complete_until', 'last_heartbeat_at'])
    .where('organization_id', '=', transaction.tenantId)
    .where('registered_at', '<', instant)
    .where((builder) =>
      builder.or([builder('usage_complete_until', 'is', null), builder('usage_complete_until', '<', instant)]),
    )
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    nodeId: row.id,
    name: row.name,
    environmentId: row.environment_id,
    completeUntil: row.usage_complete_until,
    lastHeartbeatAt: row.last_heartbeat_at,
  }));
}
