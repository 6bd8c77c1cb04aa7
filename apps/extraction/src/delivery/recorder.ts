import { setTimeout } from 'node:timers/promises';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../database/schema.ts';
import { deleteOldAttempts, type EndedAttempt, recordAttempts } from '../resources/deliveries/store.ts';

/** Transactions at once: few, to leave the database's connections to others. */
const concurrency = 4;
/** Attempts of one account that share a transaction, and so its commit. */
const batchSize = 50;
/** The share of attempts that are followed by a clean-up of their receiver's list. */
const cleanUpShare = 1 / 50;
/** Pauses before a transaction that failed is tried again; together well within a lease. */
const retriesMs = [100, 300, 1000, 3000];

interface Entry {
  readonly ended: EndedAttempt;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the records of ended attempts. Those that wait for the same account share a transaction; accounts take turns,
 * and what is urgent goes before the rest, so that thousands of time-outs at once hold nobody up.
 */
export class Recorder {
  readonly #database: ExtractionDatabase;
  readonly #onError: (error: unknown) => void;
  readonly #urgent = new Map<string, Entry[]>();
  readonly #others = new Map<string, Entry[]>();
  /** Accounts with a transaction in progress: attempts that end meanwhile share the next one. */
  readonly #writing = new Set<string>();
  #waiting = 0;

  constructor(database: ExtractionDatabase, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Attempts whose record is not committed yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when the record is committed; rejects when the database would not take it for some seconds. */
  async record(accountId: string, ended: EndedAttempt, urgent: boolean): Promise<void> {
    this.#waiting++;
    try {
      await new Promise<void>((resolve, reject) => {
        const queue = urgent ? this.#urgent : this.#others;
        const entries = queue.get(accountId) ?? [];
        entries.push({ ended, resolve, reject });
        queue.set(accountId, entries);
        this.#startNext();
      });
    } finally {
      this.#waiting--;
    }
  }

  #startNext(): void {
    while (this.#writing.size < concurrency) {
      const batch = this.#take(this.#urgent) ?? this.#take(this.#others);
      if (!batch) return;
      this.#writing.add(batch.accountId);
      void this.#write(batch.accountId, batch.entries).finally(() => {
        this.#writing.delete(batch.accountId);
        this.#startNext();
      });
    }
  }

  async #write(accountId: string, entries: readonly Entry[]): Promise<void> {
    for (const pauseMs of [...retriesMs, null]) {
      try {
        await this.#commit(accountId, entries);
        for (const { resolve } of entries) resolve();
        return;
      } catch (error) {
        if (entries.length > 1) {
          // One record that the database does not take must not keep the others from being written.
          for (const entry of entries) await this.#write(accountId, [entry]);
          return;
        }
        if (pauseMs === null) return entries[0]?.reject(error);
        this.#onError(error);
        await setTimeout(pauseMs);
      }
    }
  }

  async #commit(accountId: string, entries: readonly Entry[]): Promise<void> {
    await tenantTransaction(this.#database, accountId, async (transaction) => {
      const attempts = entries.map(({ ended }) => ended);
      await recordAttempts(transaction, attempts);
      const receivers = new Set(
        attempts.filter(() => Math.random() < cleanUpShare).map(({ endpointId }) => endpointId),
      );
      for (const endpointId of receivers) await deleteOldAttempts(transaction, endpointId);
    });
  }

  /** Takes the entries of the account that has waited longest, a batch at most; what is left goes to the end of the line. */
  #take(queue: Map<string, Entry[]>): { accountId: string; entries: Entry[] } | null {
    for (const [accountId, entries] of queue) {
      if (this.#writing.has(accountId)) continue;
      queue.delete(accountId);
      if (entries.length > batchSize) queue.set(accountId, entries.splice(batchSize));
      return { accountId, entries };
    }
    return null;
  }
}
