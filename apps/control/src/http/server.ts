import { randomUUID } from 'node:crypto';
import { addBuiltPages } from '@millrace/operations/pages';
import {
  addRoutes,
  answerBrokenRequests,
  type BrokenRequest,
  createBodyReader,
  LingeringResponse,
  methodsOf,
  RequestFault,
  type RequestFaultKind,
} from '@millrace/operations/server';
import { isUnavailable } from '@millrace/postgres/unavailable';
import { ownOriginsOf, transportHeaders } from '@millrace/sign-in/browsers';
import { TooManyWaiting } from '@millrace/sign-in/passwords';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { operations } from '../contracts.ts';
import type { ControlParts } from '../dependencies.ts';
import { createAuthenticate } from '../frame/authenticate.ts';
import { ApiError, type ErrorCode, errors } from '../frame/errors.ts';
import { execute, type FrameParts, type UntypedHandler } from '../frame/execute.ts';
import { createHandlers } from '../handlers.ts';
import { createProductionGate } from '../platform/production-changes/gate.ts';
import { addHealth } from './health.ts';
import { addReference } from './reference.ts';

/** From the beginning of a stop to the end of the last connection. */
const closingGraceMs = 6_000;
const largestBodyBytes = 6 * 1024 * 1024;

export interface ServerParts extends ControlParts {
  readonly frame: Omit<FrameParts, 'authenticate' | 'bodies' | 'ownOrigins' | 'production'>;
  /** Null where clients reach the service at its own address. */
  readonly configuredPublicUrl: string | null;
  readonly trustedProxies: number;
  /** Folder of the built console; null where this process serves none. */
  readonly consoleFolder: string | null;
  /** Whether the installation is making its own data for a first look now. */
  isFilling(): boolean;
}

/**
 * The HTTP server of the management API and the console, not listening yet. Every operation goes through
 * {@link execute}; whatever is thrown on the way is translated by {@link answerError}.
 */
export function createServer(parts: ServerParts): FastifyInstance {
  const server: FastifyInstance = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `req_${randomUUID()}`,
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < parts.trustedProxies,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 15_000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: 5_000,
      ServerResponse: LingeringResponse,
    },
    routerOptions: { maxParamLength: 200 },
    // Operations validate their own input: without these, Fastify loads two compilers of JSON schemas at every start.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    clientErrorHandler: answerBrokenRequests(brokenRequest),
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply);
      answerError(new ApiError('not_found'), request, reply);
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
    reply.headers(securityHeaders).headers(transportHeaders(request.protocol, parts.configuredPublicUrl));
    reply.header('x-request-id', request.id);
  }
  server.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    if (!request.url.includes('%00')) return done();
    done(new ApiError('invalid_request', { message: 'Remove the NUL from the address.' }));
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? null;
    const durationMs = Math.round(reply.elapsedTime);
    // What nodes ask again and again, and what a first start calls by itself, would bury what somebody did.
    const isRoutine = reply.statusCode < 400 && (route?.startsWith('/api/gateway/') || parts.isFilling());
    const fields = { method: request.method, route, status: reply.statusCode, durationMs };
    request.log[isRoutine ? 'debug' : 'info'](fields, 'request');
    done();
  });
  server.addHook('preClose', async () => {
    setTimeout(() => server.server.closeAllConnections(), closingGraceMs).unref();
  });
  server.setErrorHandler((error: unknown, request, reply) => answerError(error, request, reply));
  server.setNotFoundHandler((request) => {
    const allowed = methodsOf(operations, request.url);
    if (allowed.length === 0) throw new ApiError('not_found');
    throw new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
  });

  const frame: FrameParts = {
    ...parts.frame,
    authenticate: createAuthenticate(parts.frame.database),
    production: createProductionGate(parts),
    bodies: createBodyReader({
      jsonSizeBytes: largestBodyBytes,
      fileSizeBytes: 0,
      uploadMemoryBytes: 64 * 1024 * 1024,
      idleTimeoutMs: 30_000,
    }),
    ownOrigins: (request) => ownOriginsOf(request, parts.configuredPublicUrl),
  };
  const handlers = createHandlers(parts) as unknown as Readonly<Record<string, UntypedHandler>>;
  addRoutes(server, operations, (operation, request, reply) =>
    execute(frame, operation, handlers[operation.id]!, request, reply),
  );
  addReference(server, parts.configuredPublicUrl);
  addHealth(server, parts);
  if (parts.consoleFolder !== null) {
    addBuiltPages(server, parts.consoleFolder, {
      isPage: (path) => !/^\/api(?:\/|$)/.test(path),
      absent: 'The console is not built: run npm start.',
    });
  }
  return server;
}

function refuseSchema(): never {
  throw new Error('A route has a JSON schema: describe it as an operation.');
}

const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const faultCodes = {
  invalid: 'invalid_request',
  file_too_large: 'too_large',
  wrong_content_type: 'wrong_content_type',
  timed_out: 'request_timeout',
  aborted: 'invalid_request',
  overloaded: 'unavailable',
} as const satisfies Record<RequestFaultKind, ErrorCode>;

/** The one translator of everything that is thrown into an answer. The private cause goes to the log. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error);
  const { status } = errors[known.code];
  if (reply.raw.destroyed) request.log.info('the caller hung up');
  else if (status >= 500) request.log.error({ err: error, code: known.code }, 'request failed');
  if (known.code === 'unavailable') reply.header('retry-after', '2');
  const data = { message: known.message, ...(known.errors === null ? {} : { errors: known.errors }) };
  return reply.code(status).headers(known.headers).type('application/json').send({ code: status, status: false, data });
}

function knownError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof RequestFault) {
    const { errors: fields } = error;
    return new ApiError(faultCodes[error.kind], {
      message: error.message,
      ...(Object.keys(fields).length > 0 ? { errors: fields } : {}),
    });
  }
  if (isUnavailable(error) || error instanceof TooManyWaiting) return new ApiError('unavailable', { cause: error });
  const status = (error as FastifyError).statusCode;
  if (status === 413) return new ApiError('too_large', { cause: error });
  if (status !== undefined && status >= 400 && status < 500) return new ApiError('invalid_request', { cause: error });
  return new ApiError('internal_error', { cause: error });
}

function brokenRequest(reason: BrokenRequest): { readonly status: number; readonly body: object } {
  const [status, message] = brokenRequests[reason];
  return { status, body: { code: status, status: false, data: { message } } };
}

const brokenRequests = {
  malformed: [400, 'This is not a valid HTTP request.'],
  headers_too_large: [431, 'Send smaller headers.'],
  timed_out: [408, errors.request_timeout.message],
} as const;
