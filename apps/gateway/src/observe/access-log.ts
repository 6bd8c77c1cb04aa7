import { fstatSync, write } from 'node:fs';
import type { RequestRecord } from '@millrace/data-plane/record';

/** The destination of lines; one write at a time. */
export interface LogSink {
  /** Of one write; a longer line is written on its own. */
  readonly maxBytes: number;
  write(bytes: Buffer): Promise<void>;
}

export interface AccessLog {
  record(record: RequestRecord): void;
  /** Lines dropped because the reader was too slow. */
  readonly dropped: number;
  /** Writes the rest, unless the reader is gone. */
  stop(): Promise<void>;
}

const maxBufferedBytes = 1_024 * 1_024;
/**
 * On a pipe, writes of up to PIPE_BUF bytes are never mixed with those of others (POSIX), such as the lines of the
 * service's own log.
 */
const pipeBytes = 4_096;
const fileBytes = 65_536;
const stopMs = 1_000;

/**
 * One line of JSON for each request: no query, no header, no body. It never waits for its reader: unread lines are
 * buffered up to a limit and dropped beyond it.
 */
export function createAccessLog(sink: LogSink): AccessLog {
  /** Complete lines, grouped as they are written. */
  let chunks: { text: string; bytes: number; lines: number }[] = [];
  let bufferedBytes = 0;
  let dropped = 0;
  let unreportedDropped = 0;
  let writing: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (chunks.length > 0) {
      const taken = chunks;
      chunks = [];
      for (const { text, bytes, lines } of taken) {
        await sink.write(Buffer.from(text)).catch(() => {
          // The reader is gone. The next write shows whether it is back.
          dropped += lines;
        });
        bufferedBytes -= bytes;
      }
    }
    writing = null;
  }

  function add(line: string): void {
    const bytes = Buffer.byteLength(line);
    const last = chunks.at(-1);
    if (last !== undefined && last.bytes + bytes <= sink.maxBytes) {
      last.text += line;
      last.bytes += bytes;
      last.lines += 1;
    } else {
      chunks.push({ text: line, bytes, lines: 1 });
    }
    bufferedBytes += bytes;
    // At the end of the turn, with those added by then.
    writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
  }

  return {
    record(record) {
      if (bufferedBytes > maxBufferedBytes) {
        dropped += 1;
        unreportedDropped += 1;
        return;
      }
      if (unreportedDropped > 0) {
        add(`{"time":${timeOf(record.startedAtMs)},"type":"access","dropped":${unreportedDropped}}\n`);
        unreportedDropped = 0;
      }
      add(lineOf(record));
    },
    get dropped() {
      return dropped;
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopMs);
      });
      await Promise.race([writing, late]);
      clearTimeout(timer);
    },
  };
}

/** An open file of the process, such as 1, its standard output, written without blocking the event loop. */
export function sinkOf(file: number): LogSink {
  return {
    maxBytes: fstatSync(file).isFile() ? fileBytes : pipeBytes,
    async write(bytes) {
      for (let start = 0; start < bytes.length; ) {
        start += await new Promise<number>((resolve, reject) => {
          write(file, bytes, start, bytes.length - start, null, (error, written) => {
            if (error === null) resolve(written);
            // A non-blocking pipe whose reader is behind.
            else if (error.code === 'EAGAIN') setTimeout(resolve, 10, 0);
            else reject(error);
          });
        });
      }
    },
  };
}

let timeMs = 0;
let timeText = '';

/** The time as JSON; built once for many requests in one millisecond. */
function timeOf(ms: number): string {
  if (ms !== timeMs) {
    timeMs = ms;
    timeText = `"${new Date(ms).toISOString()}"`;
  }
  return timeText;
}

function lineOf(record: RequestRecord): string {
  const { appId, productId, termId, error, target } = record;
  return `{"time":${timeOf(record.startedAtMs)},"type":"access","requestId":${JSON.stringify(record.requestId)},"method":${JSON.stringify(record.method)},"path":${JSON.stringify(record.path)},"status":${record.status},${grpcStatusOf(record)}"clientAddress":${JSON.stringify(record.clientAddress)},"country":"${record.country}","proxyId":"${record.proxyId}","deploymentId":"${record.deploymentId}","revision":${record.revision},"routeId":"${record.routeId}","appId":${textOf(appId)},"productId":${textOf(productId)},"termId":${textOf(termId)},"error":${textOf(error)},"refused":${record.refused},"limited":${record.limited},"requestBytes":${record.requestBytes},"responseBytes":${record.responseBytes},"microUnits":${record.microUnits},"unitsState":"${record.unitsState}","latencyUs":${record.latencyUs},"targetTimeUs":${record.targetTimeUs},"gatewayTimeUs":${record.gatewayTimeUs},"target":${textOf(target)},"retries":${record.retries}}\n`;
}

/** Most requests are none of gRPC. */
function grpcStatusOf({ grpcStatus }: RequestRecord): string {
  return grpcStatus === null ? '' : `"grpcStatus":${grpcStatus},`;
}

function textOf(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}
