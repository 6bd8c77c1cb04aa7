import type { Socket } from 'node:net';
import { HeaderList } from '@millrace/policies/headers';
import type { Deadlines, Timed } from '../http/deadlines.ts';
import type { Limits } from '../http/limits.ts';
import { errorCode, setting } from '../http2/frames.ts';
import { Session } from '../http2/session.ts';
import { Stream } from '../http2/stream.ts';
import type { Internals } from '../node-internals/internals.ts';
import { Http2Answer } from './http2-answer.ts';

/** The callbacks of a request to a target that speaks HTTP/2. */
export interface Http2Call {
  /** Whether it asks for a head only. */
  readonly isHead: boolean;
  /** Whether its answer has to be complete with the head if it ends there: a caller's HTTP/1.1 needs a length. */
  readonly needsLength: boolean;
  /** An answer with a status below 200. The headers can be read until the call ends, as in what follows. */
  informational(status: number, headers: HeaderList): void;
  /** @param ends whether nothing follows */
  head(status: number, headers: HeaderList, contentLength: number | null, isBodiless: boolean, ends: boolean): void;
  /** The bytes are used again after the call. */
  piece(bytes: Buffer, start: number, end: number): void;
  /** That was all for now. */
  pause(): void;
  end(trailers: HeaderList | null): void;
  /** Whether the caller has to read before more may come: {@link TargetStream.resume} follows. */
  readonly isFull: boolean;
  /** The target takes more again. */
  drained(): void;
  /** @param isUnprocessed whether the target says that it has done nothing for the request (RFC 9113, section 8.7) */
  failed(reason: string, isUnprocessed: boolean): void;
  timedOut(): void;
}

/** Whom a session belongs to. */
export interface SessionOwner {
  /** The target's settings are known: it takes requests. */
  ready(session: TargetSession): void;
  closed(session: TargetSession): void;
}

/** Requests of one session at once, whatever more the target allows. */
const mostStreams = 100;
/** Without a request. The target is notified of the end, so that a long time does no harm. */
const idleMs = 60_000;
/** For a target to show that it is still there, after it has not answered a request. */
const pongMs = 5_000;
const lastStream = 0x7fff_fff0;
const mostInformational = 16;

/** One connection to an endpoint that speaks HTTP/2, for many requests at once. */
export class TargetSession extends Session {
  readonly limits: Limits;
  readonly #owner: SessionOwner;
  readonly #answer: Http2Answer;
  #nextStream = 1;
  #isGoingAway = false;
  #pongDeadlineMs = Infinity;
  #idleDeadlineMs: number;
  /** Why it has ended. */
  reason = 'closed';

  /** @param socket connected, in TLS after its handshake */
  constructor(
    socket: Socket,
    owner: SessionOwner,
    limits: Limits,
    deadlines: Deadlines,
    internals: Internals,
    isSecure: boolean,
  ) {
    super(socket, internals, deadlines, false, isSecure);
    this.limits = limits;
    this.#owner = owner;
    this.#answer = new Http2Answer(limits.maxAnswerHeadBytes);
    this.#idleDeadlineMs = deadlines.nowMs + limits.connectTimeoutMs;
    this.deadlineMs = this.#idleDeadlineMs;
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      this.reason = cause.code ?? cause.message;
    });
    socket.on('end', () => this.onSocketEnd());
    socket.on('close', () => {
      this.onSocketClose();
      owner.closed(this);
    });
    this.begin([
      [setting.enablePush, 0],
      [setting.maxHeaderListSize, limits.maxAnswerHeadBytes],
    ]);
    this.flushNow();
  }

  /** Whether it takes another request. */
  get isAvailable(): boolean {
    return (
      this.hasPeerSettings &&
      !this.isClosing &&
      !this.#isGoingAway &&
      this.streams.size < Math.min(this.peerMaxStreams, mostStreams) &&
      this.#nextStream < lastStream
    );
  }

  /** Opens a stream, whose head is to be written next. */
  open(call: Http2Call): TargetStream {
    const stream = new TargetStream(this, this.#nextStream, call);
    this.#nextStream += 2;
    this.deadlineMs = this.#pongDeadlineMs;
    return stream;
  }

  /** Takes no more requests, and closes once those in flight are finished. */
  retire(): void {
    this.#isGoingAway = true;
    this.setDeadline();
  }

  /** A request got no answer in time: if the target doesn't react at all, no other request gets one either. */
  probe(): void {
    if (this.#pongDeadlineMs !== Infinity || this.isClosing) return;
    this.#pongDeadlineMs = this.deadlines.nowMs + pongMs;
    this.deadlineMs = this.#pongDeadlineMs;
    this.ping();
    this.flush();
  }

  onDeadline(): void {
    if (this.isClosing || this.deadlines.nowMs >= this.#pongDeadlineMs) {
      this.socket.destroy();
    } else if (!this.hasPeerSettings) {
      this.reason = 'no HTTP/2';
      this.socket.destroy();
    } else {
      this.fail(errorCode.noError);
    }
  }

  protected onBlock(id: number, ends: boolean, block: Buffer, start: number, end: number): void {
    const stream = this.streams.get(id);
    const isTrailers = stream instanceof TargetStream && stream.hasHead;
    const answer = this.#answer;
    answer.reset(isTrailers);
    const headEnd = this.decoder.decode(block, start, end, answer, 0, this.limits.maxAnswerHeadBytes);
    if (headEnd < 0) this.failToDecode(headEnd);
    else if (!(stream instanceof TargetStream)) this.onBlockOfClosed(id);
    else if (answer.isMalformed || this.decoder.isTooLong || stream.isRemoteClosed)
      stream.fail(errorCode.protocolError);
    else if (isTrailers) stream.onTrailers(HeaderList.over(answer), ends);
    else stream.onHead(answer, headEnd, ends);
  }

  protected onGoAway(lastStream: number): void {
    this.#isGoingAway = true;
    for (const stream of this.streams.values()) {
      if (stream.id > lastStream && stream instanceof TargetStream) stream.refused();
    }
    this.setDeadline();
  }

  protected isKnown(id: number): boolean {
    return (id & 1) === 1 && id < this.#nextStream;
  }

  protected onSettings(): void {
    this.#idleDeadlineMs = this.deadlines.nowMs + idleMs;
    this.#owner.ready(this);
  }

  protected onPong(): void {
    this.#pongDeadlineMs = Infinity;
    this.setDeadline();
  }

  protected setDeadline(): void {
    if (this.isClosing || !this.hasPeerSettings) return;
    if (this.streams.size > 0) this.#idleDeadlineMs = this.deadlines.nowMs + idleMs;
    else if (this.#isGoingAway) {
      this.fail(errorCode.noError);
      return;
    }
    this.deadlineMs = Math.min(this.#pongDeadlineMs, this.streams.size > 0 ? Infinity : this.#idleDeadlineMs);
  }

  protected onEnd(): void {
    for (const stream of this.streams.values()) if (stream instanceof TargetStream) stream.broken(this.reason);
  }
}

/** One request to a target, and its answer. */
export class TargetStream extends Stream implements Timed {
  deadlineMs = Infinity;
  hasHead = false;
  readonly #session: TargetSession;
  #call: Http2Call | null;
  #informational = 0;
  #remaining: number | null = null;
  /** Passed on to a caller who doesn't take more for now. */
  #heldBytes = 0;

  constructor(session: TargetSession, id: number, call: Http2Call) {
    super(session, id);
    this.#session = session;
    this.#call = call;
    session.deadlines.add(this);
  }

  /** Something has arrived. */
  #touch(): void {
    this.deadlineMs = this.#session.deadlines.nowMs + this.#session.limits.targetIdleMs;
  }

  onHead(answer: Http2Answer, headEnd: number, ends: boolean): void {
    const call = this.#call!;
    const { status } = answer;
    if (status < 100 || status === 101 || (status < 200 && (ends || ++this.#informational > mostInformational))) {
      this.fail(errorCode.protocolError);
      return;
    }
    if (status < 200) {
      call.informational(status, HeaderList.over(answer));
      return;
    }
    this.hasHead = true;
    this.isRemoteClosed = ends;
    const hasNone = call.isHead || status === 204 || status === 304;
    if (ends && !hasNone && (answer.contentLength ?? 0) > 0) {
      this.fail(errorCode.protocolError);
      return;
    }
    this.#remaining = hasNone ? 0 : answer.contentLength;
    this.#touch();
    let { contentLength } = answer;
    if (ends && !hasNone && contentLength === null && call.needsLength) {
      answer.addEmptyLength(headEnd);
      contentLength = 0;
    }
    call.head(status, HeaderList.over(answer), contentLength, hasNone || (ends && !call.needsLength), ends);
    if (ends) this.#finish(null);
    else this.session.touch(this);
  }

  onTrailers(trailers: HeaderList, ends: boolean): void {
    this.isRemoteClosed = true;
    if (!ends || (this.#remaining ?? 0) > 0) this.fail(errorCode.protocolError);
    // They may have to wait for what is sent before them.
    else this.#finish(new HeaderList(trailers.fields));
  }

  onData(bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    const call = this.#call;
    this.session.consumed(length);
    if (call === null) return;
    if (this.#remaining !== null) this.#remaining -= length;
    if (!this.hasHead || (this.#remaining ?? 0) < 0) {
      this.fail(errorCode.protocolError);
      return;
    }
    this.#touch();
    call.piece(bytes, start, end);
    if (this.isOver) return;
    if (call.isFull) this.#heldBytes += length;
    else this.consumed(length, false);
  }

  onDataEnd(): void {
    this.isRemoteClosed = true;
    if (!this.hasHead || (this.#remaining ?? 0) > 0) this.fail(errorCode.protocolError);
    else this.#finish(null);
  }

  onPause(): void {
    this.#call?.pause();
  }

  /** The caller takes more again. */
  resume(): void {
    const held = this.#heldBytes;
    this.#heldBytes = 0;
    if (held > 0 && !this.isOver) this.consumed(held, false);
    this.session.flush();
  }

  onWritable(): void {
    if (!this.isOver && this.pendingBytes === 0) this.#call?.drained();
  }

  onReset(code: number): void {
    this.isRemoteClosed = true;
    this.isLocalClosed = true;
    this.#break(code === errorCode.refusedStream ? 'refused' : 'reset', code === errorCode.refusedStream);
  }

  /** The target goes away, and has not seen this request. */
  refused(): void {
    this.isRemoteClosed = true;
    this.isLocalClosed = true;
    this.#break('refused', true);
  }

  /** The connection has ended. */
  broken(reason: string): void {
    this.#break(reason, false);
  }

  fail(code: number): void {
    const call = this.#end(code);
    call?.failed('an answer that is ambiguous', false);
    this.session.flush();
  }

  /** The request is no longer wanted. */
  cancel(): void {
    this.#end(errorCode.cancel);
    this.session.flush();
  }

  onDeadline(): void {
    const call = this.#end(errorCode.cancel);
    this.#session.probe();
    this.session.flush();
    call?.timedOut();
  }

  protected onSent(): void {}

  #finish(trailers: HeaderList | null): void {
    // An answer to a request that is not complete: its rest is not wanted (RFC 9113, section 8.1).
    const call = this.#end(this.isLocalClosed ? errorCode.noError : errorCode.cancel);
    call?.end(trailers);
  }

  #break(reason: string, isUnprocessed: boolean): void {
    this.#end(errorCode.noError)?.failed(reason, isUnprocessed);
  }

  #end(code: number): Http2Call | null {
    const call = this.#call;
    this.#call = null;
    this.#session.deadlines.remove(this);
    this.close(code);
    return call;
  }
}
