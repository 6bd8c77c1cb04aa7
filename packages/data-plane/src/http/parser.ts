/**
 * llhttp, the HTTP/1 parser of Node, as the WebAssembly that undici ships (https://github.com/nodejs/llhttp). Strict: none
 * of its leniencies is set. A parser stops behind every head, and tells where names and values are rather than what
 * they are; bodies with a length are the caller's to count.
 */
import { createRequire } from 'node:module';
import { fieldStride, type ReceivedFields } from '@millrace/policies/headers';
import { ERROR, METHODS, TYPE } from 'undici/lib/llhttp/constants.js';
import { fieldAt } from './fields.ts';
import { readPlainHead } from './plain-head.ts';

/** What Node has of it and its types do not. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** What llhttp exports, apart from what is not used here. Numbers are addresses in its memory, or codes. */
interface Llhttp {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  llhttp_alloc(type: number): number;
  llhttp_reset(parser: number): void;
  llhttp_execute(parser: number, data: number, length: number): number;
  llhttp_resume(parser: number): void;
  llhttp_get_error_pos(parser: number): number;
  llhttp_get_method(parser: number): number;
  llhttp_get_http_major(parser: number): number;
  llhttp_get_http_minor(parser: number): number;
}

const source: unknown = createRequire(import.meta.url)('undici/lib/llhttp/llhttp_simd-wasm.js');
if (!(source instanceof Uint8Array)) throw new Error('undici has no llhttp where it is expected.');
const ok = ERROR.OK!;
const paused = ERROR.PAUSED!;

/** Bytes that are given to llhttp at once. */
const windowBytes = 16_384;
/** Fields of a head, at most. */
const maxFields = 128;
/** A head is judged as soon as it is read: see {@link Parser.codes}. */
const codes = new Uint8Array(maxFields);

/** Names of the methods by llhttp's numbers. */
const methodNames: string[] = [];
for (const [name, number] of Object.entries(METHODS)) if (number !== undefined) methodNames[number] = name;

/** Whose callbacks are called now. */
let current: Parser;

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(source)), {
  env: {
    wasm_on_message_begin: () => 0,
    wasm_on_status: () => 0,
    wasm_on_url: (_parser: number, at: number, length: number) => current.onUrl(at, length),
    wasm_on_header_field: (_parser: number, at: number, length: number) => current.onName(at, length),
    wasm_on_header_value: (_parser: number, at: number, length: number) => current.onValue(at, length),
    wasm_on_headers_complete: (_parser: number, status: number) => current.onHead(status),
    wasm_on_body: (_parser: number, at: number, length: number) => current.onBody(at, length),
    wasm_on_message_complete: () => current.onEnd(),
  },
});
// WebAssembly tells no types of its exports; these are those of llhttp.
const llhttp = exports as Llhttp;
llhttp._initialize();
const window = llhttp.malloc(windowBytes);
let windowView = new Uint8Array(0);

/** Parsers whose connections have ended, by type. */
const free = { [TYPE.REQUEST!]: [] as number[], [TYPE.RESPONSE!]: [] as number[] };

export type ParseError = 'malformed' | 'too_many_fields' | 'too_long';

/** One side of one connection. Heads that leave nothing to judge do not get to llhttp: see {@link readPlainHead}. */
export class Parser implements ReceivedFields {
  readonly #isRequest: boolean;
  readonly #type: number;
  #pointer: number;
  /** Whether nothing was read since the message before; llhttp does not know of the next one before it is asked. */
  #isFresh = true;
  /** What a position in the window is taken for: by this much further in the head, or in the caller's bytes. */
  #shift = 0;
  #phase: 'head' | 'body' = 'head';
  /** What the last span of the head was; of an empty value llhttp tells a place behind its line. */
  #last: 'nothing' | 'name' | 'empty value' | 'value' = 'nothing';
  #resumes = false;

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

  constructor(type: 'request' | 'answer', spans: Int32Array) {
    this.#isRequest = type === 'request';
    this.#type = TYPE[type === 'request' ? 'REQUEST' : 'RESPONSE']!;
    this.#pointer = free[this.#type]!.pop() ?? llhttp.llhttp_alloc(this.#type);
    this.spans = spans;
  }

  /** Expects the next message. */
  reset(): void {
    this.#isFresh = true;
    this.#phase = 'head';
    this.#last = 'nothing';
    this.#resumes = false;
    this.count = 0;
    this.urlStart = 0;
    this.urlEnd = 0;
    this.headBytes = 0;
    this.status = 0;
    this.ended = false;
  }

  /** Gives the parser back. It may not be used any more. */
  close(): void {
    if (this.#pointer === 0) return;
    free[this.#type]!.push(this.#pointer);
    this.#pointer = 0;
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
      llhttp.llhttp_reset(this.#pointer);
      this.#isFresh = false;
    }
    for (let at = start; at < end; ) {
      const length = Math.min(end - at, windowBytes);
      this.#shift = this.headBytes - window;
      const result = this.#execute(chunk, at, length);
      if (result === paused) {
        const read = llhttp.llhttp_get_error_pos(this.#pointer) - window;
        this.headBytes += read;
        if (this.headBytes > maxBytes) return this.#fail('too_long');
        this.version = this.#readVersion();
        if (this.#isRequest) this.method = methodNames[llhttp.llhttp_get_method(this.#pointer)] ?? '';
        return at + read;
      }
      if (result !== ok) return this.#fail(this.count >= maxFields ? 'too_many_fields' : 'malformed');
      at += length;
      this.headBytes += length;
      if (this.headBytes > maxBytes) return this.#fail('too_long');
    }
    // A line without a version is HTTP/0.9, which has no head that could still come.
    return this.#readVersion() === 9 ? this.#fail('malformed') : -1;
  }

  #readVersion(): number {
    return llhttp.llhttp_get_http_major(this.#pointer) * 10 + llhttp.llhttp_get_http_minor(this.#pointer);
  }

  /**
   * Reads on in a chunked body, whose {@link Parser.pieces} are positions in the chunk. Trailers are left out.
   *
   * @returns up to where it was read; the end of the chunk unless {@link Parser.ended}; -2 for an {@link Parser.error}
   */
  readChunked(chunk: Buffer, start: number, end: number): number {
    this.#phase = 'body';
    this.pieces.length = 0;
    for (let at = start; at < end; ) {
      const length = Math.min(end - at, windowBytes);
      this.#shift = at - window;
      const bodyBefore = this.#bodyBytes;
      const result = this.#execute(chunk, at, length);
      const read = result === paused ? llhttp.llhttp_get_error_pos(this.#pointer) - window : length;
      this.#framingBytes += read - (this.#bodyBytes - bodyBefore);
      // Endless extensions and trailers, or chunks of a byte each, cost more than they bring.
      if (this.#framingBytes > 16_384 + 16 * this.#bodyBytes) return this.#fail('too_long');
      if (result === paused && this.ended) {
        this.#framingBytes = 0;
        this.#bodyBytes = 0;
        return at + read;
      }
      if (result !== ok) return this.#fail('malformed');
      at += length;
    }
    return end;
  }

  #execute(chunk: Buffer, at: number, length: number): number {
    // The memory is another one after it has grown.
    if (windowView.byteLength === 0) windowView = new Uint8Array(llhttp.memory.buffer, window, windowBytes);
    if (length < 512) for (let index = 0; index < length; index++) windowView[index] = chunk[at + index]!;
    else windowView.set(chunk.subarray(at, at + length));
    if (this.#resumes) llhttp.llhttp_resume(this.#pointer);
    current = this;
    const result = llhttp.llhttp_execute(this.#pointer, window, length);
    this.#resumes = result === paused;
    return result;
  }

  #fail(error: ParseError): -2 {
    this.error = error;
    return -2;
  }

  /**
   * Leaves out the space behind values, which is no part of them (RFC 9112, section 5.1), and tells the {@link Parser.codes}.
   * Needs {@link Parser.bytes}.
   */
  complete(): void {
    // The head did not get to llhttp: all that was done as it was read.
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

  onUrl(at: number, length: number): number {
    if (this.urlEnd === 0) this.urlStart = at + this.#shift;
    this.urlEnd = at + this.#shift + length;
    return 0;
  }

  onName(at: number, length: number): number {
    if (this.#phase === 'body') return 0;
    const start = at + this.#shift;
    if (this.#last !== 'name') {
      if (this.count >= maxFields) return -1;
      const { spans } = this;
      const field = this.count++ * fieldStride;
      spans[field] = start;
      spans[field + 4] = 0;
      this.#last = 'name';
    }
    const { spans } = this;
    const field = (this.count - 1) * fieldStride;
    spans[field + 1] = start + length;
    spans[field + 2] = start + length;
    spans[field + 3] = start + length;
    return 0;
  }

  onValue(at: number, length: number): number {
    if (this.#phase === 'body') return 0;
    if (length === 0) {
      if (this.#last === 'name') this.#last = 'empty value';
      return 0;
    }
    const start = at + this.#shift;
    const field = (this.count - 1) * fieldStride;
    if (this.#last !== 'value') {
      this.spans[field + 2] = start;
      this.#last = 'value';
    }
    this.spans[field + 3] = start + length;
    return 0;
  }

  onHead(status: number): number {
    this.status = status;
    return paused;
  }

  onBody(at: number, length: number): number {
    this.pieces.push(at + this.#shift, at + this.#shift + length);
    this.#bodyBytes += length;
    return 0;
  }

  onEnd(): number {
    this.ended = true;
    return paused;
  }
}

/** Room for the spans of one head. */
export function newSpans(): Int32Array {
  return new Int32Array(maxFields * fieldStride);
}
