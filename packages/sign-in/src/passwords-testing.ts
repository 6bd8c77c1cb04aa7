import assert from 'node:assert/strict';
import { hashPassword } from './passwords.ts';

/**
 * Holds that a call checks a password against a hash, whoever it asks for: it costs this process at least half the
 * processor time of one check, which is the same on a machine that is busy with other things.
 *
 * @param call is given the number of the try, from 0
 */
export async function assertChecksAPassword(call: (index: number) => Promise<unknown>, tries = 6): Promise<void> {
  const check = await leastProcessorMs(() => hashPassword('eight green lanterns'), tries);
  const took = await leastProcessorMs(call, tries);
  assert.ok(took > check / 2, `${took} ms of processor time, where a check of a password takes ${check} ms`);
}

async function leastProcessorMs(work: (index: number) => Promise<unknown>, tries: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < tries; index++) {
    const before = process.cpuUsage();
    await work(index);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
