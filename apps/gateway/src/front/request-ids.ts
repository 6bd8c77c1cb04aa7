import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const pairs: string[] = [];
for (const first of alphabet) for (const second of alphabet) pairs.push(first + second);

let prefix = '';
let next = 0;

/** A new id of a request: unique over all gateways, by 80 random bits and a count. */
export function newRequestId(): string {
  if (next === 0) {
    prefix = 'req_';
    for (const byte of randomBytes(16)) prefix += alphabet.charAt(byte & 31);
  }
  const count = next;
  next = (next + 1) & 0x3fff_ffff;
  return prefix + pairs[count >>> 20]! + pairs[(count >>> 10) & 1023]! + pairs[count & 1023]!;
}

/** Whether an id from a proxy in front may be taken over. */
export function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9._:/+=-]{1,128}$/.test(text);
}
