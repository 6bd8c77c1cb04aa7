/**
 * Fields of a head as a parser found them in the received bytes: strings are only created on
 * demand. Each field is {@link fieldStride} numbers: where its name begins and ends, where its value begins and ends, and its
 * state.
 */
export interface ReceivedFields {
  /** Contains the head as long as the list is used. */
  readonly bytes: Buffer;
  readonly spans: Int32Array;
  readonly count: number;
}

/** A value in the bytes that hold it, from `start` to `end`. */
export interface FieldBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Whether the field stands more than once. */
  readonly isRepeated: boolean;
}

export const fieldStride = 5;
/** States of a received field. A withheld one can be read, and whoever writes the head leaves it out. */
export const fieldState = { passes: 0, withheld: 1, removed: 2 } as const;

const none: string[] = [];
const nothingReceived: ReceivedFields = { bytes: Buffer.alloc(0), spans: new Int32Array(0), count: 0 };

/**
 * Header fields in the order in which they are sent: names as written, values as Latin-1 text. A field may stand more
 * than once. Names are looked up in lower case.
 */
export class HeaderList {
  #received: ReceivedFields;
  /** Name, value, name, value, … of the fields behind the received ones. */
  #added: string[] = none;
  /** In lower case. */
  #addedNames: string[] = none;

  /** @param fields name, value, name, value, … */
  constructor(fields: readonly string[] = none) {
    this.#received = nothingReceived;
    for (let index = 0; index < fields.length; index += 2) this.append(fields[index]!, fields[index + 1]!);
  }

  /** A list over received bytes, whose spans are the list's from now on: it changes their states. */
  static over(received: ReceivedFields): HeaderList {
    const list = new HeaderList();
    list.#received = received;
    return list;
  }

  /** The received fields, for whoever writes the head: those that pass come first, then {@link HeaderList.added}. */
  get received(): ReceivedFields {
    return this.#received;
  }

  /** Name, value, name, value, … of what was added to the received fields. */
  get added(): readonly string[] {
    return this.#added;
  }

  /** The names of {@link HeaderList.added}, in lower case. */
  get addedNames(): readonly string[] {
    return this.#addedNames;
  }

  /** Name, value, name, value, … of all fields. */
  get fields(): readonly string[] {
    const { bytes, spans, count } = this.#received;
    const fields: string[] = [];
    for (let at = 0; at < count * fieldStride; at += fieldStride) {
      if (spans[at + 4] === fieldState.removed) continue;
      fields.push(
        bytes.toString('latin1', spans[at], spans[at + 1]),
        bytes.toString('latin1', spans[at + 2], spans[at + 3]),
      );
    }
    fields.push(...this.#added);
    return fields;
  }

  /** The first value of the field, or null. `name` in lower case, as in all that follows. */
  get(name: string): string | null {
    const at = this.#find(name, 0);
    if (at >= 0) return this.#value(at);
    const index = this.#addedNames.indexOf(name);
    return index < 0 ? null : this.#added[index * 2 + 1]!;
  }

  /** The position of the field's first value; null if there is none. */
  bytesOf(name: string): FieldBytes | null {
    const at = this.#find(name, 0);
    if (at >= 0) {
      const { bytes, spans } = this.#received;
      const isRepeated = this.#find(name, at + fieldStride) >= 0 || this.#addedNames.includes(name);
      return { bytes, start: spans[at + 2]!, end: spans[at + 3]!, isRepeated };
    }
    const index = this.#addedNames.indexOf(name);
    if (index < 0) return null;
    const bytes = Buffer.from(this.#added[index * 2 + 1]!, 'latin1');
    return { bytes, start: 0, end: bytes.length, isRepeated: this.#addedNames.includes(name, index + 1) };
  }

  /** All values of the field, in order. */
  getAll(name: string): readonly string[] {
    const values: string[] = [];
    for (let at = this.#find(name, 0); at >= 0; at = this.#find(name, at + fieldStride)) values.push(this.#value(at));
    for (const [index, known] of this.#addedNames.entries()) {
      if (known === name) values.push(this.#added[index * 2 + 1]!);
    }
    return values;
  }

  has(name: string): boolean {
    return this.#find(name, 0) >= 0 || this.#addedNames.includes(name);
  }

  /** Whether the field stands more than once. */
  isRepeated(name: string): boolean {
    const at = this.#find(name, 0);
    if (at < 0) return this.#addedNames.indexOf(name) !== this.#addedNames.lastIndexOf(name);
    return this.#find(name, at + fieldStride) >= 0 || this.#addedNames.includes(name);
  }

  append(name: string, value: string): void {
    if (this.#added === none) {
      this.#added = [];
      this.#addedNames = [];
    }
    this.#added.push(name, value);
    this.#addedNames.push(name.toLowerCase());
  }

  /** Replaces the fields of the same name, with names compared as by {@link HeaderList.remove}. */
  set(name: string, value: string): void {
    this.remove(name.toLowerCase());
    this.append(name, value);
  }

  /**
   * Removes the field, and those whose names CGI and the like can't distinguish from it: `x_internal` and `x.internal`
   * are the same variable as `x-internal` (RFC 3875, section 4.1.18).
   */
  remove(name: string): void {
    const { bytes, spans, count } = this.#received;
    for (let at = 0; at < count * fieldStride; at += fieldStride) {
      const start = spans[at]!;
      if (spans[at + 1]! - start !== name.length) continue;
      let index = 0;
      while (index < name.length && variable[bytes[start + index]!] === variable[name.charCodeAt(index)]) index++;
      if (index === name.length) spans[at + 4] = fieldState.removed;
    }
    for (let index = this.#addedNames.length - 1; index >= 0; index--) {
      if (!isSameVariable(this.#addedNames[index]!, name)) continue;
      this.#addedNames.splice(index, 1);
      this.#added.splice(index * 2, 2);
    }
  }

  /** Leaves the field out of what is written; a received one can still be read. */
  withhold(name: string): void {
    const { spans } = this.#received;
    for (let at = this.#find(name, 0); at >= 0; at = this.#find(name, at + fieldStride)) {
      spans[at + 4] = fieldState.withheld;
    }
    for (let index = this.#addedNames.lastIndexOf(name); index >= 0; index = this.#addedNames.lastIndexOf(name)) {
      this.#addedNames.splice(index, 1);
      this.#added.splice(index * 2, 2);
    }
  }

  /** Empties the list: its bytes are reused from now on. */
  release(): void {
    this.#received = nothingReceived;
  }

  /** Where the spans of the field begin, from the span `at` on; -1 where it is not. */
  #find(name: string, at: number): number {
    const { bytes, spans, count } = this.#received;
    const { length } = name;
    for (const end = count * fieldStride; at < end; at += fieldStride) {
      const start = spans[at]!;
      if (spans[at + 1]! - start !== length || spans[at + 4] === fieldState.removed) continue;
      let index = 0;
      while (index < length && lowerCase[bytes[start + index]!] === name.charCodeAt(index)) index++;
      if (index === length) return at;
    }
    return -1;
  }

  #value(at: number): string {
    const { bytes, spans } = this.#received;
    return bytes.toString('latin1', spans[at + 2], spans[at + 3]);
  }
}

/** Bytes of ASCII letters in lower case, all others as they are. */
const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

/** Bytes as they stand in the name of a variable: letters in lower case, digits, and one byte for all others. */
const variable = lowerCase.map((byte) => ((byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) ? byte : 95));

function isSameVariable(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (variable[a.charCodeAt(index)] !== variable[b.charCodeAt(index)]) return false;
  }
  return true;
}
