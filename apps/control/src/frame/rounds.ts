/** Work in the background that is done again and again. */
export interface Rounds {
  /** Waits for the round in progress, and starts no further one. */
  stop(): Promise<void>;
}

/**
 * Starts a round at once and then at each interval, except while one is in progress. None keeps the process running.
 *
 * @param round one round; what takes longer asks between its parts whether it was stopped
 * @param options.onError called where a round failed; the next one begins as usual
 */
export function startRounds(
  round: (isStopped: () => boolean) => Promise<unknown>,
  { intervalMs, onError }: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): Rounds {
  let stopped = false;
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    try {
      await round(() => stopped);
    } catch (error) {
      onError(error);
    } finally {
      running = null;
    }
  };
  const start = () => {
    running ??= run();
  };
  start();
  const timer = setInterval(start, intervalMs);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
