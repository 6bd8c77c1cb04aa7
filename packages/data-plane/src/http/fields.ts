/** Fields that the gateway itself reads, writes or leaves out, found by the bytes of their names. */

/** What a name means to the gateway; 0: nothing. */
export const field = {
  host: 1,
  contentLength: 2,
  transferEncoding: 3,
  connection: 4,
  upgrade: 5,
  expect: 6,
  forwardedFor: 7,
  forwarded: 8,
  via: 9,
  requestId: 10,
  /** Identifies the caller to targets, which only trusted proxies may do. */
  setByProxies: 11,
  /** Belongs to one connection (RFC 9110, section 7.6.1). */
  ofConnection: 12,
  keepAlive: 13,
} as const;

const codes: Readonly<Record<string, number>> = {
  host: field.host,
  'content-length': field.contentLength,
  'transfer-encoding': field.transferEncoding,
  connection: field.connection,
  upgrade: field.upgrade,
  expect: field.expect,
  'x-forwarded-for': field.forwardedFor,
  forwarded: field.forwarded,
  via: field.via,
  'x-request-id': field.requestId,
  'x-forwarded-proto': field.setByProxies,
  'x-forwarded-host': field.setByProxies,
  'x-forwarded-port': field.setByProxies,
  'x-forwarded-prefix': field.setByProxies,
  'x-forwarded-scheme': field.setByProxies,
  'x-forwarded-ssl': field.setByProxies,
  'x-forwarded-server': field.setByProxies,
  'x-real-ip': field.setByProxies,
  'keep-alive': field.keepAlive,
  'proxy-connection': field.ofConnection,
  'proxy-authenticate': field.ofConnection,
  'proxy-authorization': field.ofConnection,
  te: field.ofConnection,
  trailer: field.ofConnection,
  'http2-settings': field.ofConnection,
};

const codesByName = new Map(Object.entries(codes));

interface Known {
  readonly bytes: Uint8Array;
  readonly code: number;
  /** Another one of the same length and first letter. */
  readonly next: Known | null;
}

const longestName = Math.max(...Object.keys(codes).map((name) => name.length));
/** By length and first letter, which distinguish most names. */
const known: (Known | null)[] = Array.from({ length: (longestName + 1) * 32 }, () => null);
for (const [name, code] of Object.entries(codes)) {
  const place = placeOf(name.length, name.charCodeAt(0));
  known[place] = { bytes: Buffer.from(name), code, next: known[place]! };
}

function placeOf(length: number, firstByte: number): number {
  return length * 32 + (firstByte & 0x1f);
}

/** Some servers take `_`, and others any mark, for `-`: a name that differs in that alone is left out. */
const isMark = Uint8Array.from({ length: 256 }, (_, byte) => (/[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? 0 : 1));

/** What the name at these bytes means to the gateway, one of {@link field}, or 0. */
export function fieldAt(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  if (length > longestName) return 0;
  let candidate: Known | null = known[placeOf(length, bytes[start]!)]!;
  for (; candidate !== null; candidate = candidate.next) {
    const name = candidate.bytes;
    let index = 0;
    let hasMark = false;
    // No character of these names is another one's with this bit set, but for letters in upper case.
    for (; index < length; index++) {
      const byte = bytes[start + index]!;
      if ((byte | 0x20) === name[index]) continue;
      if (name[index] !== 0x2d || isMark[byte] === 0) break;
      hasMark = true;
    }
    if (index === length) return hasMark ? field.ofConnection : candidate.code;
  }
  return 0;
}

/**
 * Whether the bytes of a value are this text of lower-case letters, digits and hyphens, whatever the case of their letters.
 * None of these is another character with one bit set, but for letters in upper case and for control characters, which
 * no value holds.
 */
export function isText(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index++) {
    if ((bytes[start + index]! | 0x20) !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** The value of a Content-Length of at most 15 digits; -1 if it is invalid. */
export function lengthAt(bytes: Buffer, start: number, end: number): number {
  if (end === start || end - start > 15) return -1;
  let length = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    length = length * 10 + digit;
  }
  return length;
}

/** What the name means to the gateway, one of {@link field}, or 0. */
export function fieldNamed(lowerCaseName: string): number {
  return codesByName.get(lowerCaseName) ?? 0;
}

/** Whether a field of that meaning is the gateway's alone to write. */
export function framesMessage(code: number): boolean {
  return (code >= field.host && code <= field.expect) || code >= field.ofConnection;
}
