/**
 * Reads HTTP/1 messages (RFC 9112) without llhttp: slower, and as strict. It refuses what llhttp refuses, and takes only
 * HTTP/1.0 and 1.1, one space between the parts of the first line, and targets in ASCII.
 */
import { METHODS } from 'node:http';
import type { MessageReader, MessageSink, MessageType, ReadOutcome } from './message-reader.ts';

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const space = 0x20;
const tab = 0x09;
const colon = 0x3a;
const semicolon = 0x3b;

/** RFC 9110, section 5.6.2. */
const nameBytes = bytesOf(/[A-Za-z0-9!#$%&'*+.^_`|~-]/);
/** RFC 9110, section 5.5, with the obsolete bytes above ASCII. */
const valueBytes = bytesOf(/[\t -~\x80-\xff]/);
const targetBytes = bytesOf(/[!-~]/);
/** What a trailer may not hold (RFC 9110, section 6.5.1). */
const framing = /^(?:content-length|transfer-encoding)$/i;
const versions = ['HTTP/1.1', 'HTTP/1.0'];
const methods: ReadonlySet<string> = new Set(METHODS);
/** Chunk extensions behind their first semicolon (RFC 9112, section 7.1.1). */
const extension = /^(?:(?:^|;)[\w!#$%&'*+.^`|~-]+(?:=(?:[\w!#$%&'*+.^`|~-]+|"[\t !#-[\]-~]*"))?)+$/;
/** Of the words of a first line, and of chunk extensions. */
const mostWordBytes = 256;
/** Of a chunk's size: 2^52 bytes. */
const mostSizeDigits = 13;

type State =
  | 'start'
  | 'method'
  | 'target'
  | 'request version'
  | 'answer version'
  | 'status'
  | 'reason'
  | 'end of line'
  | 'field'
  | 'name'
  | 'blank'
  | 'value'
  | 'end of head'
  | 'chunk size'
  | 'chunk extension'
  | 'end of chunk size'
  | 'chunk'
  | 'end of chunk'
  | 'line feed of chunk'
  | 'failed';

export class PortableReader implements MessageReader {
  readonly #type: MessageType;
  #state: State = 'start';
  /** What has come of a word of the first line, of a chunk's size, of its extensions, or of a trailer's name. */
  #word = '';
  #status = 0;
  /** Of the chunk. */
  #remaining = 0;
  /** Whether the fields are those behind a chunked body. */
  #isTrailer = false;
  #hasTarget = false;
  position = 0;
  method = '';
  version = 0;

  constructor(type: MessageType) {
    this.#type = type;
  }

  reset(): void {
    this.#state = 'start';
    this.#word = '';
    this.#status = 0;
    this.#isTrailer = false;
    this.#hasTarget = false;
    this.version = 0;
  }

  close(): void {}

  read(bytes: Buffer, start: number, end: number, sink: MessageSink): ReadOutcome {
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      switch (this.#state) {
        case 'start':
          // Some clients send an empty line behind a body (RFC 9112, section 2.2).
          if (byte === carriageReturn || byte === lineFeed) at++;
          else this.#state = this.#type === 'request' ? 'method' : 'answer version';
          break;
        case 'method':
          at++;
          if (nameBytes[byte] === 1) this.#addToWord(byte);
          else if (byte === space && methods.has(this.#word)) {
            this.method = this.#takeWord();
            this.#state = 'target';
          } else return this.#fail();
          break;
        case 'target': {
          const from = at;
          at = endOf(targetBytes, bytes, at, end);
          if (at > from) {
            this.#hasTarget = true;
            sink.onUrl(from, at - from);
          } else if (byte === space && this.#hasTarget) {
            at++;
            this.#state = 'request version';
          } else return this.#fail();
          break;
        }
        case 'request version':
          at++;
          if (byte !== carriageReturn) this.#addToVersion(byte);
          else if (this.#readVersion()) this.#state = 'end of line';
          else return this.#fail();
          break;
        case 'answer version':
          at++;
          if (byte !== space) this.#addToVersion(byte);
          else if (this.#readVersion()) this.#state = 'status';
          else return this.#fail();
          break;
        case 'status':
          at++;
          if (byte !== space && byte !== carriageReturn) this.#addToWord(byte);
          else if (/^[0-9]{3}$/.test(this.#word)) {
            this.#status = Number(this.#takeWord());
            this.#state = byte === space ? 'reason' : 'end of line';
          } else return this.#fail();
          break;
        case 'reason':
          at = endOf(valueBytes, bytes, at, end);
          if (at === end) break;
          if (bytes[at++] !== carriageReturn) return this.#fail();
          this.#state = 'end of line';
          break;
        case 'end of line':
          at++;
          if (byte !== lineFeed) return this.#fail();
          this.#state = 'field';
          break;
        case 'field':
          if (byte === carriageReturn) at++;
          else if (nameBytes[byte] === 0) return this.#fail();
          this.#state = byte === carriageReturn ? 'end of head' : 'name';
          break;
        case 'name': {
          const from = at;
          at = endOf(nameBytes, bytes, at, end);
          if (at > from && !sink.onName(from, at - from)) return this.#fail();
          if (this.#isTrailer) for (let index = from; index < at; index++) this.#addToWord(bytes[index]!);
          if (at === end) break;
          if (bytes[at++] !== colon || (this.#isTrailer && framing.test(this.#takeWord()))) return this.#fail();
          this.#state = 'blank';
          break;
        }
        case 'blank':
          if (byte === space || byte === tab) at++;
          else {
            if (byte === carriageReturn) sink.onValue(at, 0);
            this.#state = 'value';
          }
          break;
        case 'value': {
          const from = at;
          at = endOf(valueBytes, bytes, at, end);
          if (at > from) sink.onValue(from, at - from);
          if (at === end) break;
          if (bytes[at++] !== carriageReturn) return this.#fail();
          this.#state = 'end of line';
          break;
        }
        case 'end of head':
          at++;
          if (byte !== lineFeed) return this.#fail();
          if (this.#isTrailer) sink.onEnd();
          else sink.onHead(this.#status);
          this.#state = this.#isTrailer ? 'start' : 'chunk size';
          this.position = at;
          return 'paused';
        case 'chunk size':
          at++;
          if (byte !== semicolon && byte !== carriageReturn) this.#addToWord(byte);
          else if (this.#readSize()) this.#state = byte === semicolon ? 'chunk extension' : 'end of chunk size';
          else return this.#fail();
          break;
        case 'chunk extension':
          at++;
          if (byte !== carriageReturn) this.#addToWord(byte);
          else if (extension.test(this.#takeWord())) this.#state = 'end of chunk size';
          else return this.#fail();
          break;
        case 'end of chunk size':
          at++;
          if (byte !== lineFeed) return this.#fail();
          this.#isTrailer = this.#remaining === 0;
          this.#state = this.#isTrailer ? 'field' : 'chunk';
          break;
        case 'chunk': {
          const length = Math.min(this.#remaining, end - at);
          sink.onBody(at, length);
          at += length;
          this.#remaining -= length;
          if (this.#remaining === 0) this.#state = 'end of chunk';
          break;
        }
        case 'end of chunk':
          at++;
          if (byte !== carriageReturn) return this.#fail();
          this.#state = 'line feed of chunk';
          break;
        case 'line feed of chunk':
          at++;
          if (byte !== lineFeed) return this.#fail();
          this.#state = 'chunk size';
          break;
        case 'failed':
          return 'malformed';
      }
    }
    return this.#state === 'failed' ? 'malformed' : 'more';
  }

  /** A word that is too long is no word: whoever takes it refuses it. */
  #addToWord(byte: number): void {
    if (this.#word.length <= mostWordBytes) this.#word += String.fromCharCode(byte);
    else this.#state = 'failed';
  }

  /** What begins like no version is refused at once: more may never come. */
  #addToVersion(byte: number): void {
    this.#addToWord(byte);
    if (!versions.some((version) => version.startsWith(this.#word))) this.#state = 'failed';
  }

  #takeWord(): string {
    const word = this.#word;
    this.#word = '';
    return word;
  }

  #readVersion(): boolean {
    const [, minor] = /^HTTP\/1\.([01])$/.exec(this.#takeWord()) ?? [];
    this.version = minor === undefined ? 0 : 10 + Number(minor);
    return minor !== undefined;
  }

  #readSize(): boolean {
    const digits = this.#takeWord();
    if (digits.length > mostSizeDigits || !/^[0-9A-Fa-f]+$/.test(digits)) return false;
    this.#remaining = Number.parseInt(digits, 16);
    return true;
  }

  #fail(): 'malformed' {
    this.#state = 'failed';
    return 'malformed';
  }
}

/** Where the bytes of a kind end. */
function endOf(kind: Uint8Array, bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && kind[bytes[at]!] === 1) at++;
  return at;
}

function bytesOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (characters.test(String.fromCharCode(byte)) ? 1 : 0));
}
