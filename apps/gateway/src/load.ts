import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestRecord } from '@millrace/data-plane/record';
import type { Heartbeat } from '@millrace/gateway-configuration/reports';

/** The node's load, for its heartbeats. */
export interface Load {
  record(record: RequestRecord): void;
  metrics(): Pick<
    Heartbeat['metrics'],
    'cpuPercent' | 'memoryBytes' | 'requestsPerSecond' | 'errorsPerSecond' | 'eventLoopDelayMs'
  >;
  /** 99th percentile since the last {@link Load.metrics}, in milliseconds. */
  eventLoopDelayMs(): number;
  stop(): void;
}

const seconds = 10;
const delayResolutionMs = 20;

/** Counts requests and errors (5xx) of the last ten seconds, and measures this process. */
export function measureLoad(): Load {
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  delay.enable();
  const requests = new Uint32Array(seconds);
  const errors = new Uint32Array(seconds);
  let second = 0;
  let cpu = process.cpuUsage();
  let measuredMs = performance.now();
  const timer = setInterval(() => {
    second = (second + 1) % seconds;
    requests[second] = 0;
    errors[second] = 0;
  }, 1_000).unref();

  const delayMs = (): number => {
    const measuredDelayMs = delay.percentile(99) / 1e6 - delayResolutionMs;
    return Number.isFinite(measuredDelayMs) ? Math.max(0, measuredDelayMs) : 0;
  };

  return {
    record({ status }) {
      requests[second]! += 1;
      if (status >= 500) errors[second]! += 1;
    },
    metrics() {
      const nowMs = performance.now();
      const used = process.cpuUsage(cpu);
      const cpuPercent = (used.user + used.system) / 10 / Math.max(1, nowMs - measuredMs);
      cpu = process.cpuUsage();
      measuredMs = nowMs;
      const eventLoopDelayMs = delayMs();
      delay.reset();
      return {
        cpuPercent,
        memoryBytes: process.memoryUsage.rss(),
        requestsPerSecond: sum(requests) / seconds,
        errorsPerSecond: sum(errors) / seconds,
        eventLoopDelayMs,
      };
    },
    eventLoopDelayMs: delayMs,
    stop() {
      clearInterval(timer);
      delay.disable();
    },
  };
}

function sum(counts: Uint32Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
