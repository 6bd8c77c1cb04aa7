import type * as z from 'zod';
import type { Call, statusClasses } from './contract.ts';
import type { StoredCall } from './store.ts';

/** Days that calls are kept. */
export const callDays = 7;

/** First and last of the statuses of each class. */
export const statusesOf = {
  success: [200, 299],
  client_error: [400, 499],
  server_error: [500, 599],
} as const satisfies Readonly<Record<(typeof statusClasses)[number], readonly [number, number]>>;

/** A call as the dashboard shows it. */
export function callAnswer(call: StoredCall): z.input<typeof Call> {
  return {
    id: call.id,
    at: call.at.toISOString(),
    keyId: call.api_key_id,
    keyName: call.key_name,
    keyPrefix: call.key_prefix,
    method: call.method,
    route: call.route,
    status: call.status,
    latencyMs: call.latency_ms,
    errorCode: call.error_code,
    documentId: call.document_id,
  };
}
