import type { SlotRow } from '@millrace/gateway-configuration/reports';
import { slotMs } from './rules.ts';

/**
 * Slots and histograms as bytes: a tenth of their size as JSON, and of the time to read them.
 *
 * Numbers are unsigned LEB128 (https://en.wikipedia.org/wiki/LEB128). A histogram is bucket, count, bucket, count, …: two
 * of them one after the other are their sum. A report is the number of proxies, each with its length and UTF-8, the first
 * slot, the number of rows, and the rows: slots since the first one, proxy, eight counts, and three histograms, each after
 * its length.
 */
const counts = [
  'requests',
  'status2xx',
  'status3xx',
  'status4xx',
  'status5xx',
  'limited',
  'requestBytes',
  'responseBytes',
] as const;
const histograms = ['gatewayTime', 'targetTime', 'latency'] as const;

const bitsOfByte = 7;
const valuesOfByte = 1 << bitsOfByte;
const longestNumberBytes = 12;
/** Of a histogram: 2 * 1,000 numbers have less than 16,384 bytes. */
const bytesOfLength = 2;

/** Writes numbers one after the other into a buffer that grows. */
class Writer {
  #bytes: Buffer;
  #at = 0;

  constructor(sizeBytes: number) {
    this.#bytes = Buffer.allocUnsafe(sizeBytes);
  }

  /** @param value whole, not negative; exact up to 2^53 - 1 */
  number(value: number): void {
    this.#reserve(longestNumberBytes);
    const bytes = this.#bytes;
    let at = this.#at;
    let rest = value;
    for (; rest >= 2 ** 31; rest = Math.floor(rest / valuesOfByte)) bytes[at++] = (rest % valuesOfByte) | valuesOfByte;
    for (; rest >= valuesOfByte; rest >>>= bitsOfByte) bytes[at++] = (rest & (valuesOfByte - 1)) | valuesOfByte;
    bytes[at++] = rest;
    this.#at = at;
  }

  /** Numbers after their length in bytes, which is written in two. */
  numbers(values: readonly number[]): void {
    this.#reserve(bytesOfLength);
    this.#at += bytesOfLength;
    const from = this.#at;
    for (const value of values) this.number(value);
    const length = this.#at - from;
    this.#bytes[from - 2] = (length & (valuesOfByte - 1)) | valuesOfByte;
    this.#bytes[from - 1] = length >>> bitsOfByte;
  }

  text(text: string): void {
    this.bytes(Buffer.from(text));
  }

  /** After their length. */
  bytes(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A copy of what was written; the next thing is written from the beginning. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  #reserve(sizeBytes: number): void {
    if (this.#at + sizeBytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2 + sizeBytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a {@link Writer} wrote. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let unit = 1; ; unit *= valuesOfByte) {
      const byte = this.#bytes[this.#at++]!;
      if (byte < valuesOfByte) return value + byte * unit;
      value += (byte - valuesOfByte) * unit;
    }
  }

  bytes(): Buffer {
    const length = this.number();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

const histogramBytes = 2_000;
const rowBytes = 120;
const histogramWriter = new Writer(histogramBytes);

/** @param encoded as `@millrace/histograms` does */
export function packHistogram(encoded: readonly number[]): Buffer {
  for (const number of encoded) histogramWriter.number(number);
  return histogramWriter.take();
}

const mostBuckets = 1_024;
const sums = new Float64Array(mostBuckets);
const encoded: number[] = [];

/** The sum of packed histograms, as `@millrace/histograms` encodes it. */
export function unpackHistograms(packed: readonly Buffer[]): number[] {
  let least = mostBuckets;
  let most = -1;
  for (const bytes of packed) {
    const reader = new Reader(bytes);
    while (!reader.isAtEnd) {
      const bucket = reader.number();
      sums[bucket]! += reader.number();
      least = Math.min(least, bucket);
      most = Math.max(most, bucket);
    }
  }
  let length = 0;
  for (let bucket = least; bucket <= most; bucket++) {
    const count = sums[bucket]!;
    if (count === 0) continue;
    encoded[length++] = bucket;
    encoded[length++] = count;
    sums[bucket] = 0;
  }
  // One array of the right size: many are read at once.
  return encoded.slice(0, length);
}

/** A row of a report, its histograms packed. */
export interface PackedRow {
  readonly slotMs: number;
  readonly proxyId: string;
  /** In the order of {@link counts}. */
  readonly counts: readonly number[];
  /** In the order of {@link histograms}. */
  readonly histograms: readonly Buffer[];
}

/** @param rows at the beginnings of their slots, at least one */
export function packReport(rows: readonly SlotRow[]): Buffer {
  const proxies = new Map<string, number>();
  for (const { proxyId } of rows) if (!proxies.has(proxyId)) proxies.set(proxyId, proxies.size);
  const slots = rows.map(({ slot }) => Date.parse(slot) / slotMs);
  const first = Math.min(...slots);
  const writer = new Writer(rows.length * rowBytes);
  writer.number(proxies.size);
  for (const proxyId of proxies.keys()) writer.text(proxyId);
  writer.number(first);
  writer.number(rows.length);
  for (const [index, row] of rows.entries()) {
    writer.number(slots[index]! - first);
    writer.number(proxies.get(row.proxyId)!);
    for (const name of counts) writer.number(row[name]);
    for (const name of histograms) writer.numbers(row[name]);
  }
  return writer.take();
}

/** The histograms lie in the memory of the report. */
export function* unpackReport(report: Buffer): Generator<PackedRow> {
  const reader = new Reader(report);
  const proxies = Array.from({ length: reader.number() }, () => reader.bytes().toString());
  const first = reader.number();
  for (let rows = reader.number(); rows > 0; rows--) {
    yield {
      slotMs: (first + reader.number()) * slotMs,
      proxyId: proxies[reader.number()]!,
      counts: counts.map(() => reader.number()),
      histograms: histograms.map(() => reader.bytes()),
    };
  }
}
