/**
 * How Node reads from a TCP socket and writes to it below its streams. A stream's own write costs about as much as the
 * system's: request objects, ticks and callbacks for a write that the system takes at once. Node has no public way around
 * it; this is the binding that its `net` uses (lib/internal/stream_base_commons.js, src/stream_base.cc of Node 24), and
 * whoever asks for it falls back on the stream where it is not there.
 */
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A write that the system has not taken whole at once. It belongs to the handle until it is complete. */
export interface WriteRequest {
  oncomplete: ((status: number) => void) | null;
  /** Kept from the garbage collector until it is written. */
  bytes: Buffer | null;
}

/** What a TCP socket is to Node's core. */
export interface RawHandle {
  /**
   * Called for what was read into the socket's `onread` buffer, and for its end; a buffer that it returns is read into
   * from then on.
   */
  onread: (this: RawHandle, bytes: unknown) => unknown;
  reading: boolean;
  readStop(): number;
  /** Returns 0, or a system error as a negative number. Whether the rest is still pending: {@link RawStreams.isPending}. */
  writeBuffer(request: WriteRequest, bytes: Buffer): number;
}

interface RawStreams {
  newRequest(): WriteRequest;
  /** Whether the last write of this process was not taken whole at once. */
  isPending(): boolean;
  /** Of the read that `onread` is called for; an error, or the end, where it is not above 0. */
  readBytes(): number;
}

/** Null where this Node has no such binding. */
export const rawStreams = loadRawStreams(Reflect.get(process, 'binding'));

/** The handle of a connected socket; null where it has none, or one that encrypts. */
export function rawHandleOf(socket: Socket): RawHandle | null {
  if (rawStreams === null || socket instanceof TLSSocket) return null;
  const handle: unknown = Reflect.get(socket, '_handle');
  return isRawHandle(handle) ? handle : null;
}

function isRawHandle(handle: unknown): handle is RawHandle {
  return (
    typeof handle === 'object' &&
    handle !== null &&
    ['writeBuffer', 'onread', 'readStop'].every((name) => typeof Reflect.get(handle, name) === 'function')
  );
}

/**
 * Makes a socket over the handle of an accepted one, which reads into one buffer: to read otherwise allocates 64 KB each
 * time, which costs more than the parsing. Node's own server has no option for it.
 *
 * @returns null where the accepted socket has no handle: it is left as it is
 */
export function reopenReadingInto(
  accepted: Socket,
  onread: { readonly buffer: Buffer; callback(length: number): boolean },
): Socket | null {
  const handle: unknown = Reflect.get(accepted, '_handle');
  if (typeof handle !== 'object' || handle === null) return null;
  Reflect.set(accepted, '_handle', null);
  const options = { handle, allowHalfOpen: true, onread };
  const socket = new Socket(options);
  // The server counts what it has accepted.
  socket.once('close', () => accepted.destroy());
  return socket;
}

/** Takes what a socket reads into its buffer. */
export interface Reader {
  /** Called with the number of bytes in the buffer. False: no more until the socket is resumed. */
  received(length: number): boolean;
  /** What is read into from now on; null: the same as before. */
  nextBuffer(): Buffer | null;
}

/** Gives what a socket with `onread` reads to the reader, instead of the socket's own callback. */
export function receiveFrom(socket: Socket, reader: Reader): void {
  const handle = rawHandleOf(socket);
  if (handle === null) return;
  const { onread } = handle;
  handle.onread = function (bytes) {
    const length = rawStreams!.readBytes();
    if (length <= 0) return onread.call(this, bytes);
    if (!reader.received(length)) {
      this.reading = false;
      this.readStop();
    }
    return reader.nextBuffer() ?? undefined;
  };
}

/** @param binding Node's `process.binding`, or whatever stands there */
export function loadRawStreams(binding: unknown): RawStreams | null {
  if (typeof binding !== 'function') return null;
  try {
    const streams: unknown = binding.call(process, 'stream_wrap');
    if (!isStreamBinding(streams)) return null;
    const { WriteWrap, streamBaseState, kLastWriteWasAsync, kReadBytesOrError } = streams;
    return {
      newRequest: () => new WriteWrap(),
      isPending: () => streamBaseState[kLastWriteWasAsync] !== 0,
      readBytes: () => streamBaseState[kReadBytesOrError]!,
    };
  } catch {
    // A later Node that has closed it.
    return null;
  }
}

interface StreamBinding {
  readonly WriteWrap: new () => WriteRequest;
  readonly streamBaseState: Int32Array;
  readonly kLastWriteWasAsync: number;
  readonly kReadBytesOrError: number;
}

function isStreamBinding(value: unknown): value is StreamBinding {
  if (typeof value !== 'object' || value === null) return false;
  return (
    typeof Reflect.get(value, 'WriteWrap') === 'function' &&
    Reflect.get(value, 'streamBaseState') instanceof Int32Array &&
    typeof Reflect.get(value, 'kLastWriteWasAsync') === 'number' &&
    typeof Reflect.get(value, 'kReadBytesOrError') === 'number'
  );
}
