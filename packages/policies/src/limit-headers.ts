import type { Exchange } from './run.ts';

/** A limit as callers are told of it. */
export interface ToldLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When it is whole again, in Unix milliseconds. */
  readonly resetsAtMs: number;
  /** Most requests beyond the limit that all nodes may admit together. */
  readonly bound: number;
}

/** Tells the caller of a limit, unless a tighter one was told already: one with less remaining. */
export function tellLimit(exchange: Exchange, told: ToldLimit): void {
  if (exchange.toldLimit === null || told.remaining < exchange.toldLimit.remaining) exchange.toldLimit = told;
}

/** Headers by which callers are told of a limit, as they are written. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Bound',
] as const;

/** What the headers say, in their order. The reset is in Unix seconds. */
export function limitValues({ limit, remaining, resetsAtMs, bound }: ToldLimit): readonly number[] {
  return [limit, remaining, Math.ceil(resetsAtMs / 1_000), bound];
}

/** Name and value of the header that tells how long to wait: whole seconds, at least one. */
export function retryAfter(waitMs: number): readonly string[] {
  return ['Retry-After', String(Math.max(1, Math.ceil(waitMs / 1_000)))];
}
