/** What a request line asks for, in the one spelling that routes, policies and targets see. */

const refused = 0;
const plain = 1;
const slash = 2;
/** Makes the slow way necessary: escapes, and dots at the beginning of a segment. */
const percent = 3;
const dot = 4;
const semicolon = 5;

const pathBytes = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$&'()*+,;=:@") {
  pathBytes[character.charCodeAt(0)] = plain;
}
pathBytes[0x2f] = slash;
pathBytes[0x25] = percent;
pathBytes[0x2e] = dot;
pathBytes[0x3b] = semicolon;

export interface RequestTarget {
  /** Percent-encoded, with escapes only where there must be one, without the query. */
  path: string;
  /** Without its question mark. */
  query: string;
  /** Of a target in absolute form; null: it names none. */
  authority: string | null;
}

/**
 * Parses a request target in origin or absolute form. Rejects what servers parse in more than one way, so that the
 * target could see another path than the one that was checked: segments that are `.` or `..`, plain, escaped or with
 * parameters; segments that are empty or only parameters; escaped or wrong slashes; escapes of control characters, of
 * their escapes, and of invalid UTF-8; and everything that RFC 3986 doesn't allow in paths.
 *
 * @returns false if it is rejected
 */
export function readTarget(bytes: Buffer, start: number, end: number, into: RequestTarget): boolean {
  into.authority = null;
  if (bytes[start] !== 0x2f) {
    const written = bytes.toString('latin1', start, end);
    const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(written) ?? [];
    if (authority === undefined) return false;
    const origin = Buffer.from(rest.startsWith('/') ? rest : `/${rest}`, 'latin1');
    const readable = readTarget(origin, 0, origin.length, into);
    into.authority = authority;
    return readable;
  }
  let isCanonical = true;
  let before = 0;
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x3f) break;
    const kind = pathBytes[byte]!;
    if (kind === refused || (before === slash && (kind === slash || kind === semicolon))) return false;
    if (kind === percent || (kind === dot && before === slash)) isCanonical = false;
    before = kind;
  }
  for (let rest = at; rest < end; rest++) {
    const byte = bytes[rest]!;
    if (byte <= 0x20 || byte >= 0x7f || byte === 0x23) return false;
  }
  const path = bytes.toString('latin1', start, at);
  into.query = at < end ? bytes.toString('latin1', at + 1, end) : '';
  if (isCanonical) {
    into.path = path;
    return true;
  }
  const canonical = canonicalPath(path);
  if (canonical === null) return false;
  into.path = canonical;
  return true;
}

function canonicalPath(path: string): string | null {
  try {
    decodeURIComponent(path);
  } catch {
    return null;
  }
  if (/%(?:[01][0-9a-f]|7f|2f|5c|25(?:2e|2f|5c|25|[01][0-9a-f]))/i.test(path)) return null;
  const canonical = path.replace(/%[0-9A-Fa-f]{2}/g, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : written.toUpperCase();
  });
  const hidesDots = canonical.split('/').some((segment) => /^(?:\.\.?(?:;|%3B|$)|;|%3B)/.test(segment));
  return hidesDots ? null : canonical;
}
