import { createHash } from 'node:crypto';
import { keptBodyBytes, type SendResult } from '@millrace/webhooks';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';
import { WebhookError } from '../webhooks/rules.ts';

/** Attempts that stay listed for each endpoint, and for all of an account's callbacks together. */
export const keptAttempts = 500;

/** One attempt as the list shows it. */
export interface Delivery {
  /** The value of `X-Svc-Delivery`. */
  readonly id: string;
  readonly notification_id: string;
  readonly document_id: string | null;
  /** Null: it went to a callback. */
  readonly endpoint_id: string | null;
  readonly event: string;
  readonly attempt: number;
  readonly url: string;
  readonly requested_at: Date;
  readonly response_status: number | null;
  readonly latency_ms: number;
  readonly error_code: string | null;
  readonly error_message: string | null;
  /** It was the sixth to fail: nothing more is sent unless it is resent. */
  readonly permanently_failed: boolean;
  /** When the next attempt is due; null where none is, or it is held back. */
  readonly next_attempt_at: Date | null;
  /** The next attempt waits until the endpoint is resumed. */
  readonly held_back: boolean;
}

/** One attempt in full; of bodies longer than 64 KB the first 64 KB, with the whole length and SHA-256. */
export interface FullDelivery extends Delivery {
  /** The bytes that every attempt posts, whole. */
  readonly body: Buffer;
  readonly request_headers: Record<string, string>;
  readonly request_body: Buffer;
  readonly request_body_length: number;
  readonly request_body_sha256: Buffer;
  readonly response_headers: Record<string, string> | null;
  readonly response_body: Buffer | null;
  readonly response_body_length: number | null;
  readonly response_body_sha256: Buffer | null;
}

const listedColumns = [
  'attempt.id',
  'attempt.notification_id',
  'notification.document_id',
  'attempt.endpoint_id',
  'notification.event',
  'attempt.attempt',
  'attempt.url',
  'attempt.requested_at',
  'attempt.response_status',
  'attempt.latency_ms',
  'attempt.error_code',
  'attempt.error_message',
  'attempt.permanently_failed',
] as const;

/** Whether an attempt is the last one so far of a notification that is still on its way. */
const isLastSoFar = sql`notification.state = 'pending' and notification.attempt_count = attempt.attempt`;

const nextAttempt = [
  sql<Date | null>`case when ${isLastSoFar} and isfinite(notification.run_at) then notification.run_at end`.as(
    'next_attempt_at',
  ),
  sql<boolean>`${isLastSoFar} and not isfinite(notification.run_at)`.as('held_back'),
];

const fullColumns = [
  ...listedColumns,
  'notification.body',
  'attempt.request_headers',
  'attempt.request_body',
  'attempt.request_body_length',
  'attempt.request_body_sha256',
  'attempt.response_headers',
  'attempt.response_body',
  'attempt.response_body_length',
  'attempt.response_body_sha256',
] as const;

/** Which attempts a list is of. */
export interface DeliveryFilter {
  /** Of one endpoint, of the callbacks (null), or of everything (undefined). */
  readonly endpointId?: string | null | undefined;
  readonly outcome?: 'delivered' | 'failed' | 'permanently_failed' | undefined;
  readonly documentId?: string | undefined;
  readonly notificationId?: string | undefined;
  /** Attempts older than the one of this id. */
  readonly before?: string | undefined;
  readonly limit?: number;
}

/** The newest attempts first, with all that a filter names. */
export function listDeliveries(
  transaction: TenantTransaction,
  { endpointId, outcome, documentId, notificationId, before, limit = keptAttempts }: DeliveryFilter = {},
): Promise<Delivery[]> {
  return attempts(transaction)
    .select(listedColumns)
    .select(nextAttempt)
    .$if(endpointId === null, (query) => query.where('attempt.endpoint_id', 'is', null))
    .$if(typeof endpointId === 'string', (query) => query.where('attempt.endpoint_id', '=', endpointId ?? null))
    .$if(outcome === 'delivered', (query) => query.where('attempt.error_code', 'is', null))
    .$if(outcome === 'failed', (query) =>
      query.where('attempt.error_code', 'is not', null).where('attempt.permanently_failed', '=', false),
    )
    .$if(outcome === 'permanently_failed', (query) => query.where('attempt.permanently_failed', '=', true))
    .$if(documentId !== undefined, (query) => query.where('notification.document_id', '=', documentId ?? ''))
    .$if(notificationId !== undefined, (query) => query.where('attempt.notification_id', '=', notificationId ?? ''))
    .$if(before !== undefined, (query) => query.where('attempt.id', '<', before ?? ''))
    .orderBy('attempt.id', 'desc')
    .limit(Math.min(limit, keptAttempts))
    .execute();
}

export async function findDelivery(transaction: TenantTransaction, deliveryId: string): Promise<FullDelivery | null> {
  const found = await attempts(transaction)
    .select(fullColumns)
    .select(nextAttempt)
    .where('attempt.id', '=', deliveryId)
    .executeTakeFirst();
  return found ?? null;
}

function attempts(transaction: TenantTransaction) {
  return transaction
    .selectFrom('delivery_attempts as attempt')
    .innerJoin('notifications as notification', (join) =>
      join
        .onRef('notification.account_id', '=', 'attempt.account_id')
        .onRef('notification.id', '=', 'attempt.notification_id'),
    )
    .where('attempt.account_id', '=', transaction.tenantId);
}

/** What was queued again. */
export interface Resent {
  readonly count: number;
  /** Receivers to wake the deliverer with, once the transaction has committed. */
  readonly lanes: readonly string[];
}

/**
 * Sends what an attempt sent once more: the same bytes to the same receiver, at once, under a new delivery id and with
 * the whole schedule of retries.
 *
 * @throws WebhookError `not_found` or `endpoint_removed`
 */
export async function resendDelivery(transaction: TenantTransaction, deliveryId: string): Promise<Resent> {
  const delivery = await findDelivery(transaction, deliveryId);
  if (!delivery) throw new WebhookError('not_found', `There is no delivery ${deliveryId}.`);
  const resent = await copyNotifications(transaction, [delivery.notification_id]);
  if (resent.count === 0) throw new WebhookError('endpoint_removed', 'The endpoint of this delivery was removed.');
  return resent;
}

/**
 * Sends every event that was queued since a time once more, delivered or not, each once per receiver. Left out are test
 * events, removed endpoints, and what is still on its way; with `onlyFailed` also what was delivered at some time.
 */
export async function resendSince(
  transaction: TenantTransaction,
  { since, endpointId, onlyFailed = false }: { since: Date; endpointId?: string | undefined; onlyFailed?: boolean },
): Promise<Resent> {
  const events = await transaction
    .selectFrom('notifications')
    .distinctOn(['lane', 'document_id', 'event'])
    .select(['id', 'state'])
    .where('account_id', '=', transaction.tenantId)
    .where('created_at', '>=', since)
    .where('document_id', 'is not', null)
    .$if(endpointId !== undefined, (query) => query.where('endpoint_id', '=', endpointId ?? null))
    .orderBy('lane')
    .orderBy('document_id')
    .orderBy('event')
    // What was sent again has several notifications: the one on its way counts, then the one that was delivered.
    .orderBy(sql`state = 'pending' desc`)
    .orderBy(sql`state = 'delivered' desc`)
    .orderBy('id')
    .execute();
  return copyNotifications(
    transaction,
    events.filter(({ state }) => state === 'failed' || (state === 'delivered' && !onlyFailed)).map(({ id }) => id),
  );
}

/** Queues copies, which leaves the originals' record as it is; for paused endpoints they are held back. */
async function copyNotifications(transaction: TenantTransaction, ids: readonly string[]): Promise<Resent> {
  const copies = ids.map(() => newId('ntf'));
  const { rows } = await sql<{ lane: string }>`
    insert into notifications (id, account_id, document_id, endpoint_id, callback_url, event, body, lane, run_at)
    select copy.id, original.account_id, original.document_id, original.endpoint_id, original.callback_url,
           original.event, original.body, original.lane,
           case when endpoint.state = 'paused' then 'infinity' else now() end
    from unnest(${ids}::text[], ${copies}::text[]) as copy (original_id, id)
    join notifications as original on original.account_id = ${transaction.tenantId} and original.id = copy.original_id
    left join webhook_endpoints as endpoint
      on endpoint.account_id = original.account_id and endpoint.id = original.endpoint_id
    where endpoint.removed_at is null
    returning lane`.execute(transaction);
  return { count: rows.length, lanes: [...new Set(rows.map(({ lane }) => lane))] };
}

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly id: string;
  readonly notificationId: string;
  readonly endpointId: string | null;
  /** From 1. */
  readonly attempt: number;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly result: SendResult;
  /** How long to wait for the next attempt where this one failed; null after the last. */
  readonly retryDelayMs: number | null;
}

/**
 * Records attempts and advances their notifications, in one statement. If a notification has changed meanwhile (its lease
 * expired, its endpoint was removed), only the attempt is recorded. Recording twice has no effect.
 */
export async function recordAttempts(transaction: TenantTransaction, ended: readonly EndedAttempt[]): Promise<void> {
  const column = <Value>(value: (attempt: EndedAttempt) => Value) => ended.map(value);
  await sql`
    with ended as (
      select * from unnest(
        ${column(({ id }) => id)}::text[],
        ${column(({ notificationId }) => notificationId)}::text[],
        ${column(({ endpointId }) => endpointId)}::text[],
        ${column(({ attempt }) => attempt)}::int[],
        ${column(stateAfter)}::text[],
        ${column(({ retryDelayMs }) => retryDelayMs ?? 0)}::int[],
        ${column(({ url }) => url)}::text[],
        ${column(({ result }) => result.requestedAt)}::timestamptz[],
        ${column(({ result }) => result.response?.status ?? null)}::int[],
        ${column(({ result }) => result.latencyMs)}::int[],
        ${column(({ requestHeaders }) => JSON.stringify(requestHeaders))}::text[],
        ${column(({ body }) => body.subarray(0, keptBodyBytes))}::bytea[],
        ${column(({ body }) => body.length)}::int[],
        ${column(({ body }) => createHash('sha256').update(body).digest())}::bytea[],
        ${column(({ result }) => result.response && JSON.stringify(result.response.headers))}::text[],
        ${column(({ result }) => result.response?.body ?? null)}::bytea[],
        ${column(({ result }) => result.response?.bodyLength ?? null)}::int[],
        ${column(({ result }) => result.response && Buffer.from(result.response.bodySha256, 'hex'))}::bytea[],
        ${column(({ result }) => result.error?.code ?? null)}::text[],
        ${column(({ result }) => result.error?.message ?? null)}::text[]
      ) as ended (
        id, notification_id, endpoint_id, attempt, state, retry_delay_ms, url, requested_at, response_status, latency_ms,
        request_headers, request_body, request_body_length, request_body_sha256,
        response_headers, response_body, response_body_length, response_body_sha256, error_code, error_message)
    ), target as (
      -- One look-up by key for each; joined at once, the planner might read every pending row instead.
      select ended.*, notification.account_id
      from ended cross join lateral (
        select account_id from notifications
        where account_id = ${transaction.tenantId} and id = ended.notification_id
          and state = 'pending' and attempt_count = ended.attempt - 1
        limit 1 for no key update
      ) as notification
    ), moved as (
      update notifications set
        state = target.state,
        attempt_count = target.attempt,
        finished_at = case when target.state <> 'pending' then now() end,
        run_at = case
          when target.state <> 'pending' then run_at
          when exists (select from webhook_endpoints as endpoint where endpoint.account_id = notifications.account_id
                       and endpoint.id = notifications.endpoint_id and endpoint.state = 'paused') then 'infinity'
          else now() + target.retry_delay_ms * interval '1 millisecond' end
      from target
      where notifications.account_id = target.account_id and notifications.id = target.notification_id
    )
    insert into delivery_attempts (
      id, account_id, notification_id, endpoint_id, attempt, url, requested_at, response_status, latency_ms,
      request_headers, request_body, request_body_length, request_body_sha256,
      response_headers, response_body, response_body_length, response_body_sha256,
      error_code, error_message, permanently_failed)
    select id, ${transaction.tenantId}, notification_id, endpoint_id, attempt, url, requested_at, response_status, latency_ms,
           request_headers::jsonb, request_body, request_body_length, request_body_sha256,
           response_headers::jsonb, response_body, response_body_length, response_body_sha256,
           error_code, error_message, state = 'failed'
    from ended
    on conflict do nothing`.execute(transaction);
}

function stateAfter({ result, retryDelayMs }: EndedAttempt): 'delivered' | 'pending' | 'failed' {
  if (result.error === null) return 'delivered';
  return retryDelayMs === null ? 'failed' : 'pending';
}

/** Deletes the attempts beyond the last {@link keptAttempts} of an endpoint (null: of the callbacks), and what they sent. */
export async function deleteOldAttempts(transaction: TenantTransaction, endpointId: string | null): Promise<void> {
  const account = transaction.tenantId;
  const ofEndpoint = endpointId === null ? sql`endpoint_id is null` : sql`endpoint_id = ${endpointId}`;
  const { rows } = await sql<{ notification_id: string }>`
    delete from delivery_attempts where account_id = ${account} and ${ofEndpoint} and id <= (
      select id from delivery_attempts where account_id = ${account} and ${ofEndpoint}
      order by id desc offset ${keptAttempts} limit 1)
    returning notification_id`.execute(transaction);
  if (rows.length === 0) return;
  await transaction
    .deleteFrom('notifications')
    .where('account_id', '=', account)
    .where('id', 'in', [...new Set(rows.map((row) => row.notification_id))])
    .where('state', '<>', 'pending')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery_attempts')
            .select('delivery_attempts.id')
            .where('delivery_attempts.account_id', '=', account)
            .whereRef('delivery_attempts.notification_id', '=', 'notifications.id'),
        ),
      ),
    )
    .execute();
}
