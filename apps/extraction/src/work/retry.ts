import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats an attempt that needs the database or the blob store until it succeeds, with growing pauses, for up to two
 * minutes, since either may be restarting. An error that a repetition can't fix is thrown at once, and so is the
 * signal's reason.
 */
export async function retry<Result>(signal: AbortSignal, attempt: () => Promise<Result>): Promise<Result> {
  const endMs = performance.now() + 120_000;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || performance.now() > endMs) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** Whether the same request may succeed later: a broken connection, or PostgreSQL's classes of such conditions. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: connection, rollback, resources, operator, system.
  if (/^[0-9A-Z]{5}$/.test(code)) return /^(08|40|53|57|58)/.test(code);
  return /^E[A-Z]+$/.test(code) || /[Cc]onnection|timeout/.test(error.message);
}
