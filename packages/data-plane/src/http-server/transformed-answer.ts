import { fieldStride, HeaderList } from '@millrace/policies/headers';
import type { AnswerHead, BodyTransform, GatewayErrorCode } from '@millrace/policies/run';
import type { Exchange } from './exchange.ts';
import type { AnswerBody, AnswerFraming, CallerSide } from './front.ts';

/** An answer whose body policies change or watch as it passes, each what the one before it has made of it. */
class TransformedAnswer implements AnswerBody {
  readonly #exchange: Exchange;
  readonly #connection: CallerSide;
  readonly #transforms: readonly BodyTransform[];
  readonly #begin: (bodyBytes: number | null) => void;
  readonly #refuse: (exchange: Exchange, error: GatewayErrorCode) => void;
  /** What waits together with the head; null once that is sent. */
  #held: Uint8Array[] | null = [];
  #heldBytes = 0;
  readonly #mostHeldBytes: number;
  #hasFailed = false;

  /**
   * @param begin sends the head; with the length of the body where that is known only at the end
   * @param refuse answers with an error, or cuts what has begun
   */
  constructor(
    exchange: Exchange,
    transforms: readonly BodyTransform[],
    begin: (bodyBytes: number | null) => void,
    refuse: (exchange: Exchange, error: GatewayErrorCode) => void,
  ) {
    this.#exchange = exchange;
    this.#connection = exchange.connection;
    this.#transforms = transforms;
    this.#begin = begin;
    this.#refuse = refuse;
    this.#mostHeldBytes = Math.max(...transforms.map(({ heldBytes }) => heldBytes));
    if (this.#mostHeldBytes === 0) this.#release(null);
  }

  piece(bytes: Buffer, start: number, end: number): boolean {
    // A copy, because what a transform passes on may be a part of what it got, and is not sent at once.
    const chunk = this.#attempt(() => this.#through(0, Buffer.copyBytesFrom(bytes, start, end - start)));
    if (chunk) this.#pass(chunk);
    return false;
  }

  end(trailers: HeaderList | null = null): void {
    this.#attempt(() => {
      for (const [index, transform] of this.#transforms.entries()) {
        const rest = transform.end();
        const passed = rest === null ? null : this.#through(index + 1, rest);
        if (passed) this.#pass(passed);
      }
    });
    if (this.#hasFailed || this.#exchange.isOver) return;
    this.#release(this.#heldBytes);
    this.#connection.end(trailers);
  }

  #through(first: number, chunk: Uint8Array): Uint8Array | null {
    let passing: Uint8Array | null = chunk;
    for (let index = first; index < this.#transforms.length && passing !== null; index++) {
      passing = passing.length === 0 ? null : this.#transforms[index]!.write(passing);
    }
    return passing;
  }

  #pass(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#held === null) {
      this.#send(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= this.#mostHeldBytes) this.#release(null);
  }

  /** Sends what waits, where anything does. */
  #release(bodyBytes: number | null): void {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    this.#begin(bodyBytes);
    for (const chunk of held) this.#send(chunk);
  }

  #send(chunk: Uint8Array): void {
    this.#connection.piece(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), 0, chunk.length);
  }

  #attempt<Result>(run: () => Result): Result | null {
    if (this.#hasFailed || this.#exchange.isOver) return null;
    try {
      return run();
    } catch {
      this.#hasFailed = true;
      this.#refuse(this.#exchange, 'policy_unavailable');
      return null;
    }
  }
}

/** The fields in memory of their own: what they were received in is used again. */
export function keptHeaders(headers: HeaderList): HeaderList {
  const { bytes, spans, count } = headers.received;
  if (count === 0) return headers;
  // With the end of the last line, whose value may have space behind it.
  const end = bytes.indexOf(0x0a, spans[count * fieldStride - 2]!) + 1;
  const kept = HeaderList.over({ bytes: Buffer.copyBytesFrom(bytes, 0, end), spans: spans.slice(), count });
  for (let index = 0; index < headers.added.length; index += 2) {
    kept.append(headers.added[index]!, headers.added[index + 1]!);
  }
  return kept;
}

/** Begins a response that the response policies accepted. Returns null if it is rejected after all. */
export function beginTransformed(
  exchange: Exchange,
  head: AnswerHead,
  framing: AnswerFraming,
  transforms: readonly BodyTransform[],
  refuse: (exchange: Exchange, error: GatewayErrorCode) => void,
): AnswerBody | null {
  const { connection } = exchange;
  const { status, headers } = head;
  if (status === 101) {
    // WebSocket messages pass no transform, so a response that needs one can't be delivered this way.
    if (transforms.length > 0) refuse(exchange, 'policy_unavailable');
    else exchange.tunnel!.beginTunnel(exchange, headers);
    return transforms.length > 0 ? null : connection;
  }
  const changesLength = transforms.some((transform) => transform.changesLength);
  const begin = (bodyBytes: number | null) => {
    if (changesLength || bodyBytes !== null) headers.remove('content-length');
    const reframed = head.bodiless || bodyBytes !== null || !changesLength ? framing : 'chunked';
    connection.beginAnswer(exchange, status, headers, bodyBytes === null ? reframed : 'as stated', bodyBytes);
  };
  if (transforms.length > 0 && !head.bodiless) return new TransformedAnswer(exchange, transforms, begin, refuse);
  // Of a kept answer nothing but the gateway itself states the length.
  const isUnstated = head.contentLength !== null && !changesLength && !headers.has('content-length');
  begin(isUnstated && status !== 304 && status !== 204 ? head.contentLength : null);
  return connection;
}
