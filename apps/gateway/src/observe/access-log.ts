import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import type { HeadWriter } from '@millrace/data-plane/head-writer';
import type { RequestRecord } from '@millrace/data-plane/record';
import { LineWriter } from './log-lines.ts';

/** The destination of lines; one write at a time. */
export interface LogSink {
  /** Of one write; a longer line is written on its own. */
  readonly maxBytes: number;
  /** Writes all at once, or nothing where that would have to wait: {@link LogSink.write} does. */
  writeNow?(bytes: Buffer): boolean;
  /** The bytes are used again afterwards. */
  write(bytes: Buffer): Promise<void>;
  close?(): void;
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

/** Complete lines, as they are written at once. */
interface Chunk {
  readonly bytes: Buffer;
  length: number;
  lines: number;
}

/**
 * One line of JSON for each request: no query, no header, no body. It never waits for its reader: unread lines are
 * buffered up to a limit and dropped beyond it.
 */
export function createAccessLog(sink: LogSink): AccessLog {
  const lines = new LineWriter();
  let chunks: Chunk[] = [];
  /** Memory of chunks that were written. */
  const spare: Buffer[] = [];
  let bufferedBytes = 0;
  let dropped = 0;
  let unreportedDropped = 0;
  let writing: Promise<void> | null = null;
  let isScheduled = false;

  /** Writes what is taken at once; what isn't is waited for. */
  function endTurn(): void {
    isScheduled = false;
    if (writing !== null) return;
    let written = 0;
    try {
      while (written < chunks.length && sink.writeNow?.(contentOf(chunks[written]!)) === true) {
        giveBack(chunks[written++]!);
      }
    } catch {
      dropped += chunks[written]!.lines;
      giveBack(chunks[written++]!);
    }
    chunks.splice(0, written);
    if (chunks.length > 0) writing = drain();
  }

  async function drain(): Promise<void> {
    while (chunks.length > 0) {
      const taken = chunks;
      chunks = [];
      for (const chunk of taken) {
        await sink.write(contentOf(chunk)).catch(() => {
          // The reader is gone. The next write shows whether it is back.
          dropped += chunk.lines;
        });
        giveBack(chunk);
      }
    }
    writing = null;
  }

  function contentOf({ bytes, length }: Chunk): Buffer {
    return bytes.subarray(0, length);
  }

  function giveBack({ bytes, length }: Chunk): void {
    bufferedBytes -= length;
    if (bytes.length === sink.maxBytes) spare.push(bytes);
  }

  function add({ bytes: line, length }: HeadWriter): void {
    let last = chunks.at(-1);
    if (last === undefined || last.length + length > sink.maxBytes) {
      const kept = length > sink.maxBytes ? undefined : spare.pop();
      last = { bytes: kept ?? Buffer.allocUnsafeSlow(Math.max(length, sink.maxBytes)), length: 0, lines: 0 };
      chunks.push(last);
    }
    line.copy(last.bytes, last.length, 0, length);
    last.length += length;
    last.lines += 1;
    bufferedBytes += length;
    if (isScheduled || writing !== null) return;
    isScheduled = true;
    setImmediate(endTurn);
  }

  return {
    record(record) {
      if (bufferedBytes > maxBufferedBytes) {
        dropped += 1;
        unreportedDropped += 1;
        return;
      }
      if (unreportedDropped > 0) {
        add(lines.dropped(record.startedAtMs, unreportedDropped));
        unreportedDropped = 0;
      }
      add(lines.request(record));
    },
    get dropped() {
      return dropped;
    },
    async stop() {
      endTurn();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopMs);
      });
      await Promise.race([writing, late]);
      clearTimeout(timer);
      sink.close?.();
    },
  };
}

/** An open file of the process, such as 1, its standard output, written without blocking the event loop. */
export function sinkOf(file: number): LogSink {
  const stats = fstatSync(file);
  const pipe = stats.isFIFO() ? openWithoutWaiting(file) : null;
  return {
    maxBytes: stats.isFile() ? fileBytes : pipeBytes,
    writeNow(bytes) {
      // A pipe takes longer ones in parts.
      if (pipe === null || bytes.length > pipeBytes) return false;
      try {
        writeSync(pipe, bytes);
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false;
        throw error;
      }
    },
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
    close() {
      if (pipe !== null) closeSync(pipe);
    },
  };
}

/**
 * The same pipe once more, with writes that fail rather than wait. The process's own is shared with others, who would
 * meet such failures too. To write at once takes a tenth of the time of another thread's write.
 *
 * @returns null where the system has no such files, or doesn't allow it
 */
function openWithoutWaiting(file: number): number | null {
  try {
    return openSync(`/proc/self/fd/${file}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}
