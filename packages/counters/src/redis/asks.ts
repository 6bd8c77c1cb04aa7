import type { Counted } from '../counters.ts';
import { encodeArgument, inOnePiece } from './protocol.ts';

/** A request that waits until Redis has been asked. */
export interface Waiter {
  resolve(counted: Counted): void;
  reject(error: Error): void;
}

/** More in one script would keep Redis from others for longer than a request takes. */
const maxKeysPerScript = 128;

/**
 * What is asked, in as many parts as it takes scripts, each about keys of one part.
 *
 * @param parts of the keys, see {@link RedisServers}
 */
export function* perScript<Ask>(
  asks: readonly Ask[],
  parts: number,
  partOf: (ask: Ask) => number,
  keysPerAsk = 1,
): Generator<readonly Ask[]> {
  const most = maxKeysPerScript / keysPerAsk;
  const together = parts === 1 ? [asks] : Map.groupBy(asks, partOf).values();
  for (const group of together) {
    for (let first = 0; first < group.length; first += most) yield group.slice(first, first + most);
  }
}

/** The name of a key as it goes over the wire: any text becomes UTF-8, one byte per character. */
export function encodeKey(name: string): string {
  return inOnePiece(encodeArgument(/^[\x20-\x7e]*$/.test(name) ? name : Buffer.from(name).toString('latin1')));
}

/** Admits or refuses those that wait, in the order in which they came. */
export function settle(
  waiters: readonly Waiter[],
  admitted: number,
  /** Left after the last that is admitted. */
  remaining: number,
  retryAfterMs: number,
): void {
  for (let index = 0; index < waiters.length; index++) {
    waiters[index]!.resolve(countedAs(index, admitted, remaining, retryAfterMs));
  }
}

/** How one of those that wait is counted: see {@link settle}. */
export function countedAs(index: number, admitted: number, remaining: number, retryAfterMs: number): Counted {
  if (index >= admitted) return { admitted: false, remaining: 0, retryAfterMs };
  const left = remaining + admitted - 1 - index;
  return { admitted: true, remaining: left, retryAfterMs: left > 0 ? 0 : retryAfterMs };
}
