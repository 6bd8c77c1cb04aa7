import { workspaceOf } from './reach.ts';

/** Long enough that starting a process for the files costs little beside them, short enough to share the rest evenly. */
const batchMs = 180_000;

/** Towards the end batches get smaller, but not smaller than this: importing what they test already takes a second. */
const leastBatchMs = 5_000;

/** Test files that wait for a process, the longest first. */
export class FileQueue {
  readonly #waiting: string[];
  readonly #last: string[];
  readonly #durationOf: (file: string) => number;
  #running = 0;
  #changed = Promise.withResolvers<void>();

  /**
   * @param durationOf how long a file is expected to run, in ms
   * @param isLast whether a file has to run when all others have ended
   */
  constructor(files: readonly string[], durationOf: (file: string) => number, isLast: (file: string) => boolean) {
    this.#durationOf = durationOf;
    const byDuration = files.toSorted((one, other) => durationOf(other) - durationOf(one));
    this.#waiting = byDuration.filter((file) => !isLast(file));
    this.#last = byDuration.filter(isLast);
  }

  /** The files that a process takes next; none while they have to wait for others, null when all are done. */
  take(): readonly string[] | null {
    if (this.#waiting.length === 0) {
      if (this.#running > 0) return [];
      if (this.#last.length === 0) return null;
      this.#running++;
      return this.#last.splice(0);
    }
    this.#running++;
    return this.#nextBatch();
  }

  /** Files of one workspace share what they import: the longest file that waits, and others beside it. */
  #nextBatch(): readonly string[] {
    const total = this.#waiting.reduce((sum, file) => sum + this.#durationOf(file), 0);
    const enoughMs = Math.max(leastBatchMs, Math.min(batchMs, total / 4));
    const first = this.#waiting.shift()!;
    const batch = [first];
    let durationMs = this.#durationOf(first);
    for (const file of [...this.#waiting]) {
      if (durationMs >= enoughMs) break;
      if (workspaceOf(file) !== workspaceOf(first) || durationMs + this.#durationOf(file) > batchMs) continue;
      batch.push(file);
      durationMs += this.#durationOf(file);
      this.#waiting.splice(this.#waiting.indexOf(file), 1);
    }
    return batch;
  }

  /** Notes that a process ended, and takes back what it did not run. */
  done(notRun: readonly string[] = []): void {
    this.#running--;
    this.#waiting.push(...notRun);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Resolves when the next process has ended. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }
}
