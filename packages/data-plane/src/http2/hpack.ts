/** Compression of heads in HTTP/2 (HPACK, RFC 7541). */
import { fieldState, fieldStride, type HeaderList } from '@millrace/policies/headers';
import { fieldNamed, framesMessage } from '../http/fields.ts';
import type { HeadWriter } from '../http/head-writer.ts';
import { decodeHuffman } from './huffman.ts';

/** RFC 7541, appendix A. */
const staticFields = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
] as const;

/** A field of a table. */
interface TableField {
  /** Name and value, one behind the other. */
  readonly bytes: Buffer;
  readonly nameLength: number;
}

const staticTable: readonly TableField[] = staticFields.map(([name, value]) => ({
  bytes: Buffer.from(name + value),
  nameLength: name.length,
}));

/** RFC 7541, section 4.1. */
const fieldOverhead = 32;
/** Of the table that a peer may fill: the default, which every peer can rely on before it knows the settings. */
const tableBytes = 4_096;
/** `: ` and the end of a line. */
const lineOverhead = 4;

/** Receives a head field by field. */
export interface FieldSink {
  /** Where the head is written as lines of HTTP/1.1: `name: value` and the end of the line. */
  readonly bytes: Buffer;
  /** Positions of a field in {@link FieldSink.bytes}. */
  field(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void;
}

/** Of a compressed head. Its decoded size is limited by whoever reads it. */
export const maxBlockBytes = 40_960;
/** How often the bytes that a head may have are decoded beyond them, so that the next head can be. */
const mostOversize = 4;
/** Codes have five bits or more. */
const mostExpansion = 1.6;
/** For what might not fit behind the head so far: any field of a block does here. */
const spill = Buffer.allocUnsafeSlow(maxBlockBytes * mostExpansion + tableBytes + lineOverhead);

/** Decodes the heads that one peer sends. Every head has to be decoded, as each may change what the next one means. */
export class HpackDecoder {
  /** The dynamic table: the newest field is the last one. */
  #table: TableField[] = [];
  /** Fields at the beginning that are evicted already. */
  #evicted = 0;
  #tableBytes = 0;
  #maxTableBytes = tableBytes;
  /** While a block is decoded. */
  #block: Buffer = spill;
  #at = 0;
  #end = 0;
  /** Whether the last head was longer than it may be; what was behind that was not passed on. */
  isTooLong = false;
  #skippedBytes = 0;

  /**
   * Decodes a block of at most {@link maxBlockBytes}.
   *
   * @param from where the lines begin in the sink's bytes, which must have room for `maxBytes` behind it
   * @param maxBytes of all lines
   * @returns where the lines end; -1 if the block is invalid, -2 if its fields are many times as long as they may be;
   *   after both no other block can be decoded
   */
  decode(block: Buffer, start: number, end: number, sink: FieldSink, from: number, maxBytes: number): number {
    this.#block = block;
    this.#at = start;
    this.#end = end;
    this.isTooLong = false;
    this.#skippedBytes = 0;
    let to = from;
    let hasField = false;
    while (this.#at < end) {
      if ((block[this.#at]! & 0xe0) === 0x20) {
        // Only at the beginning of a block (RFC 7541, section 4.2).
        const size = this.#integer(0x1f);
        if (hasField || size < 0 || size > tableBytes) return -1;
        this.#maxTableBytes = size;
        this.#evict(0);
        continue;
      }
      hasField = true;
      to = this.#field(sink, to, from + maxBytes);
      if (to < 0) return -1;
      if (this.#skippedBytes > mostOversize * maxBytes) return -2;
    }
    return to;
  }

  /** Returns where the field's line ends, or -1. */
  #field(sink: FieldSink, to: number, until: number): number {
    const first = this.#block[this.#at]!;
    if (first >= 0x80) {
      const field = this.#fieldAt(this.#integer(0x7f));
      if (field === null) return -1;
      const { bytes, nameLength } = field;
      if (!this.#fits(to, bytes.length + lineOverhead, until)) return to;
      const nameEnd = copied(bytes, 0, nameLength, sink.bytes, to);
      return line(sink, to, nameEnd, copied(bytes, nameLength, bytes.length, sink.bytes, nameEnd + 2));
    }
    const isIndexed = first >= 0x40;
    const index = this.#integer(isIndexed ? 0x3f : 0x0f);
    if (index < 0) return -1;
    const bound = (this.#end - this.#at) * mostExpansion + tableBytes + lineOverhead;
    const isSpilt = this.isTooLong || to + bound > sink.bytes.length;
    const bytes = isSpilt ? spill : sink.bytes;
    const nameStart = isSpilt ? 0 : to;
    const named = index === 0 ? null : this.#fieldAt(index);
    if (index > 0 && named === null) return -1;
    const nameEnd =
      named === null ? this.#text(bytes, nameStart) : copied(named.bytes, 0, named.nameLength, bytes, nameStart);
    const valueEnd = nameEnd < 0 ? -1 : this.#text(bytes, nameEnd + 2);
    if (valueEnd < 0) return -1;
    if (isIndexed) this.#add(bytes, nameStart, nameEnd, valueEnd);
    const length = valueEnd + 2 - nameStart;
    if (!this.#fits(to, length, until)) return to;
    if (isSpilt) bytes.copy(sink.bytes, to, nameStart, valueEnd);
    return line(sink, to, to + nameEnd - nameStart, to + valueEnd - nameStart);
  }

  #fits(to: number, length: number, until: number): boolean {
    this.isTooLong ||= to + length > until;
    if (this.isTooLong) this.#skippedBytes += length;
    return !this.isTooLong;
  }

  /** Adds a field whose value stands two bytes behind its name. */
  #add(bytes: Buffer, nameStart: number, nameEnd: number, valueEnd: number): void {
    const nameLength = nameEnd - nameStart;
    const size = valueEnd - 2 - nameStart;
    this.#evict(size + fieldOverhead);
    if (size + fieldOverhead > this.#maxTableBytes) return;
    const copy = Buffer.allocUnsafeSlow(size);
    bytes.copy(copy, 0, nameStart, nameEnd);
    bytes.copy(copy, nameLength, nameEnd + 2, valueEnd);
    this.#table.push({ bytes: copy, nameLength });
    this.#tableBytes += size + fieldOverhead;
  }

  /** Makes room for so many bytes. */
  #evict(bytes: number): void {
    while (this.#tableBytes + bytes > this.#maxTableBytes && this.#evicted < this.#table.length) {
      this.#tableBytes -= this.#table[this.#evicted]!.bytes.length + fieldOverhead;
      this.#evicted++;
    }
    if (this.#evicted < evictedAtOnce && this.#evicted < this.#table.length) return;
    this.#table = this.#table.slice(this.#evicted);
    this.#evicted = 0;
  }

  #fieldAt(index: number): TableField | null {
    if (index < 1) return null;
    if (index <= staticTable.length) return staticTable[index - 1]!;
    const at = this.#table.length - (index - staticTable.length);
    return at < this.#evicted ? null : this.#table[at]!;
  }

  /** An integer that begins within a byte (RFC 7541, section 5.1); -1 if it is invalid or too large. */
  #integer(mask: number): number {
    let value = this.#block[this.#at++]! & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      if (this.#at >= this.#end) return -1;
      const byte = this.#block[this.#at++]!;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  }

  /** Copies a text. Returns where it ends, or -1. */
  #text(to: Buffer, at: number): number {
    if (this.#at >= this.#end) return -1;
    const isCompressed = this.#block[this.#at]! >= 0x80;
    const length = this.#integer(0x7f);
    const start = this.#at;
    if (length < 0 || start + length > this.#end) return -1;
    this.#at += length;
    const read = isCompressed ? decodeHuffman : copied;
    return read(this.#block, start, start + length, to, at);
  }
}

/** The table is cut as seldom as that. */
const evictedAtOnce = 64;

function line(sink: FieldSink, nameStart: number, nameEnd: number, valueEnd: number): number {
  const { bytes } = sink;
  bytes[nameEnd] = 0x3a;
  bytes[nameEnd + 1] = 0x20;
  bytes[valueEnd] = 0x0d;
  bytes[valueEnd + 1] = 0x0a;
  sink.field(nameStart, nameEnd, nameEnd + 2, valueEnd);
  return valueEnd + 2;
}

/** Returns where the copy ends. */
function copied(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  if (end - start > 32) return at + from.copy(to, at, start, end);
  for (let index = start, place = at; index < end; index++, place++) to[place] = from[index]!;
  return at + end - start;
}

/**
 * Heads are encoded without a dynamic table and without Huffman codes: both cost more than the bytes that they spare. Fields
 * are marked never to be indexed, so that nobody behind the gateway keeps what callers keep secret (RFC 7541, section 7.1.3).
 */
const neverIndexed = 0x10;
const indexesByName = new Map<string, number>();
for (const [index, [name]] of staticFields.entries()) if (!indexesByName.has(name)) indexesByName.set(name, index + 1);

/** Of a field beyond the bytes of its name and value, at most. */
export const maxFieldOverhead = 9;

/** @param name in lower case */
export function writeField(to: HeadWriter, name: string, value: string): void {
  writeName(to, name);
  writeInteger(to, 0, 0x7f, value.length);
  to.text(value);
}

function writeName(to: HeadWriter, name: string): void {
  const index = indexesByName.get(name);
  if (index !== undefined) {
    writeInteger(to, neverIndexed, 0x0f, index);
    return;
  }
  to.bytes[to.length++] = neverIndexed;
  writeInteger(to, 0, 0x7f, name.length);
  to.text(name);
}

/** The status of an answer, or the method and the like that the static table has with its value. */
function writeIndexed(to: HeadWriter, index: number): void {
  to.bytes[to.length++] = 0x80 | index;
}

const indexesByField = new Map(staticFields.map(([name, value], index) => [`${name} ${value}`, index + 1]));

/** A pseudo-header field: many stand in the static table with their values. */
export function writePseudo(to: HeadWriter, name: string, value: string): void {
  const index = indexesByField.get(`${name} ${value}`);
  if (index === undefined) writeField(to, name, value);
  else writeIndexed(to, index);
}

/** The received fields that pass, and then the added ones but for those that frame the message. */
export function writeFields(to: HeadWriter, list: HeaderList): void {
  const { bytes, spans, count } = list.received;
  for (let at = 0; at < count * fieldStride; at += fieldStride) {
    if (spans[at + 4] === fieldState.passes) {
      writeReceived(to, bytes, spans[at]!, spans[at + 1]!, spans[at + 2]!, spans[at + 3]!);
    }
  }
  const { added, addedNames } = list;
  for (let index = 0; index < addedNames.length; index++) {
    const name = addedNames[index]!;
    if (!framesMessage(fieldNamed(name))) writeField(to, name, added[2 * index + 1]!);
  }
}

/** Names are written in lower case, which HTTP/1.1 leaves open. */
function writeReceived(
  to: HeadWriter,
  from: Buffer,
  nameStart: number,
  nameEnd: number,
  valueStart: number,
  valueEnd: number,
): void {
  const out = to.bytes;
  out[to.length++] = neverIndexed;
  writeInteger(to, 0, 0x7f, nameEnd - nameStart);
  let { length } = to;
  for (let at = nameStart; at < nameEnd; at++) {
    const byte = from[at]!;
    out[length++] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  }
  to.length = length;
  writeInteger(to, 0, 0x7f, valueEnd - valueStart);
  to.copy(from, valueStart, valueEnd);
}

function writeInteger(to: HeadWriter, first: number, mask: number, value: number): void {
  const { bytes } = to;
  if (value < mask) {
    bytes[to.length++] = first | value;
    return;
  }
  bytes[to.length++] = first | mask;
  let rest = value - mask;
  for (; rest >= 0x80; rest >>= 7) bytes[to.length++] = (rest & 0x7f) | 0x80;
  bytes[to.length++] = rest;
}
