import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** How far an organization's traffic is summed. */
export interface TrafficHead {
  /** Hours before this have sums, unless they are marked; null: none has. */
  readonly rolledUntil: Date | null;
  /** Hours before this are dropped; null: none is. */
  readonly hoursFrom: Date | null;
}

/** What whoever moves the head locks exclusively, until the commit. */
export function trafficHeadLock(organizationId: string) {
  return sql`hashtextextended(${`traffic_heads ${organizationId}`}, 0)`;
}

/**
 * The head, which doesn't move before the commit. Whoever writes rows by the hour holds it and marks those hours. An
 * advisory lock: it is granted in turn, while a row that is always locked by somebody could never be moved.
 */
export async function holdTrafficHead(transaction: TenantTransaction): Promise<TrafficHead> {
  await sql`select pg_advisory_xact_lock_shared(${trafficHeadLock(transaction.tenantId)})`.execute(transaction);
  const row = await transaction
    .selectFrom('traffic_heads')
    .select(['rolled_until', 'hours_from'])
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirst();
  return { rolledUntil: row?.rolled_until ?? null, hoursFrom: row?.hours_from ?? null };
}

/** Marks those of the hours that have sums: until they are summed again, their rows are read instead. */
export async function markTraffic(
  transaction: TenantTransaction,
  { rolledUntil }: TrafficHead,
  hours: readonly string[],
): Promise<void> {
  if (rolledUntil === null) return;
  const summed = [...new Set(hours)].filter((hour) => Date.parse(hour) < rolledUntil.getTime());
  if (summed.length === 0) return;
  await transaction
    .insertInto('traffic_marks')
    .values(summed.map((hour) => ({ organization_id: transaction.tenantId, hour: new Date(hour) })))
    .execute();
}
