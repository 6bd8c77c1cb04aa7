import { performance } from 'node:perf_hooks';

/** Something with a deadline. */
export interface Timed {
  /** In milliseconds of {@link Deadlines.nowMs}; infinite where there is none. */
  deadlineMs: number;
  /** Called repeatedly once the time has passed, until it is changed. */
  onDeadline(): void;
}

const stepMs = 50;

/**
 * Deadlines of many connections, met to about 50 ms. To set one is to write a number, which most requests do several
 * times: all are looked over now and then, rather than kept in order.
 */
export class Deadlines {
  readonly #timed = new Set<Timed>();
  readonly #interval: NodeJS.Timeout;
  /** Monotonic, as of the last step or {@link Deadlines.read}. */
  nowMs = performance.now();
  /** What the clock of the day is ahead of it. */
  #aheadMs = Date.now() - this.nowMs;

  constructor() {
    this.#interval = setInterval(() => this.#step(), stepMs).unref();
  }

  /** The current time. */
  read(): number {
    this.nowMs = performance.now();
    return this.nowMs;
  }

  /** {@link Deadlines.nowMs} in Unix milliseconds, a whole number. The clock is asked every 50 ms. */
  get unixMs(): number {
    return Math.floor(this.nowMs + this.#aheadMs);
  }

  add(timed: Timed): void {
    this.#timed.add(timed);
  }

  remove(timed: Timed): void {
    this.#timed.delete(timed);
  }

  stop(): void {
    clearInterval(this.#interval);
  }

  #step(): void {
    const nowMs = this.read();
    this.#aheadMs = Date.now() - nowMs;
    for (const timed of this.#timed) if (timed.deadlineMs <= nowMs) timed.onDeadline();
  }
}
