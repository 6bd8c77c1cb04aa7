import { isUtf8 } from 'node:buffer';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import { tellingWebhookErrors } from '../webhooks/handlers.ts';
import type { Lanes } from '../webhooks/notifications.ts';
import type { deliveryOperations } from './contract.ts';
import {
  type Delivery,
  findDelivery,
  listDeliveries,
  type Resent,
  resendDelivery as resendOne,
  resendSince,
} from './store.ts';

export interface DeliveryParts {
  readonly database: ExtractionDatabase;
  /** Called after a commit that enqueued notifications, with their lanes. */
  readonly onNotifications: (lanes: Lanes) => void;
}

export function deliveryDashboardHandlers(parts: DeliveryParts): Handlers<typeof deliveryOperations, DashboardCaller> {
  const read = <Result>(
    { accountId }: DashboardCaller,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> => tenantTransaction(parts.database, accountId, work, { access: 'read only' });

  const resend = async (
    { accountId }: DashboardCaller,
    work: (transaction: TenantTransaction) => Promise<Resent>,
  ): Promise<{ status: 202; body: { count: number } }> => {
    const { count, lanes } = await tellingWebhookErrors(tenantTransaction(parts.database, accountId, work));
    parts.onNotifications(lanes);
    return { status: 202, body: { count } };
  };

  return {
    async listDeliveries({ query: { cursor, limit, endpointId, ...filter } }, caller) {
      const deliveries = await read(caller, (transaction) =>
        listDeliveries(transaction, {
          ...filter,
          endpointId: endpointId === 'callbacks' ? null : endpointId,
          before: cursor,
          limit: limit + 1,
        }),
      );
      const items = deliveries.slice(0, limit);
      const nextCursor = deliveries.length > limit ? (items.at(-1)?.id ?? null) : null;
      return { status: 200, body: { items: items.map(shown), nextCursor } };
    },

    async getDelivery({ params }, caller) {
      const [delivery, attempts] = await read(caller, async (transaction) => {
        const found = await findDelivery(transaction, params.id);
        if (!found) throw new ApiError('not_found');
        return [found, await listDeliveries(transaction, { notificationId: found.notification_id })] as const;
      });
      const { response_status, response_headers, response_body, response_body_sha256 } = delivery;
      return {
        status: 200,
        body: {
          ...shown(delivery),
          request: {
            method: 'POST',
            headers: delivery.request_headers,
            body: bodyOf(delivery.body, delivery.request_body_length, delivery.request_body_sha256),
          },
          response:
            response_status === null
              ? null
              : {
                  status: response_status,
                  headers: response_headers ?? {},
                  body: bodyOf(
                    response_body ?? Buffer.alloc(0),
                    delivery.response_body_length ?? 0,
                    response_body_sha256 ?? Buffer.alloc(0),
                  ),
                },
          attempts: attempts
            .map(shown)
            .map(({ id, attempt, outcome, requestedAt }) => ({ id, attempt, outcome, requestedAt }))
            .reverse(),
        },
      };
    },

    resendDelivery: ({ params }, caller) => resend(caller, (transaction) => resendOne(transaction, params.id)),

    resendSince: ({ body: { since, endpointId, onlyFailed } }, caller) =>
      resend(caller, (transaction) => resendSince(transaction, { since: new Date(since), endpointId, onlyFailed })),
  };
}

function shown(delivery: Delivery) {
  const { error_code: code, error_message: message } = delivery;
  return {
    id: delivery.id,
    notificationId: delivery.notification_id,
    documentId: delivery.document_id,
    endpointId: delivery.endpoint_id,
    event: delivery.event,
    url: delivery.url,
    attempt: delivery.attempt,
    outcome:
      code === null
        ? ('delivered' as const)
        : delivery.permanently_failed
          ? ('permanently_failed' as const)
          : ('failed' as const),
    requestedAt: delivery.requested_at.toISOString(),
    latencyMs: delivery.latency_ms,
    responseStatus: delivery.response_status,
    error: code === null ? null : { code, message: message ?? '' },
    nextAttemptAt: delivery.next_attempt_at?.toISOString() ?? null,
    heldBack: delivery.held_back,
  };
}

function bodyOf(bytes: Buffer, lengthBytes: number, sha256: Buffer) {
  const isText = isUtf8(bytes) || isUtf8(withoutCutCharacter(bytes));
  return {
    text: isText ? bytes.toString() : null,
    base64: isText ? null : bytes.toString('base64'),
    lengthBytes,
    sha256: sha256.toString('hex'),
    isWhole: bytes.length === lengthBytes,
  };
}

/** A text that was cut at a number of bytes may end within a character, which has four bytes at most. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let end = bytes.length - 1; end >= Math.max(0, bytes.length - 4); end--) {
    if (((bytes[end] ?? 0) & 0xc0) === 0xc0) return bytes.subarray(0, end);
  }
  return bytes;
}
