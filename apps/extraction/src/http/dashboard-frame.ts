import type { AnyOperation } from '@millrace/operations';
import { hangUpSignal } from '@millrace/operations/hang-up';
import { isForeignRequest, ownOriginsOf, readSessionCookie } from '@millrace/sign-in/browsers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExtractionDatabase } from '../database/schema.ts';
import { createAddressWindows } from './address-windows.ts';
import type { RateWindow } from './authenticate.ts';
import type { DashboardCaller, Visitor } from './dashboard-caller.ts';
import { dashboardCookie, setDashboardCookie } from './dashboard-cookie.ts';
import type { DashboardRole } from './dashboard-operation.ts';
import { sessions } from './dashboard-sessions.ts';
import { ApiError } from './errors.ts';

/** Calls a minute with one session, in this process: a page with a hundred pictures is one click. */
const sessionLimitPerMinute = 1_200;
/** Calls a minute without a session from one address, in this process. */
const visitorLimitPerMinute = 120;
const longestUserAgent = 300;

/** Lets callers of the dashboard's operations in. */
export interface DashboardFrame {
  /** origin → session → rate → role. Sets the session's cookie where its token has changed. */
  enter(
    operation: AnyOperation & { readonly role: DashboardRole },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<DashboardCaller>;
  /** origin → rate. */
  enterAsVisitor(request: FastifyRequest): Promise<Visitor>;
}

/** @param parts.secureCookies whether browsers reach the service by TLS */
export function createDashboardFrame(parts: {
  readonly database: ExtractionDatabase;
  /** The address that browsers see, if the service is behind a proxy. */
  readonly publicUrl: string | null;
  readonly secureCookies: boolean;
}): DashboardFrame {
  const { secureCookies } = parts;
  const cookie = dashboardCookie(secureCookies);
  const findSession = sessions.authenticator<{ role: DashboardRole }>(parts.database, {
    columns: 'u.role',
    condition: 'u.disabled_at is null and u.removed_at is null',
  });
  const sessionWindows = createAddressWindows(sessionLimitPerMinute);
  const visitors = createAddressWindows(visitorLimitPerMinute);
  const tokenOf = (request: FastifyRequest) => readSessionCookie(request.headers.cookie, cookie);

  /** A write has to say that a page of this service sends it. */
  function refuseForeign(request: FastifyRequest): void {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const { origin, 'sec-fetch-site': site } = request.headers;
    const ownOrigins = ownOriginsOf(request, parts.publicUrl);
    const headers = { origin, 'sec-fetch-site': typeof site === 'string' ? site : undefined };
    if ((origin === undefined && site === undefined) || isForeignRequest(headers, ownOrigins)) {
      throw new ApiError('forbidden', {
        message: 'Send this from the dashboard’s own pages, at the address in MILLRACE_PUBLIC_URL.',
      });
    }
  }

  return {
    async enter(operation, request, reply) {
      refuseForeign(request);
      const token = tokenOf(request);
      const found = token === null ? null : await findSession(token);
      if (found === null) {
        refuseTooMany(visitors.count(request.ip));
        throw new ApiError('not_signed_in');
      }
      const { newToken, session } = found;
      if (newToken !== null) reply.header('set-cookie', setDashboardCookie(newToken, secureCookies));
      refuseTooMany(sessionWindows.count(session.session_id));
      const { tenant_id: accountId, user_id: userId, session_id: sessionId, role } = session;
      if (operation.role === 'administrator' && role !== 'administrator') throw new ApiError('forbidden');
      return { accountId, userId, role, sessionId, signal: hangUpSignal(reply) };
    },

    async enterAsVisitor(request) {
      refuseForeign(request);
      refuseTooMany(visitors.count(request.ip));
      return {
        address: request.ip,
        userAgent: (request.headers['user-agent'] ?? '').slice(0, longestUserAgent),
        sessionToken: tokenOf(request),
        cookies: request.headers.cookie ?? '',
      };
    },
  };
}

function refuseTooMany({ limit, used, resetSeconds }: RateWindow): void {
  if (used <= limit) return;
  refuseFor(Math.max(1, Math.ceil(resetSeconds - Date.now() / 1_000)), 'Too many calls');
}

/** @throws ApiError `rate_limited` where there are seconds to wait */
export function refuseFor(seconds: number, reason: string): void {
  if (seconds > 0) throw tooSoon(seconds, reason);
}

/** `rate_limited` with the time to wait. */
export function tooSoon(seconds: number, reason: string): ApiError {
  return new ApiError('rate_limited', {
    message: `${reason}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    headers: { 'retry-after': String(seconds) },
  });
}
