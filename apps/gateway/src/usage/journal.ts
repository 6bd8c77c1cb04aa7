import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RequestRecord } from '@millrace/data-plane/record';
import { Dictionary, recordBytes, Turn } from './turn.ts';

/**
 * Journals: files of frames. A frame is 16 bytes (its kind, the length of what follows, the CRC-32 of it, and how many
 * there are; 32 bits each, in the byte order of the machine) and then strings or requests. Strings are numbered from 1 in
 * the order in which they come; each is its length in 16 bits and its UTF-8. A frame that was cut when the process died is
 * detected by its length or checksum, and ends the journal.
 */
const frameHeadBytes = 16;
const stringsKind = 0x4d4c5231;
const requestsKind = 0x4d4c5233;
/** Requests per write; a turn with more is written in several writes. */
const requestsOfFrame = 1_024;
const longestStringBytes = 65_535;

/** A journal's file operations, from `node:fs`. */
export interface JournalFiles {
  /** Creates a file that doesn't exist yet. */
  open(path: string): number;
  /** Returns how many bytes were written. */
  write(file: number, bytes: Uint8Array, position: number): number;
  truncate(file: number, length: number): void;
  close(file: number): void;
}

/** The machine's own, readable and writable by this user only. */
export const diskJournalFiles: JournalFiles = {
  open: (path) => openSync(path, 'wx', 0o600),
  write: (file, bytes, position) => writeSync(file, bytes, 0, bytes.length, position),
  truncate: ftruncateSync,
  close: closeSync,
};

/** A journal that is no longer written. */
export interface ClosedJournal {
  readonly number: number;
  /** How much of it counts; anything after that was never written completely. Null: everything complete. */
  readonly bytes: number | null;
}

export function journalName(number: number): string {
  return `journal-${String(number).padStart(10, '0')}`;
}

/**
 * Appends the requests of each turn of the event loop to a file, with one call at its end. If that fails,
 * they are handed over instead, as are later ones until the next roll.
 */
export class JournalWriter {
  readonly #files: JournalFiles;
  readonly #folder: string;
  readonly #nextNumber: () => number;
  readonly #unwritten: (turn: Turn, strings: readonly string[], error: unknown) => void;
  readonly #frame = Buffer.from(new ArrayBuffer(frameHeadBytes + requestsOfFrame * recordBytes));
  readonly #turn = new Turn(this.#frame.subarray(frameHeadBytes));
  readonly #flush = () => this.flush();
  #dictionary = new Dictionary();
  /** How many strings of the dictionary are in the file. */
  #written = 1;
  #open: { file: number; number: number } | null = null;
  #bytes = 0;
  #failure: unknown = null;

  /** @param unwritten gets requests that could not be written, and why; the turn is reused afterwards */
  constructor(
    files: JournalFiles,
    folder: string,
    nextNumber: () => number,
    unwritten: (turn: Turn, strings: readonly string[], error: unknown) => void,
  ) {
    this.#files = files;
    this.#folder = folder;
    this.#nextNumber = nextNumber;
    this.#unwritten = unwritten;
  }

  /** Of the open file. */
  get bytes(): number {
    return this.#bytes;
  }

  add(record: RequestRecord): void {
    const turn = this.#turn;
    if (turn.count === 0) setImmediate(this.#flush);
    else if (turn.count === turn.capacity) this.flush();
    turn.add(record, this.#dictionary);
  }

  /** Writes the requests of this turn so far. */
  flush(): void {
    const turn = this.#turn;
    if (turn.count === 0) return;
    try {
      if (this.#failure !== null) throw this.#failure;
      if (this.#open === null) this.#begin();
      if (this.#dictionary.strings.length > this.#written) this.#writeStrings();
      this.#write(this.#frame, requestsKind, turn.count * recordBytes, turn.count);
    } catch (error) {
      this.#failure = error;
      this.#unwritten(turn, this.#dictionary.strings, error);
    }
    turn.count = 0;
  }

  /**
   * Ends the file; the next turn starts another one.
   *
   * @returns null if there is none
   */
  roll(): ClosedJournal | null {
    this.flush();
    const open = this.#open;
    const bytes = this.#bytes;
    this.#failure = null;
    this.#open = null;
    this.#bytes = 0;
    this.#dictionary = new Dictionary();
    this.#written = 1;
    if (open === null) return null;
    try {
      this.#files.close(open.file);
    } catch {
      // What counts of it is known, and it is read again by its name.
    }
    return { number: open.number, bytes };
  }

  #begin(): void {
    const number = this.#nextNumber();
    this.#open = { file: this.#files.open(join(this.#folder, journalName(number))), number };
  }

  #writeStrings(): void {
    const { strings } = this.#dictionary;
    const parts: Buffer[] = [Buffer.alloc(frameHeadBytes)];
    for (let index = this.#written; index < strings.length; index++) {
      const bytes = Buffer.from(strings[index]!).subarray(0, longestStringBytes);
      const length = Buffer.alloc(2);
      length.writeUInt16LE(bytes.length);
      parts.push(length, bytes);
    }
    const frame = Buffer.concat(parts);
    this.#write(frame, stringsKind, frame.length - frameHeadBytes, strings.length - this.#written);
    this.#written = strings.length;
  }

  #write(frame: Buffer, kind: number, bytes: number, count: number): void {
    const whole = frame.subarray(0, frameHeadBytes + bytes);
    frame.writeUInt32LE(kind, 0);
    frame.writeUInt32LE(bytes, 4);
    frame.writeUInt32LE(crc32(whole.subarray(frameHeadBytes)), 8);
    frame.writeUInt32LE(count, 12);
    const { file } = this.#open!;
    try {
      let written = 0;
      while (written < whole.length) {
        written += this.#files.write(file, whole.subarray(written), this.#bytes + written);
      }
    } catch (error) {
      try {
        this.#files.truncate(file, this.#bytes);
      } catch {
        // What counts of this file is kept; only after the death of this process would more of it be read.
      }
      throw error;
    }
    this.#bytes += whole.length;
  }
}

/** Some requests of a journal, with the strings that its numbers stand for so far. */
export interface JournalPart {
  readonly turn: Turn;
  readonly strings: readonly string[];
}

/** All complete requests of a journal, up to the first incomplete frame. */
export function* readJournal(journal: Buffer): Generator<JournalPart> {
  const strings = [''];
  // Requests are read where they lie in memory, which is a matter of multiples of 8.
  const aligned = Buffer.from(new ArrayBuffer(requestsOfFrame * recordBytes));
  for (let start = 0; start + frameHeadBytes <= journal.length; ) {
    const kind = journal.readUInt32LE(start);
    const bytes = journal.readUInt32LE(start + 4);
    const count = journal.readUInt32LE(start + 12);
    const body = journal.subarray(start + frameHeadBytes, start + frameHeadBytes + bytes);
    if (body.length !== bytes || crc32(body) !== journal.readUInt32LE(start + 8)) return;
    if (kind === stringsKind) {
      if (!readStrings(body, count, strings)) return;
    } else if (kind === requestsKind && bytes === count * recordBytes && count <= requestsOfFrame) {
      body.copy(aligned);
      const turn = new Turn(aligned.subarray(0, bytes));
      turn.count = count;
      yield { turn, strings };
    } else return;
    start += frameHeadBytes + bytes;
  }
}

function readStrings(body: Buffer, count: number, into: string[]): boolean {
  let start = 0;
  for (let index = 0; index < count; index++) {
    if (start + 2 > body.length) return false;
    const end = start + 2 + body.readUInt16LE(start);
    if (end > body.length) return false;
    into.push(body.toString('utf8', start + 2, end));
    start = end;
  }
  return start === body.length;
}
