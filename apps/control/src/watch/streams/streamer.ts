import { tenantTransaction } from '@millrace/postgres';
import type { Sender } from '@millrace/webhooks';
import { sql } from 'kysely';
import type { KeySealers } from '../../consumers/apps/key-sealers.ts';
import type { ControlDatabase, JsonObject, TenantTransaction } from '../../database/schema.ts';
import type { Outbound } from '../../frame/outbound.ts';
import type { Outcome } from '../integrations/outcome.ts';
import { openSecrets } from '../integrations/secrets.ts';
import { noteAttempt, storedSettings } from '../integrations/store.ts';
import { exportMetrics, type OpentelemetrySettings } from '../opentelemetry/export.ts';
import { deleteReports, readNames, readReports } from '../opentelemetry/store.ts';
import { readEntries, sendEntries } from '../siem/stream.ts';
import type { SiemSettings } from '../siem/syslog.ts';

export interface StreamerParts {
  readonly database: ControlDatabase;
  readonly keySealers: KeySealers;
  readonly outbound: Outbound;
  publicUrl(): string;
  /** Called with errors on this side, such as an unavailable database. */
  onError(error: unknown): void;
  /** For sending one batch. */
  readonly timeoutMs?: number;
  /** How often to look for streams that are due. */
  readonly pollMs?: number;
  /** Until a stream that had nothing more to send is looked at again. */
  readonly siemIntervalMs?: number;
}

export interface Streamer {
  /** Begins no further batch, and resolves when the running ones have ended, cut off after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

interface ClaimedStream {
  readonly organization_id: string;
  readonly integration_id: string;
  readonly failures: number;
  readonly stream_cursor: string | null;
  readonly stream_claim: string;
  readonly settings: JsonObject;
  readonly sealed_secret: Buffer | null;
}

/** What a turn of a stream came to. */
interface Turn {
  /** Null: there was nothing to send. */
  readonly outcome: Outcome | null;
  /** Up to where everything has arrived if it was sent. */
  readonly until: Date;
  readonly cursor: string | null;
  /** Of telemetry, what was exported. */
  readonly reportIds: readonly string[];
  /** Until the next turn if this one succeeded. */
  readonly pauseMs: number;
}

const defaultTimeoutMs = 15_000;
/** Streams at once in this process: each that hangs takes a place until its time is over. */
const mostAtOnce = 64;
const slotMs = 10_000;
/** Metrics are exported this long after each ten seconds, when nodes have reported them. */
const afterSlotMs = 3_000;
const firstRetryMs = 10_000;
const longestRetryMs = 300_000;

/**
 * Starts to send the streams of OpenTelemetry and SIEM integrations; any number of processes may, one at a time sends that
 * of an integration. A stream that fails waits and goes on where it stopped; others don't wait for it.
 */
export function startStreamer(parts: StreamerParts): Streamer {
  const { database, onError, pollMs = 1_000, siemIntervalMs = 5_000, timeoutMs = defaultTimeoutMs } = parts;
  const underWay = new Set<Promise<void>>();
  let sender: Promise<Sender> | null = null;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  let stopping = false;

  function look(): void {
    if (isLooking || stopping) return;
    isLooking = true;
    looking = claimDue()
      .catch(onError)
      .finally(() => {
        isLooking = false;
      });
  }

  async function claimDue(): Promise<void> {
    const free = mostAtOnce - underWay.size;
    if (free <= 0) return;
    for (const claimed of await claimStreams(database, free, 2 * timeoutMs)) {
      const turn = run(claimed)
        .catch(onError)
        .finally(() => underWay.delete(turn));
      underWay.add(turn);
    }
  }

  async function run(claimed: ClaimedStream): Promise<void> {
    for (let isMore = true; isMore && !stopping; ) {
      const turn = await takeTurn(claimed);
      const pauseMs = turn.outcome?.attempt.error ? retryMs(claimed.failures) : turn.pauseMs;
      const next = await tenantTransaction(database, claimed.organization_id, (transaction) =>
        record(transaction, claimed, turn, pauseMs > 0 ? pauseMs : 2 * timeoutMs),
      );
      isMore = next && pauseMs === 0;
      if (isMore) claimed = { ...claimed, stream_cursor: turn.cursor, failures: 0 };
    }
  }

  async function takeTurn(claimed: ClaimedStream): Promise<Turn> {
    const settings = storedSettings(claimed.settings);
    const [secret = null] = openSecrets(parts.keySealers(claimed.organization_id), claimed.integration_id, {
      current: claimed.sealed_secret,
      previous: null,
      previousValidUntil: null,
    });
    if (settings.kind === 'siem') return sendAudit(claimed, settings, secret);
    if (settings.kind === 'opentelemetry') return sendMetrics(claimed, settings, secret);
    throw new Error(`${settings.kind} integrations have no stream`);
  }

  async function sendAudit(claimed: ClaimedStream, settings: SiemSettings, key: string | null): Promise<Turn> {
    const until = new Date();
    const { entries, isFull } = await tenantTransaction(database, claimed.organization_id, (transaction) =>
      readEntries(transaction, claimed.stream_cursor ?? '0'),
    );
    const last = entries.at(-1);
    const pauseMs = isFull ? 0 : siemIntervalMs;
    if (last === undefined) return { outcome: null, until, cursor: claimed.stream_cursor, reportIds: [], pauseMs };
    const outcome = await sendEntries(
      { ...parts, publicUrl: () => parts.publicUrl(), timeoutMs },
      settings,
      key,
      entries,
    );
    return { outcome, until: new Date(last.at), cursor: String(last.sequence), reportIds: [], pauseMs };
  }

  async function sendMetrics(
    claimed: ClaimedStream,
    settings: OpentelemetrySettings,
    secret: string | null,
  ): Promise<Turn> {
    const until = new Date();
    const { reports, names } = await tenantTransaction(database, claimed.organization_id, async (transaction) => {
      const read = await readReports(transaction, claimed.integration_id);
      return { reports: read, names: await readNames(transaction, read) };
    });
    const untilNextMs = slotMs - ((Date.now() - afterSlotMs) % slotMs);
    const cursor = claimed.stream_cursor;
    if (reports.length === 0) return { outcome: null, until, cursor, reportIds: [], pauseMs: untilNextMs };
    sender ??= parts.outbound.openSender(timeoutMs);
    const instanceId = new URL(parts.publicUrl()).host;
    const outcome = await exportMetrics(await sender, settings, secret, { reports, names, instanceId });
    const reportIds = reports.map(({ id }) => id);
    // As long as there is more, the next turn follows at once.
    return { outcome, until, cursor, reportIds, pauseMs: reports.length > 1 ? 0 : untilNextMs };
  }

  const poll = setInterval(look, pollMs);
  look();

  return {
    async stop(graceMs) {
      stopping = true;
      clearInterval(poll);
      await looking;
      const ended = Promise.all(underWay);
      const grace = Promise.withResolvers<void>();
      const timer = setTimeout(grace.resolve, graceMs);
      await Promise.race([ended, grace.promise]);
      clearTimeout(timer);
      await (await sender)?.close();
      await ended;
    },
  };
}

/** Longer with each failure in a row, and different for each process, so that a receiver is not met by all at once. */
function retryMs(failures: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures, 10)) * (0.9 + Math.random() * 0.2);
}

async function claimStreams(
  { system }: Pick<ControlDatabase, 'system'>,
  limit: number,
  leaseMs: number,
): Promise<readonly ClaimedStream[]> {
  const { rows } = await sql<ClaimedStream>`
    update integration_states state set
      stream_claim = state.stream_claim + 1,
      stream_at = now() + ${leaseMs} * interval '1 millisecond'
    from integrations integration
    where (state.organization_id, state.integration_id) in (
        select due.organization_id, due.integration_id from integration_states due
        join integrations enabled
          on enabled.organization_id = due.organization_id and enabled.id = due.integration_id and enabled.enabled
        where due.stream_at <= now() order by due.stream_at limit ${limit} for update of due skip locked)
      and integration.organization_id = state.organization_id and integration.id = state.integration_id
    returning state.organization_id, state.integration_id, state.failures, state.stream_cursor, state.stream_claim,
      integration.settings, integration.sealed_secret`.execute(system);
  return rows;
}

/**
 * Records a turn, unless another process has taken the stream over since.
 *
 * @returns whether the stream is still this process's
 */
async function record(
  transaction: TenantTransaction,
  claimed: ClaimedStream,
  { outcome, until, cursor, reportIds }: Turn,
  pauseMs: number,
): Promise<boolean> {
  const isSent = outcome === null || outcome.attempt.error === null;
  const { numAffectedRows = 0n } = await sql`
    update integration_states set
      stream_cursor = case when ${isSent} then ${cursor}::bigint else stream_cursor end,
      streamed_until = case when ${isSent} then ${until}::timestamptz else streamed_until end,
      stream_at = now() + ${Math.round(pauseMs)}::int * interval '1 millisecond'
    where organization_id = ${transaction.tenantId} and integration_id = ${claimed.integration_id}
      and stream_claim = ${claimed.stream_claim}`.execute(transaction);
  if (numAffectedRows === 0n) return false;
  if (isSent && reportIds.length > 0) await deleteReports(transaction, reportIds);
  if (outcome !== null) await noteAttempt(transaction, claimed.integration_id, outcome.attempt);
  return true;
}
