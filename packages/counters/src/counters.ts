import type { CounterStore } from '@millrace/policies/run';

/** A store of counts that a gateway opens when it starts and closes when it ends. */
export interface Counters extends CounterStore {
  /** Resolves when the store can be asked for the first time, which may be never. */
  readonly connected: Promise<void>;
  /** Gives back what it holds and lets go of its connections. Whatever is counted afterwards is refused with an error. */
  close(): Promise<void>;
}

/** Unit in which rates are counted: a sixteenth of a microsecond, so that sums of intervals are exact in a double. */
const ticksPerMicrosecond = 16;

/**
 * The interval of a rate in microseconds, a whole number of sixteenths, rounded up so that rounding never admits more.
 *
 * @param intervalMs time between two requests, in milliseconds
 */
export function intervalMicroseconds(intervalMs: number): number {
  return Math.max(1, Math.ceil(intervalMs * 1_000 * ticksPerMicrosecond - 1e-6)) / ticksPerMicrosecond;
}
