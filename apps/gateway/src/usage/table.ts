const emptyColumns = 0;

/**
 * Rows of numbers, found by up to five whole numbers of 32 bits: a hash table with open addressing (linear probing,
 * at most half full), keys and values in typed arrays. Rows keep the order in which they came.
 */
export class Table {
  readonly #columns: number;
  #keys: Int32Array;
  #values: Float64Array;
  /** Row + 1; 0: free. Twice as many as there are rows at most. */
  #slots: Int32Array;
  #rows = 0;

  /**
   * @param columns of the key, 2 to 5
   * @param stride values of a row
   */
  constructor(columns: number, stride: number) {
    this.#columns = columns;
    this.#keys = new Int32Array(64 * columns);
    this.#values = new Float64Array(64 * stride);
    this.#slots = new Int32Array(128);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Value of a row begins at `row * stride`. They move when a row is added. */
  get values(): Float64Array {
    return this.#values;
  }

  keyOf(row: number, column: number): number {
    return this.#keys[row * this.#columns + column]!;
  }

  /** The row of this key, created if missing; leave out the columns that the table doesn't have. */
  rowOf(first: number, second: number, third = emptyColumns, fourth = emptyColumns, fifth = emptyColumns): number {
    const mask = this.#slots.length - 1;
    let slot = this.#hashOf(first, second, third, fourth, fifth) & mask;
    for (let row = this.#slots[slot]! - 1; row >= 0; row = this.#slots[slot]! - 1) {
      if (this.#is(row, first, second, third, fourth, fifth)) return row;
      slot = (slot + 1) & mask;
    }
    const row = this.#rows;
    if ((row + 1) * 2 > this.#slots.length) {
      this.#grow();
      return this.rowOf(first, second, third, fourth, fifth);
    }
    this.#rows = row + 1;
    this.#slots[slot] = row + 1;
    const at = row * this.#columns;
    this.#keys[at] = first;
    this.#keys[at + 1] = second;
    if (this.#columns > 2) this.#keys[at + 2] = third;
    if (this.#columns > 3) this.#keys[at + 3] = fourth;
    if (this.#columns > 4) this.#keys[at + 4] = fifth;
    return row;
  }

  /** Most keys have two words: histograms, which are looked up several times per request. */
  #hashOf(first: number, second: number, third: number, fourth: number, fifth: number): number {
    return this.#columns === 2 ? hashOfTwo(first, second) : hashOf(first, second, third, fourth, fifth);
  }

  #is(row: number, first: number, second: number, third: number, fourth: number, fifth: number): boolean {
    const keys = this.#keys;
    const at = row * this.#columns;
    return (
      keys[at] === first &&
      keys[at + 1] === second &&
      (this.#columns < 3 || keys[at + 2] === third) &&
      (this.#columns < 4 || keys[at + 3] === fourth) &&
      (this.#columns < 5 || keys[at + 4] === fifth)
    );
  }

  #grow(): void {
    const keys = new Int32Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    const values = new Float64Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let row = 0; row < this.#rows; row++) {
      const at = row * this.#columns;
      let slot =
        this.#hashOf(
          keys[at]!,
          keys[at + 1]!,
          this.#columns > 2 ? keys[at + 2]! : emptyColumns,
          this.#columns > 3 ? keys[at + 3]! : emptyColumns,
          this.#columns > 4 ? keys[at + 4]! : emptyColumns,
        ) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.#slots = slots;
  }
}

/** Two words mixed by the finalizer of MurmurHash3 (https://github.com/aappleby/smhasher). */
function hashOfTwo(first: number, second: number): number {
  let hash = Math.imul(first, 0xcc9e2d51) ^ Math.imul(second, 0x1b873593);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** Five words mixed by the steps of MurmurHash3 (https://github.com/aappleby/smhasher). */
function hashOf(first: number, second: number, third: number, fourth: number, fifth: number): number {
  let hash = Math.imul(first, 0xcc9e2d51) ^ 0x9747b28c;
  hash = Math.imul((hash << 13) | (hash >>> 19), 5) ^ Math.imul(second, 0x1b873593);
  hash = Math.imul((hash << 13) | (hash >>> 19), 5) ^ Math.imul(third, 0xcc9e2d51);
  hash = Math.imul((hash << 13) | (hash >>> 19), 5) ^ Math.imul(fourth, 0x1b873593);
  hash = Math.imul((hash << 13) | (hash >>> 19), 5) ^ Math.imul(fifth, 0xcc9e2d51);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
