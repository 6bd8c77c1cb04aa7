import { fieldStride, type ReceivedFields } from '@millrace/policies/headers';
import type { MessageReader, MessageSink, MessageType, NewMessageReader } from '../node-internals/message-reader.ts';
import { fieldAt } from './fields.ts';
import { readPlainHead } from './plain-head.ts';

/** Fields of a head, at most. */
const maxFields = 128;
/** A head is checked as soon as it is read: see {@link Parser.codes}. */
const codes = new Uint8Array(maxFields);

export type ParseError = 'malformed' | 'too_many_fields' | 'too_long';

/**
 * One side of one connection. It stops behind every head, and reports where names and values are rather than what they are.
 * Plain heads are read by {@link readPlainHead}, all others by the reader.
 */
export class Parser implements ReceivedFields, MessageSink {
  readonly #isRequest: boolean;
  readonly #reader: MessageReader;
  /** Whether nothing was read since the message before; the reader does not know of the next one before it is asked. */
  #isFresh = true;
  /** How far positions in the caller's bytes are ahead of those in the head. */
  #shift = 0;
  #phase: 'head' | 'body' = 'head';
  /** What the last span of the head was; the reader reports an empty value at a place behind its line. */
  #last: 'nothing' | 'name' | 'empty value' | 'value' = 'nothing';

  /** Bytes of the head, in which the spans are. Whoever reads the head sets it, and then calls {@link Parser.complete}. */
  bytes: Buffer = Buffer.alloc(0);
  /** @see ReceivedFields */
  spans: Int32Array;
  /** What each name means to the gateway, one of `field` or 0: of the head that any parser has read last. */
  readonly codes = codes;
  count = 0;
  urlStart = 0;
  urlEnd = 0;
  /** Of a request, once its head is read. */
  method = '';
  /** How long the head is, or what has come of it. */
  headBytes = 0;
  /** Of an answer. */
  status = 0;
  /** 10 for HTTP/1.0, 11 for HTTP/1.1. */
  version = 0;
  error: ParseError = 'malformed';
  /** Pieces of a chunked body that the last {@link Parser.readChunked} met: start, end, start, end, … */
  readonly pieces: number[] = [];
  /** Whether the chunked body has ended. */
  ended = false;
  /** Bytes that frame the chunked body, and bytes of it. */
  #framingBytes = 0;
  #bodyBytes = 0;

  constructor(type: MessageType, spans: Int32Array, newReader: NewMessageReader) {
    this.#isRequest = type === 'request';
    this.#reader = newReader(type);
    this.spans = spans;
  }

  /** Expects the next message. */
  reset(): void {
    this.#isFresh = true;
    this.#phase = 'head';
    this.#last = 'nothing';
    this.count = 0;
    this.urlStart = 0;
    this.urlEnd = 0;
    this.headBytes = 0;
    this.status = 0;
    this.ended = false;
  }

  /** Releases the parser. It must not be used afterwards. */
  close(): void {
    this.#reader.close();
  }

  /**
   * Reads on in a head. Spans count from the beginning of the head.
   *
   * @param maxBytes of the whole head
   * @returns where the head ends in the chunk; -1 where it goes on behind the chunk; -2 for an {@link Parser.error}
   */
  readHead(chunk: Buffer, start: number, end: number, maxBytes: number): number {
    if (this.#isFresh) {
      const headEnd = readPlainHead(this, this.#isRequest, chunk, start, end);
      if (headEnd >= 0 && headEnd - start <= maxBytes) {
        this.headBytes = headEnd - start;
        this.version = 11;
        return headEnd;
      }
      this.count = 0;
      this.urlStart = 0;
      this.urlEnd = 0;
      this.#reader.reset();
      this.#isFresh = false;
    }
    // A byte more than there may be: what is longer is refused for that, whatever comes behind.
    const until = Math.min(end, start + maxBytes + 1 - this.headBytes);
    this.#shift = this.headBytes - start;
    const outcome = this.#reader.read(chunk, start, until, this);
    if (outcome === 'malformed') return this.#fail(this.count >= maxFields ? 'too_many_fields' : 'malformed');
    const { position, version } = this.#reader;
    const read = outcome === 'paused' ? position : until;
    this.headBytes += read - start;
    if (this.headBytes > maxBytes) return this.#fail('too_long');
    if (outcome === 'paused') {
      this.version = version;
      if (this.#isRequest) this.method = this.#reader.method;
      return read;
    }
    // A line without a version is HTTP/0.9, which has no head that could still come.
    return version === 9 ? this.#fail('malformed') : -1;
  }

  /**
   * Reads on in a chunked body, whose {@link Parser.pieces} are positions in the chunk. Trailers are left out.
   *
   * @returns up to where it was read; the end of the chunk unless {@link Parser.ended}; -2 for an {@link Parser.error}
   */
  readChunked(chunk: Buffer, start: number, end: number): number {
    this.#phase = 'body';
    this.pieces.length = 0;
    this.#shift = 0;
    const bodyBefore = this.#bodyBytes;
    const outcome = this.#reader.read(chunk, start, end, this);
    if (outcome === 'malformed') return this.#fail('malformed');
    const read = outcome === 'paused' ? this.#reader.position : end;
    this.#framingBytes += read - start - (this.#bodyBytes - bodyBefore);
    // Endless extensions and trailers, or chunks of a byte each, cost more than they bring.
    if (this.#framingBytes > 16_384 + 16 * this.#bodyBytes) return this.#fail('too_long');
    if (outcome === 'paused') {
      this.#framingBytes = 0;
      this.#bodyBytes = 0;
    }
    return read;
  }

  #fail(error: ParseError): -2 {
    this.error = error;
    return -2;
  }

  /**
   * Removes the space behind values, which is not part of them (RFC 9112, section 5.1), and sets the {@link Parser.codes}.
   * Needs {@link Parser.bytes}.
   */
  complete(): void {
    // The head did not get to the reader: all that was done as it was read.
    if (this.#isFresh) return;
    const { bytes, spans } = this;
    for (let index = 0; index < this.count; index++) {
      const at = index * fieldStride;
      let end = spans[at + 3]!;
      while (end > spans[at + 2]! && (bytes[end - 1] === 0x20 || bytes[end - 1] === 0x09)) end--;
      spans[at + 3] = end;
      codes[index] = fieldAt(bytes, spans[at]!, spans[at + 1]!);
    }
  }

  onUrl(start: number, length: number): void {
    if (this.urlEnd === 0) this.urlStart = start + this.#shift;
    this.urlEnd = start + this.#shift + length;
  }

  onName(at: number, length: number): boolean {
    if (this.#phase === 'body') return true;
    const start = at + this.#shift;
    const { spans } = this;
    if (this.#last !== 'name') {
      if (this.count >= maxFields) return false;
      const field = this.count++ * fieldStride;
      spans[field] = start;
      spans[field + 4] = 0;
      this.#last = 'name';
    }
    const field = (this.count - 1) * fieldStride;
    spans[field + 1] = start + length;
    spans[field + 2] = start + length;
    spans[field + 3] = start + length;
    return true;
  }

  onValue(at: number, length: number): void {
    if (this.#phase === 'body') return;
    if (length === 0) {
      if (this.#last === 'name') this.#last = 'empty value';
      return;
    }
    const start = at + this.#shift;
    const field = (this.count - 1) * fieldStride;
    if (this.#last !== 'value') {
      this.spans[field + 2] = start;
      this.#last = 'value';
    }
    this.spans[field + 3] = start + length;
  }

  onHead(status: number): void {
    this.status = status;
  }

  onBody(start: number, length: number): void {
    this.pieces.push(start, start + length);
    this.#bodyBytes += length;
  }

  onEnd(): void {
    this.ended = true;
  }
}

export const spansBytes = maxFields * fieldStride * Int32Array.BYTES_PER_ELEMENT;

/** Room for the spans of one head: of its own, or {@link spansBytes} of this memory. */
export function newSpans(memory = new ArrayBuffer(spansBytes), start = 0): Int32Array {
  return new Int32Array(memory, start, maxFields * fieldStride);
}
