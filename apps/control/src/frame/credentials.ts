import { readSessionCookie, writeSessionCookie } from '@millrace/sign-in/browsers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Credentials, sessionCookieName } from './authenticate.ts';
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

/** Where a request comes from, as the audit trail keeps it. */
export function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, longestUserAgent),
    cookies: request.headers.cookie ?? '',
  };
}

/** The cookie of a session, as the value of `Set-Cookie`. */
export function sessionCookie(token: string, secure: boolean): string {
  return writeSessionCookie({ name: sessionCookieName, secure }, token, sessionDays * 24 * 3600);
}

/** The cookie that ends the one of {@link sessionCookie} in the browser. */
export function endedSessionCookie(secure: boolean): string {
  return writeSessionCookie({ name: sessionCookieName, secure }, '', 0);
}

export function setSessionCookie(reply: FastifyReply, token: string, secure: boolean): void {
  reply.header('set-cookie', sessionCookie(token, secure));
}
