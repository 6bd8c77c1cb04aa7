import { setTimeout as sleep } from 'node:timers/promises';

/** A test that waits for this long waits for something that doesn't happen, however busy the machine is. */
const longestMs = 90_000;
const pauseMs = 10;

/** What a look returns where there is nothing yet. */
export type Nothing = false | null | undefined;

/**
 * Looks until something is there, and returns it. For tests: what they wait for has no deadline of its own.
 *
 * @param what its name in the error
 * @param look returns it, or false, null or undefined as long as it is not there
 * @throws Error where it is not there within 90 s
 */
export async function eventually<Found>(
  what: string,
  look: () => Found | Promise<Found>,
): Promise<Exclude<Found, Nothing>> {
  for (const endMs = performance.now() + longestMs; performance.now() < endMs; await sleep(pauseMs)) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found as Exclude<Found, Nothing>;
  }
  throw new Error(`Waited ${longestMs / 1000} s in vain for ${what}.`);
}
