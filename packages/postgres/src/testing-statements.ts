import assert from 'node:assert/strict';
import { Client } from 'pg';

const leastTries = 6;
const mostTries = 12;

/**
 * Holds that either of two pieces of work sends as many statements to the database: neither waits longer for it than
 * the other, on however busy a machine. What else runs in the process adds to some tries, so the least of several
 * counts.
 *
 * @param besides what matches isn't counted: statements of what the work sets off, which nobody waits for
 * @param one and `other` are given the number of the try, from 0 to 11
 */
export async function assertAsManyStatements(
  besides: RegExp,
  one: (index: number) => Promise<unknown>,
  other: (index: number) => Promise<unknown>,
): Promise<void> {
  const { query } = Client.prototype;
  let sent = 0;
  Client.prototype.query = function counted(this: Client, ...given: [string | { readonly text: string }]) {
    const [statement] = given;
    if (!besides.test(typeof statement === 'string' ? statement : statement.text)) sent++;
    return Reflect.apply(query, this, given);
  } as typeof query;
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  try {
    for (let index = 0; index < leastTries || (index < mostTries && least[0] !== least[1]); index++) {
      for (const [side, work] of [one, other].entries()) {
        sent = 0;
        await work(index);
        least[side] = Math.min(least[side]!, sent);
      }
    }
  } finally {
    Client.prototype.query = query;
  }
  assert.equal(least[0], least[1], 'as many statements');
}
