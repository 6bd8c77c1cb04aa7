import assert from 'node:assert/strict';
import { Client } from 'pg';

const leastTries = 6;
const mostTries = 12;

/**
 * Holds that either of two pieces of work sends as many statements to the database: neither waits longer for it than
 * the other, on however busy a machine. What else runs in the process adds to tries, on a slow machine to all of them,
 * but not the same to each: the statements that every try sends count.
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
  let sent = new Map<string, number>();
  Client.prototype.query = function counted(this: Client, ...given: [string | { readonly text: string }]) {
    const [statement] = given;
    const text = typeof statement === 'string' ? statement : statement.text;
    if (!besides.test(text)) sent.set(text, (sent.get(text) ?? 0) + 1);
    return Reflect.apply(query, this, given);
  } as typeof query;
  const own: Map<string, number>[] = [];
  const areAsMany = () => totalOf(own[0]) === totalOf(own[1]);
  try {
    for (let index = 0; index < leastTries || (index < mostTries && !areAsMany()); index++) {
      for (const [side, work] of [one, other].entries()) {
        sent = new Map();
        await work(index);
        own[side] = own[side] === undefined ? sent : inBoth(own[side], sent);
      }
    }
  } finally {
    Client.prototype.query = query;
  }
  // Where they differ in number, their texts say why.
  if (!areAsMany()) assert.deepEqual(own[0], own[1], 'as many statements');
}

function totalOf(sent: ReadonlyMap<string, number> | undefined): number {
  return [...(sent?.values() ?? [])].reduce((sum, times) => sum + times, 0);
}

function inBoth(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  const times = [...one].map(([text, count]) => [text, Math.min(count, other.get(text) ?? 0)] as const);
  return new Map(times.filter(([, count]) => count > 0));
}
