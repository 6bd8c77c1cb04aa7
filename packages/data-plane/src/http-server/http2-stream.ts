import { HeaderList } from '@millrace/policies/headers';
import { limitHeaders, limitValues } from '@millrace/policies/limit-headers';
import { gatewayErrors } from '@millrace/policies/run';
import type { Timed } from '../http/deadlines.ts';
import { addedSize, type HeadWriter, sizeOf } from '../http/head-writer.ts';
import { adoptRequestId } from '../http/request-ids.ts';
import { returnWorkspace, type Workspace } from '../http/workspaces.ts';
import { costs } from '../http2/calm.ts';
import { errorCode } from '../http2/frames.ts';
import {
  grpcStatusOf,
  httpStatusOf,
  isGrpc,
  statusIn,
  timeoutMsOf,
  timeoutOf,
  trailersOf,
  unknown,
} from '../http2/grpc.ts';
import { maxFieldOverhead, writeField, writeFields, writePseudo } from '../http2/hpack.ts';
import { Stream } from '../http2/stream.ts';
import { addressBehind } from './client-address.ts';
import { Exchange } from './exchange.ts';
import type { AnswerFraming, BodySink, CallerSide } from './front.ts';
import type { Http2Connection } from './http2-connection.ts';
import type { Http2Head } from './http2-request-head.ts';
import { readTarget } from './request-target.ts';

const limitNames = limitHeaders.map((name) => name.toLowerCase());
/** Of the fields that the gateway itself adds, and of what frames any field, in bytes. */
const ownFieldBytes = 1_024;
const overheadBytes = 160 * maxFieldOverhead;

/** One request of a caller that speaks HTTP/2, and its response. */
export class FrontStream extends Stream implements CallerSide, Timed {
  deadlineMs = Infinity;
  readonly exchange: Exchange;
  readonly isHttp2 = true;
  readonly #connection: Http2Connection;
  readonly #workspace: Workspace;
  #contentLength = -1;
  #bodyBytes = 0;
  #maxBodyBytes = Infinity;
  #heldBytes = 0;
  #wholeBodyDeadlineMs = Infinity;
  #sink: BodySink | null = null;
  #isHeld = false;
  /** Received and not taken by the sink yet; at most what the window allows. */
  readonly #stash: Buffer[] = [];
  #trailers: HeaderList | null = null;
  #hasBodyEnded = false;
  #isConsuming = false;
  #hasBegun = false;
  #isBodiless = false;
  /** Whether something waits for a window or the socket, so that the deadline is that of its leaving. */
  #isBlocked = false;
  /** As they would be in HTTP/1.1, which doesn't compress them. */
  #headBytes = 0;
  #sentBytes = 0;

  constructor(connection: Http2Connection, id: number, workspace: Workspace) {
    super(connection, id);
    const { front } = connection;
    this.#connection = connection;
    this.#workspace = workspace;
    this.exchange = new Exchange(this, front.snapshot, workspace, front.deadlines);
    front.inFlight++;
    front.deadlines.add(this);
  }

  // --- the request ---

  /**
   * Begins the request.
   *
   * @param head decoded, its lines at the beginning of the workspace
   * @param headEnd where they end
   */
  begin(head: Http2Head, headEnd: number, ends: boolean, isTooLong: boolean): void {
    const { exchange } = this;
    const { limits, deadlines, flow } = this.#connection.front;
    const { request } = exchange;
    this.#headBytes = headEnd;
    this.isRemoteClosed = ends;
    request.method = head.method;
    const end = isTooLong ? headEnd : head.complete(headEnd);
    exchange.headBytes = end;
    if (!isTooLong) exchange.grpc = this.#grpcOf(head);
    if (isTooLong || head.hasTooManyFields) {
      this.session.spend(costs.reset);
      if (this.isOver) return;
      flow.refuse(exchange, head.pathEnd - head.pathStart > limits.maxUrlBytes ? 'url_too_long' : 'headers_too_large');
      return;
    }
    this.#contentLength = head.contentLength;
    const isShort = ends && head.contentLength > 0;
    if (head.isMalformed || !head.isComplete || isShort) {
      this.fail(errorCode.protocolError);
      return;
    }
    if (head.pathEnd - head.pathStart > limits.maxUrlBytes) {
      flow.refuse(exchange, 'url_too_long');
      return;
    }
    const isReadable = readTarget(head.bytes, head.pathStart, head.pathEnd, request);
    if (!head.isClear || !isReadable || request.authority !== null) {
      flow.refuse(exchange, 'bad_request');
      return;
    }
    request.headers = HeaderList.over(head);
    request.headerBytes = head.fieldBytes;
    if (exchange.grpc?.timeoutMs === limits.maxGrpcTimeoutMs) {
      request.headers.set('grpc-timeout', timeoutOf(limits.maxGrpcTimeoutMs));
    }
    exchange.framing = ends ? 0 : head.contentLength >= 0 ? head.contentLength : 'chunked';
    request.contentLength = exchange.framing === 'chunked' ? null : exchange.framing;
    exchange.host = head.host!.name;
    exchange.authority = head.host!.authority;
    exchange.keepsAlive = true;
    exchange.expectsContinue = head.expectsContinue && !ends;
    if (this.isTrusted) adoptRequestId(exchange, request.headers.get('x-request-id'));
    this.#hasBodyEnded = ends;
    this.#wholeBodyDeadlineMs = ends || exchange.grpc !== null ? Infinity : deadlines.nowMs + limits.wholeBodyTimeoutMs;
    this.#setBodyDeadline();
    if (head.expectsMore) flow.refuse(exchange, 'expectation_failed');
    else flow.begin(exchange);
  }

  #grpcOf(head: Http2Head): Exchange['grpc'] {
    if (head.isMalformed) return null;
    const headers = HeaderList.over(head);
    if (!isGrpc(headers.get('content-type'))) return null;
    const timeout = headers.get('grpc-timeout');
    const timeoutMs = timeout === null ? null : timeoutMsOf(timeout);
    const { maxGrpcTimeoutMs } = this.#connection.front.limits;
    return {
      status: null,
      timeoutMs: timeoutMs === null ? null : Math.min(timeoutMs, maxGrpcTimeoutMs),
      end: (status, message, fields) => this.#endGrpc(status, message, fields),
      ended: (status) => this.#endedWith(status),
    };
  }

  onData(bytes: Buffer, start: number, end: number): void {
    const { exchange } = this;
    const length = end - start;
    this.#bodyBytes += length;
    if (this.#contentLength >= 0 && this.#bodyBytes > this.#contentLength) {
      this.session.consumed(length);
      this.fail(errorCode.protocolError);
      return;
    }
    this.#setBodyDeadline();
    if (this.#exceeds(length)) {
      this.session.consumed(length);
      return;
    }
    if (this.#sink === null || this.#isHeld || this.#stash.length > 0) {
      this.#stash.push(Buffer.copyBytesFrom(bytes, start, length));
      return;
    }
    this.#isConsuming = true;
    if (!this.#sink.body(bytes, start, end)) this.#isHeld = true;
    this.#isConsuming = false;
    if (!exchange.isOver) this.consumed(length);
    else this.session.consumed(length);
  }

  onDataEnd(): void {
    this.isRemoteClosed = true;
    if (this.#contentLength >= 0 && this.#bodyBytes !== this.#contentLength) {
      this.fail(errorCode.protocolError);
      return;
    }
    this.#endBody();
  }

  /** The request has ended with trailers. */
  onTrailers(trailers: Http2Head): void {
    this.#trailers = new HeaderList(HeaderList.over(trailers).fields);
    this.onDataEnd();
  }

  onPause(): void {
    if (!this.isOver && !this.#hasBodyEnded) this.#sink?.bodyPause();
  }

  readBody(sink: BodySink, maxBytes: number): void {
    this.#sink = sink;
    this.#maxBodyBytes = maxBytes;
    if (this.#hasBodyEnded) sink.bodyEnd(this.#trailers);
    else if (!this.#exceeds(0)) this.resumeBody();
  }

  resumeBody(): void {
    this.#isHeld = false;
    if (this.#isConsuming || this.isOver) return;
    this.#isConsuming = true;
    while (this.#stash.length > 0 && !this.#isHeld && !this.isOver) {
      const piece = this.#stash.shift()!;
      if (!this.#sink!.body(piece, 0, piece.length)) this.#isHeld = true;
      this.consumed(piece.length);
    }
    this.#isConsuming = false;
    if (this.isOver) return;
    if (this.isRemoteClosed) this.#endBody();
    if (this.#hasBodyEnded || this.session.touch(this)) return;
    this.#sink?.bodyPause();
    this.flush();
  }

  #endBody(): void {
    if (this.#hasBodyEnded || this.#sink === null || this.#isHeld || this.#stash.length > 0) return;
    this.#hasBodyEnded = true;
    this.deadlineMs = Infinity;
    this.#sink.bodyEnd(this.#trailers);
  }

  /** Rejects a body that is too long, or longer than the available room. */
  #exceeds(addedBytes: number): boolean {
    const { exchange } = this;
    const { front } = this.#connection;
    if (this.#bodyBytes > this.#maxBodyBytes) {
      front.flow.refuse(exchange, 'body_too_large');
      return true;
    }
    if (this.#sink !== null && this.#sink.holds !== true) return false;
    this.#heldBytes += addedBytes;
    front.heldBytes += addedBytes;
    if (front.heldBytes <= front.limits.maxHeldBytes) return false;
    front.flow.refuse(exchange, 'policy_unavailable');
    return true;
  }

  sayContinue(): void {
    if (!this.exchange.expectsContinue) return;
    this.exchange.expectsContinue = false;
    this.informational(100, none);
  }

  // --- the response ---

  informational(status: number, headers: HeaderList): void {
    if (this.#hasBegun || this.isOver) return;
    const to = this.#beginHead(status, headers);
    writeFields(to, headers);
    this.session.endHeaders(this.id, false);
  }

  beginAnswer(
    exchange: Exchange,
    status: number,
    headers: HeaderList,
    framing: AnswerFraming,
    bodyBytes: number | null,
  ): void {
    this.#hasBegun = true;
    this.#isBodiless = framing === 'none';
    const added = exchange.addedToAnswer;
    const to = this.#beginHead(status, headers);
    const from = to.length;
    writeFields(to, headers);
    if (added !== null) writeFields(to, added);
    if (exchange.reportedLimit !== null) {
      const values = limitValues(exchange.reportedLimit);
      for (const [index, name] of limitNames.entries()) writeField(to, name, String(values[index]!));
    }
    writeField(to, 'x-request-id', exchange.id);
    if (bodyBytes !== null) writeField(to, 'content-length', String(bodyBytes));
    this.#sentBytes += to.length - from;
    this.session.endHeaders(this.id, this.#isBodiless);
    if (this.#isBodiless) this.isLocalClosed = true;
    exchange.status = status;
  }

  #endGrpc(status: number, message: string, headers: readonly string[]): void {
    const { exchange } = this;
    const trailers = trailersOf(status, message);
    exchange.grpc!.status = status;
    if (this.#hasBegun) {
      this.end(new HeaderList(trailers));
      return;
    }
    const counted = exchange.status;
    const fields = new HeaderList(['content-type', 'application/grpc', ...headers, ...trailers]);
    this.beginAnswer(exchange, 200, fields, 'none', null);
    exchange.status = counted;
    this.end();
  }

  #beginHead(status: number, headers: HeaderList): HeadWriter {
    const added = this.exchange.addedToAnswer;
    const size = sizeOf(headers) + (added === null ? 0 : addedSize(added.added)) + ownFieldBytes + overheadBytes;
    const to = this.session.beginHeaders(size);
    writePseudo(to, ':status', String(status));
    return to;
  }

  piece(bytes: Buffer, start: number, end: number): boolean {
    if (this.#isBodiless || this.isOver) return false;
    this.#sentBytes += end - start;
    if (this.exchange.grpc !== null) this.#setBodyDeadline();
    return this.sendData(bytes, start, end, true);
  }

  end(trailers: HeaderList | null = null): void {
    this.#endedWith(trailers === null ? null : statusIn(trailers));
    this.sendEnd(trailers);
    this.flush();
    if (this.pendingBytes > 0) this.#setBlockedDeadline();
  }

  /** A call counts as what its status of gRPC stands for; without one that is unknown. */
  #endedWith(status: number | null): void {
    const { exchange } = this;
    if (exchange.grpc === null || exchange.grpc.status !== null) return;
    exchange.grpc.status = status ?? unknown;
    if (exchange.status === 200) exchange.status = httpStatusOf(exchange.grpc.status);
  }

  protected onSent(): void {
    if (this.exchange.error === null) this.session.earn(costs.reset);
    this.#over();
    this.close(errorCode.noError);
  }

  get isFull(): boolean {
    if (this.pendingBytes === 0 && !this.session.outlet.isFull) return false;
    this.#setBlockedDeadline();
    return true;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  onWritable(): void {
    if (this.isOver || this.pendingBytes > 0) return;
    this.#isBlocked = false;
    this.deadlineMs = Infinity;
    this.#setBodyDeadline();
    this.exchange.source?.resume();
  }

  cut(): void {
    const { grpc, error } = this.exchange;
    if (grpc !== null && this.#hasBegun && error !== null && !this.isLocalClosed && this.pendingBytes === 0) {
      const { status, message } = gatewayErrors[error];
      this.exchange.status = status;
      grpc.end(grpcStatusOf(status), message, []);
      return;
    }
    this.#over();
    this.close(errorCode.internalError);
    this.flush();
  }

  // --- the end ---

  onReset(): void {
    const { exchange } = this;
    if (!exchange.isOver) {
      exchange.status = 499;
      exchange.source?.abort();
    }
    this.isRemoteClosed = true;
    this.isLocalClosed = true;
    this.#over();
    this.close(errorCode.noError);
  }

  fail(code: number): void {
    const { exchange } = this;
    const { source } = exchange;
    if (this.isOver) return;
    if (!exchange.isOver) {
      exchange.error = 'bad_request';
      exchange.status = 400;
      exchange.source = null;
      source?.abort();
    }
    this.#over();
    this.close(code);
    this.session.spend(costs.reset);
  }

  onDeadline(): void {
    const { exchange } = this;
    this.deadlineMs = Infinity;
    if (this.#isHeld && !this.#hasBegun) return;
    if (!this.isRemoteClosed && !this.#hasBegun && !exchange.isOver) {
      this.#connection.front.flow.refuse(exchange, 'request_timeout');
    } else {
      exchange.source?.abort();
      exchange.status = 499;
      this.#over();
      this.close(errorCode.cancel);
    }
    this.flush();
  }

  #setBodyDeadline(): void {
    if (this.isRemoteClosed || this.#isBlocked) return;
    const { limits, deadlines } = this.#connection.front;
    const pauseMs = this.exchange.grpc === null ? limits.bodyTimeoutMs : limits.targetIdleMs;
    this.deadlineMs = Math.min(deadlines.nowMs + pauseMs, this.#wholeBodyDeadlineMs);
  }

  /** Everything that waits has to leave within this time: a window that opens byte by byte doesn't extend it. */
  #setBlockedDeadline(): void {
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    this.deadlineMs = this.#connection.front.deadlines.nowMs + this.#connection.front.limits.bodyTimeoutMs;
  }

  #over(): void {
    const { exchange } = this;
    if (exchange.isOver) return;
    const { front } = this.#connection;
    front.inFlight--;
    front.heldBytes -= this.#heldBytes;
    front.deadlines.remove(this);
    exchange.isOver = true;
    exchange.requestBytes = this.#headBytes + this.#bodyBytes;
    exchange.responseBytes = this.#sentBytes;
    front.flow.ended(exchange);
    exchange.request.headers.release();
    if (!exchange.isWorkspaceLent) returnWorkspace(this.#workspace);
    let unread = 0;
    for (const piece of this.#stash) unread += piece.length;
    this.#stash.length = 0;
    this.session.consumed(unread);
    this.#connection.restart();
  }

  // --- the connection ---

  get address(): string {
    return this.#connection.address;
  }

  get isTrusted(): boolean {
    return this.#connection.isTrusted;
  }

  get isSecure(): boolean {
    return this.#connection.isSecure;
  }

  get chance(): number {
    return this.#connection.chance;
  }

  get forwardedLines(): CallerSide['forwardedLines'] {
    return this.#connection.forwardedLines;
  }

  set forwardedLines(lines: CallerSide['forwardedLines']) {
    this.#connection.forwardedLines = lines;
  }

  addressBehind(headers: HeaderList): string {
    return this.isTrusted ? addressBehind(this.address, headers, this.#connection.front) : this.address;
  }
}

const none = new HeaderList();
