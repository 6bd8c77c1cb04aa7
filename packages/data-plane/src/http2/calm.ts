import type { Deadlines } from '../http/deadlines.ts';

/** What frames cost that bring no request and no data: as much as the gateway's work for them, roughly. */
export const costs = {
  /** PING, SETTINGS, PRIORITY, WINDOW_UPDATE, an empty DATA, and the unknown. */
  frame: 1,
  /** A stream that ends by an error, is reset before its end, or begins with a head that is too long. */
  reset: 10,
} as const;

/** A peer's balance at most and at first. */
const most = 1_000;
const perMs = 0.1;

/**
 * How much work for nothing a peer may still cause. Floods of any kind (CVE-2019-9512 to 9518, CVE-2023-44487,
 * CVE-2025-8671) end after at most 1,000 frames or 100 resets; 100 frames or 10 resets a second are allowed forever, and each
 * data frame and completed request allows more.
 */
export class Calm {
  readonly #deadlines: Deadlines;
  #left = most;
  #sinceMs: number;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
    this.#sinceMs = deadlines.nowMs;
  }

  earn(cost: number): void {
    this.#left = Math.min(most, this.#left + cost);
  }

  /** Returns whether the peer may go on. */
  spend(cost: number): boolean {
    const { nowMs } = this.#deadlines;
    this.#left = Math.min(most, this.#left + (nowMs - this.#sinceMs) * perMs) - cost;
    this.#sinceMs = nowMs;
    return this.#left >= 0;
  }
}
