import type { JsonValue } from '@millrace/document-model';
import { currentTraceparent } from '@millrace/traces/context';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';
import { callbackLane, type EventKind, testEvent } from './rules.ts';
import { requireEndpoint } from './store.ts';

/** What the event of a finished extraction contains. */
export interface FinishedDocument {
  readonly id: string;
  readonly reference: string;
  readonly doc_type: string;
  readonly state: 'done' | 'error';
  readonly source: 'dashboard' | 'inbox' | 'api';
  /** Null where the extraction failed: the event then has no fields and no lines. */
  readonly result: {
    readonly fields: Readonly<Record<string, JsonValue>>;
    readonly lines: readonly Readonly<Record<string, JsonValue>>[];
    readonly confidence: Readonly<Record<string, number>>;
  } | null;
}

/** The body of every event. */
interface Payload {
  event: EventKind | typeof testEvent;
  /** ISO 8601, UTC. */
  timestamp: string;
  data: {
    document_id: string;
    reference: string;
    doc_type: string;
    state: 'done' | 'error';
    fields: Readonly<Record<string, JsonValue>>;
    lines: readonly Readonly<Record<string, JsonValue>>[];
    confidence: Readonly<Record<string, number>>;
    source: FinishedDocument['source'];
  };
}

/** Receivers to wake the deliverer with, once the transaction has committed. */
export type Lanes = readonly string[];

/**
 * Queues the event `extraction.completed` in the transaction that stores the result: one notification for each endpoint
 * subscribed to it and one for the `callback_url`, if any (which has been checked before). The body's bytes are fixed
 * here, so that every attempt and every resend posts the same ones.
 */
export async function enqueueNotifications(
  transaction: TenantTransaction,
  document: FinishedDocument,
  callbackUrl: string | null,
): Promise<Lanes> {
  const event: EventKind = 'extraction.completed';
  const endpoints = await transaction
    .selectFrom('webhook_endpoints')
    .select(['id', 'state'])
    .where('account_id', '=', transaction.tenantId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`${event} = any(events)`)
    // Keeps a pause or a removal from slipping in between: it then sees these notifications and holds or ends them.
    .forShare()
    .execute();
  const receivers = [
    ...endpoints.map(({ id, state }) => ({
      endpoint_id: id,
      callback_url: null,
      lane: id,
      paused: state === 'paused',
    })),
    ...(callbackUrl === null
      ? []
      : [
          {
            endpoint_id: null,
            callback_url: callbackUrl,
            lane: callbackLane(transaction.tenantId, callbackUrl),
            paused: false,
          },
        ]),
  ];
  if (receivers.length === 0) return [];
  const body = bodyOf(event, document);
  await transaction
    .insertInto('notifications')
    .values(
      receivers.map(({ paused, ...receiver }) => ({
        ...receiver,
        id: newId('ntf'),
        account_id: transaction.tenantId,
        document_id: document.id,
        event,
        body,
        traceparent: currentTraceparent(),
        run_at: paused ? sql<Date>`'infinity'` : sql<Date>`now()`,
      })),
    )
    .execute();
  return receivers.filter(({ paused }) => !paused).map(({ lane }) => lane);
}

/**
 * Queues the event `webhook.test`, in the shape of a real one, for one endpoint, even a paused one.
 *
 * @throws WebhookError `not_found`
 */
export async function enqueueTestEvent(
  transaction: TenantTransaction,
  endpointId: string,
): Promise<{ notificationId: string; lanes: Lanes }> {
  const endpoint = await requireEndpoint(transaction, endpointId);
  const notificationId = newId('ntf');
  await transaction
    .insertInto('notifications')
    .values({
      id: notificationId,
      account_id: transaction.tenantId,
      endpoint_id: endpoint.id,
      lane: endpoint.id,
      event: testEvent,
      body: bodyOf(testEvent, sampleDocument),
    })
    .execute();
  return { notificationId, lanes: [endpoint.id] };
}

function bodyOf(event: Payload['event'], document: FinishedDocument): Buffer {
  const payload: Payload = {
    event,
    timestamp: new Date().toISOString(),
    data: {
      document_id: document.id,
      reference: document.reference,
      doc_type: document.doc_type,
      state: document.state,
      fields: document.result?.fields ?? {},
      lines: document.result?.lines ?? [],
      confidence: document.result?.confidence ?? {},
      source: document.source,
    },
  };
  return Buffer.from(JSON.stringify(payload));
}

const sampleDocument: FinishedDocument = {
  id: 'doc_00000000000000000000000000',
  reference: 'TEST',
  doc_type: 'invoice',
  state: 'done',
  source: 'dashboard',
  result: {
    fields: { invoice_number: 'TEST-1', invoice_date: '2026-01-31', total_amount: 119, currency: 'EUR' },
    lines: [{ description: 'Test line', quantity: 1, price_unit: 119, amount: 119 }],
    confidence: { invoice_number: 100, invoice_date: 100, total_amount: 100, currency: 100 },
  },
};
