/** A source of pseudo-random choices that is the same on every machine for the same seed. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** `count` different items, or all where there are fewer, in a random order. */
  sample<T>(items: readonly T[], count: number): T[];
  /** A string of decimal digits, the first of which is not 0. */
  digits(count: number): string;
  /** Upper-case letters without I and O. */
  letters(count: number): string;
  /** A separate source, identified by its name, so that a change in one part of a document leaves the others alone. */
  fork(name: string): Random;
}

/** Makes a source from a seed (sfc32 by Chris Doty-Humphrey, seeded by an FNV-1a hash of the seed's text). */
export function createRandom(seed: string | number): Random {
  let [a, b, c, d] = [hash(`${seed}a`), hash(`${seed}b`), hash(`${seed}c`), 1];
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
  return {
    next,
    integer,
    pick,
    chance: (probability) => next() < probability,
    sample(items, count) {
      const rest = [...items];
      const taken = [];
      while (taken.length < count && rest.length > 0) taken.push(...rest.splice(Math.floor(next() * rest.length), 1));
      return taken;
    },
    digits(count) {
      let text = String(integer(1, 9));
      while (text.length < count) text += integer(0, 9);
      return text.slice(0, count);
    },
    letters(count) {
      let text = '';
      while (text.length < count) text += pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ']);
      return text;
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}
