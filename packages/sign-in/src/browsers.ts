import { isIP } from 'node:net';

/** A session's cookie. */
export interface SessionCookie {
  readonly name: string;
  /** Whether browsers reach the service by TLS. */
  readonly secure: boolean;
}

/**
 * The cookie's name where it is set. Behind TLS it has the prefix by which browsers take it from this host alone: a
 * sibling domain, or somebody on the line of an unencrypted one, cannot plant another's session.
 */
export function cookieNameOf({ name, secure }: SessionCookie): string {
  return secure ? `__Host-${name}` : name;
}

/** The token of a session in a request's `Cookie` header; null where it has none that may be one. */
export function readSessionCookie(header: string | undefined, cookie: SessionCookie): string | null {
  const wanted = cookieNameOf(cookie);
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}

/**
 * What sets the cookie of a session, out of reach of the page's own scripts and of other sites' requests, as the value
 * of `Set-Cookie`.
 */
export function writeSessionCookie(cookie: SessionCookie, token: string, lifetimeSeconds: number): string {
  const { secure } = cookie;
  return `${cookieNameOf(cookie)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}${secure ? '; Secure' : ''}`;
}

/**
 * Whether another site's page, or a page of a sibling domain, makes the browser send a request: it carries a foreign
 * `Origin`, or `null`, or says so in `Sec-Fetch-Site`. A program that is no browser sends neither; a browser that sends
 * neither sends no cookie of `SameSite=Lax` with a write.
 *
 * @param ownOrigins the service's, as browsers name it
 */
export function isForeignRequest(
  headers: { readonly origin?: string | undefined; readonly 'sec-fetch-site'?: string | undefined },
  ownOrigins: readonly string[],
): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin !== undefined && !ownOrigins.includes(origin)) || (site !== undefined && site !== 'same-origin');
}

/**
 * A service's own origins, as browsers name them: that of its public URL, and without one that of the request, where it
 * names the machine by an address or as `localhost`. Any other name is not believed: a foreign page can make its own name
 * lead here (DNS rebinding), and would be its own `Host` then.
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
