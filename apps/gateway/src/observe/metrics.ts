import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestRecord } from '../usage/record.ts';

/** What is read when somebody asks. */
export interface MetricSources {
  connections(): number;
  inFlight(): number;
  spooledBatches(): number;
  /** Whether what is counted now would outlive this process. */
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
/** Proxies that are told one by one; those that come later are told together. */
const mostProxies = 500;
const others = 'other';

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const ownSecondsBuckets = [0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.1, 1];

/** Counts requests for Prometheus: of each request a few additions; labels are made when somebody asks. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const byProxy = new Map<string, Float64Array>();
  const byError = new Map<string, number>();
  const sums = { requestBytes: 0, responseBytes: 0, retries: 0 };

  new Counter({
    name: 'millrace_gateway_requests_total',
    help: 'Requests that have ended, by proxy and class of status; proxy "none": no proxy was matched.',
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
    help: 'Requests that the gateway itself refused, by the code of the error.',
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
  total('millrace_gateway_request_bytes_total', 'Bytes of requests.', () => sums.requestBytes);
  total('millrace_gateway_response_bytes_total', 'Bytes of answers.', () => sums.responseBytes);
  total('millrace_gateway_retries_total', 'Further attempts at a target.', () => sums.retries);
  total('millrace_gateway_access_log_dropped_total', 'Lines of the access log that nobody took.', () =>
    sources.droppedLogLines(),
  );
  const duration = new Histogram({
    name: 'millrace_gateway_request_duration_seconds',
    help: 'From the head of the request to the end of the answer.',
    buckets: secondsBuckets,
    registers,
  });
  const own = new Histogram({
    name: 'millrace_gateway_own_duration_seconds',
    help: 'The same without the time of the target.',
    buckets: ownSecondsBuckets,
    registers,
  });
  gauge('millrace_gateway_connections', 'Open connections of callers.', () => sources.connections());
  gauge('millrace_gateway_requests_in_flight', 'Requests under way.', () => sources.inFlight());
  gauge('millrace_gateway_ready', '1 where all assigned revisions are loaded.', () => Number(sources.isReady()));
  gauge('millrace_gateway_usage_batches', 'Batches of usage that are not acknowledged.', () =>
    sources.spooledBatches(),
  );
  gauge('millrace_gateway_usage_durable', '0 where usage cannot be written to the disk.', () =>
    Number(sources.isUsageDurable()),
  );
  gauge(
    'millrace_gateway_event_loop_delay_seconds',
    '99th percentile since the last heartbeat.',
    () => sources.eventLoopDelayMs() / 1_000,
  );
  total('process_cpu_seconds_total', 'Processor time of this process.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss());
  gauge(
    'process_start_time_seconds',
    'When this process began, in Unix seconds.',
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
    record({ proxyId, status, error, requestBytes, responseBytes, retries, latencyUs, gatewayTimeUs }) {
      const index = Math.floor(status / 100) - 1;
      countsOf(proxyId)[index >= 0 && index < classes.length ? index : classes.length - 1]! += 1;
      if (error !== null) byError.set(error, (byError.get(error) ?? 0) + 1);
      sums.requestBytes += requestBytes;
      sums.responseBytes += responseBytes;
      sums.retries += retries;
      duration.observe(latencyUs / 1e6);
      own.observe(gatewayTimeUs / 1e6);
    },
    text: () => registry.metrics(),
  };
}
