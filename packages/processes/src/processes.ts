/** What a process runs until it is stopped. */
export interface Running {
  /** Resolves, with the reason, when it cannot go on. */
  readonly failed: Promise<Error>;
  /** Before a stop by a signal: keeps answering, while callers are asked to go elsewhere, for about a second. */
  drain?(): Promise<void>;
  /** Finishes requests and jobs in progress and closes everything, within about ten seconds. */
  stop(): Promise<void>;
}

const longestStopMs = 10_000;
/** npm passes a terminal's Ctrl-C on to a process that got it from the terminal already. */
const sameInterruptMs = 500;

/**
 * Runs a service as this process: until a signal, which stops it gracefully; until a second Ctrl-C, or ten seconds
 * later, which exit immediately; or until it fails, which is printed and exits with 1.
 *
 * @param starting starts the service; an error is printed and exits with 1. The signal is aborted when the process
 * should stop: a start that may wait for long then closes everything and throws the signal's reason
 * @param announce prints what users need to know, once the service is ready
 */
export async function runProcess<Service extends Running>(
  starting: (ending: AbortSignal) => Promise<Service>,
  announce: (service: Service) => readonly string[],
): Promise<never> {
  const ending = new AbortController();
  try {
    const started = starting(ending.signal);
    stopOnSignals(started, ending);
    const service = await started;
    console.log(`\n${announce(service).join('\n')}\n`);
    const reason = await service.failed;
    console.error(reason.message);
    await service.stop();
  } catch (error) {
    if (ending.signal.aborted && error === ending.signal.reason) process.exit(0);
    console.error(error instanceof Error ? error.message : error);
  }
  process.exit(1);
}

function stopOnSignals(starting: Promise<Running>, ending: AbortController): void {
  let stoppingSinceMs: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSinceMs !== null) {
      if (signal === 'SIGINT' && performance.now() - stoppingSinceMs > sameInterruptMs) process.exit(130);
      return;
    }
    stoppingSinceMs = performance.now();
    ending.abort();
    console.error('\nStopping… (Ctrl-C again to stop immediately)');
    setTimeout(() => {
      console.error('Not everything stopped in time; unfinished work continues after the next start.');
      process.exit(1);
    }, longestStopMs).unref();
    starting
      .then(async (service) => {
        await service.drain?.();
        await service.stop();
      })
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error instanceof Error ? error.message : error);
          process.exit(1);
        },
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Whether there is a process of this number. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
