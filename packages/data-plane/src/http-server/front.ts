import type { Socket } from 'node:net';
import type { HeaderList } from '@millrace/policies/headers';
import type { GatewayErrorCode } from '@millrace/policies/run';
import type { Deadlines } from '../http/deadlines.ts';
import type { Limits } from '../http/limits.ts';
import type { Internals } from '../node-internals/internals.ts';
import type { LoadedSnapshot } from '../snapshot/compile.ts';
import type { Exchange } from './exchange.ts';

/** Callbacks for requests. */
interface Flow {
  /** The head is complete and valid. */
  begin(exchange: Exchange): void;
  /** The gateway responds with this error, or cuts the connection if another response has begun. */
  refuse(exchange: Exchange, error: GatewayErrorCode): void;
  /** The response has ended, was cut off, or its caller has disconnected. */
  ended(exchange: Exchange): void;
}

/** What all connections of a gateway share. */
export interface Front {
  readonly limits: Limits;
  readonly internals: Internals;
  readonly deadlines: Deadlines;
  readonly flow: Flow;
  /** The current configuration. */
  snapshot: LoadedSnapshot | null;
  /** Whether every response closes its connection. */
  isDraining: boolean;
  readonly connections: Set<CallerConnection>;
  /** Requests in flight. */
  inFlight: number;
  /** Bytes of bodies that policies wait for. */
  heldBytes: number;
  /** Connections whose caller has its response and still sends the body. */
  lingering: number;
  /** Whether callers without TLS may begin with HTTP/2 at once. */
  readonly acceptsPriorKnowledge: boolean;
  isTrustedProxy(address: string): boolean;
}

/** Receives the body of a request. */
export interface BodySink {
  /** The bytes are used again after the call. False: no more before {@link CallerSide.resumeBody}. */
  body(bytes: Buffer, start: number, end: number): boolean;
  /** The end of a batch: what was buffered is sent. */
  bodyPause(): void;
  /** @param trailers as received, where HTTP/2 has brought any */
  bodyEnd(trailers?: HeaderList | null): void;
  /** Whether it keeps all that it takes, in memory that all requests share. */
  readonly holds?: boolean;
}

/** Receives the body of a response. */
export interface AnswerBody {
  /**
   * Sends a piece.
   *
   * @returns whether the bytes must be left alone from now on, because they are being sent; otherwise they are no longer
   *   needed
   */
  piece(bytes: Buffer, start: number, end: number): boolean;
  /**
   * The response is complete.
   *
   * @param trailers as received; HTTP/1.1 leaves them out
   */
  end(trailers?: HeaderList | null): void;
}

/** The source of the response. */
export interface AnswerSource {
  /** The caller takes more again. */
  resume(): void;
  /** The caller has disconnected or is too slow: the response is no longer wanted. */
  abort(): void;
}

/** How a response's body is delimited: as its head says, in chunks, by the end of the connection; or there is none. */
export type AnswerFraming = 'as stated' | 'chunked' | 'until close' | 'none';

/** A connection of a caller, with one request in flight or with many. */
export interface CallerConnection {
  readonly socket: Socket;
  /** Calls back for each request in flight. */
  eachExchange(visit: (exchange: Exchange) => void): void;
  /** Closes the connection soon, once its requests are finished. */
  drain(): void;
}

/** Who sends a request and gets its response: a connection of HTTP/1.1, or a stream of HTTP/2. */
export interface CallerSide extends AnswerBody {
  /** Of the connection's other end. */
  readonly address: string;
  /** Whether a trusted proxy is at the other end. */
  readonly isTrusted: boolean;
  readonly isSecure: boolean;
  readonly isHttp2: boolean;
  /** Keeps its calls on one revision if nothing else identifies the caller. */
  readonly chance: number;
  /** Forwarding headers of its requests, which only differ by Host. */
  forwardedLines: { readonly authority: string | null; readonly bytes: Buffer } | null;
  /** Whether the caller has to read before more may be sent. */
  readonly isFull: boolean;
  /** Whether the response has begun. */
  readonly hasBegun: boolean;
  /**
   * Address of the client, as reported by the trusted proxies in front of the gateway; empty if it can't be parsed, so
   * that it is on no list.
   */
  addressBehind(headers: HeaderList): string;
  /** Reads the body of the request into the sink, from its beginning or where another sink stopped. */
  readBody(sink: BodySink, maxBytes: number): void;
  /** The sink takes more again. */
  resumeBody(): void;
  /** Lets the caller send the body if it waits for 100 Continue. */
  sayContinue(): void;
  /** Passes an informational response on (RFC 9110, section 15.2). */
  informational(status: number, headers: HeaderList): void;
  /**
   * Begins the response. The connection's and the exchange's fields are added to the headers.
   *
   * @param bodyBytes that the gateway has framed itself; null: the headers say how long it is, or it has another framing
   */
  beginAnswer(
    exchange: Exchange,
    status: number,
    headers: HeaderList,
    framing: AnswerFraming,
    bodyBytes: number | null,
  ): void;
  /** The response can't be completed: the caller notices that it is cut off. */
  cut(): void;
  /** Sends what was combined for this connection. */
  flush(): void;
}
