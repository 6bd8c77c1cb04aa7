import type { Exchange } from './run.ts';

/** A limit as reported to callers. */
export interface ReportedLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When it is fully available again, in Unix milliseconds. */
  readonly resetsAtMs: number;
  /** The most requests beyond the limit that all nodes together may admit. */
  readonly bound: number;
}

/** Reports a limit to the caller, unless one with fewer remaining requests is already reported. */
export function reportLimit(exchange: Exchange, limit: ReportedLimit): void {
  if (exchange.reportedLimit === null || limit.remaining < exchange.reportedLimit.remaining)
    exchange.reportedLimit = limit;
}

/** Headers that report a limit to callers, as they are written. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Bound',
] as const;

/** What the headers say, in their order. The reset is in Unix seconds. */
export function limitValues({ limit, remaining, resetsAtMs, bound }: ReportedLimit): readonly number[] {
  return [limit, remaining, Math.ceil(resetsAtMs / 1_000), bound];
}

/** Name and value of the header with the time to wait: whole seconds, at least one. */
export function retryAfter(waitMs: number): readonly string[] {
  return ['Retry-After', String(Math.max(1, Math.ceil(waitMs / 1_000)))];
}
