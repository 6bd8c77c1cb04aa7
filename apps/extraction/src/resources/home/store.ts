import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** Finished documents of one day, type and outcome. */
export interface DayCount {
  /** Such as `2026-03-14`, in UTC. */
  readonly day: string;
  readonly doc_type: string;
  readonly state: 'done' | 'error';
  readonly count: number;
}

/** Finished documents by the day that they arrived. Read from one index alone. */
export async function countDays(transaction: TenantTransaction, from: Date): Promise<readonly DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(day, 'YYYY-MM-DD') as day, doc_type, state, count from (
      select date_trunc('day', created_at, 'UTC') at time zone 'UTC' as day, doc_type, state, count(*)::int as count
      from documents
      where account_id = ${transaction.tenantId} and created_at >= ${from} and state <> 'processing'
      group by 1, 2, 3
    ) as counted`.execute(transaction);
  return rows;
}

/** From arrival to result, in seconds; null where no document was done. */
export async function readDurations(
  transaction: TenantTransaction,
  from: Date,
): Promise<{ readonly median: number | null; readonly p90: number | null }> {
  const { rows } = await sql<{ median: number | null; p90: number | null }>`
    select percentiles[1] as median, percentiles[2] as p90 from (
      select percentile_cont(array[0.5, 0.9]) within group (
        order by extract(epoch from finished_at - created_at)::float8) as percentiles
      from documents
      where account_id = ${transaction.tenantId} and created_at >= ${from} and state <> 'processing' and state = 'done'
    ) as read`.execute(transaction);
  return rows[0]!;
}

export interface Standing {
  readonly failing_deliveries: number;
  readonly paused_endpoints: number;
  readonly review_count: number;
  readonly has_key: boolean;
  readonly has_document: boolean;
  readonly has_webhook: boolean;
  readonly has_reviewed: boolean;
}

/**
 * What waits or fails now, and how far the account has come.
 *
 * @param since an id that is no younger than the notifications to look at
 */
export async function readStanding(transaction: TenantTransaction, since: string): Promise<Standing> {
  const account = transaction.tenantId;
  const { rows } = await sql<Standing>`
    select
      (select count(*)::int from notifications where account_id = ${account} and id >= ${since}
        and (state = 'failed' or (state = 'pending' and attempt_count > 0))) as failing_deliveries,
      (select count(*)::int from webhook_endpoints
        where account_id = ${account} and removed_at is null and state = 'paused') as paused_endpoints,
      (select count(*)::int from documents where account_id = ${account} and state = 'done' and confirmed_at is null
        and deleted_at is null
        and lowest_confidence < (select review_threshold from accounts where id = ${account})) as review_count,
      exists (select from api_keys where account_id = ${account} and revoked_at is null) as has_key,
      exists (select from documents where account_id = ${account}) as has_document,
      exists (select from webhook_endpoints where account_id = ${account} and removed_at is null) as has_webhook,
      exists (select from corrections where account_id = ${account})
        or exists (select from documents where account_id = ${account} and confirmed_at is not null) as has_reviewed
    `.execute(transaction);
  return rows[0]!;
}
