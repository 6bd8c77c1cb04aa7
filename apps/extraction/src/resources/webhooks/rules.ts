import { checkDestination, type DestinationPolicy } from '@millrace/webhooks';
import { eventKinds } from './dashboard-contract.ts';

export type EventKind = (typeof eventKinds)[number];

/** The event that a person sends to try an endpoint; every endpoint gets it on demand, none subscribes to it. */
export const testEvent = 'webhook.test';

/** How long, by default and at most, an old signing secret stays valid beside its successor. */
export const defaultOverlapMs = 24 * 3600 * 1000;
const longestOverlapMs = 7 * 24 * 3600 * 1000;

/** An endpoint whose attempts have failed for so long without a success is paused. */
export const failedAfterMs = 5 * 24 * 3600 * 1000;

/** A request about webhooks that cannot be met, with a message for the person who made it. */
export class WebhookError extends Error {
  readonly code:
    | 'invalid_url'
    | 'invalid_event'
    | 'invalid_overlap'
    | 'too_many_endpoints'
    | 'not_found'
    | 'endpoint_removed';

  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.name = 'WebhookError';
    this.code = code;
  }
}

/** A new endpoint whose address and events have been checked. */
export interface NewEndpoint {
  readonly url: string;
  readonly events: readonly EventKind[];
}

/**
 * Checks what a person entered for a new endpoint. Without events it is subscribed to every kind.
 *
 * @throws WebhookError `invalid_url` or `invalid_event`
 */
export function checkNewEndpoint(
  input: { url: string; events?: readonly string[] },
  policy: DestinationPolicy,
): NewEndpoint {
  const destination = checkDestination(input.url, policy);
  if (!destination.ok) throw new WebhookError('invalid_url', destination.reason);
  const events = input.events ?? eventKinds;
  const unknown = events.find((event) => !isEventKind(event));
  if (unknown !== undefined || events.length === 0) {
    throw new WebhookError('invalid_event', `Subscribe to at least one of: ${eventKinds.join(', ')}.`);
  }
  return { url: destination.url.href, events: eventKinds.filter((kind) => events.includes(kind)) };
}

/** @throws WebhookError `invalid_overlap` */
export function checkOverlap(overlapMs: number): number {
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > longestOverlapMs) {
    throw new WebhookError('invalid_overlap', 'The overlap must be between 0 and 7 days.');
  }
  return overlapMs;
}

/**
 * The receiver that a callback goes to, for fair sending: its host, apart for each account, so that nobody waits for
 * what another account sends there. An endpoint's lane is its id.
 */
export function callbackLane(accountId: string, callbackUrl: string): string {
  return `${accountId} ${new URL(callbackUrl).host}`;
}

function isEventKind(event: string): event is EventKind {
  return eventKinds.some((kind) => kind === event);
}
