import { fieldState, fieldStride, type HeaderList } from '@millrace/policies/headers';
import { limitHeaders, limitValues, type ReportedLimit } from '@millrace/policies/limit-headers';
import { fieldNamed, framesMessage } from './fields.ts';
import type { RequestId } from './request-ids.ts';

/** Of what was written, kept to be used again. A power of two. */
const mostViews = 512;

/** From here on a call into Node costs less than to go from byte to byte. */
const longBytes = 32;
const longText = 12;

/** Latin-1 text that heads are full of, kept in words of eight bytes: a byte of it costs a fifth of one of a string. */
export class PreparedText {
  readonly words: BigUint64Array;
  readonly length: number;

  constructor(text: string) {
    const bytes = Buffer.alloc(Math.ceil(text.length / 8) * 8);
    this.length = bytes.write(text, 'latin1');
    this.words = BigUint64Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readBigUInt64LE(8 * index));
  }
}

/** Writes a head, and what follows it, into bytes. There must be room: see {@link HeadWriter.room}. */
export class HeadWriter {
  length = 0;
  #bytes: Buffer;
  #words: DataView;
  /** Parts of the bytes, by their length. */
  #views: Buffer[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#words = wordsOf(bytes);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  set bytes(bytes: Buffer) {
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#words = wordsOf(bytes);
    this.#views = [];
  }

  /**
   * What was written, from the beginning. Many heads are as long as one before: what was made for that one is used again,
   * as it costs more than the writing.
   */
  written(): Buffer {
    const { length } = this;
    const place = length & (mostViews - 1);
    const known = this.#views[place];
    if (known?.length === length) return known;
    const view = this.#bytes.subarray(0, length);
    this.#views[place] = view;
    return view;
  }

  get room(): number {
    return this.#bytes.length - this.length;
  }

  /** Latin-1 text. */
  text(text: string): void {
    const bytes = this.#bytes;
    const { length } = text;
    if (length >= longText) {
      this.length += bytes.write(text, this.length, 'latin1');
      return;
    }
    let at = this.length;
    for (let index = 0; index < length; index++) bytes[at++] = text.charCodeAt(index);
    this.length = at;
  }

  /** There must be room for whole words: up to seven bytes behind the text are overwritten. */
  prepared({ words, length }: PreparedText): void {
    const to = this.#words;
    let at = this.length;
    for (let index = 0; index < words.length; index++, at += 8) to.setBigUint64(at, words[index]!, true);
    this.length += length;
  }

  /** A whole number. */
  integer(value: number): void {
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
      this.text(String(value));
      return;
    }
    let rest = Math.trunc(value);
    let digits = 1;
    for (let bound = 10; rest >= bound; bound *= 10) digits++;
    const bytes = this.#bytes;
    let at = this.length + digits;
    // Whole numbers of 31 bits are divided faster, and most are.
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 10)) bytes[--at] = 0x30 + (rest % 10);
    for (let small = rest | 0; at > this.length; small = (small / 10) | 0) bytes[--at] = 0x30 + (small % 10);
    this.length += digits;
  }

  copy(from: Buffer, start: number, end: number): void {
    if (end - start < longBytes) {
      const bytes = this.#bytes;
      let { length } = this;
      for (let index = start; index < end; index++) bytes[length++] = from[index]!;
      this.length = length;
    } else {
      from.copy(this.#bytes, this.length, start, end);
      this.length += end - start;
    }
  }

  /** The fields that pass, as they were received, in as few pieces as they can be copied in, and then the added ones. */
  fields(list: HeaderList): void {
    const { bytes, spans, count } = list.received;
    const end = count * fieldStride;
    let from = -1;
    for (let at = 0; at < end; at += fieldStride) {
      const passes = spans[at + 4] === fieldState.passes;
      if (passes && from < 0) from = spans[at]!;
      else if (!passes && from >= 0) {
        this.copy(bytes, from, spans[at]!);
        from = -1;
      }
    }
    // The last field ends before the line that ends the head.
    if (from >= 0) this.copy(bytes, from, endOfLine(bytes, spans[end - 2]!));
    this.added(list);
  }

  /** The added fields alone, but for those that frame the message. */
  added({ added, addedNames }: HeaderList): void {
    for (let index = 0; index < addedNames.length; index++) {
      if (framesMessage(fieldNamed(addedNames[index]!))) continue;
      this.text(added[2 * index]!);
      this.text(': ');
      this.text(added[2 * index + 1]!);
      this.text('\r\n');
    }
  }

  /** The limit that counted the request. */
  limit(limit: ReportedLimit): void {
    const values = limitValues(limit);
    for (let index = 0; index < limitNames.length; index++) {
      this.prepared(limitNames[index]!);
      this.integer(values[index]!);
      this.text('\r\n');
    }
  }

  /** The name of the request. */
  requestId({ idBegin, idEnd }: RequestId): void {
    // One from a proxy in front is in one part, and in one head.
    if (idEnd === '') {
      this.prepared(requestIdName);
      this.text(idBegin);
    } else {
      if (idBegin !== knownBegin) {
        knownBegin = idBegin;
        knownId = new PreparedText(`X-Request-Id: ${idBegin}`);
      }
      this.prepared(knownId);
      this.text(idEnd);
    }
    this.text('\r\n');
  }
}

const requestIdName = new PreparedText('X-Request-Id: ');
/** Most requests share the first part of their id with the one before. */
let knownBegin = '';
let knownId = requestIdName;

/** Most bytes that {@link HeadWriter.fields} may write. */
export function sizeOf(list: HeaderList): number {
  const { spans, count } = list.received;
  const received = count === 0 ? 0 : endOfLine(list.received.bytes, spans[count * fieldStride - 2]!) - spans[0]!;
  return received + addedSize(list.added);
}

export function addedSize(fields: readonly string[]): number {
  let size = 0;
  for (let index = 0; index < fields.length; index++) size += fields[index]!.length + 2;
  return size;
}

const limitNames = limitHeaders.map((name) => new PreparedText(`${name}: `));

function wordsOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] !== 0x0a) at++;
  return at + 1;
}
