import { isIP } from 'node:net';

/** A session's cookie. */
export interface SessionCookie {
  readonly name: string;
  /** Whether browsers reach the service over TLS. */
  readonly secure: boolean;
}

/**
 * The cookie's name. Behind TLS it has the prefix that makes browsers accept it from this host only: neither a sibling
 * domain nor someone on an unencrypted connection to one can plant another session.
 */
export function cookieNameOf({ name, secure }: SessionCookie): string {
  return secure ? `__Host-${name}` : name;
}

/** The session token in a request's `Cookie` header; null if there is no well-formed one. */
export function readSessionCookie(header: string | undefined, cookie: SessionCookie): string | null {
  const wanted = cookieNameOf(cookie);
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}

/**
 * The value of `Set-Cookie` for a session's cookie, out of reach of the page's own scripts and of other sites'
 * requests.
 */
export function writeSessionCookie(cookie: SessionCookie, token: string, lifetimeSeconds: number): string {
  const { secure } = cookie;
  return `${cookieNameOf(cookie)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}${secure ? '; Secure' : ''}`;
}

/**
 * Whether a page of another site or of a sibling domain made the browser send a request: it has a foreign `Origin`, or
 * `null`, or `Sec-Fetch-Site` says so. Programs that are not browsers send neither; a browser that sends neither
 * doesn't send a `SameSite=Lax` cookie with a write.
 *
 * @param ownOrigins the service's, as browsers see them
 */
export function isForeignRequest(
  headers: { readonly origin?: string | undefined; readonly 'sec-fetch-site'?: string | undefined },
  ownOrigins: readonly string[],
): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin !== undefined && !ownOrigins.includes(origin)) || (site !== undefined && site !== 'same-origin');
}

/**
 * A service's origins as browsers see them: that of its public URL or, without one, that of the request if its host is
 * an IP address or `localhost`. Other names are not trusted: a malicious page can point its own name here (DNS
 * rebinding), which would then be the request's `Host`.
 *
 * @param request.host with the port
 */
export function ownOriginsOf(
  { protocol, host }: { readonly protocol: string; readonly host: string },
  publicUrl: string | null,
): readonly string[] {
  if (publicUrl !== null) return [new URL(publicUrl).origin];
  const origin = `${protocol}://${host}`;
  const { hostname } = URL.parse(origin) ?? { hostname: '' };
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || hostname === 'localhost' || hostname.endsWith('.localhost') ? [origin] : [];
}
