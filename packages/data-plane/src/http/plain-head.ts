/**
 * Reads plain heads, as most are: complete, HTTP/1.1, in the simplest characters, with at most a length
 * to delimit their body. It costs half of what llhttp does, which reads all others; so this accepts no head
 * that llhttp rejects, and finds the same in it.
 */
import { fieldStride } from '@millrace/policies/headers';
import { field, fieldAt, lengthAt } from './fields.ts';

/** What a head holds. */
interface ReadHead {
  readonly spans: Int32Array;
  /** What the names mean to the gateway: of each, one of {@link field}, or 0. */
  readonly codes: Uint8Array;
  count: number;
  urlStart: number;
  urlEnd: number;
  method: string;
  status: number;
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const space = 0x20;
const tab = 0x09;
const colon = 0x3a;

/** Characters of names (RFC 9110, section 5.6.2). */
const nameBytes = bytesOf(/[A-Za-z0-9!#$%&'*+.^_`|~-]/);
const valueBytes = bytesOf(/[\t -~]/);
const targetBytes = bytesOf(/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]/);

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'].map((name) => ({
  name,
  bytes: Buffer.from(`${name} /`),
}));
const version = Buffer.from(' HTTP/1.1\r\n');
const statusStart = Buffer.from('HTTP/1.1 ');

/**
 * Reads the head that begins at `start`. Spans count from there; space around values is left out.
 *
 * @returns where the head ends; -1 where it has to be read by llhttp, whatever was found in it until then
 */
export function readPlainHead(head: ReadHead, isRequest: boolean, chunk: Buffer, start: number, end: number): number {
  head.count = 0;
  const fields = isRequest ? readRequestLine(head, chunk, start, end) : readStatusLine(head, chunk, start, end);
  return fields < 0 ? -1 : readFields(head, chunk, start, fields, end);
}

/** Returns where the next line begins, or -1. */
function readRequestLine(head: ReadHead, chunk: Buffer, start: number, end: number): number {
  for (let index = 0; index < methods.length; index++) {
    const { name, bytes } = methods[index]!;
    if (!startsWith(chunk, start, end, bytes)) continue;
    let at = start + bytes.length;
    while (at < end && targetBytes[chunk[at]!] === 1) at++;
    if (!startsWith(chunk, at, end, version)) return -1;
    head.method = name;
    head.urlStart = bytes.length - 1;
    head.urlEnd = at - start;
    return at + version.length;
  }
  return -1;
}

/** Returns where the next line begins, or -1. */
function readStatusLine(head: ReadHead, chunk: Buffer, start: number, end: number): number {
  if (!startsWith(chunk, start, end, statusStart)) return -1;
  let at = start + statusStart.length;
  if (at + 3 > end) return -1;
  let status = 0;
  for (const behind = at + 3; at < behind; at++) {
    const digit = chunk[at]! - 0x30;
    if (!(digit >= 0 && digit <= 9)) return -1;
    status = status * 10 + digit;
  }
  // Those below lead to another head, or to another protocol.
  if (status < 200) return -1;
  head.status = status;
  if (at < end && chunk[at] === space) while (at < end && valueBytes[chunk[at]!] === 1) at++;
  return isLineEnd(chunk, at, end) ? at + 2 : -1;
}

function readFields(head: ReadHead, chunk: Buffer, start: number, from: number, end: number): number {
  const { spans, codes } = head;
  let hasLength = false;
  let at = from;
  let count = 0;
  for (; at < end && chunk[at] !== carriageReturn; count++) {
    if (count === codes.length) return -1;
    const nameStart = at;
    while (at < end && nameBytes[chunk[at]!] === 1) at++;
    const nameEnd = at;
    if (nameEnd === nameStart || at >= end || chunk[at] !== colon) return -1;
    at++;
    while (at < end && isBlank(chunk[at]!)) at++;
    const valueStart = at;
    while (at < end && valueBytes[chunk[at]!] === 1) at++;
    if (!isLineEnd(chunk, at, end)) return -1;
    let valueEnd = at;
    while (valueEnd > valueStart && isBlank(chunk[valueEnd - 1]!)) valueEnd--;
    at += 2;
    const code = fieldAt(chunk, nameStart, nameEnd);
    if (code === field.upgrade || code === field.transferEncoding) return -1;
    if (code === field.contentLength) {
      // Behind a number, llhttp refuses some of the space.
      if (hasLength || valueEnd !== at - 2 || lengthAt(chunk, valueStart, valueEnd) < 0) return -1;
      hasLength = true;
    }
    codes[count] = code;
    const span = count * fieldStride;
    spans[span] = nameStart - start;
    spans[span + 1] = nameEnd - start;
    // An empty value is where llhttp takes it to be.
    spans[span + 2] = (valueStart === valueEnd ? nameEnd : valueStart) - start;
    spans[span + 3] = (valueStart === valueEnd ? nameEnd : valueEnd) - start;
    spans[span + 4] = 0;
  }
  if (!isLineEnd(chunk, at, end)) return -1;
  head.count = count;
  return at + 2;
}

function isLineEnd(chunk: Buffer, at: number, end: number): boolean {
  return at + 1 < end && chunk[at] === carriageReturn && chunk[at + 1] === lineFeed;
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab;
}

function startsWith(chunk: Buffer, at: number, end: number, text: Buffer): boolean {
  if (at + text.length > end) return false;
  for (let index = 0; index < text.length; index++) if (chunk[at + index] !== text[index]) return false;
  return true;
}

function bytesOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (characters.test(String.fromCharCode(byte)) ? 1 : 0));
}
