import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { PublicError, type ServerErrorTable } from '../errors.ts';
import type { AnyOperation } from '../operation.ts';
import { answerBrokenRequests, type BrokenRequest } from './broken-request.ts';
import { isDraining } from './drain.ts';
import { LingeringResponse } from './lingering-response.ts';
import { methodsOf } from './methods.ts';
import { RequestFault, type RequestFaultKind } from './request-fault.ts';

/** From the start of a shutdown to the end of the last connection. */
const closingGraceMs = 6_000;
/** For a year, a browser that reached the service over TLS only uses TLS (RFC 6797). */
const strictTransport = 'max-age=31536000';

const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** How a server responds with errors. */
export interface ErrorAnswers<Table extends ServerErrorTable> {
  readonly table: Table;
  /** Codes of the faults that every server has. */
  readonly codes: {
    readonly bodyTooLarge: keyof Table & string;
    readonly headersTooLarge: keyof Table & string;
    wrongContentType(request: FastifyRequest): keyof Table & string;
  };
  /** What a caught error means, beyond what every server knows; null if nothing in particular. */
  translate(error: unknown): PublicError | null;
  /** The JSON body of a response; there is no request if none could be parsed. */
  bodyOf(error: PublicError, request: FastifyRequest | null): object;
}

export interface HttpServerOptions<Table extends ServerErrorTable> {
  readonly log: FastifyBaseLogger;
  readonly operations: readonly AnyOperation[];
  readonly errors: ErrorAnswers<Table>;
  /** Null if clients reach the service at its own address. */
  readonly publicUrl: string | null;
  /** How many proxies in front of the service are trusted. */
  readonly trustedProxies: number;
  /** For a request to arrive whole. */
  readonly requestTimeoutMs: number;
  /** Whether completed requests are logged at the level for troubleshooting only. */
  isRoutine?(request: FastifyRequest, reply: FastifyReply): boolean;
  /** Runs before a path without an operation is rejected. */
  enterUnrouted?(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/**
 * An HTTP server without routes, not listening yet: its limits, the headers of every response, its log, and the one
 * place that turns thrown errors into responses. The private cause is logged.
 */
export function createHttpServer<Table extends ServerErrorTable>(options: HttpServerOptions<Table>): FastifyInstance {
  const { errors, publicUrl } = options;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = publicErrorOf(errors, error, request);
    if (reply.raw.destroyed) request.log.info('the caller hung up');
    else if (known.status >= 500) request.log.error({ err: error, code: known.code }, 'request failed');
    if (known.code === 'unavailable') reply.header('retry-after', '2');
    const body = errors.bodyOf(known, request);
    return reply.code(known.status).headers(known.headers).type('application/json').send(body);
  };
  const refuseUnrouted = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await options.enterUnrouted?.(request, reply);
    const allowed = methodsOf(options.operations, request.url);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      throw new PublicError('not_found', errors.table.not_found);
    }
    const headers = { allow: allowed.join(', ') };
    throw new PublicError('method_not_allowed', errors.table.method_not_allowed, { headers });
  };
  const addCommonHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
    const isSecure = request.protocol === 'https' || publicUrl?.startsWith('https:') === true;
    if (isSecure) reply.header('strict-transport-security', strictTransport);
  };

  const server: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `req_${randomUUID()}`,
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < options.trustedProxies,
    // A request's headers must arrive within 15 s; a stalled body times out sooner than the whole request.
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 15_000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: 5_000,
      ServerResponse: LingeringResponse,
    },
    routerOptions: { maxParamLength: 200 },
    // Operations validate their own input: without these, Fastify loads two JSON schema compilers at every start.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    clientErrorHandler: answerBrokenRequests((reason) => {
      const broken = brokenRequestError(errors, reason);
      return { status: broken.status, body: errors.bodyOf(broken, null) };
    }),
    // An address that cannot be decoded or has an endless part: no hook has run and no handler follows.
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply);
      void refuseUnrouted(request, reply).catch((error: unknown) => answerError(error, request, reply));
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  server.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    if (isDraining(server)) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const fields = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
    };
    request.log[options.isRoutine?.(request, reply) ? 'debug' : 'info'](fields, 'request');
    done();
  });
  server.addHook('preClose', async () => {
    // Requests in progress get time for their response; callers still sending or waiting after that are cut off.
    setTimeout(() => server.server.closeAllConnections(), closingGraceMs).unref();
  });
  server.setErrorHandler((error: unknown, request, reply) => answerError(error, request, reply));
  server.setNotFoundHandler((request, reply) => refuseUnrouted(request, reply));
  return server;
}

function refuseSchema(): never {
  throw new Error('A route has a JSON schema: describe it as an operation.');
}

function publicErrorOf<Table extends ServerErrorTable>(
  { table, codes, translate }: ErrorAnswers<Table>,
  error: unknown,
  request: FastifyRequest,
): PublicError {
  if (error instanceof PublicError) return error;
  const translated = translate(error);
  if (translated !== null) return translated;
  if (error instanceof RequestFault) {
    const faultCodes = {
      invalid: 'invalid_request',
      file_too_large: codes.bodyTooLarge,
      wrong_content_type: codes.wrongContentType(request),
      timed_out: 'request_timeout',
      aborted: 'invalid_request',
      overloaded: 'unavailable',
    } as const satisfies Record<RequestFaultKind, string>;
    const code = faultCodes[error.kind];
    const { message, errors } = error;
    return new PublicError(code, table[code]!, { message, ...(Object.keys(errors).length > 0 ? { errors } : {}) });
  }
  const { statusCode = 500 } = error as FastifyError;
  if (statusCode === 413) return new PublicError(codes.bodyTooLarge, table[codes.bodyTooLarge]!);
  const code = statusCode < 500 ? 'invalid_request' : 'internal_error';
  return new PublicError(code, table[code]);
}

function brokenRequestError<Table extends ServerErrorTable>(
  { table, codes }: ErrorAnswers<Table>,
  reason: BrokenRequest,
): PublicError {
  switch (reason) {
    case 'timed_out':
      return new PublicError('request_timeout', table.request_timeout);
    case 'headers_too_large':
      return new PublicError(codes.headersTooLarge, table[codes.headersTooLarge]!, {
        message: 'Send fewer or shorter headers.',
      });
    case 'malformed':
      return new PublicError('invalid_request', table.invalid_request, {
        message: 'This is not a valid HTTP request.',
      });
  }
}
