import type { Socket } from 'node:net';
import type { Deadlines, Timed } from '../http/deadlines.ts';
import { HeadWriter } from '../http/head-writer.ts';
import { Outlet } from '../http/outlet.ts';
import { readBuffer, takeBuffer } from '../http/workspaces.ts';
import type { Internals } from '../node-internals/internals.ts';
import type { Reader } from '../node-internals/sockets.ts';
import { Calm, costs } from './calm.ts';
import {
  errorCode,
  flag,
  frameHeaderBytes,
  frameType,
  initialWindowBytes,
  maxFrameBytes,
  maxWindowBytes,
  preface,
  setting,
} from './frames.ts';
import { HpackDecoder, maxBlockBytes } from './hpack.ts';
import type { Stream } from './stream.ts';

/** Frames of one session are combined here, and sent before the turn of their connection ends. */
let output = new HeadWriter(takeBuffer());
/** Whose frames are in the output. */
let owner: Session | null = null;
let isScheduled = false;
/** The stream whose data was written last to the output, and where its frame begins. */
let dataStream: Stream | null = null;
let dataAt = 0;
/** For the peer to read the end of a session, and close the connection. */
const closingMs = 2_000;
/** Unconsumed bytes of all bodies of a connection. */
const connectionWindowBytes = 1_048_576;
/** Closed streams that are remembered, as frames of them may still arrive. */
const mostClosed = 256;
/** Continuations of one head, which one frame has room for. */
const mostContinuations = 8;

/** Where the current block of a head, or frame, ended up. */
interface PartialFrame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly bytes: Buffer;
  length: number;
}

/**
 * One connection of HTTP/2 (RFC 9113), from either end: frames, flow control, and what keeps a peer from making work that
 * costs it nothing. Server push and priorities are not used.
 */
export abstract class Session implements Timed, Reader {
  deadlineMs = Infinity;
  readonly socket: Socket;
  readonly outlet: Outlet;
  readonly deadlines: Deadlines;
  readonly streams = new Map<number, Stream>();
  readonly #isSecure: boolean;
  readonly #isServer: boolean;
  readonly #decoder = new HpackDecoder();
  readonly #calm: Calm;
  /** Of the peer's connection window. */
  sendWindow = initialWindowBytes;
  /** By the peer's settings. */
  peerWindowBytes = initialWindowBytes;
  peerMaxStreams = Infinity;
  hasPeerSettings = false;
  /** Whether the encoder has to say that it has no table, because the peer allows less than the default. */
  #mustEmptyTable = false;
  #receiveWindow = initialWindowBytes;
  /** Consumed, and not yet returned to the peer. */
  #consumedBytes = 0;
  /** Streams with data that waits for a window. */
  readonly #waiting = new Set<Stream>();
  /** Streams that got data from what is being processed. */
  readonly #touched: Stream[] = [];
  #isReceiving = false;
  /** Those that were closed last, and whether it was this end that reset them. */
  readonly #closed = new Map<number, 'reset' | 'ended'>();
  /** The highest stream of the peer's that was processed. */
  lastPeerStream = 0;
  protected isClosing = false;
  #isEnded = false;

  #prefaceLength: number;
  readonly #frameHeader = Buffer.alloc(frameHeaderBytes);
  #frameHeaderLength = 0;
  #partial: PartialFrame | null = null;
  #dataStream: Stream | null = null;
  #dataLength = 0;
  #paddingLength = 0;
  #readsPadLength = false;
  #dataEnds = false;
  /** The stream whose head continues; 0: none. */
  #blockStream = 0;
  #blockEnds = false;
  #block: Buffer | null = null;
  #blockLength = 0;
  #continuations = 0;
  #headersAt = 0;

  constructor(socket: Socket, internals: Internals, deadlines: Deadlines, isServer: boolean, isSecure: boolean) {
    this.socket = socket;
    this.deadlines = deadlines;
    this.outlet = new Outlet(socket, internals, () => this.#onDrain());
    this.#isServer = isServer;
    this.#isSecure = isSecure;
    this.#calm = new Calm(deadlines);
    this.#prefaceLength = isServer ? 0 : preface.length;
    deadlines.add(this);
  }

  /** A block of a head has arrived; the data before it was taken up. To be decoded by {@link Session.decode} whatever becomes of it. */
  protected abstract onBlock(id: number, ends: boolean, block: Buffer, start: number, end: number): void;
  protected abstract onGoAway(lastStream: number, code: number): void;
  protected abstract onSettings(): void;
  protected abstract onPong(): void;
  /** To be called when the number of streams, or what is received in part, has changed. */
  protected abstract setDeadline(): void;
  /** The connection fails, or ends: its streams are over. */
  protected abstract onEnd(): void;
  /** Whether a stream of this number may have existed. */
  protected abstract isKnown(id: number): boolean;

  protected get decoder(): HpackDecoder {
    return this.#decoder;
  }

  /** Whether a frame or head has begun that is not complete. */
  protected get isWaitingForRest(): boolean {
    return (
      this.#blockStream !== 0 ||
      this.#partial !== null ||
      this.#frameHeaderLength > 0 ||
      this.#prefaceLength < preface.length
    );
  }

  // --- writing ---

  /** Begins with the settings. */
  protected begin(settings: readonly (readonly [number, number])[]): void {
    if (!this.#isServer) {
      this.#reserve(preface.length);
      output.copy(preface, 0, preface.length);
    }
    this.#writeFrameHeader(6 * settings.length, frameType.settings, 0, 0);
    for (const [name, value] of settings) {
      writeNumber(name, 2);
      writeNumber(value, 4);
    }
    this.#writeWindowUpdate(0, connectionWindowBytes - initialWindowBytes);
    this.#receiveWindow = connectionWindowBytes;
    this.flush();
  }

  /** A writer for the fields of a head of at most so many bytes: {@link Session.endHeaders} follows. */
  beginHeaders(maxBytes: number): HeadWriter {
    this.#reserve(maxBytes + 1 + frameHeaderBytes);
    this.#headersAt = output.length;
    output.length += frameHeaderBytes;
    if (this.#mustEmptyTable) {
      this.#mustEmptyTable = false;
      output.bytes[output.length++] = 0x20;
    }
    return output;
  }

  endHeaders(id: number, endsStream: boolean): void {
    const from = this.#headersAt;
    const start = from + frameHeaderBytes;
    const length = output.length - start;
    const end = endsStream ? flag.endStream : 0;
    if (length <= maxFrameBytes) {
      output.length = from;
      this.#writeFrameHeader(length, frameType.headers, end | flag.endHeaders, id);
      output.length += length;
      return;
    }
    const block = Buffer.copyBytesFrom(output.bytes, start, length);
    output.length = from;
    for (let at = 0; at < length; at += maxFrameBytes) {
      const size = Math.min(maxFrameBytes, length - at);
      this.#reserve(size + frameHeaderBytes);
      const flags = (at === 0 ? end : 0) | (at + size === length ? flag.endHeaders : 0);
      this.#writeFrameHeader(size, at === 0 ? frameType.headers : frameType.continuation, flags, id);
      output.copy(block, at, at + size);
    }
  }

  /** Writes one frame of data, for which the windows must have room. */
  writeData(stream: Stream, bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length + frameHeaderBytes);
    dataStream = stream;
    dataAt = output.length;
    this.#writeFrameHeader(length, frameType.data, 0, stream.id);
    output.copy(bytes, start, end);
    this.sendWindow -= length;
    stream.sendWindow -= length;
    this.#calm.earn(costs.frame * 2);
  }

  /** Ends a stream's data: with its last frame, if that has not been sent yet. */
  endData(stream: Stream): void {
    if (dataStream === stream && owner === this) {
      output.bytes[dataAt + 4]! |= flag.endStream;
      return;
    }
    this.#reserve(frameHeaderBytes);
    this.#writeFrameHeader(0, frameType.data, flag.endStream, stream.id);
  }

  resetStream(id: number, code: number): void {
    if (this.isClosing) return;
    this.#reserve(frameHeaderBytes + 4);
    this.#writeFrameHeader(4, frameType.resetStream, 0, id);
    writeNumber(code, 4);
    this.#closed.set(id, 'reset');
  }

  ping(): void {
    this.#reserve(frameHeaderBytes + 8);
    this.#writeFrameHeader(8, frameType.ping, 0, 0);
    writeNumber(0, 8);
  }

  goAway(lastStream: number, code: number): void {
    this.#reserve(frameHeaderBytes + 8);
    this.#writeFrameHeader(8, frameType.goAway, 0, 0);
    writeNumber(lastStream, 4);
    writeNumber(code, 4);
  }

  /** Sends what was written, at the end of the turn at the latest. */
  flush(): void {
    if (owner !== this || output.length === 0) return;
    // TLS encrypts what is written together at once; a plain outlet collects small writes on its own.
    if (!this.#isSecure) this.flushNow();
    else if (!isScheduled) {
      isScheduled = true;
      setImmediate(endTurn);
    }
  }

  /** Sends what was written. */
  flushNow(): void {
    if (owner !== this || output.length === 0) return;
    dataStream = null;
    output = this.outlet.sendWritten(output);
  }

  /** A stream's data has to wait for a window. */
  wait(stream: Stream): void {
    this.#waiting.add(stream);
  }

  /** The bytes of a body are no longer held: the peer may send as many again. */
  consumed(bytes: number): void {
    this.#consumedBytes += bytes;
    if (this.#consumedBytes < connectionWindowBytes / 2 || this.isClosing) return;
    this.#writeWindowUpdate(0, this.#consumedBytes);
    this.#receiveWindow += this.#consumedBytes;
    this.#consumedBytes = 0;
  }

  returnWindow(id: number, bytes: number): void {
    if (!this.isClosing) this.#writeWindowUpdate(id, bytes);
  }

  /** The peer has caused work that no request stands behind. */
  spend(cost: number): void {
    if (!this.#calm.spend(cost)) this.fail(errorCode.enhanceYourCalm);
  }

  earn(cost: number): void {
    this.#calm.earn(cost);
  }

  remove(stream: Stream): void {
    this.streams.delete(stream.id);
    this.#waiting.delete(stream);
    if (this.#dataStream === stream) this.#dataStream = null;
    if (!this.#closed.has(stream.id)) this.#closed.set(stream.id, 'ended');
    for (const [oldest] of this.#closed) {
      if (this.#closed.size <= mostClosed) break;
      this.#closed.delete(oldest);
    }
    this.setDeadline();
  }

  #reserve(bytes: number): void {
    if (owner !== this) {
      owner?.flushNow();
      owner = this;
    }
    if (output.room >= bytes) return;
    this.flushNow();
    if (output.room < bytes) output.bytes = Buffer.allocUnsafeSlow(bytes);
  }

  #writeFrameHeader(length: number, type: number, flags: number, id: number): void {
    this.#reserve(frameHeaderBytes);
    const { bytes } = output;
    let at = output.length;
    bytes[at++] = length >> 16;
    bytes[at++] = length >> 8;
    bytes[at++] = length;
    bytes[at++] = type;
    bytes[at++] = flags;
    bytes[at++] = id >> 24;
    bytes[at++] = id >> 16;
    bytes[at++] = id >> 8;
    bytes[at++] = id;
    output.length = at;
  }

  #writeWindowUpdate(id: number, bytes: number): void {
    this.#reserve(frameHeaderBytes + 4);
    this.#writeFrameHeader(4, frameType.windowUpdate, 0, id);
    writeNumber(bytes, 4);
  }

  // --- the end ---

  /** A connection error (RFC 9113, section 5.4.1). */
  fail(code: number): void {
    if (this.isClosing) return;
    this.goAway(this.lastPeerStream, code);
    this.close();
  }

  /** Sends what was written, and closes the connection. */
  close(): void {
    if (this.isClosing) return;
    this.flushNow();
    this.isClosing = true;
    this.onEnd();
    this.outlet.flush();
    this.deadlineMs = this.deadlines.nowMs + closingMs;
    this.socket.end();
    if (this.#isEnded) this.socket.destroySoon();
    else this.socket.resume();
  }

  /** The peer has ended its side, which ends its streams too. */
  protected onSocketEnd(): void {
    this.#isEnded = true;
    if (this.streams.size === 0) this.close();
    else this.socket.destroy();
  }

  protected onSocketClose(): void {
    this.deadlines.remove(this);
    if (owner === this) {
      output.length = 0;
      dataStream = null;
      owner = null;
    }
    if (this.isClosing) return;
    this.isClosing = true;
    this.onEnd();
  }

  abstract onDeadline(): void;

  #onDrain(): void {
    if (this.isClosing) return;
    for (const stream of this.streams.values()) stream.onWritable();
    this.flush();
    this.setDeadline();
    this.socket.resume();
  }

  // --- reading ---

  received(length: number): boolean {
    return this.receive(readBuffer, length);
  }

  nextBuffer(): null {
    return null;
  }

  /**
   * Processes received bytes, which are reused after the call.
   *
   * @returns false: no more for now, as the peer doesn't read what it is sent
   */
  receive(chunk: Buffer, end: number): boolean {
    this.deadlines.read();
    this.#isReceiving = true;
    for (let at = 0; at < end && !this.isClosing; ) at = this.#read(chunk, at, end);
    this.#pauseTouched();
    this.#isReceiving = false;
    if (this.isClosing) return true;
    this.setDeadline();
    this.flush();
    return !this.outlet.isFull;
  }

  /** Whether the stream is going to be notified of the end of its data for now. */
  touch(stream: Stream): boolean {
    if (this.#isReceiving && !stream.isTouched) {
      stream.isTouched = true;
      this.#touched.push(stream);
    }
    return this.#isReceiving;
  }

  #pauseTouched(): void {
    const touched = this.#touched;
    for (let index = 0; index < touched.length; index++) {
      touched[index]!.isTouched = false;
      touched[index]!.onPause();
    }
    touched.length = 0;
  }

  /** @param headEnd what the decoder returned */
  protected failToDecode(headEnd: number): void {
    this.fail(headEnd === -2 ? errorCode.enhanceYourCalm : errorCode.compressionError);
  }

  /** A head of a stream that is closed. */
  protected onBlockOfClosed(id: number): void {
    const closed = this.#closed.get(id);
    if (closed !== 'reset') this.fail(closed === 'ended' ? errorCode.streamClosed : errorCode.protocolError);
  }

  /** Returns up to where it was read. */
  #read(chunk: Buffer, at: number, end: number): number {
    if (this.#prefaceLength < preface.length) return this.#readPreface(chunk, at, end);
    if (this.#readsPadLength || this.#dataLength > 0 || this.#paddingLength > 0) return this.#readData(chunk, at, end);
    const partial = this.#partial;
    if (partial === null) return this.#readFrame(chunk, at, end);
    const taken = Math.min(partial.bytes.length - partial.length, end - at);
    chunk.copy(partial.bytes, partial.length, at, at + taken);
    partial.length += taken;
    if (partial.length === partial.bytes.length) {
      this.#partial = null;
      this.#frame(partial.type, partial.flags, partial.id, partial.bytes, 0, partial.length);
    }
    return at + taken;
  }

  #readPreface(chunk: Buffer, at: number, end: number): number {
    const taken = Math.min(preface.length - this.#prefaceLength, end - at);
    if (preface.compare(chunk, at, at + taken, this.#prefaceLength, this.#prefaceLength + taken) !== 0) {
      this.fail(errorCode.protocolError);
    }
    this.#prefaceLength += taken;
    return at + taken;
  }

  #readFrame(chunk: Buffer, start: number, end: number): number {
    let at = start;
    let header = chunk;
    let from = start;
    if (this.#frameHeaderLength > 0 || end - at < frameHeaderBytes) {
      const taken = Math.min(frameHeaderBytes - this.#frameHeaderLength, end - at);
      chunk.copy(this.#frameHeader, this.#frameHeaderLength, at, at + taken);
      this.#frameHeaderLength += taken;
      at += taken;
      if (this.#frameHeaderLength < frameHeaderBytes) return at;
      this.#frameHeaderLength = 0;
      header = this.#frameHeader;
      from = 0;
    } else {
      at += frameHeaderBytes;
    }
    const length = (header[from]! << 16) | (header[from + 1]! << 8) | header[from + 2]!;
    const type = header[from + 3]!;
    const flags = header[from + 4]!;
    const id = header.readUInt32BE(from + 5) & 0x7fff_ffff;
    const error = this.#errorOf(type, flags, id, length);
    if (error !== errorCode.noError) {
      this.fail(error);
      return end;
    }
    if (type === frameType.data) {
      this.#beginData(length, flags, id);
      return at;
    }
    if (end - at >= length) {
      this.#frame(type, flags, id, chunk, at, at + length);
      return at + length;
    }
    this.#partial = { type, flags, id, bytes: Buffer.allocUnsafe(length), length: end - at };
    chunk.copy(this.#partial.bytes, 0, at, end);
    return end;
  }

  /** What is wrong with a frame, by its header alone. */
  #errorOf(type: number, flags: number, id: number, length: number): number {
    if (length > maxFrameBytes) return errorCode.frameSizeError;
    if (this.#blockStream !== 0) {
      return type === frameType.continuation && id === this.#blockStream ? 0 : errorCode.protocolError;
    }
    if (!this.hasPeerSettings && (type !== frameType.settings || (flags & flag.ack) !== 0)) {
      return errorCode.protocolError;
    }
    switch (type) {
      case frameType.data:
        return id === 0 || !this.isKnown(id) ? errorCode.protocolError : 0;
      case frameType.headers:
        return id === 0 ? errorCode.protocolError : 0;
      case frameType.priority:
        return id === 0 ? errorCode.protocolError : length === 5 ? 0 : errorCode.frameSizeError;
      case frameType.resetStream:
      case frameType.windowUpdate:
        if (length !== 4) return errorCode.frameSizeError;
        if (id === 0) return type === frameType.windowUpdate ? 0 : errorCode.protocolError;
        return this.isKnown(id) ? 0 : errorCode.protocolError;
      case frameType.settings:
        if (id !== 0) return errorCode.protocolError;
        return length % 6 === 0 && ((flags & flag.ack) === 0 || length === 0) ? 0 : errorCode.frameSizeError;
      case frameType.ping:
        return id !== 0 ? errorCode.protocolError : length === 8 ? 0 : errorCode.frameSizeError;
      case frameType.goAway:
        return id !== 0 ? errorCode.protocolError : length >= 8 ? 0 : errorCode.frameSizeError;
      case frameType.pushPromise:
      case frameType.continuation:
        return errorCode.protocolError;
      default:
        return 0;
    }
  }

  #frame(type: number, flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    switch (type) {
      case frameType.headers:
        this.#onHeaders(flags, id, bytes, start, end);
        return;
      case frameType.continuation:
        this.#onContinuation(flags, bytes, start, end);
        return;
      case frameType.settings:
        if ((flags & flag.ack) === 0) this.#onSettings(bytes, start, end);
        break;
      case frameType.resetStream: {
        const stream = this.streams.get(id);
        if (stream !== undefined) {
          this.spend(costs.reset);
          stream.onReset(bytes.readUInt32BE(start));
          return;
        }
        break;
      }
      case frameType.ping:
        if ((flags & flag.ack) !== 0) {
          this.onPong();
          return;
        }
        this.#reserve(frameHeaderBytes + 8);
        this.#writeFrameHeader(8, frameType.ping, flag.ack, 0);
        output.copy(bytes, start, end);
        break;
      case frameType.goAway:
        this.onGoAway(bytes.readUInt32BE(start) & 0x7fff_ffff, bytes.readUInt32BE(start + 4));
        break;
      case frameType.windowUpdate:
        this.#onWindowUpdate(id, bytes.readUInt32BE(start) & 0x7fff_ffff);
        break;
      case frameType.priority:
        if ((bytes.readUInt32BE(start) & 0x7fff_ffff) === id) this.fail(errorCode.protocolError);
        break;
    }
    this.spend(costs.frame);
  }

  #onHeaders(flags: number, id: number, bytes: Buffer, from: number, until: number): void {
    let start = from;
    let end = until;
    const padding = (flags & flag.padded) !== 0 && start < end ? bytes[start++]! : 0;
    if ((flags & flag.priority) !== 0) {
      if (end - start >= 5 && (bytes.readUInt32BE(start) & 0x7fff_ffff) === id) start = end + 1;
      start += 5;
    }
    end -= padding;
    if (start > end) {
      this.fail(errorCode.protocolError);
      return;
    }
    this.#blockEnds = (flags & flag.endStream) !== 0;
    if ((flags & flag.endHeaders) !== 0) {
      this.#pauseTouched();
      this.onBlock(id, this.#blockEnds, bytes, start, end);
      return;
    }
    this.#blockStream = id;
    this.#continuations = 0;
    this.#blockLength = end - start;
    this.#block = Buffer.allocUnsafe(Math.max(4_096, this.#blockLength));
    bytes.copy(this.#block, 0, start, end);
  }

  #onContinuation(flags: number, bytes: Buffer, start: number, end: number): void {
    const length = this.#blockLength + end - start;
    if (++this.#continuations > mostContinuations || length > maxBlockBytes) {
      this.fail(errorCode.enhanceYourCalm);
      return;
    }
    let block = this.#block!;
    if (length > block.length) {
      block = Buffer.allocUnsafe(Math.min(maxBlockBytes, Math.max(length, block.length * 2)));
      this.#block!.copy(block, 0, 0, this.#blockLength);
      this.#block = block;
    }
    bytes.copy(block, this.#blockLength, start, end);
    this.#blockLength = length;
    if ((flags & flag.endHeaders) === 0) return;
    const id = this.#blockStream;
    this.#blockStream = 0;
    this.#block = null;
    this.#pauseTouched();
    this.onBlock(id, this.#blockEnds, block, 0, length);
  }

  #onSettings(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end; at += 6) {
      const value = bytes.readUInt32BE(at + 2);
      const error = this.#applySetting(bytes.readUInt16BE(at), value);
      if (error !== errorCode.noError) {
        this.fail(error);
        return;
      }
    }
    this.#writeFrameHeader(0, frameType.settings, flag.ack, 0);
    this.hasPeerSettings = true;
    this.onSettings();
  }

  #applySetting(name: number, value: number): number {
    switch (name) {
      case setting.headerTableSize:
        this.#mustEmptyTable ||= value < 4_096;
        return 0;
      case setting.enablePush:
        return value > (this.#isServer ? 1 : 0) ? errorCode.protocolError : 0;
      case setting.maxConcurrentStreams:
        this.peerMaxStreams = value;
        return 0;
      case setting.initialWindowSize: {
        if (value > maxWindowBytes) return errorCode.flowControlError;
        const added = value - this.peerWindowBytes;
        this.peerWindowBytes = value;
        for (const stream of this.streams.values()) {
          stream.sendWindow += added;
          if (stream.sendWindow > maxWindowBytes) return errorCode.flowControlError;
        }
        if (added > 0) this.#sendWaiting();
        return 0;
      }
      case setting.maxFrameSize:
        return value < maxFrameBytes || value > 0xff_ffff ? errorCode.protocolError : 0;
      default:
        return 0;
    }
  }

  #onWindowUpdate(id: number, bytes: number): void {
    if (id === 0) {
      this.sendWindow += bytes;
      if (bytes === 0) this.fail(errorCode.protocolError);
      else if (this.sendWindow > maxWindowBytes) this.fail(errorCode.flowControlError);
      else this.#sendWaiting();
      return;
    }
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    stream.sendWindow += bytes;
    if (bytes === 0) stream.fail(errorCode.protocolError);
    else if (stream.sendWindow > maxWindowBytes) stream.fail(errorCode.flowControlError);
    else if (this.#waiting.has(stream)) this.#sendWaiting();
  }

  /** Streams take turns, a frame each. */
  #sendWaiting(): void {
    let hasSent = true;
    while (hasSent && this.sendWindow > 0) {
      hasSent = false;
      for (const stream of this.#waiting) {
        if (!stream.sendOne()) continue;
        hasSent = true;
        if (stream.pendingBytes > 0) continue;
        this.#waiting.delete(stream);
        stream.onWritable();
      }
    }
  }

  #beginData(length: number, flags: number, id: number): void {
    const isPadded = (flags & flag.padded) !== 0;
    this.#receiveWindow -= length;
    if (isPadded && length === 0) this.fail(errorCode.frameSizeError);
    else if (this.#receiveWindow < 0) this.fail(errorCode.flowControlError);
    if (this.isClosing) return;
    const stream = this.streams.get(id) ?? null;
    this.#dataStream = stream;
    this.#dataLength = isPadded ? length - 1 : length;
    this.#readsPadLength = isPadded;
    this.#dataEnds = (flags & flag.endStream) !== 0;
    if (length === 0) this.spend(costs.frame);
    if (stream === null) {
      // What was on its way when the stream was reset is left out.
      if (this.#closed.get(id) === 'reset') return;
      this.spend(costs.reset);
      this.resetStream(id, errorCode.streamClosed);
      return;
    }
    stream.receiveWindow -= length;
    if (stream.isRemoteClosed) stream.fail(errorCode.streamClosed);
    else if (stream.receiveWindow < 0) stream.fail(errorCode.flowControlError);
    else this.touch(stream);
    if (length === 0 && this.#dataEnds) this.#dataStream?.onDataEnd();
  }

  #readData(chunk: Buffer, start: number, end: number): number {
    let at = start;
    if (this.#readsPadLength) {
      this.#readsPadLength = false;
      const padding = chunk[at++]!;
      if (padding > this.#dataLength) {
        this.fail(errorCode.protocolError);
        return end;
      }
      this.#dataLength -= padding;
      this.#paddingLength = padding;
      this.consumed(padding + 1);
      this.#dataStream?.consumed(padding + 1, false);
    }
    const length = Math.min(this.#dataLength, end - at);
    if (length > 0) {
      this.#dataLength -= length;
      if (this.#dataStream === null) this.consumed(length);
      else {
        this.#calm.earn(costs.frame);
        this.#dataStream.onData(chunk, at, at + length);
      }
      at += length;
    }
    const padding = Math.min(this.#paddingLength, end - at);
    if (this.#dataLength === 0) {
      this.#paddingLength -= padding;
      at += padding;
    }
    if (this.#dataLength > 0 || this.#paddingLength > 0) return at;
    const stream = this.#dataStream;
    this.#dataStream = null;
    if (this.#dataEnds && stream !== null && !stream.isOver) stream.onDataEnd();
    return at;
  }
}

function endTurn(): void {
  isScheduled = false;
  owner?.flushNow();
}

function writeNumber(value: number, bytes: number): void {
  for (let shift = bytes - 1; shift >= 0; shift--)
    output.bytes[output.length++] = shift > 3 ? 0 : value >>> (8 * shift);
}
