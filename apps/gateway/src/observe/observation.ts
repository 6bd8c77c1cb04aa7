import type { RequestRecord } from '@millrace/data-plane/record';
import { type AccessLog, createAccessLog, type LogSink } from './access-log.ts';
import { startAdminServer } from './admin-server.ts';
import { createMetrics, type MetricSources } from './metrics.ts';
import { createTraces, type TraceOptions, type Traces } from './traces.ts';

export interface ObservationOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Destination of the access log; null: none. */
  readonly accessLog: LogSink | null;
  /** Null: without traces. */
  readonly traces: TraceOptions | null;
  /** Whether callers may be sent here, with details for operators. */
  readiness(): { readonly ready: boolean };
  readonly sources: Omit<MetricSources, 'isReady' | 'droppedLogLines'>;
}

export interface Observation {
  /** Of `/healthz`, `/readyz` and `/metrics`, such as `http://127.0.0.1:4301`. */
  readonly address: string;
  record(record: RequestRecord): void;
  /** Null: without traces. */
  readonly traces: Pick<Traces, 'begin'> | null;
  stop(): Promise<void>;
}

/**
 * Observability of the node: an access log line and a few counters per request, traces of some, and a separate
 * port for health and metrics.
 */
export async function startObservation(options: ObservationOptions): Promise<Observation> {
  const { host, port, readiness } = options;
  const accessLog: AccessLog | null = options.accessLog === null ? null : createAccessLog(options.accessLog);
  const metrics = createMetrics({
    ...options.sources,
    isReady: () => readiness().ready,
    droppedLogLines: () => accessLog?.dropped ?? 0,
  });
  const server = await startAdminServer({ host, port, readiness, metrics });
  const traces = options.traces === null ? null : createTraces(options.traces);
  return {
    address: server.address,
    record(record) {
      metrics.record(record);
      accessLog?.record(record);
    },
    traces,
    async stop() {
      await Promise.all([server.stop(), traces?.stop(), accessLog?.stop()]);
    },
  };
}
