import type { FastifyReply, FastifyRequest } from 'fastify';
import { absoluteDays, type Credentials, sessionCookieNameFor } from './authenticate.ts';
import type { Origin } from './caller.ts';

const longestUserAgent = 300;

/** The session's cookie and the bearer token of a request, where it has them. */
export function credentialsOf(request: FastifyRequest, secure: boolean): Credentials {
  const { authorization, cookie } = request.headers;
  const bearer = authorization?.match(/^Bearer ([\x21-\x7e]{1,200})$/i)?.[1] ?? null;
  return {
    bearerToken: bearer,
    sessionToken: bearer === null ? cookieOf(cookie ?? '', sessionCookieNameFor(secure)) : null,
  };
}

function cookieOf(header: string, wanted: string): string | null {
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined && /^[\w-]{20,100}$/.test(value)) return value;
  }
  return null;
}

/** Where a request comes from, as the audit trail keeps it. */
export function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, longestUserAgent),
  };
}

/** The cookie of a session, out of reach of the page's own scripts and of other sites' requests. */
export function sessionCookie(token: string, secure: boolean): string {
  const lifetimeSeconds = absoluteDays * 24 * 3600;
  return `${sessionCookieNameFor(secure)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}${secure ? '; Secure' : ''}`;
}

/** The cookie that ends the one of {@link sessionCookie} in the browser. */
export function endedSessionCookie(secure: boolean): string {
  return `${sessionCookieNameFor(secure)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure ? '; Secure' : ''}`;
}

export function setSessionCookie(reply: FastifyReply, token: string, secure: boolean): void {
  reply.header('set-cookie', sessionCookie(token, secure));
}
