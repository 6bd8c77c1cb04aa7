import type { Socket } from 'node:net';
import { returnWorkspace, takeWorkspace, type Workspace } from '../http/workspaces.ts';
import { costs } from '../http2/calm.ts';
import { errorCode, maxWindowBytes, setting } from '../http2/frames.ts';
import { Session } from '../http2/session.ts';
import { plainAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';
import type { CallerConnection, CallerSide, Front } from './front.ts';
import { Http2Head } from './http2-request-head.ts';
import { FrontStream } from './http2-stream.ts';

/** For requests that are on their way when the gateway drains. */
const drainMs = 1_000;

/** One connection of a caller that speaks HTTP/2: a stream for each request. */
export class Http2Connection extends Session implements CallerConnection {
  readonly address: string;
  readonly isTrusted: boolean;
  readonly isSecure: boolean;
  readonly chance = Math.random();
  forwardedLines: CallerSide['forwardedLines'] = null;
  readonly front: Front;
  /** Since when something is received in part, by the deadline that it has. */
  #restDeadlineMs = Infinity;
  #idleDeadlineMs: number;
  /** `announced`: new requests are still taken for a moment; `final`: none is. */
  #draining: 'no' | 'announced' | 'final' = 'no';

  constructor(socket: Socket, front: Front, isSecure: boolean) {
    super(socket, front.internals, front.deadlines, true, isSecure);
    this.front = front;
    this.address = plainAddress(socket.remoteAddress ?? '');
    this.isTrusted = front.isTrustedProxy(this.address);
    this.isSecure = isSecure;
    const { limits, deadlines } = front;
    this.#idleDeadlineMs = deadlines.nowMs + limits.headTimeoutMs;
    this.deadlineMs = this.#idleDeadlineMs;
    front.connections.add(this);
    socket.setNoDelay(true);
    socket.on('end', () => this.onSocketEnd());
    // The error is handled on `close`, which always follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      front.connections.delete(this);
      this.onSocketClose();
    });
    this.begin([
      [setting.maxConcurrentStreams, limits.maxStreams],
      [setting.maxHeaderListSize, limits.maxHeadBytes],
    ]);
    if (front.isDraining) this.drain();
  }

  eachExchange(visit: (exchange: Exchange) => void): void {
    for (const stream of this.streams.values()) if (stream instanceof FrontStream) visit(stream.exchange);
  }

  /** Announces the end first, so that no request is lost that is on its way (RFC 9113, section 6.8). */
  drain(): void {
    if (this.#draining !== 'no' || this.isClosing) return;
    this.#draining = 'announced';
    this.#idleDeadlineMs = this.deadlines.nowMs + drainMs;
    this.goAway(maxWindowBytes, errorCode.noError);
    this.flushNow();
    this.setDeadline();
  }

  onDeadline(): void {
    const { limits, deadlines } = this.front;
    if (this.isClosing) {
      this.socket.destroy();
    } else if (deadlines.nowMs >= this.#restDeadlineMs || this.outlet.isFull) {
      this.fail(errorCode.enhanceYourCalm);
      if (this.outlet.isFull) this.socket.destroy();
    } else if (this.#draining === 'announced') {
      this.#draining = 'final';
      this.#idleDeadlineMs = deadlines.nowMs;
      this.goAway(this.lastPeerStream, errorCode.noError);
      if (this.streams.size === 0) this.close();
      else this.deadlineMs = Infinity;
      this.flushNow();
    } else if (this.streams.size === 0) {
      this.fail(errorCode.noError);
    } else {
      this.deadlineMs = deadlines.nowMs + limits.bodyTimeoutMs;
    }
  }

  protected onBlock(id: number, ends: boolean, block: Buffer, start: number, end: number): void {
    if ((id & 1) === 0) {
      this.fail(errorCode.protocolError);
      return;
    }
    if (id <= this.lastPeerStream) {
      this.#onTrailers(id, ends, block, start, end);
      return;
    }
    this.lastPeerStream = id;
    const { limits } = this.front;
    const workspace = takeWorkspace();
    const head = new Http2Head(workspace, false, this.isTrusted);
    const headEnd = this.decoder.decode(block, start, end, head, 0, limits.maxHeadBytes);
    const isFull = this.streams.size >= limits.maxStreams || this.#draining === 'final';
    if (headEnd < 0 || isFull) returnWorkspace(workspace);
    if (headEnd < 0) this.failToDecode(headEnd);
    else if (isFull) {
      this.spend(costs.frame * 2);
      this.resetStream(id, errorCode.refusedStream);
    } else {
      new FrontStream(this, id, workspace).begin(head, headEnd, ends, this.decoder.isTooLong);
    }
  }

  #onTrailers(id: number, ends: boolean, block: Buffer, start: number, end: number): void {
    const stream = this.streams.get(id);
    const { maxHeadBytes } = this.front.limits;
    const room: Workspace = { bytes: Buffer.allocUnsafe(maxHeadBytes), spans: trailerSpans };
    const trailers = new Http2Head(room, true, this.isTrusted);
    const headEnd = this.decoder.decode(block, start, end, trailers, 0, maxHeadBytes);
    if (headEnd < 0) this.failToDecode(headEnd);
    else if (!(stream instanceof FrontStream)) this.onBlockOfClosed(id);
    else if (stream.isRemoteClosed) stream.fail(errorCode.streamClosed);
    else if (!ends || trailers.isMalformed || this.decoder.isTooLong) stream.fail(errorCode.protocolError);
    else stream.onTrailers(trailers);
  }

  protected isKnown(id: number): boolean {
    return (id & 1) === 1 && id <= this.lastPeerStream;
  }

  protected setDeadline(): void {
    if (this.isClosing) return;
    const { limits, deadlines } = this.front;
    if (!this.isWaitingForRest) this.#restDeadlineMs = Infinity;
    else if (this.#restDeadlineMs === Infinity) this.#restDeadlineMs = deadlines.nowMs + limits.headTimeoutMs;
    let deadlineMs = this.#restDeadlineMs;
    if (this.outlet.isFull) deadlineMs = Math.min(deadlineMs, deadlines.nowMs + limits.bodyTimeoutMs);
    if (this.#draining === 'final' && this.streams.size === 0) {
      this.close();
      return;
    }
    if (this.streams.size === 0 || this.#draining === 'announced') {
      deadlineMs = Math.min(deadlineMs, this.#idleDeadlineMs);
    }
    this.deadlineMs = deadlineMs;
  }

  /** A request is over: the connection waits for the next one from now on. */
  restart(): void {
    if (this.#draining === 'no') this.#idleDeadlineMs = this.deadlines.nowMs + this.front.limits.keepAliveMs;
  }

  protected onEnd(): void {
    for (const stream of this.streams.values()) stream.onReset(errorCode.cancel);
  }

  protected onGoAway(): void {}

  protected onSettings(): void {}

  protected onPong(): void {}
}

/** Trailers are read before the next ones come. */
const trailerSpans = takeWorkspace().spans;
