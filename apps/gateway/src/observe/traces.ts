import type { RequestRecord, RequestTrace } from '@millrace/data-plane/record';
import { startTracing, type TraceSpan } from '@millrace/traces';
import { parseTraceparent, traceparentOf } from '@millrace/traces/context';

export interface TraceOptions {
  /** URL of an OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** Percentage of the requests without a trusted trace that are traced. */
  readonly percent: number;
  /** Whether traces of any caller are trusted, not only those of trusted proxies. */
  readonly believesCallers: boolean;
}

/** What is needed from a request. */
interface TracedRequest {
  readonly connection: { readonly isTrusted: boolean };
  readonly request: {
    readonly method: string;
    readonly headers: {
      get(name: string): string | null;
      set(name: string, value: string): void;
      remove(name: string): void;
    };
  };
}

export interface Traces {
  /** Starts the trace of a request, and sets the `traceparent` for its target. */
  begin(traced: TracedRequest): RequestTrace;
  /** Sends the rest. */
  stop(): Promise<void>;
}

/** Traces of requests: a span for each, and one in it for its target. */
export function createTraces({ endpoint, percent, believesCallers }: TraceOptions): Traces {
  const tracing = startTracing({ service: 'millrace-gateway', endpoint, percent });
  return {
    begin({ connection, request }) {
      const { headers, method } = request;
      const received = believesCallers || connection.isTrusted ? parseTraceparent(headers.get('traceparent')) : null;
      const span = tracing.begin(method, 'server', received);
      const call = span.isRecorded ? tracing.begin(method, 'client', span.context) : span;
      headers.set('traceparent', traceparentOf(call.context));
      // It belongs to the trace that the request came with, which only continues if that one is trusted.
      if (received === null) headers.remove('tracestate');
      return { end: (record) => end(span, call, record) };
    },
    stop: () => tracing.stop(),
  };
}

function end(span: TraceSpan, call: TraceSpan, record: RequestRecord): void {
  if (!span.isRecorded) return;
  const { method, path, status, error, target } = record;
  const isFailed = status >= 500;
  if (target !== null) {
    const attributes = {
      'http.request.method': method,
      'server.address': target,
      'http.request.resend_count': record.retries,
    };
    call.end(attributes, isFailed);
  }
  const attributes = {
    'http.request.method': method,
    'url.path': path,
    'http.response.status_code': status,
    'http.request.body.size': record.requestBytes,
    'http.response.body.size': record.responseBytes,
    'client.address': record.clientAddress,
    'millrace.request.id': record.requestId,
    'millrace.proxy.id': record.proxyId,
    'millrace.revision': record.revision,
    'millrace.route.id': record.routeId,
    ...(record.appId === null ? {} : { 'millrace.app.id': record.appId }),
    ...(error === null ? {} : { 'error.type': error }),
  };
  span.end(attributes, isFailed);
}
