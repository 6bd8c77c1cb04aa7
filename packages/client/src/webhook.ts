import { ExtractionCompleted } from '@millrace/extraction-contract/events';
import * as z from 'zod';

const event = z.object({ event: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });

/** A verified event. Kinds may be added: check `event`, or use {@link isExtractionCompleted}. */
export type WebhookEvent = z.output<typeof event>;

export type ExtractionCompletedEvent = z.output<typeof ExtractionCompleted>;

/** The request is not a genuine, recent delivery: respond with 400 and do not act on it. */
export class WebhookSignatureError extends Error {
  readonly reason: 'malformed' | 'mismatch' | 'expired';

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message);
    this.name = 'WebhookSignatureError';
    this.reason = reason;
  }
}

/**
 * Verifies a webhook delivery and returns its event.
 *
 * @param rawBody the request's body as received, never parsed and serialized again
 * @param signatureHeader the value of `X-Svc-Signature`: `t=<unix seconds>,v1=<hex>`, with several `v1` during a secret
 * rotation, of which one must match
 * @param secret the endpoint's signing secret, or the account's primary one for a `callback_url`
 * @throws WebhookSignatureError
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  signatureHeader: string | null | undefined,
  secret: string,
  { toleranceSeconds = 300, nowSeconds = Date.now() / 1000 } = {},
): Promise<WebhookEvent> {
  const { time, signatures } = readHeader(signatureHeader ?? '');
  const encoder = new TextEncoder();
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody;
  const signed = concatenate(encoder.encode(`${time}.`), body);
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  // `verify` compares in constant time, and every signature is checked.
  const matches = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  );
  if (!matches.some(Boolean)) {
    throw new WebhookSignatureError('mismatch', 'No signature matches. Check the secret, and pass the raw body.');
  }
  if (Math.abs(nowSeconds - Number(time)) > toleranceSeconds) {
    throw new WebhookSignatureError(
      'expired',
      `The delivery was signed more than ${toleranceSeconds} seconds from now.`,
    );
  }
  return event.parse(JSON.parse(new TextDecoder().decode(body)));
}

/** Whether an event is a finished extraction; its `data.state` may be `done` or `error`. */
export function isExtractionCompleted(candidate: WebhookEvent): candidate is ExtractionCompletedEvent {
  return ExtractionCompleted.safeParse(candidate).success;
}

function readHeader(header: string) {
  const parts = header
    .slice(0, 4096)
    .split(',')
    .map((part) => part.trim());
  const times = parts.filter((part) => /^t=\d{1,12}$/.test(part)).map((part) => part.slice(2));
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => bytesOfHex(part.slice(3)));
  const [time] = times;
  if (time === undefined || times.length > 1 || signatures.length === 0) {
    throw new WebhookSignatureError('malformed', 'The header X-Svc-Signature is missing or malformed.');
  }
  return { time, signatures };
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
