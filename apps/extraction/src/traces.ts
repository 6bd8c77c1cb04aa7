import type { Tracing } from '@millrace/traces';
import { currentTraceparent, inTrace, parseTraceparent, type TraceContext } from '@millrace/traces/context';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Attributes = Readonly<Record<string, string | number>>;

/** How a span ended. Attributes have ids, codes and counts, and nothing of a document, a key or an address. */
export interface SpanEnd {
  readonly attributes: Attributes;
  readonly isFailed: boolean;
}

interface SpanOptions<Result> {
  readonly name: string;
  readonly kind: 'client' | 'consumer';
  /** Of what caused the work earlier, as it was stored; null or without it: the current span's. */
  readonly parent?: string | null;
  /** @param result null where the work threw */
  readonly describe: (result: Result | null) => SpanEnd;
}

/** Traces of what the service does. */
export interface Traces {
  /** Runs work in a span of its own, and passes on its result or error. */
  run<Result>(options: SpanOptions<Result>, work: () => Promise<Result>): Promise<Result>;
  /** A span for each request, with its route and its status; neither its path nor its query. */
  observe(server: FastifyInstance): void;
}

/** Of what nobody traces. */
export const untraced: Traces = { run: (_options, work) => work(), observe: () => {} };

/** @param believes whether a caller's `traceparent` is trusted */
export function createTraces(tracing: Pick<Tracing, 'begin'>, { believes }: { readonly believes: boolean }): Traces {
  return {
    async run({ name, kind, parent = null, describe }, work) {
      const span = tracing.begin(name, kind, parseTraceparent(parent ?? currentTraceparent()));
      try {
        const result = await inTrace(span.context, work);
        const { attributes, isFailed } = describe(result);
        span.end(attributes, isFailed);
        return result;
      } catch (error) {
        span.end(describe(null).attributes, true);
        throw error;
      }
    },
    observe(server) {
      server.addHook('onRequest', (request, reply, done) => {
        const { method } = request;
        const route = request.routeOptions.url ?? 'none';
        // Probes and scrapes come every few seconds, from nobody's trace.
        if (unobserved.has(route)) return done();
        const span = tracing.begin(`${method} ${route}`, 'server', believes ? receivedBy(request) : null);
        if (span.isRecorded) {
          reply.raw.once('close', () => {
            const status = reply.raw.statusCode;
            const isCut = !reply.raw.writableFinished;
            const attributes = {
              'millrace.request.id': request.id,
              'http.request.method': method,
              'http.route': route,
              'http.response.status_code': status,
              ...(status >= 400 || isCut ? { 'error.type': isCut ? 'disconnected' : String(status) } : {}),
            };
            span.end(attributes, status >= 500);
          });
        }
        return inTrace(span.context, done);
      });
    },
  };
}

const unobserved: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

function receivedBy({ headers }: FastifyRequest): TraceContext | null {
  const { traceparent } = headers;
  return parseTraceparent(typeof traceparent === 'string' ? traceparent : null);
}
