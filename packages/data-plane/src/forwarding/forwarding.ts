import { HeaderList } from '@millrace/policies/headers';
import type { AnswerHead, GatewayErrorCode } from '@millrace/policies/run';
import type { Deadlines } from '../http/deadlines.ts';
import { HeadWriter, PreparedText, sizeOf } from '../http/head-writer.ts';
import type { Limits } from '../http/limits.ts';
import type { Parser } from '../http/parser.ts';
import { returnBuffer, takeBuffer } from '../http/workspaces.ts';
import type { Exchange } from '../http-server/exchange.ts';
import type { AnswerBody, AnswerSource, BodySink } from '../http-server/front.ts';
import type { Internals } from '../node-internals/internals.ts';
import { parameterValues } from '../snapshot/routes.ts';
import type { TargetCall, TargetConnection, TunnelEnd } from '../targets/connection.ts';
import type { Balancer, Endpoint, Outcome } from '../targets/endpoints.ts';
import type { Connecting } from '../targets/pool.ts';
import { isIdempotent, mayRepeat } from '../targets/retry.ts';
import { forwardedLines } from './forwarded.ts';

/** What forwarding requests needs. */
export interface ForwardingParts {
  readonly balancer: Balancer;
  readonly limits: Limits;
  readonly deadlines: Deadlines;
  readonly internals: Internals;
  /**
   * Begins the response to the caller. The headers can be read until the call ends.
   *
   * @returns where its body goes; null if it was rejected and is no longer wanted
   */
  answered(exchange: Exchange, answer: AnswerHead): AnswerBody | null;
  refuse(exchange: Exchange, error: GatewayErrorCode): void;
}

const none: readonly Endpoint[] = [];
const lastChunk = Buffer.from('0\r\n\r\n');
const contentLengthName = new PreparedText('Content-Length: ');
/** Maximum bytes that frame one chunk. */
const chunkOverhead = 20;
const writer = new HeadWriter(Buffer.alloc(0));
/** Buffers what isn't needed after sending; it is sent before the turn of its caller ends. */
let sent = new HeadWriter(takeBuffer());

/**
 * Forwards one request to a target, and its response back. What arrives in one piece is sent in one. A request is
 * only retried if no byte of a response has arrived, and either nothing of it was sent or it is idempotent
 * (RFC 9110, section 9.2.2) and what was sent is still held.
 */
export class Forwarding implements BodySink, AnswerSource, TargetCall {
  readonly #exchange: Exchange;
  readonly #parts: ForwardingParts;
  /**
   * The head and, for as long as it fits, the body behind it: in the bytes of all where it is sent at once and never
   * again, else in the exchange's workspace where there is room.
   */
  #bytes: Buffer;
  #headStart = 0;
  #bodyStart = 0;
  #length = 0;
  /** Whether the whole body has arrived from the caller. */
  #isWhole = false;
  /** Whether the held bytes were sent. */
  #hasSent = false;
  /** Whether body was sent that is not held. */
  #hasStreamed = false;
  #attempts = 0;
  #tried: readonly Endpoint[] = none;
  #endpoint: Endpoint | null = null;
  /** The connection that it waits for. */
  #connecting: Connecting | null = null;
  #connection: TargetConnection | null = null;
  #answer: AnswerBody | null = null;
  #hasAnswered = false;
  #targetStatus = 0;
  #isOver = false;

  constructor(exchange: Exchange, parts: ForwardingParts) {
    this.#exchange = exchange;
    this.#parts = parts;
    this.#bytes = exchange.workspace!.bytes;
  }

  /**
   * Calls a target.
   *
   * @param heldBody the body as read by a policy; null: it still has to be read from the caller
   */
  begin(heldBody: Buffer | null, maxBodyBytes: number): void {
    const { connection } = this.#exchange;
    this.#exchange.source = this;
    this.#exchange.matched!.target.retries.earn();
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

  // --- the request, from the caller ---

  body(bytes: Buffer, start: number, end: number): boolean {
    if (this.#isOver) return true;
    if (this.#hasSent) return this.#stream(bytes, start, end);
    const size = end - start + chunkOverhead + lastChunk.length;
    if (this.#bytes.length - this.#length >= size) {
      this.#hold(bytes, start, end);
      return true;
    }
    if (this.#connection !== null) {
      this.bodyPause();
      return this.#stream(bytes, start, end);
    }
    const grown = Buffer.allocUnsafeSlow(this.#length + size);
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
    this.#hold(bytes, start, end);
    return false;
  }

  bodyPause(): void {
    const connection = this.#connection;
    if (connection === null || this.#hasSent || this.#isOver) return;
    this.#hasSent = true;
    if (this.#exchange.sentMs === 0) this.#exchange.sentMs = this.#parts.deadlines.read();
    if (this.#bytes !== sent.bytes) {
      connection.outlet.send(this.#bytes, this.#headStart, this.#length);
      return;
    }
    sent = connection.outlet.sendWritten(sent);
    // The head can be written again; the body is no longer held.
    this.#hasStreamed ||= this.#length > this.#bodyStart;
    this.#bodyStart = this.#length;
    this.#bytes = this.#exchange.workspace!.bytes;
  }

  bodyEnd(): void {
    if (this.#isOver) return;
    this.#isWhole = true;
    if (this.#isChunked) {
      if (this.#hasSent) this.#connection!.outlet.send(lastChunk, 0, lastChunk.length);
      // For another attempt too.
      if (!this.#hasStreamed) this.#length += lastChunk.copy(this.#bytes, this.#length);
    }
    this.bodyPause();
    this.#awaitAnswer();
  }

  /** Whether no other attempt can need the body. */
  get #isSentOnce(): boolean {
    const { framing, request } = this.#exchange;
    return framing === 0 || (framing !== 'chunked' && !isIdempotent(request.method));
  }

  get #isChunked(): boolean {
    return this.#exchange.framing === 'chunked';
  }

  #hold(bytes: Buffer, start: number, end: number): void {
    const to = this.#writerOfBytes(this.#length);
    if (this.#isChunked) to.text(`${(end - start).toString(16)}\r\n`);
    to.copy(bytes, start, end);
    if (this.#isChunked) to.text('\r\n');
    this.#length = to.length;
  }

  /** Continues writing the held bytes from this position. */
  #writerOfBytes(length: number): HeadWriter {
    const to = this.#bytes === sent.bytes ? sent : writer;
    to.bytes = this.#bytes;
    to.length = length;
    return to;
  }

  #stream(bytes: Buffer, start: number, end: number): boolean {
    this.#hasStreamed = true;
    const { outlet } = this.#connection!;
    for (let at = start; at < end; ) {
      const copy = takeBuffer();
      writer.bytes = copy;
      writer.length = 0;
      const length = Math.min(end - at, copy.length - chunkOverhead);
      if (this.#isChunked) writer.text(`${length.toString(16)}\r\n`);
      writer.copy(bytes, at, at + length);
      if (this.#isChunked) writer.text('\r\n');
      if (!outlet.send(copy, 0, writer.length)) returnBuffer(copy);
      at += length;
    }
    if (!outlet.isFull) return true;
    this.#connection!.deadlineMs = this.#parts.deadlines.nowMs + this.#timeoutMs;
    return false;
  }

  // --- the target ---

  /** @param before the previous attempt's error */
  #attempt(before: GatewayErrorCode = 'no_target'): void {
    const { matched } = this.#exchange;
    const { nowMs } = this.#parts.deadlines;
    const endpoint = this.#parts.balancer.pickEndpoint(matched!.target, this.#exchange, this.#tried, nowMs);
    if (endpoint === null) {
      this.#giveUp(before);
      return;
    }
    this.#attempts++;
    this.#endpoint = endpoint;
    this.#exchange.target = endpoint.address;
    // A retry doesn't use a connection that may be stale too.
    const idle = this.#attempts === 1 ? endpoint.pool.take() : null;
    this.#writeHead(endpoint, idle !== null && this.#isSentOnce);
    if (idle !== null) {
      this.#use(idle);
      return;
    }
    const { limits, deadlines, internals } = this.#parts;
    this.#connecting = endpoint.pool.connect(limits, deadlines, internals, (connection, error) => {
      this.#connecting = null;
      if (this.#isOver) return connection.destroy();
      if (error !== null) return this.#notConnected(endpoint, error);
      this.#use(connection);
      this.bodyPause();
      if (this.#isWhole) this.#awaitAnswer();
      else this.#exchange.connection.resumeBody();
    });
    if (this.#connecting === null) this.#notConnected(endpoint, 'as many connections as there may be');
  }

  #use(connection: TargetConnection): void {
    this.#connection = connection;
    this.#hasSent = false;
    connection.begin(this);
    connection.deadlineMs = Infinity;
  }

  #awaitAnswer(): void {
    if (this.#connection !== null && !this.#hasAnswered) {
      this.#connection.deadlineMs = this.#parts.deadlines.nowMs + this.#timeoutMs;
    }
  }

  get #timeoutMs(): number {
    return this.#exchange.matched!.timeoutMs ?? this.#parts.limits.targetTimeoutMs;
  }

  #notConnected(endpoint: Endpoint, reason: string): void {
    this.#report({ kind: 'failed', reason });
    this.#again(endpoint, 'no_target');
  }

  /** Calls another endpoint if attempts are left. */
  #again(failed: Endpoint | null, error: GatewayErrorCode): void {
    if (failed !== null) this.#tried = [...this.#tried, failed];
    const { method } = this.#exchange.request;
    const attempt = {
      method,
      sentBytes: this.#hasSent ? this.#length : 0,
      answered: this.#connection?.hasAnswered ?? false,
      bodyHeld: !this.#hasStreamed,
      attempts: this.#attempts,
    };
    // What nothing was sent of adds no load, and a connection that was closed while it waited says nothing of its target.
    const isCharged = attempt.sentBytes > 0 && failed !== null;
    if (!mayRepeat(attempt) || (isCharged && !this.#exchange.matched!.target.retries.spend())) {
      this.#giveUp(error);
      return;
    }
    if (this.#endpoint !== null) this.#parts.balancer.release(this.#endpoint);
    this.#endpoint = null;
    this.#connection = null;
    this.#hasSent = false;
    this.#exchange.retries++;
    this.#attempt(error);
    if (this.#isOver || this.#connection === null) return;
    this.bodyPause();
    if (this.#isWhole) this.#awaitAnswer();
    else this.#exchange.connection.resumeBody();
  }

  #giveUp(error: GatewayErrorCode): void {
    this.#isOver = true;
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

  /** Writes the head for the endpoint, and what is held of the body behind it; or the head alone in the bytes of all. */
  #writeHead(endpoint: Endpoint, isSentAtOnce: boolean): void {
    const exchange = this.#exchange;
    const { request, framing } = exchange;
    const body =
      this.#length > this.#bodyStart ? Buffer.from(this.#bytes.subarray(this.#bodyStart, this.#length)) : null;
    const path = targetPath(exchange);
    const forwarded = forwardedLines(exchange);
    const size =
      sizeOf(request.headers) + path.length + request.query.length + forwarded.length + endpoint.address.length + 512;
    this.#headStart = isSentAtOnce ? 0 : exchange.headBytes;
    if (isSentAtOnce) this.#bytes = sent.bytes;
    if (this.#bytes.length - this.#headStart < size + (body?.length ?? 0) || body !== null) {
      this.#bytes = Buffer.allocUnsafeSlow(size + (body?.length ?? 0) + chunkOverhead);
      this.#headStart = 0;
    }
    const to = this.#writerOfBytes(this.#headStart);
    to.text(request.method);
    to.text(' ');
    to.text(path);
    if (request.query !== '') {
      to.text('?');
      to.text(request.query);
    }
    to.prepared(endpoint.versionAndHost);
    to.fields(request.headers);
    to.copy(forwarded, 0, forwarded.length);
    to.requestId(exchange);
    if (exchange.tunnel !== null) to.text('Connection: Upgrade\r\nUpgrade: websocket\r\n');
    if (framing === 'chunked') {
      to.text('Transfer-Encoding: chunked\r\n');
    } else if (framing > 0 || withBody.has(request.method)) {
      to.prepared(contentLengthName);
      to.integer(framing);
      to.text('\r\n');
    }
    to.text('\r\n');
    this.#bodyStart = to.length;
    if (body !== null) to.copy(body, 0, body.length);
    this.#length = to.length;
  }

  get isSent(): boolean {
    return this.#isWhole && this.#hasSent;
  }

  drained(): void {
    if (this.#isOver || this.#isWhole) return;
    this.#connection!.deadlineMs = Infinity;
    this.#exchange.connection.resumeBody();
  }

  failed(reason: string): void {
    if (this.#isOver) return;
    const endpoint = this.#endpoint;
    // A closed idle connection says nothing about its endpoint: all servers close them at some time.
    const isStale = this.#connection!.hasWaited && !this.#connection!.hasAnswered;
    if (!isStale) this.#report({ kind: 'failed', reason });
    if (this.#hasAnswered) this.#fail('target_failed');
    else this.#again(isStale ? null : endpoint, 'target_failed');
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
    this.#isOver = true;
    this.#exchange.error = error;
    this.#exchange.connection.cut();
  }

  // --- the answer, to the caller ---

  get isHead(): boolean {
    return this.#exchange.request.method === 'HEAD';
  }

  get upgrades(): boolean {
    return this.#exchange.tunnel !== null;
  }

  get isFull(): boolean {
    return this.#answer !== null && this.#exchange.connection.isFull;
  }

  informational(parser: Parser): void {
    const { connection, matched, isHttp11 } = this.#exchange;
    // Informational responses that policies would have to check first are left out: they are only hints.
    if (parser.status === 100 || !isHttp11 || matched!.responsePolicies.length > 0) return;
    connection.informational(parser.status, HeaderList.over(parser));
    connection.flush();
  }

  head(parser: Parser, contentLength: number | null, isBodiless: boolean): void {
    const exchange = this.#exchange;
    exchange.answeredMs = this.#parts.deadlines.nowMs;
    this.#hasAnswered = true;
    const { status } = parser;
    this.#targetStatus = status;
    const headers = HeaderList.over(parser);
    this.#answer = this.#parts.answered(exchange, { status, headers, contentLength, bodiless: isBodiless });
    if (this.#answer === null) this.abort();
  }

  #reportAnswer(): void {
    const { answeredMs, sentMs } = this.#exchange;
    this.#report({ kind: 'answered', status: this.#targetStatus, headMs: answeredMs - sentMs });
  }

  piece(bytes: Buffer, start: number, end: number): boolean {
    return this.#answer?.piece(bytes, start, end) ?? false;
  }

  pause(): void {
    if (this.#answer !== null) this.#exchange.connection.flush();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#exchange.isWorkspaceLent = !this.#connection!.outlet.isFlushed;
    this.#exchange.endedMs = this.#parts.deadlines.nowMs;
    this.#reportAnswer();
    const answer = this.#answer!;
    this.#answer = null;
    answer.end();
  }

  /** The caller reads again. */
  resume(): void {
    this.#connection?.resume();
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const connection = this.#connection;
    if (this.#connecting !== null) this.#endpoint?.pool.leave(this.#connecting);
    this.#connecting = null;
    if (connection !== null && !connection.takeBack()) {
      this.#exchange.isWorkspaceLent = !connection.outlet.isFlushed;
      connection.destroy();
    }
    if (this.#hasAnswered) this.#reportAnswer();
    else if (this.#endpoint !== null) this.#parts.balancer.release(this.#endpoint);
    this.#endpoint = null;
    this.#answer = null;
  }

  upgraded(parser: Parser, target: TargetConnection): void {
    const exchange = this.#exchange;
    const caller = exchange.tunnel!;
    exchange.answeredMs = this.#parts.deadlines.nowMs;
    this.#hasAnswered = true;
    this.#targetStatus = 101;
    const answer: AnswerHead = { status: 101, headers: HeaderList.over(parser), contentLength: null, bodiless: false };
    if (this.#parts.answered(exchange, answer) === null) {
      this.abort();
      return;
    }
    this.#reportAnswer();
    const end: TunnelEnd = {
      bytes: (bytes, start, stop) => caller.tunnelled(bytes, start, stop),
      get isFull() {
        return caller.isFull;
      },
      drained: () => caller.resumeBody(),
      closed: () => {
        this.#isOver = true;
        caller.endTunnel();
      },
    };
    target.tunnel(end);
    caller.tunnel({
      body: (bytes, start, stop) => {
        target.touch();
        target.outlet.sendCopy(bytes, start, stop);
        return !target.outlet.isFull;
      },
      bodyPause() {},
      bodyEnd: () => target.endTunnel(),
    });
  }
}

/** Methods whose requests declare an empty body (RFC 9110, section 8.6). */
export const withBody = new Set(['POST', 'PUT', 'PATCH']);

/** The path at the target: the route's own with the values of the request, or what follows the base path. */
export function targetPath({ request, matched, deployment }: Exchange): string {
  const { basePath } = deployment!;
  const template = matched!.targetPath;
  if (template === null) return request.path.length === basePath.length ? '/' : request.path.slice(basePath.length);
  if (!template.includes('{') && !template.endsWith('/*')) return template;
  const values = parameterValues(matched!.pathPattern, request.path, basePath.length);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return path.endsWith('/*') ? `${path.slice(0, -1)}${values['*'] ?? ''}` : path;
}
