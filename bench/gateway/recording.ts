import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayOptions } from '@millrace/data-plane/serve';
import { createLogger } from '@millrace/logs';
import { measureLoad } from '../../apps/gateway/src/load.ts';
import { sinkOf } from '../../apps/gateway/src/observe/access-log.ts';
import { startObservation } from '../../apps/gateway/src/observe/observation.ts';
import { createRecentRequests } from '../../apps/gateway/src/observe/recent-requests.ts';
import type { Traces } from '../../apps/gateway/src/observe/traces.ts';
import { createUnitsWarnings } from '../../apps/gateway/src/observe/units-warnings.ts';
import { createUsage } from '../../apps/gateway/src/usage/usage.ts';

/** What the benchmark wants to be recorded: everything, and traces where there is a collector. */
export interface Recording {
  /** Of the journals of usage. */
  readonly folder: string;
  /** Null: no traces. */
  readonly collector: { readonly endpoint: string; readonly percent: number } | null;
}

const flushMs = 5_000;
const otherCore = '1';

/** What a gateway calls for each request. */
export interface Recorder extends Pick<GatewayOptions, 'record'> {
  readonly trace?: Pick<Traces, 'begin'>['begin'];
  /** Delivers the rest. */
  stop(): Promise<void>;
}

/**
 * Everything that a gateway node keeps of its requests. The access log goes to a pipe, which is read and dropped on the
 * other core; batches of usage are only encoded.
 */
export async function startRecording({ folder, collector }: Recording): Promise<Recorder> {
  const logger = createLogger('warn', process.stdout);
  const usage = createUsage({
    dataDirectory: folder,
    flushMs,
    send: async (batch) => void JSON.stringify(batch),
    logger,
  });
  const log = openLog(folder);
  const load = measureLoad();
  const recentRequests = createRecentRequests();
  const warnOfUnits = createUnitsWarnings(logger);
  const observation = await startObservation({
    host: '127.0.0.1',
    port: 0,
    accessLog: sinkOf(log),
    traces: collector === null ? null : { ...collector, believesCallers: false },
    readiness: () => ({ ready: true }),
    sources: {
      connections: () => 0,
      inFlight: () => 0,
      spooledBatches: () => usage.spooledBatches(),
      isUsageDurable: () => usage.failure() === null,
      eventLoopDelayMs: () => load.eventLoopDelayMs(),
    },
  });
  const taking = setInterval(() => recentRequests.take(), flushMs).unref();
  const { traces } = observation;
  return {
    record(record) {
      usage.record(record);
      load.record(record);
      recentRequests.record(record);
      observation.record(record);
      warnOfUnits(record);
    },
    ...(traces === null ? {} : { trace: (traced) => traces.begin(traced) }),
    async stop() {
      clearInterval(taking);
      load.stop();
      await usage.stop();
      await observation.stop();
      closeSync(log);
    },
  };
}

/** A pipe as that of a container's log, which is read on the other core. */
function openLog(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'log');
  execFileSync('mkfifo', [path]);
  spawn('taskset', ['-c', otherCore, 'cat', path], { stdio: 'ignore' });
  return openSync(path, 'w');
}
