import { isAscii } from 'node:buffer';
import { createHmac, type Hmac } from 'node:crypto';
import { mayBeginDigit } from './fold.ts';
import { escapeJson, Unescaper, unescapeJson } from './json-text.ts';
import type { PathState, Paths } from './paths.ts';
import { digestText, type Replace, redacted } from './replace.ts';
import { TextMasker, type TextRules } from './text.ts';

/** Deepest nesting that is followed. */
const maxDepth = 512;
const maxNumberBytes = 1_000;
/** No shorter number is a value that is looked for: the shortest way to write one has a point and an exponent. */
const fewestNumberBytes = 8;
/** Strings up to this length are masked in one piece; longer ones as they come. */
const maxWholeBytes = 16_384;

/** What may come next. */
const expects = { value: 0, itemOrEnd: 1, keyOrEnd: 2, key: 3, colon: 4, commaOrEnd: 5, nothing: 6 } as const;
type Expects = (typeof expects)[keyof typeof expects];

/** What is being read. */
const token = { none: 0, key: 1, text: 2, number: 3, word: 4 } as const;
type Token = (typeof token)[keyof typeof token];

/**
 * What becomes of a token: it passes as it is; it waits until it is known whole; it is left out; or it is a long string
 * that is masked as it comes.
 */
const fate = { passes: 0, waits: 1, dropped: 2, long: 3 } as const;
type Fate = (typeof fate)[keyof typeof fate];

/** Bytes within strings. UTF-8 of other digits than those of ASCII counts as them. */
const byteKind = { plain: 0, digit: 1, telling: 2, quote: 3, backslash: 4, control: 5 } as const;
const stringBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22) return byteKind.quote;
  if (byte === 0x5c) return byteKind.backslash;
  if (byte < 0x20) return byteKind.control;
  // An at sign, also percent-encoded or, as what else begins with 0xef, full-width.
  if (byte === 0x40 || byte === 0x25 || byte === 0xef) return byteKind.telling;
  return isDigit(byte) ? byteKind.digit : byteKind.plain;
});
const numberBytes = bytesOf('0123456789+-.eE');
const hexBytes = bytesOf('0123456789abcdefABCDEF');
const escapeBytes = bytesOf('"\\/bfnrtu');
const byteOrderMark = [0xef, 0xbb, 0xbf];
const words: ReadonlyMap<number, string> = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

export interface JsonMasking {
  readonly paths: Paths;
  /** For values that no path wants; null: nothing is looked for. */
  readonly text: TextRules | null;
  readonly replace: Replace;
  readonly key: Uint8Array;
  /** Whether one value may follow another, as lines of JSON do. */
  readonly isSequence: boolean;
}

/**
 * Masks JSON (RFC 8259) that comes in pieces, byte by byte, whatever the pieces: state is carried over their ends, and
 * what is known not to need masking passes on at once, as it was written. Paths are about values; what detectors find in
 * names of members is masked too.
 *
 * @throws Error where the text is not JSON in UTF-8, or nested too deeply
 */
export class JsonMasker {
  readonly #masking: JsonMasking;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  #isMidCharacter = false;

  #chunk: Uint8Array = new Uint8Array();
  /** What passes on of this chunk so far, and from where on the rest of it would. */
  #parts: Uint8Array[] = [];
  #from = 0;

  #expects: Expects = expects.value;
  #bomBytes = 0;
  /** Of the value that comes next. */
  #state: PathState;
  /** Of each open array or object: its state, whether it is an array, and the index of its item. */
  readonly #states: PathState[] = [];
  readonly #areArrays: boolean[] = [];
  readonly #indexes: number[] = [];
  /** At which depth the container stands that is left out; -1 where there is none. */
  #hiddenDepth = -1;
  /** Of what is left out. */
  #digest: Hmac | null = null;

  #token: Token = token.none;
  #fate: Fate = fate.passes;
  /** Where the token begins in this chunk; below 0 where it began before. */
  #start = 0;
  /** What came of it before this chunk. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #word = '';
  #wordAt = 0;
  #isEscaped = false;
  #hexLeft = 0;
  #hasEscapes = false;
  #digits = 0;
  #mayMatch = false;
  #unescaper: Unescaper | null = null;
  #masker: TextMasker | null = null;

  constructor(masking: JsonMasking) {
    this.#masking = masking;
    this.#state = masking.paths.root;
  }

  /** The chunk may be used again once what is returned was used. */
  write(chunk: Uint8Array): Uint8Array | null {
    if (this.#isMidCharacter || !isAscii(chunk)) {
      this.#utf8.decode(chunk, { stream: true });
      this.#isMidCharacter = (chunk.at(-1) ?? 0) >= 0x80;
    }
    this.#chunk = chunk;
    this.#parts = [];
    this.#from = 0;
    this.#start = -1;
    let at = this.#token === token.none ? 0 : this.#resume();
    while (at < chunk.length) at = this.#step(at);
    this.#suspend();
    return this.#passed();
  }

  end(): Uint8Array | null {
    if (this.#isMidCharacter) this.#utf8.decode();
    this.#chunk = new Uint8Array();
    this.#parts = [];
    this.#from = 0;
    this.#start = -1;
    if (this.#token === token.number) this.#finishNumber(0);
    const isEmpty = this.#expects === expects.value && this.#states.length === 0;
    if (this.#token !== token.none || (this.#expects !== expects.nothing && !isEmpty)) throw invalid('It ends early.');
    return this.#passed();
  }

  /** Reads on with the token that the chunk before ended in. */
  #resume(): number {
    if (this.#token === token.number) return this.#readNumber(0);
    return this.#token === token.word ? this.#readWord(0) : this.#readString(0);
  }

  /** Reads one token or mark. Returns where the next may begin. */
  #step(at: number): number {
    const byte = this.#chunk[at]!;
    switch (byte) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        return at + 1;
      case 0x22:
        if (this.#expects === expects.key || this.#expects === expects.keyOrEnd)
          return this.#startString(at, token.key);
        this.#expectValue();
        return this.#startString(at, token.text);
      case 0x2c:
        if (this.#expects !== expects.commaOrEnd) throw invalid('A comma is out of place.');
        this.#nextMember();
        break;
      case 0x3a:
        if (this.#expects !== expects.colon) throw invalid('A colon is out of place.');
        this.#expects = expects.value;
        break;
      case 0x5b:
      case 0x7b:
        this.#open(at, byte === 0x5b);
        return at + 1;
      case 0x5d:
      case 0x7d:
        this.#close(at, byte === 0x5d);
        return at + 1;
      default:
        return this.#startScalar(at, byte);
    }
    this.#digest?.update(this.#chunk.subarray(at, at + 1));
    return at + 1;
  }

  #startScalar(at: number, byte: number): number {
    if (byte === byteOrderMark[this.#bomBytes] && this.#expects === expects.value && this.#states.length === 0) {
      this.#bomBytes++;
      return at + 1;
    }
    if (byte === 0x1e && this.#masking.isSequence && this.#states.length === 0) return at + 1;
    this.#expectValue();
    this.#start = at;
    this.#fate = this.#hiddenDepth >= 0 ? fate.passes : fate.waits;
    const word = words.get(byte);
    if (word !== undefined) {
      this.#token = token.word;
      this.#word = word;
      this.#wordAt = 0;
      return this.#readWord(at);
    }
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) throw invalid('A byte is out of place.');
    this.#token = token.number;
    return this.#readNumber(at);
  }

  #expectValue(): void {
    if (this.#expects === expects.nothing && this.#masking.isSequence) this.#state = this.#masking.paths.root;
    else if (this.#expects !== expects.value && this.#expects !== expects.itemOrEnd) {
      throw invalid('A value is out of place.');
    }
  }

  #nextMember(): void {
    const depth = this.#states.length - 1;
    if (!this.#areArrays[depth]) {
      this.#expects = expects.key;
      return;
    }
    this.#expects = expects.value;
    if (this.#hiddenDepth >= 0) return;
    this.#indexes[depth]!++;
    this.#state = this.#states[depth]!.item(this.#indexes[depth]!);
  }

  #open(at: number, isArray: boolean): void {
    this.#expectValue();
    if (this.#states.length >= maxDepth) throw invalid(`It is nested deeper than ${maxDepth} levels.`);
    if (this.#hiddenDepth < 0 && this.#state.replacement !== null) {
      this.#pass(at);
      this.#hiddenDepth = this.#states.length;
      if (this.#state.replacement === 'hash') this.#digest = createHmac('sha256', this.#masking.key);
    }
    this.#digest?.update(this.#chunk.subarray(at, at + 1));
    this.#states.push(this.#state);
    this.#areArrays.push(isArray);
    this.#indexes.push(0);
    if (isArray && this.#hiddenDepth < 0) this.#state = this.#state.item(0);
    this.#expects = isArray ? expects.itemOrEnd : expects.keyOrEnd;
  }

  #close(at: number, isArray: boolean): void {
    const mayEnd =
      this.#expects === expects.commaOrEnd || this.#expects === (isArray ? expects.itemOrEnd : expects.keyOrEnd);
    if (!mayEnd || this.#areArrays.at(-1) !== isArray) throw invalid('A bracket is out of place.');
    this.#states.pop();
    this.#areArrays.pop();
    this.#indexes.pop();
    this.#digest?.update(this.#chunk.subarray(at, at + 1));
    if (this.#hiddenDepth === this.#states.length) {
      this.#hiddenDepth = -1;
      this.#parts.push(quoted(this.#digest ? digestText(this.#digest.digest()) : redacted));
      this.#digest = null;
      this.#from = at + 1;
    }
    this.#afterValue();
  }

  #afterValue(): void {
    this.#expects = this.#states.length === 0 ? expects.nothing : expects.commaOrEnd;
  }

  #startString(at: number, kind: typeof token.key | typeof token.text): number {
    this.#token = kind;
    this.#start = at;
    this.#hasEscapes = false;
    this.#digits = 0;
    this.#mayMatch = false;
    if (this.#hiddenDepth >= 0) this.#fate = fate.passes;
    else if (kind === token.key) this.#fate = fate.waits;
    else if (this.#state.replacement !== null) {
      this.#fate = this.#state.replacement === 'redact' ? fate.dropped : fate.waits;
    } else this.#fate = this.#masking.text ? fate.waits : fate.passes;
    return this.#readString(at + 1);
  }

  /** Reads on in a string, from behind its quote or the start of the chunk. */
  #readString(at: number): number {
    const chunk = this.#chunk;
    const { length } = chunk;
    if (this.#isEscaped || this.#hexLeft > 0) at = this.#readEscape(at);
    let digits = 0;
    while (at < length) {
      const kind = stringBytes[chunk[at]!]!;
      if (kind <= byteKind.digit) {
        digits += kind;
        at++;
        continue;
      }
      if (kind === byteKind.quote) {
        this.#digits += digits;
        return this.#finishString(at + 1);
      }
      if (kind === byteKind.control) throw invalid('A string contains a control character.');
      if (kind === byteKind.backslash) {
        this.#isEscaped = true;
        this.#hasEscapes = true;
        at = this.#readEscape(at + 1);
      } else {
        this.#mayMatch = true;
        at++;
      }
    }
    this.#digits += digits;
    return at;
  }

  /** Reads on in an escape, behind its backslash. */
  #readEscape(at: number): number {
    const chunk = this.#chunk;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#isEscaped) {
        if (escapeBytes[byte] === 0) throw invalid('An escape is invalid.');
        this.#isEscaped = false;
        if (byte !== 0x75) return at + 1;
        this.#hexLeft = 4;
        this.#mayMatch = true;
      } else {
        if (hexBytes[byte] === 0) throw invalid('An escape is incomplete.');
        if (--this.#hexLeft === 0) return at + 1;
      }
    }
    return at;
  }

  /** @param end behind the closing quote */
  #finishString(end: number): number {
    const kind = this.#token;
    this.#token = token.none;
    if (kind === token.key) {
      this.#finishKey(end);
      this.#expects = expects.colon;
      return end;
    }
    this.#afterValue();
    const sizeBytes = this.#heldBytes + end - Math.max(0, this.#start);
    if (this.#fate === fate.passes) this.#digest?.update(this.#chunk.subarray(Math.max(0, this.#start), end));
    else if (this.#fate === fate.dropped) this.#replaceToken(end, quoted(redacted));
    else if (this.#fate === fate.long || (this.#state.replacement === null && sizeBytes > maxWholeBytes)) {
      this.#writeLong(end, true);
    } else if (this.#state.replacement !== null) {
      const value: unknown = JSON.parse(asBuffer(this.#whole(end)).toString());
      this.#replaceToken(end, quoted(this.#masking.replace(String(value), this.#state.replacement)));
    } else this.#finishText(end, this.#masking.text!);
    return end;
  }

  #finishKey(end: number): void {
    if (this.#hiddenDepth >= 0) {
      this.#digest?.update(this.#chunk.subarray(Math.max(0, this.#start), end));
      return;
    }
    const parent = this.#states[this.#states.length - 1]!;
    const { names, longestNameBytes } = this.#masking.paths;
    const sizeBytes = this.#heldBytes + end - Math.max(0, this.#start) - 2;
    let name: string | null = null;
    if (parent.leadsOn && this.#fate === fate.waits) {
      if (this.#held.length === 0 && !this.#hasEscapes) name = nameAt(this.#chunk, this.#start + 1, sizeBytes, names);
      // An escape takes at most six bytes for one of its UTF-8.
      else if (sizeBytes <= longestNameBytes * 6) name = String(JSON.parse(asBuffer(this.#whole(end)).toString()));
    }
    this.#state = name === null ? parent.otherMember() : parent.member(name);
    const { text } = this.#masking;
    if (text === null) this.#keepToken(end);
    else if (this.#fate === fate.long || sizeBytes + 2 > maxWholeBytes) this.#writeLong(end, true);
    else this.#finishText(end, text);
  }

  #finishText(end: number, rules: TextRules): void {
    if (this.#digits < rules.minDigits && !this.#mayMatch) {
      this.#keepToken(end);
      return;
    }
    const whole = asBuffer(this.#whole(end));
    if (!this.#mayMatch && rules.minDigitRun > 1 && longestDigitRun(whole) < rules.minDigitRun) {
      this.#keepToken(end);
      return;
    }
    const text = unescapeJson(whole.toString('latin1', 1, whole.length - 1));
    const masked = rules.mask(text);
    if (masked === null) this.#keepToken(end);
    else this.#replaceToken(end, Buffer.from(`"${escapeJson(masked)}"`, 'latin1'));
  }

  /** Masks what came of a long string. */
  #writeLong(end: number, isWhole: boolean): void {
    const isFirst = this.#fate !== fate.long;
    const raw = asBuffer(this.#whole(end));
    this.#pass(Math.max(0, this.#start));
    this.#fate = fate.long;
    this.#unescaper ??= new Unescaper();
    this.#masker ??= new TextMasker(this.#masking.text!);
    let text = this.#masker.write(
      this.#unescaper.write(raw.toString('latin1', isFirst ? 1 : 0, raw.length - (isWhole ? 1 : 0))),
    );
    if (isWhole) {
      text += this.#masker.write(this.#unescaper.end()) + this.#masker.end();
      this.#unescaper = null;
      this.#masker = null;
    }
    this.#parts.push(Buffer.from(`${isFirst ? '"' : ''}${escapeJson(text)}${isWhole ? '"' : ''}`, 'latin1'));
    this.#forget(end);
  }

  #readNumber(at: number): number {
    const chunk = this.#chunk;
    while (at < chunk.length && numberBytes[chunk[at]!] === 1) at++;
    if (this.#heldBytes + at - Math.max(0, this.#start) > maxNumberBytes) throw invalid('A number is too long.');
    return at < chunk.length ? this.#finishNumber(at) : at;
  }

  #finishNumber(end: number): number {
    this.#token = token.none;
    this.#afterValue();
    const isHidden = this.#hiddenDepth >= 0;
    if (!isHidden && this.#held.length === 0 && this.#isShortInteger(end)) return end;
    const whole = asBuffer(this.#whole(end));
    const text = whole.toString('latin1');
    if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text)) throw invalid('A number is malformed.');
    if (isHidden) {
      this.#digest?.update(whole);
      this.#forget(end);
      return end;
    }
    const { replacement } = this.#state;
    if (replacement !== null) {
      this.#replaceToken(end, quoted(this.#masking.replace(text, replacement)));
      return end;
    }
    const digits = text.length >= fewestNumberBytes && this.#masking.text ? integerDigits(text) : null;
    const masked = digits === null ? null : this.#masking.text!.maskNumber(digits);
    if (masked === null) this.#keepToken(end);
    else this.#replaceToken(end, quoted(masked));
    return end;
  }

  /** Whether the number of this chunk is one that nothing is done with, as most are. */
  #isShortInteger(end: number): boolean {
    const chunk = this.#chunk;
    const start = this.#start;
    if (end - start >= fewestNumberBytes || this.#state.replacement !== null) return false;
    if (chunk[start] === 0x30 && end - start > 1) return false;
    for (let at = start; at < end; at++) if (chunk[at]! < 0x30 || chunk[at]! > 0x39) return false;
    return true;
  }

  #readWord(at: number): number {
    const chunk = this.#chunk;
    for (; at < chunk.length && this.#wordAt < this.#word.length; at++, this.#wordAt++) {
      if (chunk[at] !== this.#word.charCodeAt(this.#wordAt)) throw invalid('A literal is invalid.');
    }
    if (this.#wordAt < this.#word.length) return at;
    this.#token = token.none;
    this.#afterValue();
    const { replacement } = this.#state;
    if (this.#hiddenDepth >= 0) {
      this.#digest?.update(this.#word);
      this.#forget(at);
      // Null holds nothing that could be hidden.
    } else if (replacement === null || this.#word === 'null') this.#keepToken(at);
    else this.#replaceToken(at, quoted(this.#masking.replace(this.#word, replacement)));
    return at;
  }

  /** All of the token, up to `end` of this chunk. */
  #whole(end: number): Uint8Array {
    const here = this.#chunk.subarray(Math.max(0, this.#start), end);
    return this.#held.length === 0 ? here : Buffer.concat([...this.#held, here]);
  }

  /** The token passes as it was written. */
  #keepToken(end: number): void {
    this.#parts.push(...this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#hiddenDepth >= 0) this.#from = end;
  }

  #replaceToken(end: number, replacement: Uint8Array): void {
    this.#pass(Math.max(0, this.#start));
    this.#parts.push(replacement);
    this.#forget(end);
  }

  /** Nothing of what came of the token passes. */
  #forget(end: number): void {
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#hiddenDepth < 0) this.#from = end;
  }

  /** What was read before `end` passes as it was written. */
  #pass(end: number): void {
    if (this.#hiddenDepth < 0 && end > this.#from) this.#parts.push(this.#chunk.subarray(this.#from, end));
    this.#from = end;
  }

  /** The chunk ends: keeps what a token needs that goes on behind it. */
  #suspend(): void {
    const { length } = this.#chunk;
    if (this.#token === token.none || (this.#fate === fate.passes && this.#hiddenDepth < 0)) {
      this.#pass(length);
      return;
    }
    const start = Math.max(0, this.#start);
    if (this.#hiddenDepth >= 0) {
      // A number is checked once it is complete; everything else was checked as it was read.
      if (this.#token === token.number) this.#hold(start, length);
      else if (this.#token !== token.word) this.#digest?.update(this.#chunk.subarray(start, length));
      return;
    }
    if (this.#fate === fate.long) {
      this.#writeLong(length, false);
      return;
    }
    this.#pass(start);
    this.#from = length;
    if (this.#fate === fate.dropped) return;
    this.#hold(start, length);
    if (this.#heldBytes <= maxWholeBytes) return;
    if (this.#token === token.key && this.#masking.text === null) {
      // No path has a name as long as this.
      this.#keepToken(length);
      this.#fate = fate.passes;
    } else if (this.#token === token.key || (this.#token === token.text && this.#state.replacement === null)) {
      this.#start = length;
      this.#writeLong(length, false);
    }
  }

  #hold(start: number, end: number): void {
    this.#held.push(Uint8Array.prototype.slice.call(this.#chunk, start, end));
    this.#heldBytes += end - start;
  }

  #passed(): Uint8Array | null {
    const parts = this.#parts;
    this.#parts = [];
    if (parts.length === 0) return null;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}

/** The digits of a number that is whole, however it is written; null where it is not, or far too long for any value. */
function integerDigits(text: string): string | null {
  const [, whole, fraction = '', exponent = '0'] = /^-?([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([+-]?[0-9]+))?$/.exec(text)!;
  const shift = Number(exponent);
  const length = whole!.length + shift;
  if (length > 40) return null;
  if (shift >= fraction.length)
    return (whole! + fraction + '0'.repeat(shift - fraction.length)).replace(/^0+(?=.)/, '');
  // 41111111111111110e-1
  const digits = whole! + fraction;
  return fraction === '' && shift < 0 && length > 0 && /^0*$/.test(digits.slice(length))
    ? digits.slice(0, length)
    : null;
}

function isDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || mayBeginDigit(byte);
}

/** Most digits without a letter between. */
function longestDigitRun(bytes: Uint8Array): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isDigit(byte)) {
      run++;
      if (run > longest) longest = run;
    } else if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) run = 0;
  }
  return longest;
}

/** Which of the names stands here, or null. */
function nameAt(
  bytes: Uint8Array,
  start: number,
  sizeBytes: number,
  names: ReadonlyMap<number, readonly { readonly name: string; readonly bytes: Uint8Array }[]>,
): string | null {
  for (const candidate of names.get(sizeBytes) ?? []) {
    let index = 0;
    while (index < sizeBytes && bytes[start + index] === candidate.bytes[index]) index++;
    if (index === sizeBytes) return candidate.name;
  }
  return null;
}

function quoted(text: string): Buffer {
  return Buffer.from(JSON.stringify(text));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function invalid(reason: string): Error {
  return new Error(`The response is not JSON that can be masked. ${reason}`);
}
