import type { RequestRecord } from '@millrace/data-plane/record';
import { bucketOf } from '@millrace/histograms';

/**
 * Requests as they are written to the journal, 64 bytes each, in the byte order of the machine. 32-bit words: minute since
 * 1970 in which it began; proxy, app, product, deployment, route as numbers of a dictionary; country, status and marks; three
 * buckets; the term as a number of the dictionary; ten seconds since 1970 in which it ended. Then, as 64-bit floating point:
 * bytes of the request, bytes of the answer, millionths of units.
 */
export const recordBytes = 64;
const wordsOfRecord = recordBytes / 4;
const numbersOfRecord = recordBytes / 8;
const minuteMs = 60_000;
/** Length of the slots in which requests end. */
export const slotMs = 10_000;
const slotsOfMinute = minuteMs / slotMs;

const at = {
  minute: 0,
  proxy: 1,
  app: 2,
  product: 3,
  deployment: 4,
  route: 5,
  marks: 6,
  buckets: 7,
  term: 8,
  slot: 9,
} as const;
const requestBytesAt = 5;
const responseBytesAt = 6;
const microUnitsAt = 7;
const limitedMark = 1 << 26;
const askedMark = 1 << 27;
const refusedMark = 1 << 28;
const withoutUnitsMark = 1 << 29;
const unreadableUnitsMark = 1 << 30;

/** Strings by number; 0 is none. */
export class Dictionary {
  readonly strings: string[] = [''];
  readonly #numbers = new Map<string, number>();

  numberOf(string: string | null): number {
    if (string === null || string === '') return 0;
    const known = this.#numbers.get(string);
    if (known !== undefined) return known;
    const number = this.strings.push(string) - 1;
    this.#numbers.set(string, number);
    return number;
  }
}

/** Consecutive requests in a reused buffer. */
export class Turn {
  readonly capacity: number;
  count = 0;
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;

  /** @param bytes begin at a multiple of 8 */
  constructor(bytes: Uint8Array) {
    this.capacity = Math.floor(bytes.length / recordBytes);
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, this.capacity * wordsOfRecord);
    this.#numbers = new Float64Array(bytes.buffer, bytes.byteOffset, this.capacity * numbersOfRecord);
  }

  add(record: RequestRecord, dictionary: Dictionary): void {
    const words = this.#words;
    const index = this.count++;
    const word = index * wordsOfRecord;
    words[word + at.minute] = Math.floor(record.startedAtMs / minuteMs);
    words[word + at.slot] = Math.floor((record.startedAtMs + record.latencyUs / 1_000) / slotMs);
    words[word + at.proxy] = dictionary.numberOf(record.proxyId);
    words[word + at.app] = dictionary.numberOf(record.appId);
    words[word + at.product] = dictionary.numberOf(record.productId);
    words[word + at.deployment] = dictionary.numberOf(record.deploymentId);
    words[word + at.route] = dictionary.numberOf(record.routeId);
    const country = (record.country.charCodeAt(0) << 8) | record.country.charCodeAt(1);
    words[word + at.marks] =
      country |
      (record.status << 16) |
      (record.limited ? limitedMark : 0) |
      (record.target !== null ? askedMark : 0) |
      (record.refused ? refusedMark : 0) |
      (record.unitsState === 'missing' ? withoutUnitsMark : 0) |
      (record.unitsState === 'unreadable' ? unreadableUnitsMark : 0);
    words[word + at.buckets] =
      bucketOf(record.gatewayTimeUs) | (bucketOf(record.targetTimeUs) << 10) | (bucketOf(record.latencyUs) << 20);
    this.#numbers[index * numbersOfRecord + requestBytesAt] = record.requestBytes;
    words[word + at.term] = dictionary.numberOf(record.termId);
    this.#numbers[index * numbersOfRecord + responseBytesAt] = record.responseBytes;
    this.#numbers[index * numbersOfRecord + microUnitsAt] = record.microUnits;
  }

  /** In which it began. */
  minute(index: number): number {
    return this.#words[index * wordsOfRecord + at.minute]!;
  }
  /** In which it ended; earlier versions only wrote when it began. */
  slot(index: number): number {
    return this.#words[index * wordsOfRecord + at.slot]! || this.minute(index) * slotsOfMinute;
  }
  proxy(index: number): number {
    return this.#words[index * wordsOfRecord + at.proxy]!;
  }
  app(index: number): number {
    return this.#words[index * wordsOfRecord + at.app]!;
  }
  product(index: number): number {
    return this.#words[index * wordsOfRecord + at.product]!;
  }
  deployment(index: number): number {
    return this.#words[index * wordsOfRecord + at.deployment]!;
  }
  route(index: number): number {
    return this.#words[index * wordsOfRecord + at.route]!;
  }
  /** Two letters of ASCII, the first one above the second. */
  country(index: number): number {
    return this.#words[index * wordsOfRecord + at.marks]! & 0xffff;
  }
  status(index: number): number {
    return (this.#words[index * wordsOfRecord + at.marks]! >>> 16) & 1023;
  }
  isLimited(index: number): boolean {
    return (this.#words[index * wordsOfRecord + at.marks]! & limitedMark) !== 0;
  }
  /** Whether a target was called. */
  isAsked(index: number): boolean {
    return (this.#words[index * wordsOfRecord + at.marks]! & askedMark) !== 0;
  }
  /** Whether the gateway rejected it before anything was sent to a target. */
  isRefused(index: number): boolean {
    return (this.#words[index * wordsOfRecord + at.marks]! & refusedMark) !== 0;
  }
  isWithoutUnits(index: number): boolean {
    return (this.#words[index * wordsOfRecord + at.marks]! & withoutUnitsMark) !== 0;
  }
  hasUnreadableUnits(index: number): boolean {
    return (this.#words[index * wordsOfRecord + at.marks]! & unreadableUnitsMark) !== 0;
  }
  /** 0: none. */
  term(index: number): number {
    return this.#words[index * wordsOfRecord + at.term]!;
  }
  gatewayBucket(index: number): number {
    return this.#words[index * wordsOfRecord + at.buckets]! & 1023;
  }
  targetBucket(index: number): number {
    return (this.#words[index * wordsOfRecord + at.buckets]! >>> 10) & 1023;
  }
  latencyBucket(index: number): number {
    return (this.#words[index * wordsOfRecord + at.buckets]! >>> 20) & 1023;
  }
  requestBytes(index: number): number {
    return this.#numbers[index * numbersOfRecord + requestBytesAt]!;
  }
  responseBytes(index: number): number {
    return this.#numbers[index * numbersOfRecord + responseBytesAt]!;
  }
  microUnits(index: number): number {
    return this.#numbers[index * numbersOfRecord + microUnitsAt]!;
  }
}
