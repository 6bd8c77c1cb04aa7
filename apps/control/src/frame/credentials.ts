import { readSessionCookie, writeSessionCookie } from '@millrace/sign-in/browsers';
import type { FastifyRequest } from 'fastify';
import { type Credentials, portalSessionCookieName, sessionCookieName } from './authenticate.ts';
import type { Origin } from './caller.ts';
import { sessionDays } from './sessions.ts';

const longestUserAgent = 300;

/** The session's cookie and the bearer token of a request, where it has them. */
export function credentialsOf(request: FastifyRequest, secure: boolean): Credentials {
  const { authorization, cookie } = request.headers;
  const bearer = authorization?.match(/^Bearer ([\x21-\x7e]{1,200})$/i)?.[1] ?? null;
  return {
    bearerToken: bearer,
    sessionToken: bearer === null ? readSessionCookie(cookie, { name: sessionCookieName, secure }) : null,
  };
}

/** The token of a request's session of the developer portal, if it has one. */
export function portalTokenOf(request: FastifyRequest, secure: boolean): string | null {
  return readSessionCookie(request.headers.cookie, { name: portalSessionCookieName, secure });
}

/** Where a request comes from, as the audit trail keeps it. */
export function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, longestUserAgent),
    cookies: request.headers.cookie ?? '',
  };
}

/** Whose session a cookie is: the console's or the developer portal's. */
export type SessionKind = 'console' | 'portal';

const cookieNames: Readonly<Record<SessionKind, string>> = {
  console: sessionCookieName,
  portal: portalSessionCookieName,
};

/** The cookie of a session, as the value of `Set-Cookie`. */
export function sessionCookie(token: string, secure: boolean, kind: SessionKind = 'console'): string {
  return writeSessionCookie({ name: cookieNames[kind], secure }, token, sessionDays * 24 * 3600);
}

/** The cookie that ends the one of {@link sessionCookie} in the browser. */
export function endedSessionCookie(secure: boolean, kind: SessionKind = 'console'): string {
  return writeSessionCookie({ name: cookieNames[kind], secure }, '', 0);
}
