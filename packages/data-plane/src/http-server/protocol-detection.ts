import type { Socket } from 'node:net';
import type { Timed } from '../http/deadlines.ts';
import { readBuffer } from '../http/workspaces.ts';
import { preface } from '../http2/frames.ts';
import type { Reader } from '../node-internals/sockets.ts';
import type { CallerConnection, Front } from './front.ts';

/** A connection that speaks one of the protocols. */
type Speaking = Reader & { receive(chunk: Buffer, end: number): boolean };

/** A connection without TLS, until its first bytes show whether it speaks HTTP/2 or HTTP/1.1. */
export class ProtocolDetection implements Timed, CallerConnection, Reader {
  deadlineMs: number;
  readonly socket: Socket;
  readonly #front: Front;
  readonly #speaking: (isHttp2: boolean) => Speaking;
  readonly #onClose = (): void => this.#leave();
  #next: Speaking | null = null;
  /** As much of the beginning of HTTP/2 as has arrived. */
  #length = 0;

  /** @param speaking makes what the socket's bytes go to from then on */
  constructor(socket: Socket, front: Front, speaking: (isHttp2: boolean) => Speaking) {
    this.socket = socket;
    this.#front = front;
    this.#speaking = speaking;
    this.deadlineMs = front.deadlines.nowMs + front.limits.headTimeoutMs;
    front.deadlines.add(this);
    front.connections.add(this);
    socket.on('error', () => {});
    socket.on('close', this.#onClose);
  }

  received(length: number): boolean {
    return this.receive(readBuffer, length);
  }

  nextBuffer(): null {
    return null;
  }

  receive(chunk: Buffer, end: number): boolean {
    if (this.#next !== null) return this.#next.receive(chunk, end);
    const known = this.#length;
    const length = Math.min(preface.length, known + end);
    const isHttp2 = preface.compare(chunk, 0, length - known, known, length) === 0;
    this.#length = length;
    if (isHttp2 && length < preface.length) return true;
    this.#leave();
    this.#next = this.#speaking(isHttp2);
    const all = known === 0 ? chunk : Buffer.concat([preface.subarray(0, known), chunk.subarray(0, end)]);
    return this.#next.receive(all, known + end);
  }

  eachExchange(): void {}

  drain(): void {
    this.deadlineMs = this.#front.deadlines.nowMs;
  }

  onDeadline(): void {
    this.socket.destroy();
  }

  #leave(): void {
    this.socket.off('close', this.#onClose);
    this.#front.deadlines.remove(this);
    this.#front.connections.delete(this);
  }
}
