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
  /** Tells targets of the caller, which only trusted proxies may. */
  toldByProxies: 11,
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
  'x-forwarded-proto': field.toldByProxies,
  'x-forwarded-host': field.toldByProxies,
  'x-forwarded-port': field.toldByProxies,
  'x-forwarded-prefix': field.toldByProxies,
  'x-forwarded-scheme': field.toldByProxies,
  'x-forwarded-ssl': field.toldByProxies,
  'x-forwarded-server': field.toldByProxies,
  'x-real-ip': field.toldByProxies,
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
}
const byLength: (readonly Known[])[] = [];
for (const [name, code] of Object.entries(codes)) {
  byLength[name.length] = [...(byLength[name.length] ?? []), { bytes: Buffer.from(name), code }];
}
for (let length = 0; length < byLength.length; length++) byLength[length] ??= [];

/** Some servers take `_` for `-`: a name that differs in that alone is left out. */
const underscore = 0x5f;

/** What the name at these bytes means to the gateway, one of {@link field}, or 0. */
export function fieldAt(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  if (length >= byLength.length) return 0;
  const candidates = byLength[length]!;
  for (let candidate = 0; candidate < candidates.length; candidate++) {
    const known = candidates[candidate]!;
    let index = 0;
    let hasUnderscore = false;
    // No character of these names is another one's with this bit set, but for letters in upper case.
    for (; index < length; index++) {
      const byte = bytes[start + index]!;
      if ((byte | 0x20) === known.bytes[index]) continue;
      if (byte !== underscore || known.bytes[index] !== 0x2d) break;
      hasUnderscore = true;
    }
    if (index === length) return hasUnderscore ? field.ofConnection : known.code;
  }
  return 0;
}

/** What the name means to the gateway, one of {@link field}, or 0. */
export function fieldNamed(lowerCaseName: string): number {
  return codesByName.get(lowerCaseName) ?? 0;
}

/** Whether a field of that meaning is the gateway's alone to write. */
export function framesMessage(code: number): boolean {
  return (code >= field.host && code <= field.expect) || code >= field.ofConnection;
}
