import type { HeaderList } from '@millrace/policies/headers';
import { sizeOf } from '../http/head-writer.ts';
import { copiedBytes } from '../http/workspaces.ts';
import { errorCode, initialWindowBytes, maxFrameBytes } from './frames.ts';
import { maxFieldOverhead, writeFields } from './hpack.ts';
import type { Session } from './session.ts';

/** Fields of a head at most, and their overhead. */
const headOverhead = 160 * maxFieldOverhead;

/** A part of a body that waits for a window. */
interface Pending {
  readonly bytes: Buffer;
  start: number;
  readonly end: number;
}

/** One stream of a session: what both ends do with it, which is flow control and its end. */
export abstract class Stream {
  readonly id: number;
  sendWindow: number;
  receiveWindow = initialWindowBytes;
  isRemoteClosed = false;
  isLocalClosed = false;
  /** Whether its exchange of messages is over; it is no longer in the session then. */
  isOver = false;
  /** Whether it got data that {@link Stream.onPause} has not been called for yet. */
  isTouched = false;
  pendingBytes = 0;
  protected readonly session: Session;
  readonly #pending: Pending[] = [];
  #endsAfterPending = false;
  #trailers: HeaderList | null = null;
  #consumedBytes = 0;

  constructor(session: Session, id: number) {
    this.session = session;
    this.id = id;
    this.sendWindow = session.peerWindowBytes;
    session.streams.set(id, this);
  }

  /** The bytes are used again after the call. */
  abstract onData(bytes: Buffer, start: number, end: number): void;
  /** The peer has ended its message without trailers. */
  abstract onDataEnd(): void;
  /** That was all data for now. */
  abstract onPause(): void;
  abstract onReset(code: number): void;
  /** More can be sent. */
  abstract onWritable(): void;
  /** What was sent last has left: the message is complete. */
  protected abstract onSent(): void;
  /** The peer broke the protocol within this stream (RFC 9113, section 5.4.2). */
  abstract fail(code: number): void;

  /**
   * Sends a part of the body, or keeps what the windows have no room for.
   *
   * @param mayKeep whether long parts that have to wait may stay where they are
   * @returns whether the bytes must be left alone from now on; otherwise they are no longer needed
   */
  sendData(bytes: Buffer, start: number, end: number, mayKeep: boolean): boolean {
    let at = start;
    if (this.pendingBytes === 0) {
      while (at < end) {
        const length = this.#sendable(end - at);
        if (length <= 0) break;
        this.session.writeData(this, bytes, at, at + length);
        at += length;
      }
    }
    if (at === end) return false;
    const rest = end - at;
    this.pendingBytes += rest;
    this.session.wait(this);
    const isKept = mayKeep && rest > copiedBytes;
    this.#pending.push(
      isKept ? { bytes, start: at, end } : { bytes: Buffer.copyBytesFrom(bytes, at, rest), start: 0, end: rest },
    );
    return isKept;
  }

  /** Whether the peer has to read what other streams have sent before more may be sent. */
  get isBlocked(): boolean {
    return this.session.outlet.isFull;
  }

  flush(): void {
    this.session.flush();
  }

  /** Ends the message once everything is sent. */
  sendEnd(trailers: HeaderList | null): void {
    this.#trailers = trailers;
    this.#endsAfterPending = true;
    if (this.pendingBytes === 0) this.#end();
  }

  /** Sends a frame of what waits. Returns whether it could. */
  sendOne(): boolean {
    const [first] = this.#pending;
    if (first === undefined) return false;
    const length = this.#sendable(first.end - first.start);
    if (length <= 0) return false;
    this.session.writeData(this, first.bytes, first.start, first.start + length);
    first.start += length;
    this.pendingBytes -= length;
    if (first.start === first.end) this.#pending.shift();
    if (this.pendingBytes === 0 && this.#endsAfterPending) this.#end();
    return true;
  }

  /** The bytes are no longer held: the peer may send as many again, if the stream goes on. */
  consumed(bytes: number, isOfConnectionToo = true): void {
    if (isOfConnectionToo) this.session.consumed(bytes);
    this.#consumedBytes += bytes;
    if (this.#consumedBytes < initialWindowBytes / 2 || this.isRemoteClosed || this.isOver) return;
    this.session.returnWindow(this.id, this.#consumedBytes);
    this.receiveWindow += this.#consumedBytes;
    this.#consumedBytes = 0;
  }

  #sendable(bytes: number): number {
    return Math.min(bytes, this.sendWindow, this.session.sendWindow, maxFrameBytes);
  }

  #end(): void {
    if (!this.isLocalClosed) {
      this.isLocalClosed = true;
      this.#writeEnd(this.#trailers);
    }
    this.onSent();
  }

  #writeEnd(trailers: HeaderList | null): void {
    if (trailers === null) {
      this.session.endData(this);
      return;
    }
    writeFields(this.session.beginHeaders(sizeOf(trailers) + headOverhead), trailers);
    this.session.endHeaders(this.id, true);
  }

  /** Takes the stream out of its session. */
  protected close(code: number): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#pending.length = 0;
    this.pendingBytes = 0;
    if (!this.isLocalClosed || !this.isRemoteClosed || code !== errorCode.noError)
      this.session.resetStream(this.id, code);
    this.session.remove(this);
  }
}
