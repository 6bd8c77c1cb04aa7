import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new identifier: the prefix, which says what it names, `_`, and a ULID in lower-case Crockford base 32
 * (https://github.com/ulid/spec): 10 characters of the time in milliseconds, 16 of randomness. Identifiers of one prefix
 * sort by their time of creation.
 */
export function newId<Prefix extends string>(prefix: Prefix, timeMs = Date.now()): `${Prefix}_${string}` {
  let time = '';
  for (let rest = timeMs, digit = 0; digit < 10; digit++) {
    time = alphabet.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = '';
  for (const byte of randomBytes(16)) random += alphabet.charAt(byte & 31);
  return `${prefix}_${time}${random}`;
}
