import { randomFillSync } from 'node:crypto';
import { hostname } from 'node:os';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { isSampled, type TraceContext } from './context.ts';

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
  begin(name: string, kind: 'server' | 'client' | 'consumer', parent: TraceContext | null): TraceSpan;
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
    sampler: new AlwaysOnSampler(),
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
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;
  return {
    begin(name, kind, parent) {
      const isRecorded = parent === null ? Math.random() * 100 < percent : isSampled(parent);
      // Most are not: OpenTelemetry would take a tenth of a gateway's time for them.
      if (!isRecorded) return new UnrecordedSpan(parent?.traceId ?? newId(traceIdBytes));
      const within =
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: kind !== 'client' });
      return new RecordedSpan(tracer.startSpan(name, { kind: kinds[kind] }, within));
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
}

const traceIdBytes = 16;
const spanIdBytes = 8;
const random = Buffer.alloc(8_192);
let randomAt = random.length;

/** Random hexadecimal digits. */
function newId(bytes: number): string {
  if (randomAt + bytes > random.length) {
    randomFillSync(random);
    randomAt = 0;
  }
  randomAt += bytes;
  return random.toString('hex', randomAt - bytes, randomAt);
}

/** Has a place in the trace, so that others that take part in it don't record it either. */
class UnrecordedSpan implements TraceSpan {
  readonly isRecorded = false;
  readonly context: TraceContext;

  constructor(traceId: string) {
    this.context = { traceId, spanId: newId(spanIdBytes), traceFlags: 0 };
  }

  end(): void {}
}

class RecordedSpan implements TraceSpan {
  readonly isRecorded = true;
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  get context(): TraceContext {
    return this.#span.spanContext();
  }

  end(attributes: Readonly<Record<string, string | number>>, isFailed: boolean): void {
    this.#span.setAttributes(attributes);
    if (isFailed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}
