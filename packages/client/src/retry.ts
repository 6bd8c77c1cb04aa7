import { ResponseError } from '@millrace/operations/client';

const firstPauseMs = 500;
const longestPauseMs = 20_000;
/** A rate limit's window is a minute; a longer wait has some other cause. */
const longestWaitMs = 90_000;
/** The service works on an upload for at most four minutes while its caller waits. */
const longestProgressMs = 300_000;

/**
 * Retries an attempt: after the reset if it was rate-limited, and after an increasing pause with jitter if it failed
 * temporarily, so that clients that failed together don't retry together. Waiting for the same upload that is still in
 * progress is no failure, so it uses up no retries.
 */
export async function retrying<Result>(
  attempt: () => Promise<Result>,
  { retries, signal }: { readonly retries: number; readonly signal: AbortSignal | undefined },
): Promise<Result> {
  let failures = 0;
  let progressMs = 0;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isWaiting = isInProgress(error) && progressMs < longestProgressMs;
      if (signal?.aborted || (failures >= retries && !isWaiting)) throw error;
      const pauseMs = pauseBeforeRetryMs(error, failures);
      if (pauseMs === null) throw error;
      if (isWaiting) progressMs += pauseMs;
      else failures++;
      await sleep(pauseMs, signal);
    }
  }
}

function isInProgress(error: unknown): boolean {
  return error instanceof ResponseError && error.code === 'idempotency_in_progress';
}

/** @returns null if the same call would fail the same way. */
function pauseBeforeRetryMs(error: unknown, failures: number): number | null {
  const growingMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random());
  // Thrown by `fetch` itself: there was no response.
  if (error instanceof TypeError) return growingMs;
  if (!(error instanceof ResponseError)) return null;
  const { status, headers } = error;
  if (status === 429) return limited(resetMs(headers) + 1_000 * Math.random());
  if (status >= 500 || status === 408 || isInProgress(error))
    return limited(Math.max(growingMs, retryAfterMs(headers)));
  return null;
}

function limited(pauseMs: number) {
  return Math.min(pauseMs, longestWaitMs);
}

/** `Retry-After` uses the service's clock and takes precedence: this machine's clock may be off by minutes. */
function resetMs(headers: Headers): number {
  if (headers.has('retry-after')) return retryAfterMs(headers);
  return Math.max(1_000, Number(headers.get('x-ratelimit-reset') ?? 0) * 1000 - Date.now());
}

function retryAfterMs(headers: Headers): number {
  return Math.max(0, Number(headers.get('retry-after') ?? 0) * 1000) || 0;
}

/** @throws the signal's reason as soon as it is aborted */
export function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
