import { setTimeout } from 'node:timers/promises';
import type { Sealer } from '@millrace/encryption';
import { currentTraceparent } from '@millrace/traces/context';
import { openSender, retryDelayMs, type SenderOptions, type SendResult, signatureHeader } from '@millrace/webhooks';
import { type Capacity, Receivers } from '@millrace/webhooks/receivers';
import type { ExtractionDatabase } from '../database/schema.ts';
import { newId } from '../identifiers.ts';
import { openSecret } from '../resources/webhooks/secrets.ts';
import { type SpanEnd, type Traces, untraced } from '../traces.ts';
import {
  type ClaimedNotification,
  claimNotifications,
  dueLanes,
  type LaneClaim,
  releaseNotification,
} from './claims.ts';

import { Recorder } from './recorder.ts';
import { type FailedEndpoint, Standings } from './standings.ts';

/** An attempt as logs and metrics see it: nothing of its content. */
export interface AttemptReport {
  readonly accountId: string;
  readonly notificationId: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed' | 'permanently_failed';
  readonly status: number | null;
  readonly latencyMs: number;
  readonly errorCode: string | null;
}

export interface DelivererOptions {
  readonly database: ExtractionDatabase;
  /** From `webhookSecretSealer`. */
  readonly sealer: Sealer;
  readonly sending: SenderOptions;
  readonly onAttempt: (report: AttemptReport) => void;
  /** Called with endpoints that have failed for days, at each further failure; its errors go to `onError`. */
  readonly onEndpointsFailed: (endpoints: readonly FailedEndpoint[]) => Promise<void>;
  /** Called with errors on this side, such as an unavailable database. */
  readonly onError: (error: unknown) => void;
  readonly capacity?: Capacity;
  /** By default nothing is traced. */
  readonly traces?: Traces;
  /** How often to look for what other processes queued and for retries that are due. */
  readonly pollMs?: number;
  /** How often to store the successes and failures of endpoints. */
  readonly standingsMs?: number;
}

export interface Deliverer {
  /** Sends what was queued for these receivers: call it after the commit. Without it the next poll finds it. */
  wake(lanes: readonly string[]): void;
  /** Starts no more attempts, waits up to `graceMs` for those in progress, then aborts and releases the rest. */
  stop(graceMs: number): Promise<void>;
}

const defaultTimeoutMs = 15_000;
/** Claimed in one statement at most, which bounds the burst of connections that are opened at once. */
const claimLimit = 32;
/** While this many ended attempts are not recorded yet, no more are started. */
const unrecordedLimit = 500;

/**
 * Starts to deliver notifications; any number of processes may. Each receiver is served on its own: see
 * {@link Receivers}. An attempt and the notification's move are recorded together once the attempt has ended; a process
 * that dies in between leaves a lease behind, after whose end the same bytes are posted once more.
 */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { database, sealer, onAttempt, onError, capacity = { total: 2048, perReceiver: 8 }, pollMs = 500 } = options;
  const { standingsMs = 5_000, traces = untraced } = options;
  const sender = openSender(options.sending);
  // Beyond the longest attempt, for its record to be written.
  const leaseMs = 2 * (options.sending.timeoutMs ?? defaultTimeoutMs);
  const receivers = new Receivers(capacity);
  const recorder = new Recorder(database, onError);
  const standings = new Standings(database);
  const underWay = new Set<Promise<void>>();
  let pollDue = true;
  let isLooking = false;
  let looking = Promise.resolve();
  let lookAgain = false;
  let stopping = false;
  let brokenOff = false;

  /** Starts what may start; called whenever something became due or a place became free. */
  function look(): void {
    lookAgain = true;
    if (!isLooking) looking = lookUntilDone();
  }

  async function lookUntilDone(): Promise<void> {
    isLooking = true;
    try {
      while (lookAgain && !stopping) {
        lookAgain = false;
        if (pollDue) {
          pollDue = false;
          for (const lane of await dueLanes(database)) receivers.want(lane, 'backlog');
        }
        if (recorder.waiting >= unrecordedLimit) return;
        const claims = receivers.allot(claimLimit);
        if (claims.length > 0) await claim(claims);
      }
    } catch (error) {
      // The next poll finds again what this look missed.
      onError(error);
    } finally {
      isLooking = false;
    }
  }

  async function claim(claims: readonly LaneClaim[]): Promise<void> {
    const claimed = await claimNotifications(database, claims, leaseMs);
    const counts = new Map<string, number>();
    for (const notification of claimed) {
      counts.set(notification.lane, (counts.get(notification.lane) ?? 0) + 1);
      start(notification);
    }
    for (const { lane, limit } of claims) if (counts.get(lane) === limit) receivers.want(lane, 'backlog');
    lookAgain = true;
  }

  function start(notification: ClaimedNotification): void {
    const attempt = run(notification)
      .catch(onError)
      .finally(() => {
        underWay.delete(attempt);
        look();
      });
    underWay.add(attempt);
  }

  async function run(notification: ClaimedNotification): Promise<void> {
    const attempt = notification.attempt_count + 1;
    const deliveryId = newId('dlv');
    const { requestHeaders, result } = await traces.run(
      {
        name: 'POST webhook',
        kind: 'client',
        parent: notification.traceparent,
        describe: (sent) => describeDelivery(notification, deliveryId, attempt, sent?.result ?? null),
      },
      async () => {
        const requestHeaders = headersOf(notification, deliveryId, sealer);
        return { requestHeaders, result: await send(notification, requestHeaders) };
      },
    );
    if (brokenOff && result.error?.code === 'connection_closed') {
      await releaseNotification(database.system, notification);
      return;
    }
    const ended = {
      id: deliveryId,
      notificationId: notification.id,
      endpointId: notification.endpoint_id,
      attempt,
      url: notification.url,
      requestHeaders,
      body: notification.body,
      result,
      retryDelayMs: retryDelayMs(attempt),
    };
    await recorder.record(notification.account_id, ended, receivers.standing(notification.lane) === 'proven');
    if (notification.endpoint_id !== null) {
      const succeeded = result.error === null;
      standings.note(notification.account_id, notification.endpoint_id, { succeeded, at: result.requestedAt });
    }
    onAttempt({
      accountId: notification.account_id,
      notificationId: notification.id,
      deliveryId,
      attempt,
      outcome: result.error === null ? 'delivered' : ended.retryDelayMs === null ? 'permanently_failed' : 'failed',
      status: result.response?.status ?? null,
      latencyMs: result.latencyMs,
      errorCode: result.error?.code ?? null,
    });
  }

  /** The receiver's place is free again once it has answered; the record follows. */
  async function send({ lane, url, body }: ClaimedNotification, headers: Record<string, string>): Promise<SendResult> {
    receivers.started(lane);
    const result = await sender.send({ url, headers, body });
    receivers.ended(lane, result.error === null, result.latencyMs);
    look();
    return result;
  }

  const poll = setInterval(() => {
    pollDue = true;
    look();
  }, pollMs);
  look();

  async function writeStandings(): Promise<void> {
    try {
      const failed = await standings.write();
      if (failed.length > 0) await options.onEndpointsFailed(failed);
    } catch (error) {
      onError(error);
    }
  }

  let writing = Promise.resolve();
  const writingTimer = setInterval(() => {
    writing = writing.then(writeStandings);
  }, standingsMs);

  return {
    wake(lanes) {
      for (const lane of lanes) receivers.want(lane, 'new');
      look();
    },

    async stop(graceMs) {
      stopping = true;
      clearInterval(poll);
      await looking;
      const ended = Promise.all(underWay);
      const grace = new AbortController();
      await Promise.race([ended, setTimeout(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
      grace.abort();
      brokenOff = true;
      await sender.close();
      await ended;
      clearInterval(writingTimer);
      await writing;
      await writeStandings();
    },
  };
}

function headersOf(notification: ClaimedNotification, deliveryId: string, sealer: Sealer): Record<string, string> {
  const secrets = notification.secrets.map((secret_encrypted, index) =>
    openSecret(sealer, { id: notification.secret_ids[index] ?? '', secret_encrypted }),
  );
  const traceparent = currentTraceparent();
  return {
    'content-type': 'application/json',
    'user-agent': 'Millrace-Webhooks/1',
    'x-svc-signature': signatureHeader(secrets, notification.body, Math.floor(Date.now() / 1000)),
    'x-svc-delivery': deliveryId,
    ...(traceparent === null ? {} : { traceparent }),
  };
}

function describeDelivery(
  { id }: ClaimedNotification,
  deliveryId: string,
  attempt: number,
  result: SendResult | null,
): SpanEnd {
  const status = result?.response?.status;
  const error = result?.error?.code;
  return {
    attributes: {
      'millrace.notification.id': id,
      'millrace.delivery.id': deliveryId,
      'millrace.delivery.attempt': attempt,
      'http.request.method': 'POST',
      ...(status === undefined ? {} : { 'http.response.status_code': status }),
      ...(error === undefined ? {} : { 'error.type': error }),
    },
    isFailed: result === null || result.error !== null,
  };
}
