/** Reads the head of an answer that HTTP/2 brings, and its trailers. */
import { fieldState, fieldStride, type ReceivedFields } from '@millrace/policies/headers';
import { field, fieldAt, isText, lengthAt } from '../http/fields.ts';
import { newSpans } from '../http/parser.ts';
import type { FieldSink } from '../http2/hpack.ts';

const status = ':status';
const emptyLength = 'content-length: 0\r\n';

/** Of one session's answers, each until the next one is read. */
export class Http2Answer implements FieldSink, ReceivedFields {
  readonly bytes: Buffer;
  readonly spans = newSpans();
  count = 0;
  status = 0;
  /** Whether the answer is not to be trusted. */
  isMalformed = false;
  /** As stated; null: it isn't. */
  contentLength: number | null = null;
  #isTrailers = false;

  constructor(maxBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(maxBytes + emptyLength.length);
  }

  reset(isTrailers: boolean): void {
    this.#isTrailers = isTrailers;
    this.count = 0;
    this.status = 0;
    this.isMalformed = false;
    this.contentLength = null;
  }

  /** States that the body is empty. */
  addEmptyLength(end: number): void {
    this.bytes.write(emptyLength, end, 'latin1');
    this.#add(end, end + 14, end + 16, end + 17, fieldState.passes);
  }

  field(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const { bytes } = this;
    for (let at = nameStart; at < valueEnd; at++) {
      const byte = bytes[at]!;
      if ((byte < 0x20 && byte !== 0x09) || byte === 0x7f) this.isMalformed = true;
      if (at < nameEnd && (byte <= 0x20 || byte >= 0x7f || (byte >= 0x41 && byte <= 0x5a))) this.isMalformed = true;
    }
    if (bytes[nameStart] === 0x3a) {
      const isStatus = bytes.toString('latin1', nameStart, nameEnd) === status && valueEnd - valueStart === 3;
      if (!isStatus || this.#isTrailers || this.status !== 0 || this.count > 0) this.isMalformed = true;
      this.status = lengthAt(bytes, valueStart, valueEnd);
      return;
    }
    if (nameStart === nameEnd || bytes.subarray(nameStart, nameEnd).includes(0x3a)) this.isMalformed = true;
    this.#add(nameStart, nameEnd, valueStart, valueEnd, this.#stateOf(nameStart, nameEnd, valueStart, valueEnd));
  }

  #stateOf(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): number {
    const { bytes } = this;
    switch (fieldAt(bytes, nameStart, nameEnd)) {
      case field.connection:
      case field.transferEncoding:
      case field.upgrade:
      case field.keepAlive:
        this.isMalformed = true;
        return fieldState.removed;
      case field.contentLength:
        if (this.#isTrailers) return fieldState.removed;
        if (this.contentLength !== null) this.isMalformed = true;
        this.contentLength = lengthAt(bytes, valueStart, valueEnd);
        if (this.contentLength < 0) this.isMalformed = true;
        return this.status < 200 || this.status === 204 ? fieldState.removed : fieldState.passes;
      case field.ofConnection:
        if (isText(bytes, nameStart, nameEnd, 'proxy-connection')) this.isMalformed = true;
        return fieldState.removed;
      case field.requestId:
        return fieldState.removed;
      default:
        return fieldState.passes;
    }
  }

  #add(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number, state: number): void {
    const at = this.count * fieldStride;
    if (at + fieldStride > this.spans.length) {
      this.isMalformed = true;
      return;
    }
    this.count++;
    this.spans[at] = nameStart;
    this.spans[at + 1] = nameEnd;
    this.spans[at + 2] = valueStart;
    this.spans[at + 3] = valueEnd;
    this.spans[at + 4] = state;
  }
}
