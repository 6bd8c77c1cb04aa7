/** Reads the head of a request that HTTP/2 brings, with the strictness of HTTP/1.1: targets may speak either. */
import { METHODS } from 'node:http';
import { fieldState, fieldStride, type ReceivedFields } from '@millrace/policies/headers';
import { field, fieldAt, isText, lengthAt } from '../http/fields.ts';
import type { Workspace } from '../http/workspaces.ts';
import type { FieldSink } from '../http2/hpack.ts';
import { type Host, readHost } from './request-head.ts';

/** Characters of names (RFC 9110, section 5.6.2) but for letters in upper case. */
const nameBytes = bytesOf(/[a-z0-9!#$%&'*+.^_`|~-]/);
/** Characters of values: neither control characters nor the end of a line. */
const valueBytes = bytesOf(/[\t -~\x80-\xff]/);
const methods: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'CONNECT'));
const pseudoNames: readonly string[] = [':method', ':scheme', ':authority', ':path'];

/**
 * The fields of one head or of its trailers, as the decoder brings them. What makes a request malformed (RFC 9113, section
 * 8.1.1) sets {@link Http2Head.isMalformed}; what could be read in two ways only keeps it from being {@link Http2Head.isClear}.
 */
export class Http2Head implements FieldSink, ReceivedFields {
  readonly bytes: Buffer;
  readonly spans: Int32Array;
  readonly #isTrailers: boolean;
  readonly #isTrusted: boolean;
  count = 0;
  /** The protocol is broken: the stream is reset. */
  isMalformed = false;
  hasTooManyFields = false;
  /** Sum of the lengths of all names and values. */
  fieldBytes = 0;
  /** As stated; -1: it isn't. */
  contentLength = -1;
  expectsContinue = false;
  expectsMore = false;
  pathStart = 0;
  pathEnd = 0;
  method = '';
  #scheme = '';
  #authority: Host | null = null;
  #host: Host | null = null;
  #hasPath = false;
  #cookies: string[] = [];

  constructor({ bytes, spans }: Workspace, isTrailers: boolean, isTrusted: boolean) {
    this.bytes = bytes;
    this.spans = spans;
    this.#isTrailers = isTrailers;
    this.#isTrusted = isTrusted;
  }

  field(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const { bytes } = this;
    this.fieldBytes += nameEnd - nameStart + valueEnd - valueStart;
    for (let at = valueStart; at < valueEnd; at++) if (valueBytes[bytes[at]!] === 0) this.isMalformed = true;
    if (valueEnd > valueStart && (isBlank(bytes[valueStart]!) || isBlank(bytes[valueEnd - 1]!)))
      this.isMalformed = true;
    if (bytes[nameStart] === 0x3a) {
      this.#pseudo(bytes.toString('latin1', nameStart, nameEnd), valueStart, valueEnd);
      return;
    }
    if (nameEnd === nameStart) this.isMalformed = true;
    for (let at = nameStart; at < nameEnd; at++) if (nameBytes[bytes[at]!] === 0) this.isMalformed = true;
    if (!this.#isTrailers && isText(bytes, nameStart, nameEnd, 'cookie')) {
      this.#cookies.push(bytes.toString('latin1', valueStart, valueEnd));
      return;
    }
    this.#add(nameStart, nameEnd, valueStart, valueEnd, this.#stateOf(nameStart, nameEnd, valueStart, valueEnd));
  }

  /**
   * Completes the head, whose lines end there: cookies that came in several fields become one (RFC 9113, section 8.2.3).
   *
   * @returns where the lines end now
   */
  complete(end: number): number {
    if (this.#cookies.length === 0) return end;
    const start = end + this.bytes.write('cookie: ', end, 'latin1');
    const valueEnd = start + this.bytes.write(this.#cookies.join('; '), start, 'latin1');
    this.bytes.write('\r\n', valueEnd, 'latin1');
    this.#add(end, start - 2, start, valueEnd, fieldState.passes);
    return valueEnd + 2;
  }

  /** Whether what there must be is there (RFC 9113, section 8.3.1). */
  get isComplete(): boolean {
    // CONNECT has neither a scheme nor a path.
    if (this.method === 'CONNECT') return this.#authority !== null && !this.#hasPath && this.#scheme === '';
    return this.method !== '' && this.#scheme !== '' && this.#hasPath && this.pathEnd > this.pathStart;
  }

  /** Whether the method, scheme and host can only be read in one way. */
  get isClear(): boolean {
    if (!methods.has(this.method) || !/^https?$/.test(this.#scheme)) return false;
    if (this.#authority !== null && this.#host !== null && !isSame(this.#authority, this.#host)) return false;
    return this.host !== null && this.host.name !== null;
  }

  get host(): Host | null {
    return this.#authority ?? this.#host;
  }

  #pseudo(name: string, valueStart: number, valueEnd: number): void {
    const isFirst = this.count === 0 && this.#cookies.length === 0;
    if (!isFirst || this.#isTrailers || !pseudoNames.includes(name)) {
      this.isMalformed = true;
      return;
    }
    const { bytes } = this;
    switch (name) {
      case ':method':
        if (this.method !== '') this.isMalformed = true;
        this.method = bytes.toString('latin1', valueStart, valueEnd);
        break;
      case ':scheme':
        if (this.#scheme !== '') this.isMalformed = true;
        this.#scheme = bytes.toString('latin1', valueStart, valueEnd);
        break;
      case ':authority':
        if (this.#authority !== null) this.isMalformed = true;
        this.#authority = readHost(bytes, valueStart, valueEnd);
        break;
      default:
        if (this.#hasPath) this.isMalformed = true;
        this.#hasPath = true;
        this.pathStart = valueStart;
        this.pathEnd = valueEnd;
    }
  }

  #add(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number, state: number): void {
    const at = this.count * fieldStride;
    if (at + fieldStride > this.spans.length) {
      this.hasTooManyFields = true;
      return;
    }
    this.count++;
    this.spans[at] = nameStart;
    this.spans[at + 1] = nameEnd;
    this.spans[at + 2] = valueStart;
    this.spans[at + 3] = valueEnd;
    this.spans[at + 4] = state;
  }

  /** Reads what the gateway itself needs; the states are those that requests of HTTP/1.1 get. */
  #stateOf(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): number {
    const { bytes } = this;
    const code = fieldAt(bytes, nameStart, nameEnd);
    const { passes, withheld, removed } = fieldState;
    if (code === 0 || code === field.via) return passes;
    if (isOfConnection(code, bytes, nameStart, nameEnd)) this.isMalformed = true;
    // Trailers could otherwise change what was decided by the head.
    if (this.#isTrailers) return removed;
    switch (code) {
      case field.host:
        if (this.#host !== null) this.isMalformed = true;
        this.#host = readHost(bytes, valueStart, valueEnd);
        return withheld;
      case field.contentLength: {
        const length = lengthAt(bytes, valueStart, valueEnd);
        if (length < 0 || this.contentLength >= 0) this.isMalformed = true;
        this.contentLength = length;
        return withheld;
      }
      case field.expect:
        this.expectsContinue = isText(bytes, valueStart, valueEnd, '100-continue');
        this.expectsMore ||= !this.expectsContinue;
        return withheld;
      case field.requestId:
      case field.forwarded:
      case field.forwardedFor:
        return this.#isTrusted ? withheld : removed;
      case field.setByProxies:
        return this.#isTrusted ? passes : removed;
      case field.ofConnection:
        if (isText(bytes, nameStart, nameEnd, 'te') && !isText(bytes, valueStart, valueEnd, 'trailers')) {
          this.isMalformed = true;
        }
        return removed;
      default:
        return removed;
    }
  }
}

/** Fields that HTTP/2 has no use for, and no message may have (RFC 9113, section 8.2.2). */
function isOfConnection(code: number, bytes: Buffer, nameStart: number, nameEnd: number): boolean {
  switch (code) {
    case field.connection:
    case field.transferEncoding:
    case field.upgrade:
    case field.keepAlive:
      return true;
    case field.ofConnection:
      return isText(bytes, nameStart, nameEnd, 'proxy-connection');
    default:
      return false;
  }
}

function isSame(one: Host, other: Host): boolean {
  return one.authority.toLowerCase() === other.authority.toLowerCase();
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function bytesOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (characters.test(String.fromCharCode(byte)) ? 1 : 0));
}
