import type { RequestRecord } from '@millrace/data-plane/record';
import { Counter, Gauge, Registry } from 'prom-client';

/** Values that are read on request. */
export interface MetricSources {
  connections(): number;
  inFlight(): number;
  spooledBatches(): number;
  /** Whether current counts would survive this process. */
  isUsageDurable(): boolean;
  isReady(): boolean;
  droppedLogLines(): number;
  eventLoopDelayMs(): number;
}

export interface Metrics {
  readonly contentType: string;
  record(record: RequestRecord): void;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
}

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
/** Maximum number of proxies counted separately; later ones are counted together. */
const mostProxies = 500;
const others = 'other';

const durationBoundsUs = [
  1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
  30_000_000, 60_000_000,
];
const ownBoundsUs = [25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 100_000, 1_000_000];

/** Counts requests for Prometheus: a few additions per request; labels are built on request. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const byProxy = new Map<string, Float64Array>();
  const byError = new Map<string, number>();
  const sums = { requestBytes: 0, responseBytes: 0, retries: 0, withoutUnits: 0, unreadableUnits: 0 };

  new Counter({
    name: 'millrace_gateway_requests_total',
    help: 'Completed requests by proxy and status class; proxy "none": no proxy matched.',
    labelNames: ['proxy', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [proxy, counts] of byProxy) {
        for (const [index, status] of classes.entries()) {
          if (counts[index]! > 0) this.inc({ proxy, status }, counts[index]!);
        }
      }
    },
  });
  new Counter({
    name: 'millrace_gateway_errors_total',
    help: 'Requests rejected by the gateway, by error code.',
    labelNames: ['error'],
    registers,
    collect() {
      this.reset();
      for (const [error, count] of byError) this.inc({ error }, count);
    },
  });
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  total('millrace_gateway_request_bytes_total', 'Bytes of requests received.', () => sums.requestBytes);
  total('millrace_gateway_response_bytes_total', 'Bytes of responses sent.', () => sums.responseBytes);
  total('millrace_gateway_retries_total', 'Retries of requests to targets.', () => sums.retries);
  total('millrace_gateway_access_log_dropped_total', 'Dropped lines of the access log.', () =>
    sources.droppedLogLines(),
  );
  total(
    'millrace_gateway_responses_without_units_total',
    'Responses without the header in which the product’s target states units.',
    () => sums.withoutUnits,
  );
  total(
    'millrace_gateway_unreadable_units_total',
    'Responses whose header with units is no decimal of up to nine digits and six fractional digits.',
    () => sums.unreadableUnits,
  );
  const duration = new Durations(
    'millrace_gateway_request_duration_seconds',
    'Time from the head of the request to the end of the response.',
    durationBoundsUs,
  );
  const own = new Durations(
    'millrace_gateway_own_duration_seconds',
    'The same without the target’s time.',
    ownBoundsUs,
  );
  gauge('millrace_gateway_connections', 'Open connections from callers.', () => sources.connections());
  gauge('millrace_gateway_requests_in_flight', 'Requests in flight.', () => sources.inFlight());
  gauge('millrace_gateway_ready', '1 if all assigned revisions are loaded.', () => Number(sources.isReady()));
  gauge('millrace_gateway_usage_batches', 'Usage batches not acknowledged yet.', () => sources.spooledBatches());
  gauge('millrace_gateway_usage_durable', '0 if usage can’t be written to disk.', () =>
    Number(sources.isUsageDurable()),
  );
  gauge(
    'millrace_gateway_event_loop_delay_seconds',
    '99th percentile since the last heartbeat.',
    () => sources.eventLoopDelayMs() / 1_000,
  );
  total('process_cpu_seconds_total', 'CPU time of this process.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss());
  gauge(
    'process_start_time_seconds',
    'Start time of this process, in Unix seconds.',
    () => performance.timeOrigin / 1_000,
  );

  const countsOf = (proxyId: string): Float64Array => {
    const name = proxyId === '' ? 'none' : proxyId;
    const known = byProxy.get(name) ?? (byProxy.size < mostProxies ? undefined : byProxy.get(others));
    if (known !== undefined) return known;
    const counts = new Float64Array(classes.length);
    byProxy.set(byProxy.size < mostProxies ? name : others, counts);
    return counts;
  };

  return {
    contentType: registry.contentType,
    record(record) {
      const { proxyId, status, error, requestBytes, responseBytes, retries, latencyUs, gatewayTimeUs } = record;
      const index = Math.floor(status / 100) - 1;
      countsOf(proxyId)[index >= 0 && index < classes.length ? index : classes.length - 1]! += 1;
      if (error !== null) byError.set(error, (byError.get(error) ?? 0) + 1);
      sums.requestBytes += requestBytes;
      sums.responseBytes += responseBytes;
      sums.retries += retries;
      if (record.unitsState === 'missing') sums.withoutUnits += 1;
      else if (record.unitsState === 'unreadable') sums.unreadableUnits += 1;
      duration.add(latencyUs);
      own.add(gatewayTimeUs);
    },
    text: async () => (await registry.metrics()) + duration.text() + own.text(),
  };
}

/** A Prometheus histogram of whole microseconds, reported in seconds; adding to it costs a few nanoseconds. */
class Durations {
  readonly #name: string;
  readonly #help: string;
  readonly #boundsUs: readonly number[];
  /** By the first bound that is not exceeded; the last is for values above all bounds. */
  readonly #counts: Float64Array;
  #sumUs = 0;

  constructor(name: string, help: string, boundsUs: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#boundsUs = boundsUs;
    this.#counts = new Float64Array(boundsUs.length + 1);
  }

  add(durationUs: number): void {
    const bounds = this.#boundsUs;
    let index = 0;
    while (index < bounds.length && durationUs > bounds[index]!) index += 1;
    this.#counts[index]! += 1;
    this.#sumUs += durationUs;
  }

  /** In the text format of Prometheus. */
  text(): string {
    let count = 0;
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const [index, boundUs] of this.#boundsUs.entries()) {
      count += this.#counts[index]!;
      lines.push(`${this.#name}_bucket{le="${boundUs / 1e6}"} ${count}`);
    }
    count += this.#counts[this.#boundsUs.length]!;
    lines.push(`${this.#name}_bucket{le="+Inf"} ${count}`);
    lines.push(`${this.#name}_sum ${this.#sumUs / 1e6}`, `${this.#name}_count ${count}`, '');
    return lines.join('\n');
  }
}
