import type { Socket } from 'node:net';
import { returnBuffer, takeBuffer } from './workspaces.ts';

/**
 * What is written to a socket, from memory that is used again: most writes are taken by the system at once, and those
 * that are not keep their memory until they are.
 */
export class Outlet {
  readonly #socket: Socket;
  readonly #lent: Buffer[] = [];
  readonly #onWritten = (): void => {
    if (this.#lent.length === 0 || this.#socket.writableLength > 0) return;
    // What a destroyed socket still writes from is left to the garbage collector.
    if (!this.#socket.destroyed) for (const buffer of this.#lent) returnBuffer(buffer);
    this.#lent.length = 0;
  };
  /** Bytes given to the socket. */
  written = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether to wait for `drain` before more is sent. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Whether all was taken by the system. */
  get isFlushed(): boolean {
    return this.#socket.writableLength === 0;
  }

  /**
   * Sends a part of the owner.
   *
   * @returns whether the owner must be left alone from now on: it is lent until it is written
   */
  send(owner: Buffer, start: number, end: number): boolean {
    this.written += end - start;
    this.#socket.write(owner.subarray(start, end), this.#onWritten);
    return this.#lend(owner);
  }

  /** Sends a copied head and a part of the owner behind it in one call of the system. */
  sendBoth(head: Buffer, headLength: number, owner: Buffer, start: number, end: number): boolean {
    this.written += headLength + end - start;
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

  #lend(owner: Buffer): boolean {
    if (this.#socket.writableLength === 0) return false;
    // Several parts of one owner may wait; it is given back once.
    if (!this.#lent.includes(owner)) this.#lent.push(owner);
    return true;
  }
}
