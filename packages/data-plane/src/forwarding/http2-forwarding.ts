import type { HeaderList } from '@millrace/policies/headers';
import type { AnswerHead, GatewayErrorCode } from '@millrace/policies/run';
import type { Timed } from '../http/deadlines.ts';
import { sizeOf } from '../http/head-writer.ts';
import type { Exchange } from '../http-server/exchange.ts';
import type { AnswerBody, AnswerSource, BodySink } from '../http-server/front.ts';
import { takeUnits } from '../http-server/units.ts';
import { httpStatusOf, statusIn } from '../http2/grpc.ts';
import { maxFieldOverhead, writeField, writeFields, writePseudo } from '../http2/hpack.ts';
import type { Endpoint, Outcome } from '../targets/endpoints.ts';
import { noHttp2 } from '../targets/http2-pool.ts';
import type { Http2Call, TargetSession, TargetStream } from '../targets/http2-session.ts';
import { mayRepeat } from '../targets/retry.ts';
import { forwardedFields } from './forwarded.ts';
import { type ForwardingParts, targetPath, withBody } from './forwarding.ts';

/** Of a body, kept so that the request can be sent again. */
const mostHeldBytes = 65_536;
const overheadBytes = 160 * maxFieldOverhead;
const none: readonly Endpoint[] = [];

/**
 * Forwards one request to a target that speaks HTTP/2, and its response back. A request is only retried by the rules of
 * HTTP/1.1, or if the target says that it has done nothing for it (RFC 9113, section 8.7).
 */
export class Http2Forwarding implements BodySink, AnswerSource, Http2Call, Timed {
  deadlineMs = Infinity;
  readonly #exchange: Exchange;
  readonly #parts: ForwardingParts;
  /** The body so far, as long as the request may be sent again. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #hasStreamed = false;
  /** Whether the whole body has arrived from the caller. */
  #isWhole = false;
  #trailers: HeaderList | null = null;
  #attempts = 0;
  #tried: readonly Endpoint[] = none;
  #endpoint: Endpoint | null = null;
  #stream: TargetStream | null = null;
  #answer: AnswerBody | null = null;
  #hasAnswered = false;
  #targetStatus = 0;
  #isOver = false;

  constructor(exchange: Exchange, parts: ForwardingParts) {
    this.#exchange = exchange;
    this.#parts = parts;
  }

  /**
   * Calls a target.
   *
   * @param heldBody the body as read by a policy; null: it still has to be read from the caller
   */
  begin(heldBody: Buffer | null, maxBodyBytes: number): void {
    const { connection, grpc, startedMs, matched } = this.#exchange;
    this.#exchange.source = this;
    matched!.target.retries.earn();
    if (grpc !== null && grpc.timeoutMs !== null) {
      this.deadlineMs = startedMs + grpc.timeoutMs;
      this.#parts.deadlines.add(this);
    }
    this.#attempt();
    if (this.#isOver) return;
    if (heldBody === null) {
      connection.sayContinue();
      connection.readBody(this, maxBodyBytes);
    } else {
      this.body(heldBody, 0, heldBody.length);
      this.bodyEnd();
    }
  }

  /** The caller of gRPC doesn't wait any longer. */
  onDeadline(): void {
    this.deadlineMs = Infinity;
    if (this.#isOver) return;
    this.#stream?.cancel();
    if (!this.#hasAnswered) this.#report({ kind: 'timed_out' });
    this.#fail('target_timeout');
  }

  // --- the request, from the caller ---

  body(bytes: Buffer, start: number, end: number): boolean {
    if (this.#isOver) return true;
    const stream = this.#stream;
    if (!this.#hasStreamed) this.#hold(bytes, start, end);
    if (stream === null) return this.#heldBytes < mostHeldBytes;
    stream.sendData(bytes, start, end, false);
    if (stream.pendingBytes === 0 && !stream.isBlocked) return true;
    stream.deadlineMs = this.#parts.deadlines.nowMs + this.#timeoutMs;
    return false;
  }

  #hold(bytes: Buffer, start: number, end: number): void {
    if (this.#stream !== null && this.#heldBytes + end - start > mostHeldBytes) {
      this.#hasStreamed = true;
      this.#held = [];
      return;
    }
    this.#held.push(Buffer.copyBytesFrom(bytes, start, end - start));
    this.#heldBytes += end - start;
  }

  bodyPause(): void {
    this.#stream?.flush();
  }

  bodyEnd(trailers: HeaderList | null = null): void {
    if (this.#isOver) return;
    this.#isWhole = true;
    this.#trailers = trailers;
    if (this.#stream === null) return;
    this.#stream.sendEnd(trailers);
    this.#stream.flush();
    this.#awaitAnswer();
  }

  // --- the target ---

  /** @param before the previous attempt's error */
  #attempt(before: GatewayErrorCode = 'no_target'): void {
    const { matched } = this.#exchange;
    const { balancer, deadlines } = this.#parts;
    const endpoint = balancer.pickEndpoint(matched!.target, this.#exchange, this.#tried, deadlines.nowMs);
    if (endpoint === null) {
      this.#giveUp(before);
      return;
    }
    this.#attempts++;
    this.#endpoint = endpoint;
    this.#exchange.target = endpoint.address;
    this.#connect(endpoint);
  }

  #connect(endpoint: Endpoint): void {
    const pool = endpoint.http2!;
    const session = pool.take();
    if (session !== null) {
      this.#use(session, endpoint);
      return;
    }
    const isConnecting = pool.connect(this.#parts, false, (connected, error) => {
      if (this.#isOver) return;
      if (connected === null) this.#notConnected(endpoint, error);
      // Others were first.
      else if (!connected.isAvailable) this.#connect(endpoint);
      else {
        this.#use(connected, endpoint);
        if (!this.#isWhole) this.#exchange.connection.resumeBody();
      }
    });
    if (!isConnecting) this.#notConnected(endpoint, 'as many connections as there may be');
  }

  #use(session: TargetSession, endpoint: Endpoint): void {
    const stream = session.open(this);
    this.#stream = stream;
    this.#writeHead(session, stream, endpoint);
    if (this.#exchange.sentMs === 0) this.#exchange.sentMs = this.#parts.deadlines.read();
    for (const piece of this.#held) stream.sendData(piece, 0, piece.length, false);
    if (!this.#isWhole) return;
    if (!this.#hasNoBody) stream.sendEnd(this.#trailers);
    stream.flush();
    this.#awaitAnswer();
  }

  get #hasNoBody(): boolean {
    return this.#isWhole && this.#heldBytes === 0 && !this.#hasStreamed && this.#trailers === null;
  }

  #writeHead(session: TargetSession, stream: TargetStream, endpoint: Endpoint): void {
    const exchange = this.#exchange;
    const { request, framing, grpc } = exchange;
    const path = targetPath(exchange);
    const forwarded = forwardedFields(exchange);
    let size = sizeOf(request.headers) + path.length + request.query.length + endpoint.address.length + 512;
    for (const text of forwarded) size += text.length;
    const to = session.beginHeaders(size + overheadBytes);
    writePseudo(to, ':method', request.method);
    writePseudo(to, ':scheme', endpoint.target.scheme);
    writeField(to, ':authority', endpoint.authority);
    writeField(to, ':path', request.query === '' ? path : `${path}?${request.query}`);
    writeFields(to, request.headers);
    for (let index = 0; index < forwarded.length; index += 2) {
      writeField(to, forwarded[index]!.toLowerCase(), forwarded[index + 1]!);
    }
    writeField(to, 'x-request-id', exchange.id);
    if (grpc !== null) writeField(to, 'te', 'trailers');
    if (framing !== 'chunked' && (framing > 0 || withBody.has(request.method))) {
      writeField(to, 'content-length', String(framing));
    }
    const ends = framing === 0 || this.#hasNoBody;
    session.endHeaders(stream.id, ends);
    if (ends) stream.isLocalClosed = true;
  }

  #awaitAnswer(): void {
    if (this.#stream !== null && !this.#hasAnswered) {
      this.#stream.deadlineMs = this.#parts.deadlines.nowMs + this.#timeoutMs;
    }
  }

  /** Until the response begins. A caller of gRPC sets it, unless the route does. */
  get #timeoutMs(): number {
    const { matched, grpc } = this.#exchange;
    return matched!.timeoutMs ?? grpc?.timeoutMs ?? this.#parts.limits.targetTimeoutMs;
  }

  #notConnected(endpoint: Endpoint, reason: string): void {
    if (reason === noHttp2 && endpoint.target.negotiated !== null) endpoint.target.negotiated = null;
    this.#report({ kind: 'failed', reason });
    this.#again(endpoint, 'no_target', true);
  }

  /** Calls another endpoint if attempts are left. */
  #again(failed: Endpoint | null, error: GatewayErrorCode, isUnprocessed: boolean): void {
    if (failed !== null) this.#tried = [...this.#tried, failed];
    const attempt = {
      method: this.#exchange.request.method,
      sentBytes: isUnprocessed ? 0 : 1,
      answered: this.#hasAnswered,
      bodyHeld: !this.#hasStreamed,
      attempts: this.#attempts,
    };
    this.#stream = null;
    if (!mayRepeat(attempt) || (!isUnprocessed && !this.#exchange.matched!.target.retries.spend())) {
      this.#giveUp(error);
      return;
    }
    if (this.#endpoint !== null) this.#parts.balancer.release(this.#endpoint);
    this.#endpoint = null;
    this.#exchange.retries++;
    this.#attempt(error);
    if (this.#isOver || this.#stream === null || this.#isWhole) return;
    this.#exchange.connection.resumeBody();
  }

  #giveUp(error: GatewayErrorCode): void {
    this.#end();
    if (this.#endpoint !== null) this.#parts.balancer.release(this.#endpoint);
    this.#endpoint = null;
    this.#parts.refuse(this.#exchange, error);
    this.#exchange.connection.flush();
  }

  #report(outcome: Outcome): void {
    const endpoint = this.#endpoint;
    this.#endpoint = null;
    if (endpoint !== null) this.#parts.balancer.report(endpoint, outcome, this.#parts.deadlines.nowMs);
  }

  drained(): void {
    if (this.#isOver || this.#isWhole) return;
    this.#stream!.deadlineMs = Infinity;
    this.#exchange.connection.resumeBody();
  }

  failed(reason: string, isUnprocessed: boolean): void {
    if (this.#isOver) return;
    const endpoint = this.#endpoint;
    if (!isUnprocessed) this.#report({ kind: 'failed', reason });
    if (this.#hasAnswered) this.#fail('target_failed');
    else this.#again(isUnprocessed ? null : endpoint, 'target_failed', isUnprocessed);
  }

  timedOut(): void {
    this.#report({ kind: 'timed_out' });
    this.#fail('target_timeout');
  }

  #fail(error: GatewayErrorCode): void {
    if (!this.#hasAnswered) {
      this.#giveUp(error);
      return;
    }
    if (this.#endpoint !== null) this.#reportAnswer();
    this.#end();
    this.#exchange.error = error;
    this.#exchange.connection.cut();
  }

  #end(): void {
    this.#isOver = true;
    this.#held = [];
    if (this.deadlineMs !== Infinity || this.#exchange.grpc !== null) this.#parts.deadlines.remove(this);
  }

  // --- the answer, to the caller ---

  get isHead(): boolean {
    return this.#exchange.request.method === 'HEAD';
  }

  get needsLength(): boolean {
    return !this.#exchange.connection.isHttp2;
  }

  get isFull(): boolean {
    return this.#answer !== null && this.#exchange.connection.isFull;
  }

  informational(status: number, headers: HeaderList): void {
    const { connection, matched, isHttp11 } = this.#exchange;
    // Informational responses that policies would have to check first are left out: they are only hints.
    if (status === 100 || !isHttp11 || matched!.responsePolicies.length > 0) return;
    connection.informational(status, headers);
    connection.flush();
  }

  head(status: number, headers: HeaderList, contentLength: number | null, isBodiless: boolean, ends: boolean): void {
    const exchange = this.#exchange;
    exchange.answeredMs = this.#parts.deadlines.nowMs;
    this.#hasAnswered = true;
    this.#targetStatus = status;
    this.#held = [];
    this.#hasStreamed = true;
    const { grpc } = exchange;
    const grpcStatus = grpc === null || !ends ? null : statusIn(headers);
    const answer: AnswerHead = { status, headers, contentLength, bodiless: isBodiless };
    this.#answer = this.#parts.answered(exchange, answer);
    if (this.#answer === null) {
      this.abort();
      return;
    }
    if (ends) this.#noteGrpcStatus(grpcStatus);
  }

  /** An answer of gRPC is as good as its status, which stands in its trailers. */
  #noteGrpcStatus(status: number | null): void {
    const { grpc } = this.#exchange;
    if (grpc === null) return;
    grpc.ended(status);
    if (this.#targetStatus === 200 && status !== null) this.#targetStatus = httpStatusOf(status);
  }

  #reportAnswer(): void {
    const { answeredMs, sentMs } = this.#exchange;
    this.#report({ kind: 'answered', status: this.#targetStatus, headMs: answeredMs - sentMs });
  }

  piece(bytes: Buffer, start: number, end: number): void {
    this.#answer?.piece(bytes, start, end);
  }

  pause(): void {
    if (this.#answer !== null) this.#exchange.connection.flush();
  }

  end(trailers: HeaderList | null): void {
    if (this.#isOver) return;
    const exchange = this.#exchange;
    this.#end();
    exchange.endedMs = this.#parts.deadlines.nowMs;
    const { caller } = exchange;
    if (trailers !== null) {
      if (exchange.grpc !== null) this.#noteGrpcStatus(statusIn(trailers));
      // What a call used is often known at its end only.
      const hasUnits = caller?.kind === 'key' && caller.unitsHeader !== null && exchange.unitsState === 'missing';
      if (hasUnits) takeUnits(exchange, caller, trailers);
    }
    this.#reportAnswer();
    const answer = this.#answer!;
    this.#answer = null;
    answer.end(trailers);
  }

  /** The caller reads again. */
  resume(): void {
    this.#stream?.resume();
  }

  abort(): void {
    if (this.#isOver) return;
    this.#end();
    this.#stream?.cancel();
    if (this.#hasAnswered) this.#reportAnswer();
    else if (this.#endpoint !== null) this.#parts.balancer.release(this.#endpoint);
    this.#endpoint = null;
    this.#answer = null;
  }
}
