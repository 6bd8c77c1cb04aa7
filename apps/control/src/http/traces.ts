import type { Tracing } from '@millrace/traces';
import { inTrace, parseTraceparent } from '@millrace/traces/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyControlOperation } from '../frame/operation.ts';

/** Traces of calls. */
export interface CallTraces {
  /** Carries out a call in a span of its own, which ends with the response. */
  trace(
    operation: AnyControlOperation,
    request: FastifyRequest,
    reply: FastifyReply,
    carryOut: () => Promise<FastifyReply>,
  ): Promise<FastifyReply>;
}

/** Of calls that nobody traces. */
export const untraced: CallTraces = { trace: (_operation, _request, _reply, carryOut) => carryOut() };

/**
 * A span for each call, with its operation and its status; neither its path nor its query, which can contain secrets.
 *
 * @param believes whether a call's `traceparent` is trusted
 */
export function createCallTraces(
  tracing: Pick<Tracing, 'begin'>,
  { believes }: { readonly believes: boolean },
): CallTraces {
  return {
    trace(operation, request, reply, carryOut) {
      const { method } = operation;
      const route = request.routeOptions.url ?? '';
      const span = tracing.begin(`${method} ${route}`, 'server', believes ? receivedBy(request) : null);
      if (span.isRecorded) {
        reply.raw.once('close', () => {
          const status = reply.raw.statusCode;
          const isCut = !reply.raw.writableFinished;
          const attributes = {
            'millrace.operation.id': operation.id,
            'millrace.request.id': request.id,
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status,
            ...(status >= 400 || isCut ? { 'error.type': isCut ? 'disconnected' : String(status) } : {}),
          };
          span.end(attributes, status >= 500);
        });
      }
      return inTrace(span.context, carryOut);
    },
  };
}

function receivedBy({ headers }: FastifyRequest) {
  const { traceparent } = headers;
  return parseTraceparent(typeof traceparent === 'string' ? traceparent : null);
}
