import type { Socket } from 'node:net';
import { HeaderList } from '@millrace/policies/headers';
import type { GatewayErrorCode } from '@millrace/policies/run';
import type { Timed } from '../http/deadlines.ts';
import { addedSize, HeadWriter, sizeOf } from '../http/head-writer.ts';
import { Outlet } from '../http/outlet.ts';
import { Parser } from '../http/parser.ts';
import { adoptRequestId } from '../http/request-ids.ts';
import { statusLine } from '../http/status-lines.ts';
import {
  copiedBytes,
  readBuffer,
  returnStash,
  returnWorkspace,
  stashBytes,
  takeBuffer,
  takeStash,
  takeWorkspace,
  type Workspace,
} from '../http/workspaces.ts';
import type { Reader } from '../node-internals/sockets.ts';
import { addressBehind, plainAddress } from './client-address.ts';
import { Exchange } from './exchange.ts';
import type { AnswerFraming, BodySink, CallerConnection, CallerSide, Front } from './front.ts';
import { readRequestHead } from './request-head.ts';
import { readTarget } from './request-target.ts';

const discards: BodySink = { body: () => true, bodyPause() {}, bodyEnd() {} };
/** Heads and small bodies are combined here, and sent before the turn of their connection ends. */
let output = new HeadWriter(takeBuffer());
/** For a caller that has sent all it announced to read its answer and close. */
const closingMs = 2_000;
/** How long an idle connection stays open while the gateway drains: callers that are busy send their next request. */
const drainMs = 1_000;

/** One connection of a caller: reads requests one after another, and writes their responses. */
export class FrontConnection implements Timed, CallerConnection, CallerSide, Reader {
  deadlineMs: number;
  readonly socket: Socket;
  readonly address: string;
  readonly isTrusted: boolean;
  readonly isSecure: boolean;
  readonly isHttp2 = false;
  readonly chance = Math.random();
  forwardedLines: { readonly authority: string | null; readonly bytes: Buffer } | null = null;
  readonly #front: Front;
  readonly #outlet: Outlet;
  readonly #parser: Parser;
  #workspace: Workspace | null = null;
  #state: 'head' | 'body' | 'answer' | 'tunnel' | 'closing' = 'head';
  #exchange: Exchange | null = null;
  #remaining = 0;
  #bodyBytes = 0;
  #maxBodyBytes = Infinity;
  #wholeBodyDeadlineMs = Infinity;
  #heldBytes = 0;
  #sink: BodySink | null = null;
  #isHeld = false;
  /** Received and unprocessed: its first bytes. */
  #stash: Buffer | null = null;
  #stashedBytes = 0;
  #isConsuming = false;
  #isPaused = false;
  #isEnded = false;
  /** Whether the rest of a body is taken in and dropped, and until when and how much of it. */
  #isLingering = false;
  #lingersUntilMs = 0;
  #lingerBytes = 0;

  #framing: AnswerFraming = 'none';
  #hasBegun = false;
  #isWorkspaceLent = false;
  #closes = false;
  #writtenBefore = 0;

  constructor(socket: Socket, front: Front, isSecure: boolean) {
    this.socket = socket;
    this.address = plainAddress(socket.remoteAddress ?? '');
    this.isTrusted = front.isTrustedProxy(this.address);
    this.isSecure = isSecure;
    this.#front = front;
    this.#outlet = new Outlet(socket, front.internals, () => this.#onDrain());
    this.#parser = new Parser('request', noSpans, front.internals.newMessageReader);
    this.deadlineMs = front.deadlines.nowMs + (front.isDraining ? drainMs : front.limits.headTimeoutMs);
    front.deadlines.add(this);
    front.connections.add(this);
    socket.setNoDelay(true);
    socket.on('end', () => this.#onEnd());
    // The error is handled on `close`, which always follows.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
  }

  eachExchange(visit: (exchange: Exchange) => void): void {
    if (this.#exchange !== null) visit(this.#exchange);
  }

  addressBehind(headers: HeaderList): string {
    return this.isTrusted ? addressBehind(this.address, headers, this.#front) : this.address;
  }

  received(length: number): boolean {
    return this.receive(readBuffer, length);
  }

  nextBuffer(): null {
    return null;
  }

  /**
   * Processes received bytes, which are reused after the call.
   *
   * @returns false: no more for now
   */
  receive(chunk: Buffer, end: number): boolean {
    const hadStash = this.#stash !== null;
    if (hadStash) {
      this.#addToStash(chunk, 0, end);
      this.#consumeStash();
    } else {
      this.#consume(chunk, 0, end);
    }
    this.flush();
    // Nothing more may come: pausing for a small body that waits for a policy costs more than buffering it.
    const isMuch = this.#stash !== null && (hadStash || this.#stashedBytes > stashBytes);
    this.#isPaused = isMuch || this.#isHeld;
    return !this.#isPaused;
  }

  readBody(sink: BodySink, maxBytes: number): void {
    this.#sink = sink;
    this.#maxBodyBytes = maxBytes;
    if (this.#state === 'answer') sink.bodyEnd();
    else this.resumeBody();
  }

  resumeBody(): void {
    this.#isHeld = false;
    if (this.#isConsuming) return;
    this.#consumeStash();
    if (this.#state === 'body') this.#sink?.bodyPause();
    this.flush();
    this.#resumeReading();
  }

  sayContinue(): void {
    if (this.#exchange === null || !this.#exchange.expectsContinue) return;
    this.#exchange.expectsContinue = false;
    this.#reserve(32);
    output.text('HTTP/1.1 100 Continue\r\n\r\n');
  }

  informational(status: number, headers: HeaderList): void {
    this.#reserve(sizeOf(headers) + 128);
    output.copy(statusLine(status), 0, statusLine(status).length);
    output.fields(headers);
    output.text('\r\n');
  }

  beginAnswer(
    exchange: Exchange,
    status: number,
    headers: HeaderList,
    framing: AnswerFraming,
    bodyBytes: number | null,
  ): void {
    this.#hasBegun = true;
    const isOld = !exchange.isHttp11;
    this.#framing = framing === 'chunked' && isOld ? 'until close' : framing;
    const added = exchange.addedToAnswer;
    this.#reserve(sizeOf(headers) + (added === null ? 0 : addedSize(added.added)) + 768);
    const line = statusLine(status);
    output.copy(line, 0, line.length);
    output.fields(headers);
    if (added !== null) output.added(added);
    if (exchange.reportedLimit !== null) output.limit(exchange.reportedLimit);
    output.requestId(exchange);
    if (bodyBytes !== null) {
      output.text('Content-Length: ');
      output.integer(bodyBytes);
      output.text('\r\n');
    }
    if (bodyBytes === null && this.#framing === 'chunked') output.text('Transfer-Encoding: chunked\r\n');
    this.#closes =
      !exchange.keepsAlive || this.#front.isDraining || this.#framing === 'until close' || !this.#canDiscard();
    if (this.#closes) output.text('Connection: close\r\n\r\n');
    else output.text(isOld ? 'Connection: keep-alive\r\n\r\n' : '\r\n');
    exchange.status = status;
  }

  piece(bytes: Buffer, start: number, end: number): boolean {
    if (this.#framing === 'none' || start === end) return false;
    if (this.#framing === 'chunked') {
      for (let at = start; at < end; ) {
        if (output.room < 4_096) this.flush();
        const length = Math.min(end - at, output.room - 32);
        output.text(`${length.toString(16)}\r\n`);
        output.copy(bytes, at, at + length);
        output.text('\r\n');
        at += length;
      }
      return false;
    }
    if (end - start <= copiedBytes) {
      if (output.room < end - start) this.flush();
      output.copy(bytes, start, end);
      return false;
    }
    if (output.length === 0) return this.#outlet.send(bytes, start, end);
    const headLength = output.length;
    output.length = 0;
    return this.#outlet.sendBoth(output.bytes, headLength, bytes, start, end);
  }

  end(): void {
    if (this.#framing === 'chunked') {
      this.#reserve(5);
      output.text('0\r\n\r\n');
    }
    this.flush();
    const exchange = this.#over();
    if (exchange === null) return;
    if (this.#closes) this.#close();
    else if (this.#state === 'answer') this.#next();
    else this.readBody(discards, Infinity);
  }

  /** Accepts another protocol: {@link FrontConnection.tunnel} follows. */
  beginTunnel(exchange: Exchange, headers: HeaderList): void {
    this.#hasBegun = true;
    this.#framing = 'none';
    this.#closes = true;
    exchange.status = 101;
    this.#reserve(sizeOf(headers) + 256);
    output.text('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n');
    output.fields(headers);
    output.text(`X-Request-Id: ${exchange.id}\r\n\r\n`);
  }

  get isFull(): boolean {
    if (!this.#outlet.isFull) return false;
    this.deadlineMs = this.#front.deadlines.nowMs + this.#front.limits.bodyTimeoutMs;
    return true;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  cut(): void {
    output.length = 0;
    this.#over();
    this.socket.destroy();
  }

  /**
   * Connects the caller to a target that accepted another protocol: everything received goes into the sink.
   */
  tunnel(sink: BodySink): void {
    this.flush();
    this.#state = 'tunnel';
    this.#sink = sink;
    this.deadlineMs = Infinity;
    this.#consumeStash();
    this.#resumeReading();
  }

  /** Sends what a tunnel brings. The bytes are lent where it returns true. */
  tunnelled(bytes: Buffer, start: number, end: number): boolean {
    return this.#outlet.send(bytes, start, end);
  }

  /** The other end of a tunnel is closed. */
  endTunnel(): void {
    this.#over();
    this.#close();
  }

  /** Closes the connection soon if nothing arrives; a request that does is handled as the last one. */
  drain(): void {
    if (this.#exchange !== null || this.#state !== 'head' || this.#workspace !== null) return;
    this.deadlineMs = Math.min(this.deadlineMs, this.#front.deadlines.nowMs + drainMs);
  }

  /** Sends what was combined for this connection. */
  flush(): void {
    if (output.length === 0) return;
    output = this.#outlet.sendWritten(output);
  }

  onDeadline(): void {
    const exchange = this.#exchange;
    this.deadlineMs = Infinity;
    // Whatever holds the body back has its own deadline.
    if (this.#isHeld && exchange !== null) return;
    if (this.#state === 'head' && this.#workspace !== null && !this.#hasBegun) {
      this.#refuseHead('request_timeout');
    } else if (this.#state === 'body' && exchange !== null && !this.#hasBegun) {
      exchange.keepsAlive = false;
      this.#front.flow.refuse(exchange, 'request_timeout');
    } else if (this.#state === 'head') {
      this.#close();
    } else {
      this.socket.destroy();
    }
    this.flush();
  }

  #reserve(bytes: number): void {
    if (output.room >= bytes) return;
    this.flush();
    if (output.room < bytes) output.bytes = Buffer.allocUnsafeSlow(bytes);
  }

  #consumeStash(): void {
    const stash = this.#stash;
    if (stash === null || this.#isConsuming) return;
    this.#stash = null;
    this.#consume(stash, 0, this.#stashedBytes);
    returnStash(stash);
  }

  /** Keeps a copy behind what is there already. */
  #addToStash(bytes: Buffer, start: number, end: number): void {
    const before = this.#stash;
    const length = before === null ? 0 : this.#stashedBytes;
    this.#stashedBytes = length + end - start;
    if (before === null || before.length < this.#stashedBytes) {
      this.#stash = takeStash(this.#stashedBytes);
      before?.copy(this.#stash, 0, 0, length);
      if (before !== null) returnStash(before);
    }
    bytes.copy(this.#stash!, length, start, end);
  }

  #dropStash(): void {
    if (this.#stash !== null) returnStash(this.#stash);
    this.#stash = null;
  }

  #consume(chunk: Buffer, start: number, end: number): void {
    this.#isConsuming = true;
    let at = start;
    while (at < end) {
      if (this.#state === 'head') {
        // A caller that doesn't read its responses has its requests delayed.
        if (this.#outlet.isFull) break;
        at = this.#readHead(chunk, at, end);
      } else if (this.#state === 'body' && this.#sink !== null && !this.#isHeld) {
        at = this.#readBody(chunk, at, end, this.#sink);
      } else if (this.#state === 'tunnel' && !this.#isHeld) {
        this.#isHeld = !this.#sink!.body(chunk, at, end);
        at = end;
      } else if (this.#state === 'closing') {
        this.#drop(end - at);
        at = end;
      } else break;
    }
    this.#isConsuming = false;
    if (this.#state === 'body') this.#sink?.bodyPause();
    if (at < end) this.#addToStash(chunk, at, end);
  }

  #resumeReading(): void {
    if (!this.#isPaused || this.#stash !== null || this.#isHeld) return;
    this.#isPaused = false;
    this.socket.resume();
  }

  #readHead(chunk: Buffer, start: number, end: number): number {
    const parser = this.#parser;
    const { limits, deadlines } = this.#front;
    let workspace = this.#workspace;
    if (workspace === null) {
      workspace = takeWorkspace();
      this.#workspace = workspace;
      parser.reset();
      parser.spans = workspace.spans;
      parser.bytes = workspace.bytes;
      this.deadlineMs = deadlines.nowMs + limits.headTimeoutMs;
    }
    const before = parser.headBytes;
    const headEnd = parser.readHead(chunk, start, end, limits.maxHeadBytes);
    if (headEnd === -2) {
      const isUrl = parser.count === 0 || parser.urlEnd - parser.urlStart > limits.maxUrlBytes;
      if (parser.error === 'malformed') this.#refuseHead('bad_request');
      else this.#refuseHead(isUrl ? 'url_too_long' : 'headers_too_large');
      return end;
    }
    chunk.copy(workspace.bytes, before, start, headEnd === -1 ? end : headEnd);
    if (headEnd === -1) return end;
    this.#begin(parser, workspace);
    return headEnd;
  }

  #begin(parser: Parser, workspace: Workspace): void {
    const { limits, deadlines, flow, snapshot } = this.#front;
    parser.complete();
    const head = readRequestHead(parser, this.isTrusted);
    deadlines.read();
    const exchange = new Exchange(this, snapshot, workspace, deadlines);
    this.#exchange = exchange;
    this.#front.inFlight++;
    this.#hasBegun = false;
    this.#closes = false;
    this.#writtenBefore = this.#outlet.written;
    const { request } = exchange;
    request.method = parser.method;
    if (parser.urlEnd - parser.urlStart > limits.maxUrlBytes) {
      this.#refuseAndClose(exchange, 'url_too_long');
      return;
    }
    const isReadable = readTarget(workspace.bytes, parser.urlStart, parser.urlEnd, request);
    if (head === null || !isReadable) {
      this.#refuseAndClose(exchange, 'bad_request');
      return;
    }
    if (request.authority !== null && request.authority.toLowerCase() !== head.authority?.toLowerCase()) {
      this.#refuseAndClose(exchange, 'bad_request');
      return;
    }
    request.headers = HeaderList.over(parser);
    request.headerBytes = head.fieldBytes;
    request.contentLength = head.framing === 'chunked' ? null : head.framing;
    exchange.headBytes = parser.headBytes;
    exchange.isHttp11 = parser.version === 11;
    exchange.host = head.host;
    exchange.authority = head.authority;
    exchange.framing = head.framing;
    exchange.keepsAlive = head.keepsAlive;
    exchange.expectsContinue = head.expectsContinue;
    if (head.upgrades && head.framing === 0 && request.method === 'GET') exchange.tunnel = this;
    if (this.isTrusted) adoptRequestId(exchange, request.headers.get('x-request-id'));
    this.#sink = null;
    this.#isHeld = false;
    this.#remaining = head.framing === 'chunked' ? 0 : head.framing;
    this.#state = head.framing === 0 ? 'answer' : 'body';
    this.#wholeBodyDeadlineMs = deadlines.nowMs + limits.wholeBodyTimeoutMs;
    this.deadlineMs = head.framing === 0 ? Infinity : this.#bodyDeadlineMs();
    if (head.expectsMore) {
      flow.refuse(exchange, 'expectation_failed');
      return;
    }
    flow.begin(exchange);
  }

  #readBody(chunk: Buffer, start: number, end: number, sink: BodySink): number {
    const parser = this.#parser;
    const exchange = this.#exchange;
    this.deadlineMs = this.#bodyDeadlineMs();
    let read: number;
    if (this.#remaining > 0) {
      const length = Math.min(this.#remaining, end - start);
      this.#remaining -= length;
      read = start + length;
      this.#bodyBytes += length;
      if (this.#exceeds(exchange, length)) return end;
      if (!sink.body(chunk, start, read)) this.#isHeld = true;
      if (this.#remaining > 0) return read;
    } else {
      read = parser.readChunked(chunk, start, end);
      if (read === -2) {
        if (exchange === null) this.#close();
        else this.#refuseAndClose(exchange, 'bad_request');
        return end;
      }
      const { pieces } = parser;
      for (let piece = 0; piece < pieces.length; piece += 2) {
        const length = pieces[piece + 1]! - pieces[piece]!;
        this.#bodyBytes += length;
        if (this.#exceeds(exchange, length)) return end;
        if (!sink.body(chunk, pieces[piece]!, pieces[piece + 1]!)) this.#isHeld = true;
      }
      if (!parser.ended) return read;
    }
    this.#isHeld = false;
    this.deadlineMs = Infinity;
    this.#state = 'answer';
    if (exchange === null) this.#next();
    else sink.bodyEnd();
    return read;
  }

  /** Sets the deadline for the next piece of the request's body. */
  #bodyDeadlineMs(): number {
    const { limits, deadlines } = this.#front;
    return Math.min(deadlines.nowMs + limits.bodyTimeoutMs, this.#wholeBodyDeadlineMs);
  }

  /** Rejects a body that is too long, or longer than the available room. */
  #exceeds(exchange: Exchange | null, addedBytes: number): boolean {
    if (exchange === null) {
      if (this.#bodyBytes <= this.#front.limits.maxDiscardedBytes) return false;
      this.#close();
      return true;
    }
    if (this.#bodyBytes > this.#maxBodyBytes) {
      this.#refuseAndClose(exchange, 'body_too_large');
      return true;
    }
    if (this.#sink?.holds !== true) return false;
    this.#heldBytes += addedBytes;
    this.#front.heldBytes += addedBytes;
    if (this.#front.heldBytes <= this.#front.limits.maxHeldBytes) return false;
    this.#refuseAndClose(exchange, 'policy_unavailable');
    return true;
  }

  /** Whether the rest of the request's body may be read and dropped, so that the connection can be reused. */
  #canDiscard(): boolean {
    if (this.#state !== 'body') return true;
    if (this.#exchange?.expectsContinue) return false;
    return this.#remaining > 0 && this.#remaining <= this.#front.limits.maxDiscardedBytes;
  }

  #refuseHead(error: GatewayErrorCode): void {
    const { deadlines, snapshot } = this.#front;
    deadlines.read();
    const exchange = new Exchange(this, snapshot, this.#workspace, deadlines);
    this.#exchange = exchange;
    this.#front.inFlight++;
    this.#hasBegun = false;
    this.#writtenBefore = this.#outlet.written;
    this.#refuseAndClose(exchange, error);
  }

  /** The rest of what the caller sends can't be parsed into requests. */
  #refuseAndClose(exchange: Exchange, error: GatewayErrorCode): void {
    exchange.keepsAlive = false;
    this.#front.flow.refuse(exchange, error);
  }

  /** The exchange is finished. */
  #over(): Exchange | null {
    const exchange = this.#exchange;
    if (exchange === null) return null;
    this.#exchange = null;
    this.#front.inFlight--;
    this.#front.heldBytes -= this.#heldBytes;
    this.#heldBytes = 0;
    exchange.isOver = true;
    exchange.requestBytes = this.#parser.headBytes + this.#bodyBytes;
    exchange.responseBytes = this.#outlet.written - this.#writtenBefore;
    this.#bodyBytes = 0;
    this.#isWorkspaceLent = exchange.isWorkspaceLent;
    this.#front.flow.ended(exchange);
    exchange.request.headers.release();
    return exchange;
  }

  #next(): void {
    this.#giveWorkspace();
    this.#state = 'head';
    this.#sink = null;
    this.#bodyBytes = 0;
    this.deadlineMs = this.#front.deadlines.nowMs + this.#front.limits.keepAliveMs;
    if (this.#front.isDraining) this.drain();
    if (this.#isConsuming) return;
    if (this.#stash !== null) {
      this.#consumeStash();
      this.flush();
    }
    this.#resumeReading();
  }

  #close(): void {
    const { limits, deadlines } = this.#front;
    const isSending = this.#state === 'body' || (this.#state === 'head' && this.#workspace !== null);
    this.#giveWorkspace();
    this.#state = 'closing';
    this.#dropStash();
    this.#isHeld = false;
    this.flush();
    this.#outlet.flush();
    if (isSending && this.#front.lingering < limits.maxLingering) {
      this.#isLingering = true;
      this.#front.lingering++;
    }
    // What the caller still sends is read for a while: a reset would discard the response.
    const linger = () => {
      this.#lingersUntilMs = deadlines.nowMs + (this.#isLingering ? limits.lingerMs : closingMs);
      this.#drop(0);
    };
    this.#lingersUntilMs = Infinity;
    this.deadlineMs = deadlines.nowMs + limits.bodyTimeoutMs;
    if (this.#outlet.isFlushed) linger();
    else this.socket.once('finish', linger);
    this.socket.end();
    if (this.#isEnded) this.socket.destroySoon();
    else this.#resumeReading();
  }

  /** Drops what comes after the answer, up to a bound: who sends more than that, or pauses, is no longer waited for. */
  #drop(length: number): void {
    const { limits, deadlines } = this.#front;
    this.#lingerBytes += length;
    if (this.#lingerBytes > limits.maxLingerBytes) this.socket.destroy();
    else if (this.#lingersUntilMs !== Infinity) {
      this.deadlineMs = Math.min(deadlines.nowMs + limits.lingerPauseMs, this.#lingersUntilMs);
    }
  }

  #giveWorkspace(): void {
    if (this.#workspace === null) return;
    const workspace = this.#workspace;
    this.#workspace = null;
    if (this.#isWorkspaceLent) this.#isWorkspaceLent = false;
    else returnWorkspace(workspace);
  }

  /** The caller has read everything that was sent. */
  #onDrain(): void {
    const { limits, deadlines } = this.#front;
    if (this.#exchange !== null || this.#state !== 'head') {
      if (this.#state === 'body') this.deadlineMs = this.#bodyDeadlineMs();
      else if (this.#state !== 'closing') this.deadlineMs = Infinity;
      this.#exchange?.source?.resume();
      return;
    }
    // A started head keeps its deadline.
    if (this.#workspace === null) this.deadlineMs = deadlines.nowMs + limits.keepAliveMs;
    if (this.#front.isDraining) this.drain();
    if (this.#isConsuming) return;
    this.#consumeStash();
    this.flush();
    this.#resumeReading();
  }

  #onEnd(): void {
    this.#isEnded = true;
    this.#outlet.flush();
    if (this.#state === 'tunnel') this.#sink?.bodyEnd();
    else if (this.#exchange === null) this.socket.destroySoon();
    else this.socket.destroy();
  }

  #onClose(): void {
    const { connections, deadlines } = this.#front;
    connections.delete(this);
    deadlines.remove(this);
    if (this.#isLingering) this.#front.lingering--;
    const exchange = this.#exchange;
    if (exchange !== null) {
      exchange.status = 499;
      exchange.source?.abort();
      this.#over();
    }
    this.#giveWorkspace();
    this.#parser.close();
    this.#dropStash();
  }
}

const noSpans = new Int32Array(0);
