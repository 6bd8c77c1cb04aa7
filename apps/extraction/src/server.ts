import { EngineError } from '@millrace/engine/errors';
import { operations } from '@millrace/extraction-contract/operations';
import type { Scope } from '@millrace/extraction-contract/scopes';
import { hangUpSignal } from '@millrace/operations/hang-up';
import { createHttpServer, type ErrorAnswers } from '@millrace/operations/http-server';
import { bindOperations, createBodyReader, type Frame, type Handlers } from '@millrace/operations/server';
import { isUnavailable } from '@millrace/postgres/unavailable';
import { addScim } from '@millrace/scim/server';
import type { Settings } from '@millrace/settings/extraction';
import { TooManyWaiting } from '@millrace/sign-in/passwords';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addDashboard, addDashboardPages, type DashboardParts, isDashboardPath } from './dashboard.ts';
import { dashboardOperations } from './dashboard-contracts.ts';
import type { ExtractionDatabase } from './database/schema.ts';
import { createAddressWindows } from './http/address-windows.ts';
import { type Caller, createKeyAuthenticator, keyOf, type RateWindow } from './http/authenticate.ts';
import { ApiError, everyError } from './http/errors.ts';
import { addReference } from './http/reference.ts';
import { addCallLog } from './resources/calls/call-log.ts';
import type { CallRecorder } from './resources/calls/recorder.ts';
import { createTypeCatalog } from './resources/document-types/catalog.ts';
import { documentTypeHandlers } from './resources/document-types/handlers.ts';
import { documentHandlers } from './resources/documents/handlers.ts';
import { createExporter } from './resources/exports/exporter.ts';
import { exportHandlers } from './resources/exports/handlers.ts';
import { type ExtractParts, extractHandlers } from './resources/extract/handlers.ts';
import { healthHandlers } from './resources/health/handlers.ts';
import { addBackChannelLogout } from './resources/identity-provider/back-channel-logout.ts';
import { jobHandlers } from './resources/jobs/handlers.ts';
import { createScimService } from './resources/provisioning/service.ts';

const apiPath = /^\/api\/external\/v1(?:[/?]|$)/;

/** Calls a minute without a valid key from one address. */
const anonymousLimitPerMinute = 120;
/** Of uploads held in memory at once, in files of the largest size. */
const uploadsInMemory = 12;

/** What the server works with. It closes none of it. */
export type ServerParts = ExtractParts &
  Omit<DashboardParts, 'exporter'> & {
    readonly database: ExtractionDatabase;
    readonly settings: Pick<Settings, 'rateLimitPerMinute' | 'publicUrl' | 'trustProxy'>;
    readonly log: FastifyBaseLogger;
    /** Keeps the log of calls. */
    readonly calls: Pick<CallRecorder, 'record'>;
    /** Folder of the built dashboard, which may follow later. */
    readonly dashboardFolder: string;
  };

/**
 * The HTTP server of the extraction API, not listening yet. Every call goes the same way: authenticate and count →
 * read and parse → handle → answer; whatever is thrown on the way is translated by {@link createHttpServer}.
 */
export function createServer(parts: ServerParts): FastifyInstance {
  const { publicUrl } = parts.settings;
  const server = createHttpServer({
    log: parts.log,
    operations: [...operations, ...dashboardOperations],
    errors: errorAnswers,
    publicUrl,
    trustedProxies: parts.settings.trustProxy,
    // Of a file of the largest size by a slow line.
    requestTimeoutMs: 300_000,
    // An unknown path under the API's own counts as a call of it.
    enterUnrouted: async (request, reply) => apiPath.test(request.url) && enter(request, reply),
  });
  const addresses = createAddressWindows(anonymousLimitPerMinute);
  const keys = createKeyAuthenticator(parts.database, parts.settings.rateLimitPerMinute);
  const callLog = addCallLog(server, parts.calls);

  /** Lets a caller in: authenticates, counts, and sets the headers that every response of the API carries. */
  async function enter(request: FastifyRequest, reply: FastifyReply, needed: readonly Scope[] = []): Promise<Caller> {
    const rawKey = keyOf(request.headers);
    const key = rawKey === null ? null : await authenticate(rawKey, request, reply);
    const window = key?.window ?? addresses.count(request.ip);
    setRateHeaders(reply, window);
    if (key) callLog.begin(request, key);
    if (window.used > window.limit) throw new ApiError('rate_limited', { headers: { 'retry-after': waitOf(window) } });
    if (!key) throw new ApiError('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
    if (key.expired)
      throw new ApiError('expired_api_key', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
    if (needed.length > 0 && !needed.some((scope) => key.scopes.includes(scope))) throw insufficientScope(needed);
    return {
      accountId: key.accountId,
      keyId: key.keyId,
      get signal() {
        return hangUpSignal(reply);
      },
    };
  }

  async function authenticate(rawKey: string, request: FastifyRequest, reply: FastifyReply) {
    try {
      return await keys.authenticate(rawKey);
    } catch (cause) {
      setRateHeaders(reply, addresses.count(request.ip));
      throw new ApiError('unavailable', { cause });
    }
  }

  const bodies = createBodyReader({
    jsonSizeBytes: 64 * 1024,
    fileSizeBytes: parts.settings.maxFileSizeBytes,
    uploadMemoryBytes: parts.settings.maxFileSizeBytes * uploadsInMemory,
    idleTimeoutMs: 30_000,
  });
  const frame: Frame<(typeof operations)[number], Caller> = {
    enter: ({ scopes }, request, reply) => enter(request, reply, scopes),
    bodies,
  };
  const exporter = createExporter(parts.database);
  const handlers: Handlers<typeof operations, Caller> = {
    ...healthHandlers,
    ...extractHandlers(parts),
    ...jobHandlers(parts.database),
    ...documentHandlers(parts.database),
    ...exportHandlers(exporter),
    ...documentTypeHandlers(createTypeCatalog(parts.database)),
  };
  bindOperations(server, operations, handlers, frame);
  addBackChannelLogout(server, parts);
  addScim(server, createScimService(parts));
  addDashboard(server, { ...parts, exporter, publicUrl }, bodies);
  addReference(server, publicUrl);
  addDashboardPages(server, parts.dashboardFolder);
  return server;
}

/** The challenge is that of RFC 6750, section 3.1. */
function insufficientScope(needed: readonly Scope[]): ApiError {
  return new ApiError('insufficient_scope', {
    message: `This API key lacks the scope ${needed.join(' or ')}. Use another key, or add the scope in the dashboard.`,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed.join(' ')}"` },
  });
}

function setRateHeaders(reply: FastifyReply, { limit, used, resetSeconds }: RateWindow) {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', Math.max(0, limit - used));
  reply.header('x-ratelimit-reset', resetSeconds);
}

/** Seconds until a window's end, at least one. */
function waitOf({ resetSeconds }: RateWindow) {
  return String(Math.max(1, Math.ceil(resetSeconds - Date.now() / 1000)));
}

const errorAnswers: ErrorAnswers<typeof everyError> = {
  table: everyError,
  codes: {
    bodyTooLarge: 'file_too_large',
    headersTooLarge: 'invalid_request',
    // A request of the dashboard that is not of the type it should be lacks no document.
    wrongContentType: ({ url }) => (isDashboardPath(url) ? 'invalid_request' : 'missing_document'),
  },
  translate(error) {
    if (error instanceof EngineError) return new ApiError(error.code, { message: error.message, cause: error });
    return isUnavailable(error) || error instanceof TooManyWaiting
      ? new ApiError('unavailable', { cause: error })
      : null;
  },
  bodyOf({ code, message, errors }, request) {
    const fields = Object.entries(errors ?? {}).map(([path, text]) => ({ path, message: text }));
    const ofDashboard = request !== null && isDashboardPath(request.url);
    return { error: { code, message, ...(ofDashboard && fields.length > 0 ? { fields } : {}) } };
  },
};
