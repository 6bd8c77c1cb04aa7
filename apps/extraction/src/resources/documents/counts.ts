import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';

/** Durations are counted in buckets, this many per factor of e: each is 5 % wide. */
export const bucketsPerFactor = 20;

/** Finished documents of one day, type and outcome. */
export interface DayCount {
  /** Such as `2026-03-14`, in UTC. */
  readonly day: string;
  readonly doc_type: string;
  readonly state: 'done' | 'error';
  readonly count: number;
}

/** Documents that took a time of one bucket: see `bucketSeconds`. */
export interface DurationCount {
  readonly bucket: number;
  readonly count: number;
}

/** A document's transaction has committed so long after the time that it names as the document's end. */
const settled = sql`now() - interval '2 minutes'`;

/** What ended before is on no page any more. */
const oldest = sql`now() - interval '40 days'`;

const day = sql`(created_at at time zone 'UTC')::date`;
/** From arrival to result; of a document that was extracted again, from then. */
const duration = sql`finished_at - coalesce(restarted_at, created_at)`;
const bucket = sql`floor(ln(greatest(extract(epoch from ${duration})::float8, 0.001)) * ${sql.lit(bucketsPerFactor)})::int`;

/**
 * Adds what was finished since the last time to the account's counts, if that is more than a minute ago. A concurrent
 * call leaves it to the first one.
 */
export async function foldCounts(transaction: TenantTransaction): Promise<void> {
  const account = transaction.tenantId;
  await ensureMark(transaction);
  const { rows } = await sql<{ until: Date }>`
    select ${settled} as until from document_count_marks
    where account_id = ${account} and counted_until < ${settled} - interval '1 minute'
    for update skip locked`.execute(transaction);
  if (rows.length === 0) return;
  await sql`
    with fresh as materialized (
      select ${day} as day, doc_type, state, ${bucket} as bucket, count(*) as count
      from documents, document_count_marks as mark
      where documents.account_id = ${account} and mark.account_id = ${account} and state <> 'processing'
        and finished_at >= greatest(mark.counted_until, ${oldest}) and finished_at < ${settled}
      group by 1, 2, 3, 4
    ), counted as (
      insert into document_counts (account_id, day, doc_type, state, count)
      select ${account}, day, doc_type, state, sum(count) from fresh group by day, doc_type, state
      on conflict (account_id, day, doc_type, state) do update set count = document_counts.count + excluded.count
    )
    insert into document_durations (account_id, day, bucket, count)
    select ${account}, day, bucket, sum(count) from fresh where state = 'done' group by day, bucket
    on conflict (account_id, day, bucket) do update set count = document_durations.count + excluded.count
    `.execute(transaction);
  // The same time as above: now() doesn't change within a transaction.
  await sql`update document_count_marks set counted_until = ${settled} where account_id = ${account}`.execute(
    transaction,
  );
}

/**
 * Takes a finished document that is about to be extracted again out of the account's counts, where these hold it
 * already. Until the transaction ends nobody adds to the counts: its end is in them as it was, or is no more.
 */
export async function uncountDocument(transaction: TenantTransaction, id: string): Promise<void> {
  const account = transaction.tenantId;
  await ensureMark(transaction);
  await sql`select from document_count_marks where account_id = ${account} for update`.execute(transaction);
  await sql`
    with counted as materialized (
      select ${day} as day, doc_type, state, ${bucket} as bucket
      from documents, document_count_marks as mark
      where documents.account_id = ${account} and mark.account_id = ${account} and id = ${id}
        and state <> 'processing' and finished_at >= ${oldest} and finished_at < mark.counted_until
    ), outcome as (
      update document_counts as kept set count = count - 1 from counted
      where account_id = ${account} and kept.day = counted.day and kept.doc_type = counted.doc_type
        and kept.state = counted.state
    )
    update document_durations as kept set count = count - 1 from counted
    where account_id = ${account} and kept.day = counted.day and kept.bucket = counted.bucket
      and counted.state = 'done'`.execute(transaction);
}

/** Creates an account's mark, before which nothing is counted; waits for concurrent calls. */
async function ensureMark(transaction: TenantTransaction): Promise<void> {
  await sql`
    insert into document_count_marks (account_id, counted_until) values (${transaction.tenantId}, ${oldest})
    on conflict do nothing`.execute(transaction);
}

/** Runs {@link foldCounts} for each account with something new, so that reading finds little left to count. */
export async function foldAllCounts(database: ExtractionDatabase, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts left join document_count_marks as mark on mark.account_id = accounts.id
    where exists (
      select from documents where documents.account_id = accounts.id and state <> 'processing'
        and finished_at >= greatest(mark.counted_until, ${oldest}) and finished_at < ${settled})`.execute(
    database.system,
  );
  for (const { id } of rows) {
    if (signal.aborted) return;
    await tenantTransaction(database, id, foldCounts);
  }
}

/** Finished documents by the day that they arrived. */
export async function countDays(transaction: TenantTransaction, from: Date): Promise<readonly DayCount[]> {
  const account = transaction.tenantId;
  const { rows } = await sql<DayCount>`
    select to_char(day, 'YYYY-MM-DD') as day, doc_type, state, sum(count)::int as count from (
      select day, doc_type, state, count from document_counts
      where account_id = ${account} and day >= (${from}::timestamptz at time zone 'UTC')::date
      union all
      select ${day} as day, doc_type, state, 1 ${younger(transaction, from)}
    ) as counted group by 1, 2, 3 having sum(count) > 0`.execute(transaction);
  return rows;
}

/** How long documents took from arrival to result, the shortest times first. */
export async function countDurations(transaction: TenantTransaction, from: Date): Promise<readonly DurationCount[]> {
  const account = transaction.tenantId;
  const { rows } = await sql<DurationCount>`
    select bucket, sum(count)::int as count from (
      select bucket, count from document_durations
      where account_id = ${account} and day >= (${from}::timestamptz at time zone 'UTC')::date
      union all
      select ${bucket}, 1 ${younger(transaction, from)} and state = 'done'
    ) as counted group by bucket order by bucket`.execute(transaction);
  return rows;
}

/** The documents that are in no count yet. */
function younger({ tenantId: account }: TenantTransaction, from: Date) {
  return sql`
    from documents
    where account_id = ${account} and state <> 'processing' and created_at >= ${from}
      and finished_at >= (select counted_until from document_count_marks where account_id = ${account})`;
}

export interface Standing {
  readonly failing_deliveries: number;
  readonly paused_endpoints: number;
  readonly has_key: boolean;
  readonly has_document: boolean;
  readonly has_webhook: boolean;
  readonly has_reviewed: boolean;
}

/**
 * What waits or fails now, and how far the account has come. Documents are looked for in an order, since that makes it
 * a look into an index: without one, the planner reads the table in the hope to meet one early.
 *
 * @param since an id that is no younger than the notifications to look at
 */
export async function readStanding(transaction: TenantTransaction, since: string): Promise<Standing> {
  const account = transaction.tenantId;
  const { rows } = await sql<Standing>`
    select
      (select count(*)::int from notifications as notification where account_id = ${account} and id >= ${since}
        and (state = 'failed' or (state = 'pending' and attempt_count > 0))
        and not exists (select from webhook_endpoints as endpoint
          where endpoint.account_id = ${account} and endpoint.id = notification.endpoint_id
            and removed_at is not null)) as failing_deliveries,
      (select count(*)::int from webhook_endpoints
        where account_id = ${account} and removed_at is null and state = 'paused') as paused_endpoints,
      exists (select from api_keys where account_id = ${account} and revoked_at is null) as has_key,
      exists (select from documents where account_id = ${account} order by id limit 1) as has_document,
      exists (select from webhook_endpoints where account_id = ${account} and removed_at is null) as has_webhook,
      exists (select from corrections where account_id = ${account})
        or exists (select from documents where account_id = ${account} and confirmed_at is not null
          order by confirmed_at limit 1) as has_reviewed
    `.execute(transaction);
  return rows[0]!;
}
