import { Table } from './table.ts';

/**
 * Many histograms of few values each, numbered from 0, in three typed arrays: the counts of one are linked with each
 * other. Buckets are those of `@millrace/histograms`.
 */
export class SparseHistograms {
  readonly #counts = new Table(2, 1);
  /** By histogram: its last count + 1; 0: none. */
  #last = new Int32Array(64);
  /** By count: the one before it of the same histogram + 1. */
  #before = new Int32Array(64);

  add(histogram: number, bucket: number, count: number): void {
    const known = this.#counts.rows;
    const row = this.#counts.rowOf(histogram, bucket);
    this.#counts.values[row]! += count;
    if (row < known) return;
    if (histogram >= this.#last.length) this.#last = grown(this.#last, histogram);
    if (row >= this.#before.length) this.#before = grown(this.#before, row);
    this.#before[row] = this.#last[histogram]!;
    this.#last[histogram] = row + 1;
  }

  /** Bucket, count, bucket, count, …, ascending. */
  encode(histogram: number): number[] {
    const buckets: number[] = [];
    const rowOf = new Map<number, number>();
    const last = histogram < this.#last.length ? this.#last[histogram]! : 0;
    for (let row = last - 1; row >= 0; row = this.#before[row]! - 1) {
      const bucket = this.#counts.keyOf(row, 1);
      buckets.push(bucket);
      rowOf.set(bucket, row);
    }
    buckets.sort((first, second) => first - second);
    return buckets.flatMap((bucket) => [bucket, this.#counts.values[rowOf.get(bucket)!]!]);
  }
}

function grown(array: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(array.length * 2, index + 1));
  larger.set(array);
  return larger;
}
