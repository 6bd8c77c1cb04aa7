import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { UsageBatch, UsageRows } from '@millrace/gateway-configuration/reports';
import { newId } from '@millrace/identifiers';
import type { Logger } from 'pino';
import { type Files, replaceFile, temporaryEnding } from '../configuration/files.ts';
import { Aggregate } from './aggregate.ts';
import { type ClosedJournal, journalName, readJournal } from './journal.ts';

/**
 * The folder of usage that is not acknowledged yet. Each file has a number, or the first and last number of what it
 * replaces:
 *
 * - `journal-N`: requests, one by one.
 * - `waiting-FROM-TO-BATCHES`: batches, a line each with its CRC-32 before it, of all journals and waiting batches with
 *   these numbers. Nobody has seen them, so that more may be added.
 * - `sending-FROM-TO-BATCHES-FIRST-STREAM`: the same, once they may have been received: never changed, removed when all
 *   are acknowledged. The batches are numbered from FIRST on in the stream of the process that gave the file this name.
 *
 * A file gets its name by a rename when it is whole on the disk, what it replaces is removed afterwards, and only
 * then is it made to be sent. So a process that starts after a crash at any moment finds what each file stands for: what
 * the numbers of another file cover is removed.
 */
export interface SpoolFile {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly batches: number;
}

/** Batches that may have been received, and how they are numbered. */
export interface SendingFile extends SpoolFile {
  /** Null: each line has its own stream, as earlier versions wrote it. */
  readonly numbering: { readonly streamId: string; readonly first: number } | null;
}

interface WaitingFile extends SpoolFile {
  /** When it was created, in hours since 1970; null if unknown. */
  readonly hour: number | null;
  readonly bytes: number;
  readonly rows: number;
}

const namePattern = /^(waiting|sending)-(\d+)-(\d+)-(\d+)(?:-(\d+)-(usb_[0-9a-z]{26}))?$/;
const journalPattern = /^journal-(\d+)$/;
const damagedEnding = '.damaged';
const sumDigits = 8;

/** Rows of a kind in a batch: so few that making one does not hold up the event loop for longer than a few milliseconds. */
const rowsOfBatch = 500;
/** Rows from which on waiting batches are left as they are, for the memory that adding to them takes. */
const mostRows = 250_000;
/** Batches that are kept in memory until they are sent. */
const mostInMemory = 8;
const requestsOfSlice = 2_048;
const hourMs = 3_600_000;

export class Spool {
  readonly #files: Files;
  readonly #folder: string;
  readonly #logger: Logger;
  #next = 1;
  #journals: ClosedJournal[] = [];
  #waiting: WaitingFile[] = [];
  #sending: SendingFile[] = [];
  /** Numbers of batches continue in one process: another can't know which were given. */
  readonly #streamId = newId('usb');
  #sequence = 0;
  /** Whether the names of the files to be sent are on the disk. */
  #isSettled = false;
  /** Names whose place others have taken, and that the folder may still hold. */
  #covered: string[] = [];
  /** What was made last, unless it is much. */
  #latest: { readonly from: number; readonly to: number; readonly batches: readonly UsageRows[] | null } | null = null;

  /**
   * Finds files of an earlier process.
   *
   * @throws Error if the folder can't be created or read
   */
  constructor(files: Files, folder: string, logger: Logger) {
    this.#files = files;
    this.#folder = folder;
    this.#logger = logger;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const journal = journalPattern.exec(name);
      const batches = namePattern.exec(name);
      if (journal !== null) {
        this.#journals.push({ number: Number(journal[1]), bytes: null });
      } else if (batches !== null) {
        const [, kind, from, to, count, first, streamId] = batches;
        const file = { name, from: Number(from), to: Number(to), batches: Number(count) };
        const numbering = streamId === undefined ? null : { streamId, first: Number(first) };
        if (kind === 'sending') this.#sending.push({ ...file, numbering });
        else this.#waiting.push({ ...file, hour: null, bytes: 0, rows: 0 });
      }
    }
    this.#journals.sort((first, second) => first.number - second.number);
    this.#waiting.sort((first, second) => first.from - second.from);
    this.#sending.sort((first, second) => first.from - second.from);
    const numbers = [...this.#journals.map(({ number }) => number), ...this.#all().map(({ to }) => to)];
    this.#next = Math.max(0, ...numbers) + 1;
  }

  /** An unused number. */
  readonly nextNumber = (): number => this.#next++;

  /** Of which not all are known to have been received. */
  get batches(): number {
    return this.#all().reduce((sum, { batches }) => sum + batches, this.#journals.length);
  }

  /** The number before which nothing is left; infinite if nothing is left at all. */
  get oldestNumber(): number {
    const numbers = [...this.#journals.map(({ number }) => number), ...this.#all().map(({ from }) => from)];
    return Math.min(Infinity, ...numbers);
  }

  /** Made to be sent, oldest first. */
  get sending(): readonly SendingFile[] {
    return this.#sending;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Bytes of journals from which on it pays to add them to what waits. */
  get foldBytes(): number {
    return Math.max(4 * 1_024 * 1_024, this.#waiting.at(-1)?.bytes ?? 0);
  }

  close(journal: ClosedJournal): void {
    this.#journals.push(journal);
  }

  /**
   * Finds what others have taken the place of, once, before anything else.
   *
   * @throws Error of the disk
   */
  async recover(): Promise<void> {
    const isCovered = (from: number, to: number, name: string) =>
      this.#all().some((file) => file.name !== name && file.from <= from && to <= file.to);
    const journals = this.#journals.filter(({ number }) => isCovered(number, number, ''));
    const waiting = this.#waiting.filter(({ from, to, name }) => isCovered(from, to, name));
    const unfinished = (await this.#files.list(this.#folder)).filter((name) => name.endsWith(temporaryEnding));
    this.#covered.push(...journals.map(({ number }) => journalName(number)), ...waiting.map(({ name }) => name));
    this.#covered.push(...unfinished);
    this.#journals = this.#journals.filter((journal) => !journals.includes(journal));
    this.#waiting = this.#waiting.filter((file) => !waiting.includes(file));
  }

  /**
   * Removes files whose place others have taken.
   *
   * @throws Error of the disk
   */
  async removeCovered(): Promise<void> {
    if (this.#covered.length === 0) return;
    for (const name of this.#covered) await this.#files.remove(join(this.#folder, name));
    await this.#files.sync(this.#folder);
    this.#covered = [];
  }

  /**
   * Makes waiting batches of all closed journals and of what could not be written; those that wait since this hour are
   * made one with them. No journal is open when it is called.
   *
   * @param unwritten counted in memory alone; it is on the disk once this returns
   * @returns the highest number of what was made, or of what was there before
   * @throws Error of the disk: everything is as it was before
   */
  async fold(unwritten: Aggregate | null, nowMs: number): Promise<number> {
    const journals = [...this.#journals];
    if (journals.length === 0 && unwritten === null) return this.#next - 1;
    // Taken before anything else, so that journals begun meanwhile have numbers beyond it.
    const to = this.nextNumber();
    const hour = Math.floor(nowMs / hourMs);
    const last = this.#waiting.at(-1);
    const extended = last !== undefined && last.hour === hour && last.rows < mostRows ? last : null;
    const aggregate = new Aggregate();
    if (extended !== null) {
      for await (const { rows } of this.#read(extended)) aggregate.addBatch(rows);
    }
    for (const journal of journals) await this.#addJournal(journal, aggregate);
    if (unwritten !== null) {
      for (const batch of unwritten.batches(rowsOfBatch)) {
        aggregate.addBatch(batch);
        await setImmediate();
      }
    }
    const from = extended?.from ?? journals[0]?.number ?? to;
    const batches: UsageRows[] = [];
    const lines: string[] = [];
    for (const batch of aggregate.batches(rowsOfBatch)) {
      batches.push(batch);
      // A turn for the rows, one for their text.
      await setImmediate();
      lines.push(lineOf(batch));
      await setImmediate();
    }
    if (batches.length > 0) {
      const name = `waiting-${numberText(from)}-${numberText(to)}-${batches.length}`;
      const bytes = Buffer.from(lines.join(''));
      await replaceFile(this.#files, join(this.#folder, name), bytes);
      this.#waiting.push({ name, from, to, batches: batches.length, hour, bytes: bytes.length, rows: aggregate.rows });
      this.#latest = { from, to, batches: batches.length > mostInMemory ? null : batches };
    }
    this.#covered.push(...journals.map(({ number }) => journalName(number)));
    if (extended !== null) this.#covered.push(extended.name);
    this.#journals = this.#journals.filter((journal) => !journals.includes(journal));
    this.#waiting = this.#waiting.filter((file) => file !== extended);
    return to;
  }

  /**
   * Makes the oldest waiting batches ready to be sent: from now on they may have been received.
   *
   * @returns null where none wait
   * @throws Error of the disk
   */
  async promote(): Promise<SendingFile | null> {
    await this.removeCovered();
    const [waiting] = this.#waiting;
    if (waiting === undefined) return null;
    const { from, to, batches } = waiting;
    const first = this.#sequence;
    const streamId = this.#streamId;
    const name = `${waiting.name.replace('waiting', 'sending')}-${first}-${streamId}`;
    await this.#files.rename(join(this.#folder, waiting.name), join(this.#folder, name));
    this.#sequence += batches;
    this.#waiting.shift();
    const file = { name, from, to, batches, numbering: { streamId, first } };
    this.#sending.push(file);
    this.#isSettled = false;
    return file;
  }

  /**
   * Puts the names of files on the disk. Before that none may be sent: with its name it would lose its numbers.
   *
   * @throws Error of the disk
   */
  async settle(): Promise<void> {
    if (this.#isSettled) return;
    await this.#files.sync(this.#folder);
    this.#isSettled = true;
  }

  /** The batches of a file, in their order. */
  async *read(file: SendingFile): AsyncGenerator<UsageBatch> {
    const { numbering } = file;
    for await (const { index, rows, streamId } of this.#read(file)) {
      yield numbering === null
        ? { streamId, sequence: 0, ...rows }
        : { streamId: numbering.streamId, sequence: numbering.first + index, ...rows };
    }
  }

  /** Gives what was never on the disk the next number. */
  number(rows: UsageRows): UsageBatch {
    return { streamId: this.#streamId, sequence: this.#sequence++, ...rows };
  }

  async *#read(file: SpoolFile): AsyncGenerator<Line & { readonly index: number }> {
    if (this.#latest?.from === file.from && this.#latest.to === file.to && this.#latest.batches !== null) {
      for (const [index, rows] of this.#latest.batches.entries()) yield { index, rows, streamId: '' };
      return;
    }
    const path = join(this.#folder, file.name);
    const bytes = await this.#readFile(file.name);
    for (let start = 0, index = 0; start < bytes.length; index++) {
      const newline = bytes.indexOf(0x0a, start);
      const end = newline < 0 ? bytes.length : newline;
      const line = parseLine(bytes.toString('utf8', start, end));
      if (line === null) {
        this.#logger.error({ file: file.name, position: start }, 'usage on disk is damaged; the file is kept aside');
        await replaceFile(this.#files, `${path}-${start}${damagedEnding}`, bytes.subarray(start, end));
      } else {
        yield { ...line, index };
      }
      start = end + 1;
      await setImmediate();
    }
  }

  /** All of them were acknowledged. */
  async remove(file: SendingFile): Promise<void> {
    await this.#files.remove(join(this.#folder, file.name));
    this.#sending = this.#sending.filter((other) => other !== file);
  }

  async #addJournal({ number, bytes }: ClosedJournal, aggregate: Aggregate): Promise<void> {
    const journal = await this.#readFile(journalName(number));
    let requests = 0;
    for (const { turn, strings } of readJournal(bytes === null ? journal : journal.subarray(0, bytes))) {
      aggregate.addTurn(turn, 0, turn.count, strings);
      requests += turn.count;
      if (requests < requestsOfSlice) continue;
      requests = 0;
      await setImmediate();
    }
  }

  /** Nothing if it was removed by someone else, so that the rest continues. */
  async #readFile(name: string): Promise<Buffer> {
    const bytes = await this.#files.read(join(this.#folder, name));
    if (bytes === null) this.#logger.error({ file: name }, 'usage is missing from disk');
    return bytes ?? Buffer.alloc(0);
  }

  #all(): readonly SpoolFile[] {
    return [...this.#waiting, ...this.#sending];
  }
}

interface Line {
  readonly rows: UsageRows;
  /** The line's own, as earlier versions wrote it; else empty. */
  readonly streamId: string;
}

function lineOf(rows: UsageRows): string {
  const text = JSON.stringify(rows);
  return `${sumOf(text)} ${text}\n`;
}

/** Null if the line is damaged. */
function parseLine(line: string): Line | null {
  const text = line.slice(sumDigits + 1);
  if (line.slice(0, sumDigits) !== sumOf(text)) return null;
  const { batchId = '', ...rows } = JSON.parse(text);
  return { rows: { metered: [], slots: [], failures: [], ...rows }, streamId: batchId };
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(sumDigits, '0');
}

function numberText(number: number): string {
  return String(number).padStart(10, '0');
}
