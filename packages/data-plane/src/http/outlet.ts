import type { Socket } from 'node:net';
import type { Internals } from '../node-internals/internals.ts';
import { type RawHandle, rawStreams, type WriteRequest } from '../node-internals/sockets.ts';
import { HeadWriter } from './head-writer.ts';
import { returnBuffer, takeBuffer } from './workspaces.ts';

/** Bytes that may wait for the other end before whoever sends has to wait. */
const mostPendingBytes = 65_536;
/** Most that waits for the end of a turn: of one outlet, and outlets. */
const heldBytes = 4_096;
const mostHolding = 64;
/** Those that hold something, and how many they are. */
const holding: (Outlet | null)[] = [];
let holdingCount = 0;
let isScheduled = false;
const spareWriters: HeadWriter[] = [];
/** For the next write: most are taken by the system at once, and leave it unused. */
let spareRequest: WriteRequest | null = null;

/**
 * What is written to a socket, from memory that is used again: most writes are taken by the system at once, and those
 * that are not keep their memory until they are.
 *
 * Small writes wait for the end of the event loop's turn, and are given to the system one behind the other. What the
 * system does for a write is more than all else that a request costs, and costs less where it has just been done; and the
 * other end, which runs on another processor, is woken once for all of them.
 */
export class Outlet {
  readonly #socket: Socket;
  readonly #internals: Internals;
  readonly #onDrain: () => void;
  readonly #lent: Buffer[] = [];
  readonly #onWritten = (): void => this.#giveBack();
  /** Null before it is connected, and where it is to be written to as a stream. */
  #handle: RawHandle | null = null;
  /** Given to the handle, and not yet taken by the system. */
  #pendingBytes = 0;
  #needsDrain = false;
  /** Whether something may wait in the stream. */
  #isStreamed = false;
  /** What waits for the end of the turn. */
  #held: HeadWriter | null = null;
  /** Bytes given to the outlet. */
  written = 0;

  /** @param onDrain called when everything is written, after {@link Outlet.isFull} returned true */
  constructor(socket: Socket, internals: Internals, onDrain: () => void) {
    this.#socket = socket;
    this.#internals = internals;
    this.#onDrain = onDrain;
    if (!socket.connecting) this.connected();
    socket.on('drain', onDrain);
  }

  /** The socket can be written to from now on. */
  connected(): void {
    this.#handle = this.#internals.handleOf(this.#socket);
  }

  /** Whether to wait for `onDrain` before more is sent. */
  get isFull(): boolean {
    if (this.#pendingBytes >= mostPendingBytes) this.#needsDrain = true;
    return this.#needsDrain || (this.#isStreamed && this.#socket.writableNeedDrain);
  }

  /** Whether all was taken by the system. */
  get isFlushed(): boolean {
    if (this.#isStreamed && this.#socket.writableLength === 0) this.#isStreamed = false;
    return this.#pendingBytes === 0 && !this.#isStreamed && this.#held === null;
  }

  /**
   * Sends a part of the owner.
   *
   * @returns whether the owner must be left alone from now on: it is lent until it is written
   */
  send(owner: Buffer, start: number, end: number): boolean {
    this.flush();
    this.written += end - start;
    this.#write(owner.subarray(start, end));
    return this.#lend(owner);
  }

  /**
   * Sends what was written, at the end of the turn at the latest.
   *
   * @returns an empty writer to go on with: this one, or another where this one is kept until it is sent
   */
  sendWritten(writer: HeadWriter): HeadWriter {
    this.written += writer.length;
    const held = this.#held;
    if (held !== null && writer.length <= heldBytes - held.length) {
      held.copy(writer.bytes, 0, writer.length);
      writer.length = 0;
      return writer;
    }
    if (held === null && this.#mayHold(writer.length)) {
      this.#hold(writer);
      return spareWriters.pop() ?? new HeadWriter(takeBuffer());
    }
    this.flush();
    this.#write(writer.written());
    writer.length = 0;
    return this.#lend(writer.bytes) ? new HeadWriter(takeBuffer()) : writer;
  }

  /**
   * Takes back what was written since then, if nothing of it was given to the system.
   *
   * @param before {@link Outlet.written} at that time, when all was taken by the system
   * @returns whether nothing of it leaves
   */
  takeBack(before: number): boolean {
    if (this.written === before) return true;
    const held = this.#held;
    if (held === null || this.written - before !== held.length) return false;
    this.written = before;
    this.#held = null;
    held.length = 0;
    spareWriters.push(held);
    return true;
  }

  /** Gives the system what waits for the end of the turn: to be called before the socket is closed. */
  flush(): void {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    // A handle that is closed takes nothing. To ask the socket first would bring three more objects into the caches.
    this.#write(held.written());
    held.length = 0;
    if (!this.#lend(held.bytes)) spareWriters.push(held);
  }

  /** Sends a copied head and a part of the owner behind it in one call of the system. */
  sendBoth(head: Buffer, headLength: number, owner: Buffer, start: number, end: number): boolean {
    this.flush();
    this.written += headLength + end - start;
    this.#isStreamed = true;
    this.#socket.cork();
    this.#socket.write(Buffer.copyBytesFrom(head, 0, headLength));
    this.#socket.write(owner.subarray(start, end), this.#onWritten);
    this.#socket.uncork();
    return this.#lend(owner);
  }

  /** Sends a copy. */
  sendCopy(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const copy = takeBuffer();
      const length = bytes.copy(copy, 0, at, end);
      if (!this.send(copy, 0, length)) returnBuffer(copy);
      at += length;
    }
  }

  /** Not where something else waits already that goes first. */
  #mayHold(length: number): boolean {
    return length <= heldBytes && this.#handle !== null && !this.#isStreamed && this.#pendingBytes === 0;
  }

  #hold(writer: HeadWriter): void {
    if (holdingCount === mostHolding) flushAll();
    this.#held = writer;
    holding[holdingCount++] = this;
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(endTurn);
  }

  #write(bytes: Buffer): void {
    const handle = this.#handle;
    // What waits in the stream goes first.
    if (handle === null || (this.#isStreamed && this.#socket.writableLength > 0)) {
      this.#isStreamed = true;
      this.#socket.write(bytes, this.#onWritten);
      return;
    }
    const request = spareRequest ?? rawStreams!.newRequest();
    const error = handle.writeBuffer(request, bytes);
    if (error === 0 && rawStreams!.isPending()) {
      spareRequest = null;
      this.#pendingBytes += bytes.length;
      request.bytes = bytes;
      request.oncomplete = (status) => {
        this.#pendingBytes -= bytes.length;
        if (status < 0) this.#socket.destroy();
        else this.#giveBack();
      };
      return;
    }
    spareRequest = request;
    if (error !== 0) this.#socket.destroy();
  }

  #giveBack(): void {
    if (!this.isFlushed) return;
    // What a destroyed socket still writes from is left to the garbage collector.
    if (!this.#socket.destroyed) for (const buffer of this.#lent) returnBuffer(buffer);
    this.#lent.length = 0;
    if (!this.#needsDrain) return;
    this.#needsDrain = false;
    if (!this.#socket.destroyed) this.#onDrain();
  }

  #lend(owner: Buffer): boolean {
    if (this.isFlushed) return false;
    // Several parts of one owner may wait; it is given back once.
    if (!this.#lent.includes(owner)) this.#lent.push(owner);
    return true;
  }
}

function endTurn(): void {
  isScheduled = false;
  flushAll();
}

function flushAll(): void {
  for (let index = 0; index < holdingCount; index++) {
    holding[index]!.flush();
    // Closed ones are not kept.
    holding[index] = null;
  }
  holdingCount = 0;
}
