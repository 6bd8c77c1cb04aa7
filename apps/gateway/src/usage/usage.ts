import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RequestRecord } from '@millrace/data-plane/record';
import type { UsageBatch } from '@millrace/gateway-configuration/reports';
import type { Logger } from 'pino';
import { diskFiles, type Files } from '../configuration/files.ts';
import { Aggregate } from './aggregate.ts';
import { diskJournalFiles, type JournalFiles, JournalWriter } from './journal.ts';
import { type SendingFile, Spool } from './spool.ts';

export interface UsageOptions {
  /** Folder of the node; usage is in a subfolder. */
  readonly dataDirectory: string;
  /** How often counts become a batch: shortly after multiples of it since 1970, so that ten seconds arrive as a whole. */
  readonly flushMs: number;
  /**
   * Delivers a batch to the control plane.
   *
   * @throws UsageRefused if this batch won't be accepted as it is; any other Error if it may be accepted later
   */
  send(batch: UsageBatch): Promise<void>;
  readonly logger: Logger;
  readonly files?: Files;
  readonly journalFiles?: JournalFiles;
  /** The wall clock, in Unix milliseconds. */
  now?(): number;
  /** When the oldest request in flight began that may be billed, in Unix milliseconds; infinite if there is none. */
  oldestBilledMs?(): number;
}

export interface Usage {
  /** Counts a request. This takes far less than a microsecond; the disk is written once at the end of the turn. */
  record(record: RequestRecord): void;
  /** Tries once to deliver the rest; what remains stays on disk. */
  stop(): Promise<void>;
  /** Batches, and journals that become some, that are not acknowledged. */
  spooledBatches(): number;
  /**
   * All usage of requests that began before this, in Unix milliseconds, is delivered; null: unknown. Infinite once it is
   * stopped and nothing is left.
   */
  completeUntilMs(): number | null;
  /** Why current counts would not survive this process; null if they would. */
  failure(): string | null;
}

/** A batch is rejected, however often it is sent. */
export class UsageRefused extends Error {
  override readonly name = 'UsageRefused';
}

const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** A rejected batch is tried again after this time: a newer version of the control plane may accept it. */
const refusedBackoffMs = 600_000;
const stopMs = 5_000;
/**
 * How long after the time of a flush it happens: requests that had ended by then are in the journal, and the nodes of a
 * gateway don't all send at once.
 */
const flushAfterMs = { least: 300, most: 1_000 } as const;
/** The gateway stamps requests with a clock that may be behind by a little. */
const clockMarginMs = 1_000;

/**
 * Counts requests for the control plane so that each is counted once: written to a journal at the end of the event loop's
 * turn, folded into batches, sent until acknowledged. See {@link Spool} for what lies on the disk.
 *
 * While the control plane cannot be asked, batches of one hour are made one: the disk holds each row once per hour, and a
 * journal of some megabytes. While the disk cannot be written, requests are counted in memory, and sent from there.
 *
 * @throws Error where the folder cannot be made or read
 */
export function createUsage(options: UsageOptions): Usage {
  const { flushMs, logger, files = diskFiles, journalFiles = diskJournalFiles, now = Date.now } = options;
  const { oldestBilledMs = () => Infinity } = options;
  const folder = join(options.dataDirectory, 'usage');
  const spool = new Spool(files, folder, logger);
  const writer = new JournalWriter(journalFiles, folder, spool.nextNumber, (turn, strings, error) => {
    fail(error);
    unwritten ??= new Aggregate();
    unwritten.addTurn(turn, 0, turn.count, strings);
  });
  const stopping = new AbortController();
  let failure: string | null = null;
  /** Counted since the disk could not be written. */
  let unwritten: Aggregate | null = null;
  /** The same, once it may have been received. */
  let inMemory: UsageBatch[] = [];
  let isRecovered = false;
  let isUnreachable = false;
  let isStopped = false;
  let working: Promise<void> = Promise.resolve();
  let sender: Promise<void> | null = null;
  /** Files of which something was refused, and when they are tried again; of the monotonic clock. */
  const refusedUntilMs = new Map<string, number>();
  /** What is complete once nothing up to a number of the spool is left, oldest first. */
  let completions: { readonly upTo: number; readonly untilMs: number }[] = [];
  let completeUntilMs: number | null = null;

  function fail(error: unknown): void {
    if (failure === null) logger.error({ error }, 'usage can’t be written to disk; it is counted in memory');
    failure = error instanceof Error ? error.message : String(error);
  }

  /** One at a time: turns counts into batches and starts sending them. */
  function work(): Promise<void> {
    working = working.then(async () => {
      try {
        if (!isRecovered) await spool.recover();
        isRecovered = true;
        await fold();
        await spool.removeCovered();
        if (failure !== null && unwritten === null) {
          logger.info('usage is written to disk again');
          failure = null;
        }
      } catch (error) {
        fail(error);
      }
      if (sender === null) await next();
    });
    return working;
  }

  async function fold(): Promise<void> {
    if (sender !== null && writer.bytes < spool.foldBytes && unwritten === null && !stopping.signal.aborted) return;
    const untilMs = Math.min(now() - clockMarginMs, oldestBilledMs());
    const journal = writer.roll();
    if (journal !== null) spool.close(journal);
    const taken = unwritten;
    unwritten = null;
    try {
      const upTo = await spool.fold(taken, now());
      if (completions.at(-1)?.upTo === upTo) completions.pop();
      completions.push({ upTo, untilMs });
    } catch (error) {
      // Merges what was counted in memory meanwhile with what could not be written before.
      if (taken !== null && unwritten !== null) {
        for (const batch of (unwritten as Aggregate).batches(Number.MAX_SAFE_INTEGER)) taken.addBatch(batch);
      }
      unwritten = taken ?? unwritten;
      throw error;
    }
  }

  /** Starts sending the next batch, if there is one. */
  async function next(): Promise<void> {
    const nowMs = performance.now();
    const isReady = ({ name }: SendingFile) => (refusedUntilMs.get(name) ?? 0) <= nowMs;
    if (inMemory.length === 0 && failure !== null && unwritten !== null) {
      inMemory = [...unwritten.batches(1_000)].map((rows) => spool.number(rows));
      unwritten = null;
    }
    if (inMemory.length > 0) return begin(sendMemory());
    try {
      const file = spool.sending.find(isReady) ?? (await spool.promote());
      await spool.settle();
      if (file !== null) begin(sendFile(file));
    } catch (error) {
      fail(error);
    }
  }

  function begin(sending: Promise<void>): void {
    sender = sending
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.error({ error }, 'usage could not be sent');
      })
      .then(() => {
        sender = null;
        if (!stopping.signal.aborted && (spool.hasWaiting || spool.sending.length > 0 || inMemory.length > 0)) {
          working = working.then(() => (sender === null ? next() : undefined));
        }
      });
  }

  async function sendFile(file: SendingFile): Promise<void> {
    let isRefused = false;
    for await (const batch of spool.read(file)) {
      if (!(await deliver(batch))) isRefused = true;
    }
    if (isRefused) refusedUntilMs.set(file.name, performance.now() + refusedBackoffMs);
    else await spool.remove(file);
  }

  async function sendMemory(): Promise<void> {
    for (const batch of inMemory) {
      await deliver(batch);
      inMemory = inMemory.filter((other) => other !== batch);
    }
  }

  /**
   * Sends a batch until it is acknowledged.
   *
   * @returns false if it is rejected
   * @throws Error where usage is being stopped and it was not acknowledged
   */
  async function deliver(batch: UsageBatch): Promise<boolean> {
    for (let failures = 0; ; failures++) {
      try {
        await options.send(batch);
        isUnreachable = false;
        if (failures > 0) logger.info('usage is delivered again');
        return true;
      } catch (error) {
        if (error instanceof UsageRefused) {
          const { streamId, sequence } = batch;
          logger.error({ error, streamId, sequence }, 'the control plane rejected usage; it is kept');
          return false;
        }
        isUnreachable = true;
        if (stopping.signal.aborted) throw error;
        if (failures === 0) logger.warn({ error }, 'usage can’t be delivered; it is kept on disk');
      }
      const longestMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures, 10));
      // Keeps the nodes of a gateway from all returning at once.
      await setTimeout(longestMs / 2 + (Math.random() * longestMs) / 2, null, { signal: stopping.signal });
    }
  }

  async function run(): Promise<void> {
    const { least, most } = flushAfterMs;
    const afterMs = Math.min(flushMs / 2, least + Math.random() * (most - least));
    while (!stopping.signal.aborted) {
      await work();
      const sinceMs = (now() - afterMs) % flushMs;
      await setTimeout(flushMs - sinceMs, null, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();

  return {
    record(record) {
      if (record.proxyId !== '') writer.add(record);
    },
    async stop() {
      stopping.abort();
      await running;
      const deadline = setTimeout(stopMs, null, { ref: false });
      let isLate = false;
      deadline.then(() => {
        isLate = true;
      });
      await work();
      while (sender !== null && !isLate) {
        await Promise.race([sender, deadline]);
        if (!isUnreachable && !isLate) await next();
      }
      isStopped = true;
    },
    spooledBatches: () => spool.batches + inMemory.length,
    completeUntilMs() {
      const oldest = inMemory.length > 0 ? 0 : spool.oldestNumber;
      const done = completions.filter(({ upTo }) => upTo < oldest);
      completeUntilMs = done.at(-1)?.untilMs ?? completeUntilMs;
      completions = completions.slice(done.length);
      return isStopped && oldest === Infinity && unwritten === null ? Infinity : completeUntilMs;
    },
    failure: () => failure,
  };
}
