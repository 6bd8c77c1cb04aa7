import type { HeaderList } from './header-list.ts';

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
export function tellLimit(answerHeaders: HeaderList, told: ToldLimit): void {
  const before = answerHeaders.get('x-ratelimit-remaining');
  if (before !== null) {
    if (Number(before) <= told.remaining) return;
    for (const name of limitHeaders) answerHeaders.remove(name);
  }
  answerHeaders.append('X-RateLimit-Limit', String(told.limit));
  answerHeaders.append('X-RateLimit-Remaining', String(told.remaining));
  answerHeaders.append('X-RateLimit-Reset', String(Math.ceil(told.resetsAtMs / 1_000)));
  answerHeaders.append('X-RateLimit-Bound', String(told.bound));
}

/** Headers by which callers are told of a limit. */
export const limitHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-bound',
] as const;

/** Name and value of the header that tells how long to wait: whole seconds, at least one. */
export function retryAfter(waitMs: number): readonly string[] {
  return ['Retry-After', String(Math.max(1, Math.ceil(waitMs / 1_000)))];
}
