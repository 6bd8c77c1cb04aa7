import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { NotificationData, NotificationKind } from '../events/contract.ts';

/** One notification, to be sent once to whoever gets it. */
export interface Notification<Kind extends NotificationKind = NotificationKind> {
  /** Stable: the same notification enqueued again is the same row. At most 100 characters. */
  readonly notificationId: string;
  readonly kind: Kind;
  /** What it is about, such as `{ type: 'incident', id }`. */
  readonly subject: { readonly type: string; readonly id: string };
  readonly data: NotificationData<Kind>;
  /** Checked at the moment of sending: `incident_unacknowledged` sends it only while the subject's incident is open. */
  readonly sendIf?: 'incident_unacknowledged';
  /** When it is due; in the past: at once. */
  readonly at: Date;
}

/**
 * Stores a notification to one integration in the transaction of the write that it reports; it is sent after the commit.
 * Call {@link wakeDeliveries} after the commit so that it doesn't wait for the next poll.
 *
 * @returns false if the integration had it already, or doesn't exist, is disabled or receives no notifications
 */
export async function enqueueNotification<Kind extends NotificationKind>(
  transaction: TenantTransaction,
  notification: Notification<Kind> & { readonly integrationId: string },
): Promise<boolean> {
  const { integrationId } = notification;
  const { rows } = await sql<{ id: string }>`
    select id from integrations where organization_id = ${transaction.tenantId} and id = ${integrationId} and enabled
      and kind in ('email', 'slack', 'pagerduty', 'webhook')`.execute(transaction);
  return rows.length > 0 && (await insertDelivery(transaction, integrationId, notification));
}

/**
 * Stores a notification to every integration that subscribes to its kind, as {@link enqueueNotification}; one that has it
 * already, such as from its alert rule, doesn't get it twice.
 *
 * @returns how many integrations it was stored for
 */
export async function enqueueEvent<Kind extends NotificationKind>(
  transaction: TenantTransaction,
  notification: Notification<Kind>,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from integrations where organization_id = ${transaction.tenantId} and enabled
      and settings->'events' ? ${notification.kind} order by id`.execute(transaction);
  let stored = 0;
  for (const { id } of rows) if (await insertDelivery(transaction, id, notification)) stored += 1;
  return stored;
}

/**
 * Whether any integration subscribes to an event of a group: what it says need not be read otherwise.
 *
 * @param prefix such as `deployment.`
 */
export async function hasSubscribers(transaction: TenantTransaction, prefix: string): Promise<boolean> {
  const { rows } = await sql`
    select id from integrations where organization_id = ${transaction.tenantId} and enabled
      and exists (select from jsonb_array_elements_text(settings->'events') as chosen (event)
        where starts_with(event, ${prefix}))
    limit 1`.execute(transaction);
  return rows.length > 0;
}

async function insertDelivery(
  transaction: TenantTransaction,
  integrationId: string,
  { notificationId, kind, subject, data, sendIf, at }: Notification,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('integration_deliveries')
    .values({
      id: newId('idl'),
      organization_id: transaction.tenantId,
      integration_id: integrationId,
      notification_id: notificationId,
      kind,
      subject_type: subject.type,
      subject_id: subject.id,
      data: JSON.stringify(data),
      send_if: sendIf ?? null,
      occurred_at: sql<Date>`greatest(now(), ${at}::timestamptz)`,
      due_at: at,
      run_at: at,
    })
    .onConflict((conflict) => conflict.constraint('integration_notifications').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

const wakers = new Set<() => void>();

/** Looks for due deliveries at once in every deliverer of this process. */
export function wakeDeliveries(): void {
  for (const wake of wakers) wake();
}

/** Calls the function at every {@link wakeDeliveries}; the returned one ends that. */
export function onWake(wake: () => void): () => void {
  wakers.add(wake);
  return () => wakers.delete(wake);
}

/** Skips what is still queued about a subject under a condition, because what it would report is over. */
export async function withdrawNotifications(
  transaction: TenantTransaction,
  subject: { readonly type: string; readonly id: string },
): Promise<void> {
  await transaction
    .updateTable('integration_deliveries')
    .set({ state: 'skipped' })
    .where('organization_id', '=', transaction.tenantId)
    .where('subject_type', '=', subject.type)
    .where('subject_id', '=', subject.id)
    .where('state', '=', 'queued')
    .where('send_if', 'is not', null)
    // Not one that somebody sends again.
    .where('resent_from', 'is', null)
    .execute();
}
