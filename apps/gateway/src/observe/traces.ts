import { hostname } from 'node:os';
import type { RequestRecord, RequestTrace } from '@millrace/data-plane/record';
import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

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

const scope = 'millrace-gateway';
const exportTimeoutMs = 5_000;

/** Traces by W3C Trace Context (https://www.w3.org/TR/trace-context/): a span for the request, one in it for the target. */
export function createTraces({ endpoint, percent, believesCallers }: TraceOptions): Traces {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': scope,
      'host.name': hostname(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: 4_096,
        maxExportBatchSize: 512,
        scheduledDelayMillis: 2_000,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer(scope);

  return {
    begin({ connection, request }) {
      const { headers, method } = request;
      const received = believesCallers || connection.isTrusted ? parseTraceparent(headers.get('traceparent')) : null;
      const parent = received === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, received);
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
      const call = span.isRecording()
        ? tracer.startSpan(method, { kind: SpanKind.CLIENT }, trace.setSpan(ROOT_CONTEXT, span))
        : span;
      headers.set('traceparent', traceparentOf(call.spanContext()));
      // It belongs to the trace that the request came with, which only continues if that one is trusted.
      if (received === null) headers.remove('tracestate');
      return { end: (record) => end(span, call, record) };
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
}

function end(span: Span, call: Span, record: RequestRecord): void {
  if (!span.isRecording()) return;
  const { method, path, status, error, target } = record;
  const isFailed = status >= 500;
  if (target !== null) {
    call.setAttributes({
      'http.request.method': method,
      'server.address': target,
      'http.request.resend_count': record.retries,
    });
    if (isFailed) call.setStatus({ code: SpanStatusCode.ERROR });
    call.end();
  }
  span.setAttributes({
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
  });
  if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`;
}

/** Null if invalid; of a later version, the known parts are used. */
function parseTraceparent(text: string | null): SpanContext | null {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text ?? '');
  if (parts === null) return null;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = parts;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}
