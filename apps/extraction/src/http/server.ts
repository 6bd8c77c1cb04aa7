import { randomUUID } from 'node:crypto';
import { EngineError } from '@millrace/engine/errors';
import {
  answerBrokenRequests,
  type BrokenRequest,
  bindOperations,
  createBodyReader,
  type Frame,
  type Handlers,
  LingeringResponse,
  methodsOf,
  RequestFault,
} from '@millrace/operations/server';
import { isUnavailable } from '@millrace/postgres/unavailable';
import { transportHeaders } from '@millrace/sign-in/browsers';
import { TooManyWaiting } from '@millrace/sign-in/passwords';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { operations } from '../contracts.ts';
import { dashboardOperations } from '../dashboard-contracts.ts';
import type { ExtractionDatabase } from '../database/schema.ts';
import type { CallRecorder } from '../resources/calls/recorder.ts';
import { documentHandlers } from '../resources/documents/handlers.ts';
import { type ExtractParts, extractHandlers } from '../resources/extract/handlers.ts';
import { healthHandlers } from '../resources/health/handlers.ts';
import { jobHandlers } from '../resources/jobs/handlers.ts';
import type { Settings } from '../settings.ts';
import { createAddressWindows } from './address-windows.ts';
import { type Caller, createKeyAuthenticator, keyOf, type RateWindow } from './authenticate.ts';
import { addCallLog } from './call-log.ts';
import { addDashboard, addDashboardPages, type DashboardParts, isDashboardPath } from './dashboard.ts';
import { ApiError, type ErrorCode, errors, everyError } from './errors.ts';
import { hangUpSignal } from './hang-up.ts';
import { addReference } from './reference.ts';

const apiPath = /^\/api\/external\/v1(?:[/?]|$)/;

/** Calls a minute without a valid key from one address. */
const anonymousLimitPerMinute = 120;
/** Of uploads held in memory at once, in files of the largest size. */
const uploadsInMemory = 12;

/** From the beginning of a stop to the end of the last connection. */
const closingGraceMs = 6_000;

/** What the server works with. It closes none of it. */
export type ServerParts = ExtractParts &
  DashboardParts & {
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
 * read and parse → handle → answer; whatever is thrown on the way is translated by {@link answerError}.
 */
export function createServer(parts: ServerParts): FastifyInstance {
  const server: FastifyInstance = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `req_${randomUUID()}`,
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < parts.settings.trustProxy,
    // A request's headers must arrive within 15 s and its body within 5 min; a body that stalls is given up sooner.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 15_000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: 5_000,
      ServerResponse: LingeringResponse,
    },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerBrokenRequests(brokenRequest),
    // An address that cannot be decoded or has an endless part: no hook has run and no handler follows.
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply);
      void refuseUnrouted(request, reply).catch((error: unknown) => answerError(error, request, reply));
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const addresses = createAddressWindows(anonymousLimitPerMinute);
  const keys = createKeyAuthenticator(parts.database, parts.settings.rateLimitPerMinute);

  function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
    reply.headers(securityHeaders).headers(transportHeaders(request.protocol, parts.settings.publicUrl));
    reply.header('x-request-id', request.id);
  }

  server.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'request',
    );
    done();
  });
  const callLog = addCallLog(server, parts.calls);
  server.addHook('preClose', async () => {
    // Callers under way get time for their answer; who still sends or waits then is cut off.
    setTimeout(() => server.server.closeAllConnections(), closingGraceMs).unref();
  });
  server.setErrorHandler((error: unknown, request, reply) => answerError(error, request, reply));
  server.setNotFoundHandler((request, reply) => refuseUnrouted(request, reply));

  /** Answers a path that no operation has; under the API's own path it counts as a call of it. */
  async function refuseUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    if (apiPath.test(request.url)) await enter(request, reply);
    const allowed = methodsOf([...operations, ...dashboardOperations], request.url);
    if (allowed.length === 0 || allowed.includes(request.method)) throw new ApiError('not_found');
    throw new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
  }

  /** Lets a caller in: authenticates, counts, and sets the headers that every response of the API carries. */
  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const rawKey = keyOf(request.headers);
    const key = rawKey === null ? null : await authenticate(rawKey, request, reply);
    const window = key?.window ?? addresses.count(request.ip);
    setRateHeaders(reply, window);
    if (key) callLog.begin(request, key);
    if (window.used > window.limit) throw new ApiError('rate_limited', { headers: { 'retry-after': waitOf(window) } });
    if (!key) throw new ApiError('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
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
    enter: (_operation, request, reply) => enter(request, reply),
    bodies,
  };
  const handlers: Handlers<typeof operations, Caller> = {
    ...healthHandlers,
    ...extractHandlers(parts),
    ...jobHandlers(parts.database),
    ...documentHandlers(parts.database),
  };
  bindOperations(server, operations, handlers, frame);
  addDashboard(server, { ...parts, publicUrl: parts.settings.publicUrl }, bodies);
  addReference(server, parts.settings.publicUrl);
  addDashboardPages(server, parts.dashboardFolder);
  return server;
}

const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

function setRateHeaders(reply: FastifyReply, { limit, used, resetSeconds }: RateWindow) {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', Math.max(0, limit - used));
  reply.header('x-ratelimit-reset', resetSeconds);
}

/** Seconds until a window's end, at least one. */
function waitOf({ resetSeconds }: RateWindow) {
  return String(Math.max(1, Math.ceil(resetSeconds - Date.now() / 1000)));
}

const faultCodes = {
  invalid: 'invalid_request',
  file_too_large: 'file_too_large',
  wrong_content_type: 'missing_document',
  timed_out: 'request_timeout',
  aborted: 'invalid_request',
  overloaded: 'unavailable',
} as const satisfies Record<RequestFault['kind'], ErrorCode>;

/** A request of the dashboard that is not of the type it should be lacks no document. */
const dashboardFaultCodes = { ...faultCodes, wrong_content_type: 'invalid_request' } as const;

/** The one translator of everything that is thrown into an answer. The private cause goes to the log. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const ofDashboard = isDashboardPath(request.url);
  const known = knownError(error, ofDashboard ? dashboardFaultCodes : faultCodes);
  const { status } = everyError[known.code];
  if (reply.raw.destroyed) request.log.info('the caller hung up');
  else if (status >= 500) request.log.error({ err: error, code: known.code }, 'request failed');
  if (known.code === 'unavailable') reply.header('retry-after', '2');
  return reply
    .code(status)
    .headers(known.headers)
    .send({
      error: {
        code: known.code,
        message: known.message,
        ...(ofDashboard && known.fields.length > 0 ? { fields: known.fields } : {}),
      },
    });
}

function knownError(error: unknown, codes: Readonly<Record<RequestFault['kind'], ErrorCode>>): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof EngineError) return new ApiError(error.code, { message: error.message });
  if (error instanceof RequestFault) {
    const fields = Object.entries(error.errors).map(([path, message]) => ({ path, message }));
    return new ApiError(codes[error.kind], { message: error.message, fields });
  }
  if (isUnavailable(error) || error instanceof TooManyWaiting) return new ApiError('unavailable');
  const { statusCode = 500 } = error as FastifyError;
  if (statusCode === 413) return new ApiError('file_too_large');
  return new ApiError(statusCode < 500 ? 'invalid_request' : 'internal_error');
}

function brokenRequest(reason: BrokenRequest): { readonly status: number; readonly body: object } {
  const code = reason === 'timed_out' ? 'request_timeout' : 'invalid_request';
  const message = reason === 'headers_too_large' ? 'Send fewer or shorter headers.' : errors[code].message;
  return { status: errors[code].status, body: { error: { code, message } } };
}
