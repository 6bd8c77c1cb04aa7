/** Work in the background that is done again and again. */
export interface Rounds {
  /** Starts a round now, or another when the one in progress ends: it may have begun before there was something to do. */
  wake(): void;
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
  let isRunning = false;
  let isWoken = false;
  let running = Promise.resolve();
  const run = async (): Promise<void> => {
    isRunning = true;
    do {
      isWoken = false;
      await attempt(() => round(() => stopped), onError);
    } while (isWoken && !stopped);
    isRunning = false;
  };
  const start = () => {
    if (!isRunning) running = run();
  };
  start();
  const timer = setInterval(start, intervalMs);
  timer.unref();
  return {
    wake: () => {
      if (stopped) return;
      isWoken = true;
      start();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Does what may fail without ending what comes after it. */
export async function attempt(work: () => Promise<unknown>, onError: (error: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    onError(error);
  }
}
