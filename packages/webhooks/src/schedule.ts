const seconds = 1000;
const minutes = 60 * seconds;

/** The delay before each attempt, in milliseconds, for all attempts. */
export const attemptDelaysMs: readonly number[] = [
  0,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  30 * minutes,
  120 * minutes,
];

/**
 * How long to wait, in milliseconds, after attempt number `attempt` (from 1) has failed; null after the last one, when
 * the delivery has permanently failed.
 */
export function retryDelayMs(attempt: number): number | null {
  return attemptDelaysMs[attempt] ?? null;
}
