import { hostname } from 'node:os';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceContext } from './context.ts';

export interface TracingOptions {
  /** Name of the service, such as `millrace-gateway`. */
  readonly service: string;
  /** URL of an OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** Percentage of the traces that begin here that are recorded. */
  readonly percent: number;
}

export interface TraceSpan {
  /** Whether it is sent to the collector. */
  readonly isRecorded: boolean;
  readonly context: TraceContext;
  /** Ends it, once. */
  end(attributes: Readonly<Record<string, string | number>>, isFailed: boolean): void;
}

export interface Tracing {
  /** @param parent of the same trace; null: a trace begins */
  begin(name: string, kind: 'server' | 'client', parent: TraceContext | null): TraceSpan;
  /** Sends the rest. */
  stop(): Promise<void>;
}

const exportTimeoutMs = 5_000;

/**
 * Records spans and sends them to a collector, some thousand at a time. What it can't deliver is dropped: nothing waits
 * for the collector.
 */
export function startTracing({ service, endpoint, percent }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'host.name': hostname() }),
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
  const tracer = provider.getTracer(service);
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
  return {
    begin(name, kind, parent) {
      const within =
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: kind === 'server' });
      return new RecordedSpan(tracer.startSpan(name, { kind: kinds[kind] }, within));
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
}

class RecordedSpan implements TraceSpan {
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  get isRecorded(): boolean {
    return this.#span.isRecording();
  }

  get context(): TraceContext {
    return this.#span.spanContext();
  }

  end(attributes: Readonly<Record<string, string | number>>, isFailed: boolean): void {
    if (!this.#span.isRecording()) return;
    this.#span.setAttributes(attributes);
    if (isFailed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}
