import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const randomCharacters = 16;

/** Random bytes not used in an identifier yet. Drawing them for many at a time takes a tenth of the time. */
const unused = new Uint8Array(256 * randomCharacters);
let nextUnused = unused.length;

/**
 * A new identifier: the prefix for its kind, `_`, and a ULID in lower-case Crockford base 32
 * (https://github.com/ulid/spec): 10 characters of the time in milliseconds, 16 of randomness. Identifiers with the
 * same prefix sort by creation time.
 */
export function newId<Prefix extends string>(prefix: Prefix, timeMs = Date.now()): `${Prefix}_${string}` {
  let time = '';
  for (let rest = timeMs, digit = 0; digit < 10; digit++) {
    time = alphabet.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  if (nextUnused === unused.length) {
    randomFillSync(unused);
    nextUnused = 0;
  }
  let random = '';
  for (const end = nextUnused + randomCharacters; nextUnused < end; nextUnused++) {
    random += alphabet.charAt(unused[nextUnused]! & 31);
  }
  return `${prefix}_${time}${random}`;
}
