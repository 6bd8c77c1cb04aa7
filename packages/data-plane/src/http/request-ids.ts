import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const pairs: string[] = [];
for (const first of alphabet) for (const second of alphabet) pairs.push(first + second);

/** The random part, and with the upper digits of the count, which few ids differ in. */
let random = '';
let prefix = '';
let next = 0;

/** An id in two parts: most ids are only written to heads, and to join them costs more than to write both. */
export interface RequestId {
  idBegin: string;
  idEnd: string;
}

/** Gives the request a new id: unique over all gateways, by 80 random bits and a count. */
export function setRequestId(request: RequestId): void {
  const count = next;
  next = (next + 1) & 0x3fff_ffff;
  if (count === 0) {
    random = 'req_';
    for (const byte of randomBytes(16)) random += alphabet.charAt(byte & 31);
  }
  if ((count & 1023) === 0) prefix = random + pairs[count >>> 20]! + pairs[(count >>> 10) & 1023]!;
  request.idBegin = prefix;
  request.idEnd = pairs[count & 1023]!;
}

/** Takes over the id that a trusted proxy in front has given the request, where it is one. */
export function adoptRequestId(request: RequestId, received: string | null): void {
  if (received === null || !/^[A-Za-z0-9._:/+=-]{1,128}$/.test(received)) return;
  request.idBegin = received;
  request.idEnd = '';
}
