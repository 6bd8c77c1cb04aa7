import { newId } from '@millrace/identifiers';
import { retryDelayMs } from '@millrace/webhooks/schedule';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { NotificationData } from '../events/contract.ts';
import type { Event } from '../events/wording.ts';
import type { Outcome, SentRequest } from '../integrations/outcome.ts';
import { noteAttempt } from '../integrations/store.ts';
import type { ClaimedDelivery } from './claims.ts';
import type { IntegrationDelivery } from './contract.ts';

type Row = Selectable<Schema['integration_deliveries']>;
type PresentedDelivery = z.infer<typeof IntegrationDelivery>;
type Attempt = PresentedDelivery['attempts'][number];

/** Attempts that are kept of a delivery. */
const keptAttempts = 10;

const columns = { createdAt: 'created_at', kind: 'kind', state: 'state' };

interface Filters extends Listing {
  readonly state?: PresentedDelivery['state'] | undefined;
  readonly kind?: PresentedDelivery['kind'] | undefined;
  readonly subjectId?: string | undefined;
}

export async function listDeliveries(transaction: TenantTransaction, integrationId: string, filters: Filters) {
  let query = transaction
    .selectFrom('integration_deliveries')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('integration_id', '=', integrationId)
    .where((builder) => matches(builder, ['kind', 'notification_id', 'subject_id'], filters.search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  if (filters.kind !== undefined) query = query.where('kind', '=', filters.kind);
  if (filters.subjectId !== undefined) query = query.where('subject_id', '=', filters.subjectId);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { deliveries: rows.map(presentDelivery), total };
}

/** Locks a delivery until the commit. */
export async function lockDelivery(
  transaction: TenantTransaction,
  { integrationId, deliveryId }: { readonly integrationId: string; readonly deliveryId: string },
): Promise<{ readonly delivery: PresentedDelivery; readonly isLeased: boolean } | null> {
  const row = await transaction
    .selectFrom('integration_deliveries')
    .selectAll()
    .select(sql<boolean>`coalesce(lease_until > now(), false)`.as('is_leased'))
    .where('organization_id', '=', transaction.tenantId)
    .where('integration_id', '=', integrationId)
    .where('id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { delivery: presentDelivery(row), isLeased: row.is_leased };
}

/** Queues one more attempt of a delivery, due now. */
export async function resendDelivery(
  transaction: TenantTransaction,
  { id, state }: Pick<PresentedDelivery, 'id' | 'state'>,
): Promise<PresentedDelivery> {
  const row = await transaction
    .updateTable('integration_deliveries')
    .set({ state: 'queued', resent_from: state, run_at: sql<Date>`now()`, lease_until: null })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return presentDelivery(row);
}

/** Records a test, which was sent before. */
export async function insertTest(
  transaction: TenantTransaction,
  test: {
    readonly id: string;
    readonly integrationId: string;
    readonly data: NotificationData<'test'>;
    readonly outcome: Outcome;
  },
): Promise<PresentedDelivery> {
  const { id, integrationId, data, outcome } = test;
  const attempt = { number: 1, byHand: true, ...outcome.attempt };
  const row = await transaction
    .insertInto('integration_deliveries')
    .values({
      id,
      organization_id: transaction.tenantId,
      integration_id: integrationId,
      notification_id: id,
      kind: 'test',
      subject_type: 'integration',
      subject_id: integrationId,
      data: JSON.stringify(data),
      send_if: null,
      state: attempt.error === null ? 'delivered' : 'failed',
      occurred_at: new Date(attempt.at),
      due_at: new Date(attempt.at),
      run_at: new Date(attempt.at),
      attempt_count: 1,
      request: JSON.stringify(outcome.request),
      attempts: JSON.stringify([attempt]),
      delivered_at: attempt.error === null ? new Date() : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await noteAttempt(transaction, integrationId, attempt);
  return presentDelivery(row);
}

export function newDeliveryId(): string {
  return newId('idl');
}

/** What became of a delivery after an attempt. */
export type AfterAttempt = Pick<Row, 'state'> & { readonly retryAfterMs: number | null };

/**
 * The state after an attempt: a delivered one stays delivered, and an attempt by hand that fails changes nothing about the
 * schedule.
 */
export function stateAfter(
  { resent_from: resentFrom, scheduled_attempts: scheduled }: Pick<Row, 'resent_from' | 'scheduled_attempts'>,
  error: Attempt['error'],
): AfterAttempt {
  if (error === null) return { state: 'delivered', retryAfterMs: null };
  if (resentFrom === 'delivered') return { state: 'delivered', retryAfterMs: null };
  if (resentFrom === 'failed' || resentFrom === 'skipped') return { state: 'failed', retryAfterMs: null };
  const retryAfterMs = retryDelayMs(resentFrom === null ? scheduled + 1 : Math.max(1, scheduled));
  return { state: retryAfterMs === null ? 'failed' : 'queued', retryAfterMs };
}

/** Records an attempt, unless another process has recorded one since the delivery was leased. */
export async function recordAttempt(
  transaction: TenantTransaction,
  claimed: ClaimedDelivery,
  outcome: Outcome,
): Promise<void> {
  const byHand = claimed.resent_from !== null;
  const attempt: Attempt = { number: claimed.attempt_count + 1, byHand, ...outcome.attempt };
  const { state, retryAfterMs } = stateAfter(claimed, attempt.error);
  const { numAffectedRows = 0n } = await sql`
    update integration_deliveries set
      state = ${state},
      run_at = case when ${retryAfterMs}::int is null then run_at
        else now() + ${retryAfterMs}::int * interval '1 millisecond' end,
      lease_until = null,
      resent_from = null,
      scheduled_attempts = scheduled_attempts + ${byHand ? 0 : 1},
      attempt_count = attempt_count + 1,
      request = ${JSON.stringify(outcome.request)}::jsonb,
      attempts = (select coalesce(jsonb_agg(kept.attempt order by kept.position), '[]') from (
        select attempt, position from jsonb_array_elements(attempts || ${JSON.stringify([attempt])}::jsonb)
          with ordinality as every_one (attempt, position)
        order by position desc limit ${keptAttempts}) as kept),
      delivered_at = case when ${attempt.error === null} then coalesce(delivered_at, now()) else delivered_at end
    where organization_id = ${transaction.tenantId} and id = ${claimed.id} and state = 'queued'
      and attempt_count = ${claimed.attempt_count}`.execute(transaction);
  if (numAffectedRows > 0n) await noteAttempt(transaction, claimed.integration_id, attempt);
}

/** A delivery whose condition no longer holds is not sent. */
export async function skipDelivery(transaction: TenantTransaction, claimed: ClaimedDelivery): Promise<void> {
  await transaction
    .updateTable('integration_deliveries')
    .set({ state: 'skipped', lease_until: null })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', claimed.id)
    .where('state', '=', 'queued')
    .where('attempt_count', '=', claimed.attempt_count)
    .execute();
}

/** Gives a lease back, so that the delivery is due at once. */
export async function releaseDelivery(transaction: TenantTransaction, claimed: ClaimedDelivery): Promise<void> {
  await transaction
    .updateTable('integration_deliveries')
    .set({ lease_until: null })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', claimed.id)
    .where('attempt_count', '=', claimed.attempt_count)
    .execute();
}

/** The notification of a delivery, the same at every attempt. */
export function eventOf({ kind, occurred_at, data }: Pick<Row, 'kind' | 'occurred_at' | 'data'>): Event {
  // Written from a typed notification, see `enqueueNotification`.
  return { event: kind, timestamp: occurred_at.toISOString(), data } as unknown as Event;
}

function presentDelivery(row: Row): PresentedDelivery {
  return {
    id: row.id,
    integrationId: row.integration_id,
    notificationId: row.notification_id,
    kind: row.kind as PresentedDelivery['kind'],
    subject: { type: row.subject_type, id: row.subject_id },
    state: row.state,
    request: row.request as SentRequest | null,
    attempts: row.attempts as unknown as Attempt[],
    attemptCount: row.attempt_count,
    nextAttemptAt: row.state === 'queued' ? row.run_at.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    deliveredAt: row.delivered_at?.toISOString() ?? null,
  };
}
