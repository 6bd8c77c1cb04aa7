import { connect, Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { fieldState, fieldStride } from '@millrace/policies/headers';
import type { Deadlines, Timed } from '../http/deadlines.ts';
import { field, isText, lengthAt } from '../http/fields.ts';
import { Outlet } from '../http/outlet.ts';
import { newSpans, Parser } from '../http/parser.ts';
import { copiedBytes, takeBuffer } from '../http/workspaces.ts';
import type { Internals } from '../node-internals/internals.ts';
import type { Reader } from '../node-internals/sockets.ts';
import type { Reach } from './reach.ts';

/** The callbacks of a request on the connection to its target. */
export interface TargetCall {
  readonly isHead: boolean;
  /** Whether it asks for another protocol, which 101 agrees to. */
  readonly upgrades: boolean;
  /** Whether all of it has been passed to the connection. */
  readonly isSent: boolean;
  /** An answer with a status below 200, apart from 101; the parser holds its head until the call ends. */
  informational(parser: Parser): void;
  /** The parser holds the head until the call ends. */
  head(parser: Parser, contentLength: number | null, isBodiless: boolean): void;
  /** Returns whether the bytes must be left alone from now on, because they are being sent. */
  piece(bytes: Buffer, start: number, end: number): boolean;
  /** That was all for now: what was held back to be sent at once is sent. */
  pause(): void;
  /** The response is complete. The connection no longer belongs to this request. */
  end(): void;
  /** The target agreed to another protocol. The call begins the tunnel, or destroys the connection. */
  upgraded(parser: Parser, connection: TargetConnection): void;
  /** Whether to read on only after {@link TargetConnection.resume}. */
  readonly isFull: boolean;
  /** The target takes more again. */
  drained(): void;
  failed(reason: string): void;
  timedOut(): void;
}

/** Receives what a tunnel brings, and is notified of its end. */
export interface TunnelEnd {
  /** Returns whether the bytes must be left alone from now on. */
  bytes(bytes: Buffer, start: number, end: number): boolean;
  readonly isFull: boolean;
  drained(): void;
  closed(): void;
}

/** Whom a connection belongs to. */
export interface ConnectionOwner {
  readonly maxHeadBytes: number;
  /** Between pieces of an answer. */
  readonly idleMs: number;
  /** For the next request, where the target does not say. */
  readonly keepIdleMs: number;
  /** It can take another request. */
  idle(connection: TargetConnection): void;
  closed(connection: TargetConnection): void;
}

/** The address of a connection, and the allowed addresses. */
export interface Connectable {
  readonly host: string;
  readonly port: number;
  readonly tls: ConnectionOptions | null;
  readonly reach: Reach;
}

const mostInformational = 16;
/**
 * All connections to targets read into the same bytes until an answer has filled them: of what fits, all is used up
 * before the next is read, as callers get a copy of pieces of this size. Longer answers are sent from where they were read.
 */
const smallBuffer = Buffer.allocUnsafeSlow(copiedBytes);
/** The spans of heads that arrive in one piece: nobody needs them after the call that reads the head. */
const wholeHeadSpans = newSpans();

/** One connection to an endpoint, for one request after another. */
export class TargetConnection implements Timed, Reader {
  deadlineMs = Infinity;
  readonly #socket: Socket;
  readonly outlet: Outlet;
  readonly #parser: Parser;
  readonly #deadlines: Deadlines;
  readonly #owner: ConnectionOwner;
  #buffer: Buffer = smallBuffer;
  #isBufferLent = false;
  /** Whether it reads more at once than the small buffer holds. */
  #isLong = false;
  #call: TargetCall | null = null;
  #tunnel: TunnelEnd | null = null;
  #state: 'idle' | 'head' | 'length' | 'chunked' | 'until close' | 'tunnel' | 'closed' = 'idle';
  #remaining = 0;
  /** A head that has not come at once. */
  #partialHead: Buffer | null = null;
  #keepsAlive = true;
  /** Whether a byte of the response has arrived. */
  #hasAnswered = false;
  /** Answers below 200 before the present one. */
  #informational = 0;
  /** Whether it has waited for a request: its target may close it at any time until the next one arrives. */
  hasWaited = false;
  /** What its outlet had been given before the request. */
  #writtenBefore = 0;
  /** How long it waits for the next request. */
  #keptForMs: number;

  /**
   * @param onReady called once, when it can take its first request, or with why it cannot
   */
  constructor(
    endpoint: Connectable,
    owner: ConnectionOwner,
    deadlines: Deadlines,
    connectTimeoutMs: number,
    internals: Internals,
    onReady: (connection: TargetConnection, error: string | null) => void,
  ) {
    const { host, port, tls, reach } = endpoint;
    const options = {
      host,
      port,
      noDelay: true,
      lookup: reach.lookup,
      onread: {
        buffer: () => this.#readBuffer(),
        callback: (length: number) => this.received(length),
      },
    };
    this.#owner = owner;
    this.#parser = new Parser('answer', wholeHeadSpans, internals.newMessageReader);
    this.#deadlines = deadlines;
    this.#keptForMs = owner.keepIdleMs;
    const refusal = reach.refusalOf(host);
    if (refusal !== null) this.#socket = new Socket().destroy(refusal);
    else if (tls === null) this.#socket = connect(options);
    else this.#socket = connectTls({ ...options, ...(tls.servername === undefined ? servernameOf(host) : {}), ...tls });
    this.outlet = new Outlet(this.#socket, internals, () => (this.#tunnel ?? this.#call)?.drained());
    this.deadlineMs = deadlines.nowMs + connectTimeoutMs;
    deadlines.add(this);
    let isReady = false;
    let error: string | null = null;
    this.#socket.once(tls === null ? 'connect' : 'secureConnect', () => {
      isReady = true;
      this.outlet.connected();
      internals.receiveFrom(this.#socket, this);
      this.deadlineMs = Infinity;
      onReady(this, null);
    });
    this.#socket.on('error', (cause: NodeJS.ErrnoException) => {
      error = cause.code ?? cause.message;
    });
    this.#socket.on('end', () => this.#onEnd());
    this.#socket.on('close', () => {
      deadlines.remove(this);
      this.#parser.close();
      const hadBegun = this.#state !== 'closed';
      this.#state = 'closed';
      owner.closed(this);
      if (!isReady) onReady(this, error ?? 'no connection');
      else if (hadBegun) this.#fail(error ?? 'closed');
    });
  }

  /** Whether it takes no other request, although its socket may not have closed yet. */
  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Brings the answer to a request that is sent by {@link TargetConnection.outlet}. */
  begin(call: TargetCall): void {
    this.#call = call;
    this.#state = 'head';
    this.#hasAnswered = false;
    this.#informational = 0;
    this.#parser.reset();
    this.#parser.spans = wholeHeadSpans;
    this.#writtenBefore = this.outlet.written;
  }

  /**
   * Gives up a request of which nothing has left yet.
   *
   * @returns false if something has: the connection can't take another request
   */
  takeBack(): boolean {
    if (this.#state !== 'head' || this.#hasAnswered || this.#socket.destroyed) return false;
    if (!this.outlet.takeBack(this.#writtenBefore)) return false;
    this.#call = null;
    this.rest();
    return true;
  }

  /** It waits for a request. */
  rest(): void {
    this.#state = 'idle';
    this.hasWaited = true;
    this.deadlineMs = this.#deadlines.nowMs + this.#keptForMs;
    this.#owner.idle(this);
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#call = null;
    this.#state = 'closed';
    this.#socket.destroy();
  }

  /** Everything received from now on goes to the other end of a tunnel. */
  tunnel(end: TunnelEnd): void {
    this.#tunnel = end;
    this.#call = null;
    this.#state = 'tunnel';
    // Its bytes are lent while they are sent.
    this.#isLong = true;
    this.touch();
  }

  endTunnel(): void {
    this.#socket.end();
  }

  onDeadline(): void {
    this.deadlineMs = Infinity;
    const call = this.#call;
    this.#call = null;
    this.#giveUp();
    call?.timedOut();
  }

  #readBuffer(): Buffer {
    if (this.#isBufferLent || (this.#isLong && this.#buffer === smallBuffer)) {
      this.#buffer = takeBuffer();
      this.#isBufferLent = false;
    }
    return this.#buffer;
  }

  nextBuffer(): Buffer | null {
    const before = this.#buffer;
    const next = this.#readBuffer();
    return next === before ? null : next;
  }

  received(end: number): boolean {
    this.#deadlines.read();
    if (end === smallBuffer.length) this.#isLong = true;
    this.#consume(this.#buffer, end);
    this.#call?.pause();
    const user = this.#tunnel ?? this.#call;
    return user === null || !user.isFull;
  }

  #consume(chunk: Buffer, end: number): void {
    let at = 0;
    while (at < end) {
      const call = this.#call;
      switch (this.#state) {
        case 'head': {
          const before = at;
          at = this.#readHead(call!, chunk, at, end);
          if (at === before) return;
          break;
        }
        case 'length': {
          const length = Math.min(this.#remaining, end - at);
          this.#remaining -= length;
          this.touch();
          if (call!.piece(chunk, at, at + length)) this.#isBufferLent = true;
          // A policy has rejected the response.
          if (this.#call !== call) return;
          at += length;
          if (this.#remaining === 0) this.#complete(at === end);
          break;
        }
        case 'chunked': {
          const read = this.#parser.readChunked(chunk, at, end);
          if (read === -2) {
            this.#break('malformed chunks');
            return;
          }
          this.touch();
          const { pieces } = this.#parser;
          for (let piece = 0; piece < pieces.length; piece += 2) {
            if (call!.piece(chunk, pieces[piece]!, pieces[piece + 1]!)) this.#isBufferLent = true;
            if (this.#call !== call) return;
          }
          at = read;
          if (this.#parser.ended) this.#complete(at === end);
          break;
        }
        case 'until close':
          this.touch();
          if (call!.piece(chunk, at, end)) this.#isBufferLent = true;
          at = end;
          break;
        case 'tunnel':
          this.touch();
          // What came with the head is in the bytes of all, which nobody can be lent.
          if (chunk === smallBuffer) this.#tunnel!.bytes(Buffer.copyBytesFrom(chunk, at, end - at), 0, end - at);
          else if (this.#tunnel!.bytes(chunk, at, end)) this.#isBufferLent = true;
          at = end;
          break;
        case 'idle':
          // Unsolicited bytes could be taken for the response to the next request.
          this.destroy();
          return;
        default:
          return;
      }
    }
  }

  /** Something has arrived, or has passed through its tunnel. */
  touch(): void {
    this.deadlineMs = this.#deadlines.nowMs + this.#owner.idleMs;
  }

  #readHead(call: TargetCall, chunk: Buffer, start: number, end: number): number {
    const parser = this.#parser;
    this.#hasAnswered = true;
    const headEnd = parser.readHead(chunk, start, end, this.#owner.maxHeadBytes);
    if (headEnd === -2) {
      this.#break('a malformed head');
      return start;
    }
    const part = headEnd === -1 ? end : headEnd;
    if (this.#partialHead !== null || headEnd === -1) {
      const received = chunk.subarray(start, part);
      this.#partialHead =
        this.#partialHead === null ? Buffer.from(received) : Buffer.concat([this.#partialHead, received]);
      if (headEnd === -1) {
        if (parser.spans === wholeHeadSpans) parser.spans = wholeHeadSpans.slice();
        return end;
      }
      parser.bytes = this.#partialHead;
      this.#partialHead = null;
    } else {
      parser.bytes = start === 0 ? chunk : chunk.subarray(start);
    }
    parser.complete();
    if (!this.#judgeHead(call, headEnd === end)) this.#break('an answer that is ambiguous');
    return headEnd;
  }

  /** Decides how the body is delimited, and withholds the fields of one connection. False: it is not to be trusted. */
  #judgeHead(call: TargetCall, isAll: boolean): boolean {
    const parser = this.#parser;
    const { bytes, spans, codes, count, status, version } = parser;
    if ((version !== 11 && version !== 10) || status < 100) return false;
    let contentLength: number | null = null;
    let isChunked = false;
    let keepsAlive = version === 11;
    for (let index = 0; index < count; index++) {
      const at = index * fieldStride;
      const start = spans[at + 2]!;
      const stop = spans[at + 3]!;
      switch (codes[index]) {
        case field.contentLength:
          if (contentLength !== null || isChunked) return false;
          contentLength = lengthAt(bytes, start, stop);
          if (contentLength < 0) return false;
          if (status < 200 || status === 204) spans[at + 4] = fieldState.removed;
          break;
        case field.transferEncoding:
          if (isChunked || contentLength !== null || version !== 11) return false;
          if (!isText(bytes, start, stop, 'chunked')) return false;
          isChunked = true;
          spans[at + 4] = fieldState.removed;
          break;
        case field.connection:
          keepsAlive = this.#readConnection(start, stop, keepsAlive);
          spans[at + 4] = fieldState.removed;
          break;
        case field.keepAlive: {
          const [, seconds] = /timeout=(\d{1,6})/i.exec(bytes.toString('latin1', start, stop)) ?? [];
          // Closed a second before the target does, so that no request meets a connection that is just being closed.
          if (seconds !== undefined) this.#keptForMs = Math.min(Number(seconds), 61) * 1_000 - 1_000;
          spans[at + 4] = fieldState.removed;
          break;
        }
        case field.upgrade:
        case field.ofConnection:
        case field.requestId:
          spans[at + 4] = fieldState.removed;
          break;
      }
    }
    if (status === 101) {
      if (!call.upgrades) return false;
      call.upgraded(parser, this);
      return true;
    }
    if (status < 200) {
      if (++this.#informational > mostInformational) return false;
      call.informational(parser);
      parser.reset();
      return true;
    }
    const isBodiless = call.isHead || status === 204 || status === 304;
    // Some servers send the body all the same, which would pass for the answer to the next request.
    const mayHaveBody = isBodiless && (call.isHead || isChunked || (contentLength ?? 0) > 0);
    this.#keepsAlive = keepsAlive && !mayHaveBody;
    if (isBodiless || contentLength === 0) {
      this.#state = 'length';
      this.#remaining = 0;
    } else if (isChunked) {
      this.#state = 'chunked';
    } else if (contentLength !== null) {
      this.#state = 'length';
      this.#remaining = contentLength;
    } else {
      this.#state = 'until close';
      this.#keepsAlive = false;
    }
    this.touch();
    call.head(parser, contentLength, isBodiless);
    if (this.#state === 'length' && this.#remaining === 0) this.#complete(isAll);
    return true;
  }

  /** Removes what a Connection field names, and returns whether the connection stays open after the response. */
  #readConnection(start: number, end: number, keepsAlive: boolean): boolean {
    const { bytes, version } = this.#parser;
    // Most that say anything say this.
    if (isText(bytes, start, end, 'keep-alive')) return version === 10 || keepsAlive;
    const tokens = bytes
      .toString('latin1', start, end)
      .toLowerCase()
      .split(',')
      .map((token) => token.trim());
    for (const token of tokens) this.#removeNamed(token);
    if (tokens.includes('close')) return false;
    return version === 10 ? tokens.includes('keep-alive') : keepsAlive;
  }

  #removeNamed(name: string): void {
    if (name === 'close' || name === 'keep-alive' || name === '') return;
    const { bytes, spans, codes, count } = this.#parser;
    for (let index = 0; index < count; index++) {
      const at = index * fieldStride;
      if (codes[index] !== 0 || spans[at + 1]! - spans[at]! !== name.length) continue;
      if (bytes.toString('latin1', spans[at], spans[at + 1]).toLowerCase() === name) spans[at + 4] = fieldState.removed;
    }
  }

  #complete(isAll: boolean): void {
    const call = this.#call!;
    this.#call = null;
    // A destroyed socket brings no more. To ask it would bring two more objects into the caches.
    if (this.#keepsAlive && isAll && call.isSent && this.outlet.isFlushed) {
      this.rest();
    } else {
      this.#state = 'closed';
      this.#socket.destroy();
    }
    call.end();
  }

  #break(reason: string): void {
    this.#fail(reason);
    this.destroy();
  }

  #fail(reason: string): void {
    const call = this.#call;
    const tunnel = this.#tunnel;
    this.#call = null;
    this.#tunnel = null;
    call?.failed(reason);
    tunnel?.closed();
  }

  #onEnd(): void {
    this.#deadlines.read();
    if (this.#state === 'until close') this.#complete(true);
    else this.#giveUp();
  }

  /** Closes the socket; whoever is served learns of it when it has closed. */
  #giveUp(): void {
    if (this.#state === 'idle') this.destroy();
    else this.#socket.destroy();
  }
}

/** The name to ask for in TLS: an address is none (RFC 6066, section 3). */
export function servernameOf(host: string): ConnectionOptions {
  return /^[\d.]+$|:/.test(host) ? {} : { servername: host };
}
