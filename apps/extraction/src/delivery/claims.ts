import { type QueryExecutorProvider, sql } from 'kysely';
import type { ExtractionDatabase } from '../database/schema.ts';

/** A notification that this process has leased, with all that an attempt needs. */
export interface ClaimedNotification {
  readonly id: string;
  readonly account_id: string;
  readonly endpoint_id: string | null;
  readonly lane: string;
  readonly body: Buffer;
  /** Attempts recorded so far. */
  readonly attempt_count: number;
  readonly url: string;
  /** Of what caused it; null where that was not traced. */
  readonly traceparent: string | null;
  /** The valid signing secrets, encrypted, newest first, and their ids in the same order. */
  readonly secret_ids: string[];
  readonly secrets: Buffer[];
}

/** How much to claim for a receiver. */
export interface LaneClaim {
  readonly lane: string;
  readonly limit: number;
}

/**
 * Leases due notifications of some receivers: `for update skip locked` gives each to one process, and if that process
 * dies they are due again when the lease ends. The claim's commit does not wait for the disk, since a lease that a
 * crash of the database takes back does no harm.
 */
export async function claimNotifications(
  database: ExtractionDatabase,
  lanes: readonly LaneClaim[],
  leaseMs: number,
): Promise<ClaimedNotification[]> {
  const claim = sql<ClaimedNotification>`
    with due as (
      select notification.account_id, notification.id
      from unnest(${lanes.map(({ lane }) => lane)}::text[], ${lanes.map(({ limit }) => limit)}::int[])
        as wanted (lane, free)
      cross join lateral (
        select account_id, id from notifications
        where lane = wanted.lane and state = 'pending' and run_at <= now()
        order by run_at limit wanted.free for update skip locked
      ) as notification
    ), claimed as (
      update notifications set run_at = now() + ${leaseMs} * interval '1 millisecond'
      from due where notifications.account_id = due.account_id and notifications.id = due.id
      returning notifications.*
    )
    select claimed.id, claimed.account_id, claimed.endpoint_id, claimed.lane, claimed.body, claimed.attempt_count, claimed.traceparent,
           coalesce(claimed.callback_url, endpoint.url) as url, secret.secret_ids, secret.secrets
    from claimed
    left join webhook_endpoints as endpoint
      on endpoint.account_id = claimed.account_id and endpoint.id = claimed.endpoint_id
    cross join lateral (
      select coalesce(array_agg(id order by id desc), '{}') as secret_ids,
             coalesce(array_agg(secret_encrypted order by id desc), '{}') as secrets
      from webhook_secrets
      where account_id = claimed.account_id and endpoint_id is not distinct from claimed.endpoint_id
        and (expires_at is null or expires_at > now())
    ) as secret`;
  return inQueueTransaction(database, async (connection) => (await claim.execute(connection)).rows);
}

/**
 * The receivers that have something due. Steps from receiver to receiver through the index, so that one with a great
 * backlog costs no more than one with a single notification.
 */
export async function dueLanes(database: ExtractionDatabase): Promise<string[]> {
  // Most polls find nothing, which one step in the index on the time shows.
  const any = await sql`select from notifications where state = 'pending' and run_at <= now() limit 1`.execute(
    database.system,
  );
  if (any.rows.length === 0) return [];
  const lanes = sql<{ lane: string }>`
    with recursive lanes (lane) as (
      (select lane from notifications where state = 'pending' order by lane limit 1)
      union all
      select (select lane from notifications where state = 'pending' and lane > lanes.lane order by lane limit 1)
      from lanes where lanes.lane is not null
    )
    select lane from lanes
    where (select true from notifications
           where notifications.lane = lanes.lane and state = 'pending' and run_at <= now() limit 1)`;
  return inQueueTransaction(database, async (connection) =>
    (await lanes.execute(connection)).rows.map(({ lane }) => lane),
  );
}

/**
 * A transaction whose statements walk the indexes in their order. The table's statistics lag behind its growth, and a
 * planner that believes them sorts a whole backlog to find its first row.
 */
function inQueueTransaction<Result>(
  database: ExtractionDatabase,
  work: (connection: QueryExecutorProvider) => Promise<Result>,
): Promise<Result> {
  return database.system.transaction().execute(async (transaction) => {
    await sql`
      select set_config('synchronous_commit', 'off', true), set_config('enable_sort', 'off', true),
             set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
      transaction,
    );
    return work(transaction);
  });
}

/** Gives a lease back, so that the notification is due at once, unless it has been moved on since. */
export async function releaseNotification(
  system: QueryExecutorProvider,
  { account_id, id, attempt_count }: ClaimedNotification,
): Promise<void> {
  await sql`
    update notifications set run_at = now()
    where account_id = ${account_id} and id = ${id} and state = 'pending' and attempt_count = ${attempt_count}
  `.execute(system);
}
