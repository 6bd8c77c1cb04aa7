import { sql } from 'kysely';
import type { ExtractionDatabase } from '../../database/schema.ts';
import { callDays } from './rules.ts';
import { type FinishedCall, insertCalls, trimCalls } from './store.ts';

/** Writes the log of calls behind the calls' backs: it neither fails nor slows one. */
export interface CallRecorder {
  record(call: FinishedCall): void;
  /** Writes what waits and takes no more. */
  stop(): Promise<void>;
}

/** Further waiting calls are not logged: the database is unavailable or slow. */
const mostWaiting = 20_000;
const batchSize = 1_000;
const pauseMs = 1_000;
/** Of an account; the oldest beyond go. */
const mostKept = 100_000;
/** An account's log is trimmed after this many calls. */
const trimEvery = 10_000;

/** @param options.onError called with a batch that could not be written, which is lost, and with calls that were dropped */
export function createCallRecorder(options: {
  readonly database: ExtractionDatabase;
  readonly onError: (error: unknown) => void;
  readonly kept?: number;
  readonly trimEvery?: number;
}): CallRecorder {
  const { database, onError } = options;
  const waiting: FinishedCall[] = [];
  const writtenOf = new Map<string, number>();
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      try {
        await insertCalls(database, batch);
        await trimBusy(batch);
      } catch (error) {
        onError(error);
      }
    }
    if (lost > 0) onError(new Error(`${lost} calls were not logged: too many were waiting.`));
    lost = 0;
  }

  async function trimBusy(batch: readonly FinishedCall[]): Promise<void> {
    for (const { accountId } of batch) writtenOf.set(accountId, (writtenOf.get(accountId) ?? 0) + 1);
    for (const [accountId, written] of writtenOf) {
      if (written < (options.trimEvery ?? trimEvery)) continue;
      writtenOf.delete(accountId);
      await trimCalls(database, accountId, options.kept ?? mostKept);
    }
  }

  const writeSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, pauseMs).unref();
  };

  return {
    record(call) {
      if (stopped) return;
      if (waiting.length >= mostWaiting) lost++;
      else waiting.push(call);
      writeSoon();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      writing = writing.then(write);
      await writing;
    },
  };
}

/** Removes the calls that are too old, in batches that hold no lock for long. */
export async function removeOldCalls({ system }: ExtractionDatabase): Promise<void> {
  for (let removed = batchSize; removed === batchSize; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from api_calls where ctid = any(array(
        select ctid from api_calls where at < now() - ${callDays} * interval '1 day' limit ${batchSize}
        for update skip locked))`.execute(system);
    removed = Number(numAffectedRows);
  }
}
