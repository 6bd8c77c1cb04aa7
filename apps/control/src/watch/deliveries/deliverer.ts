import { setTimeout } from 'node:timers/promises';
import type { SendMail } from '@millrace/mail';
import { tenantTransaction } from '@millrace/postgres';
import type { Sender } from '@millrace/webhooks';
import { type Capacity, Receivers } from '@millrace/webhooks/receivers';
import type { KeySealers } from '../../consumers/apps/key-sealers.ts';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { Outbound } from '../../frame/outbound.ts';
import type { Outcome } from '../integrations/outcome.ts';
import { openSecrets } from '../integrations/secrets.ts';
import { storedSettings } from '../integrations/store.ts';
import { type ClaimedDelivery, claimDeliveries, dueLanes, type LaneClaim, laneOfDelivery } from './claims.ts';
import { onWake } from './enqueue.ts';
import { type Channels, sendNotification } from './send.ts';
import { eventOf, recordAttempt, releaseDelivery, skipDelivery } from './store.ts';

export interface DelivererParts {
  readonly database: ControlDatabase;
  readonly keySealers: KeySealers;
  readonly outbound: Outbound;
  readonly platformMail: SendMail;
  publicUrl(): string;
  /** Whether what `sendIf` names holds for a notification's subject at this moment. */
  readonly conditions: Readonly<
    Record<string, (transaction: TenantTransaction, subjectId: string) => Promise<boolean>>
  >;
  /** Called with errors on this side, such as an unavailable database. */
  onError(error: unknown): void;
  /** For a whole attempt. */
  readonly timeoutMs?: number;
  readonly capacity?: Capacity;
  /** How often to look for what other processes queued and for retries that are due. */
  readonly pollMs?: number;
}

export interface Deliverer {
  /** Starts no more attempts, waits up to `graceMs` for those in progress, and gives the rest back. */
  stop(graceMs: number): Promise<void>;
}

const defaultTimeoutMs = 15_000;
/** Claimed in one statement at most. */
const claimLimit = 32;

/**
 * Starts to deliver notifications; any number of processes may. Each integration is served on its own, see {@link
 * Receivers}: one that fails or is slow delays no other. A process that dies between an attempt and its record leaves a
 * lease behind, after whose end the same notification is sent once more, with the same id.
 */
export function startDeliverer(parts: DelivererParts): Deliverer {
  const { database, onError, capacity = { total: 128, perReceiver: 4 }, pollMs = 500 } = parts;
  const timeoutMs = parts.timeoutMs ?? defaultTimeoutMs;
  // Beyond the longest attempt, for its record to be written.
  const leaseMs = 2 * timeoutMs;
  const receivers = new Receivers(capacity);
  const underWay = new Map<ClaimedDelivery, Promise<void>>();
  let sender: Promise<Sender> | null = null;
  let pollDue = true;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let stopping = false;
  let brokenOff = false;

  /** Starts what may start; called whenever something became due or a place became free. */
  function look(): void {
    lookAgain = true;
    looking ??= lookUntilDone().finally(() => {
      looking = null;
    });
  }

  async function lookUntilDone(): Promise<void> {
    try {
      while (lookAgain && !stopping) {
        lookAgain = false;
        if (pollDue) {
          pollDue = false;
          for (const lane of await dueLanes(database)) receivers.want(lane, 'new');
        }
        const claims = receivers.allot(claimLimit);
        if (claims.length > 0) await claim(claims);
      }
    } catch (error) {
      // The next poll finds again what this look missed.
      onError(error);
    }
  }

  async function claim(claims: readonly LaneClaim[]): Promise<void> {
    const claimed = await claimDeliveries(database, claims, leaseMs);
    for (const delivery of claimed) start(delivery);
    if (claimed.length > 0) lookAgain = true;
  }

  function start(delivery: ClaimedDelivery): void {
    const lane = laneOfDelivery(delivery);
    receivers.started(lane);
    const attempt = run(delivery)
      .then(
        (result) => receivers.ended(lane, result.succeeded, result.latencyMs),
        (error) => {
          receivers.ended(lane, false, 0);
          onError(error);
        },
      )
      .finally(() => {
        underWay.delete(delivery);
        // More may wait behind it.
        receivers.want(lane, 'new');
        look();
      });
    underWay.set(delivery, attempt);
  }

  const inTransaction = (delivery: ClaimedDelivery, work: (transaction: TenantTransaction) => Promise<void>) =>
    tenantTransaction(database, delivery.organization_id, work);

  async function run(delivery: ClaimedDelivery): Promise<{ succeeded: boolean; latencyMs: number }> {
    if (!(await isStillWanted(delivery))) {
      await inTransaction(delivery, (transaction) => skipDelivery(transaction, delivery));
      return { succeeded: true, latencyMs: 0 };
    }
    const outcome = await send(delivery);
    if (brokenOff && outcome.attempt.error?.code === 'connection_closed') {
      await inTransaction(delivery, (transaction) => releaseDelivery(transaction, delivery));
    } else {
      await inTransaction(delivery, (transaction) => recordAttempt(transaction, delivery, outcome));
    }
    return { succeeded: outcome.attempt.error === null, latencyMs: outcome.attempt.latencyMs };
  }

  /** The condition is checked last, so that an acknowledgement stops an escalation until the moment it leaves. */
  async function isStillWanted({
    organization_id,
    send_if,
    resent_from,
    subject_id,
  }: ClaimedDelivery): Promise<boolean> {
    const holds = send_if === null ? undefined : parts.conditions[send_if];
    if (holds === undefined || resent_from !== null) return true;
    return tenantTransaction(database, organization_id, (transaction) => holds(transaction, subject_id));
  }

  async function send(delivery: ClaimedDelivery): Promise<Outcome> {
    sender ??= parts.outbound.openSender(timeoutMs);
    const channels: Channels = { ...parts, publicUrl: () => parts.publicUrl(), sender: await sender, timeoutMs };
    return sendNotification(channels, {
      deliveryId: delivery.id,
      subjectId: delivery.subject_id,
      event: eventOf(delivery),
      settings: storedSettings(delivery.settings),
      secrets: openSecrets(parts.keySealers(delivery.organization_id), delivery.integration_id, {
        current: delivery.sealed_secret,
        previous: delivery.sealed_previous_secret,
        previousValidUntil: delivery.previous_valid_until,
      }),
    });
  }

  const wake = () => {
    pollDue = true;
    look();
  };
  const poll = setInterval(wake, pollMs);
  const endWaking = onWake(wake);
  look();

  return {
    async stop(graceMs) {
      stopping = true;
      clearInterval(poll);
      endWaking();
      await looking;
      const ended = Promise.all(underWay.values());
      const grace = new AbortController();
      await Promise.race([ended, setTimeout(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
      grace.abort();
      brokenOff = true;
      await (await sender)?.close();
      await ended;
    },
  };
}
