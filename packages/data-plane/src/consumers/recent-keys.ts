/** Bytes of a row: the length of a key, then the key. */
const rowBytes = 64;
const longestKeyBytes = rowBytes - 1;
const entriesAtFirst = 64;
/** Bytes at the end of a key that are hashed to find it: keys of the platform are random. */
const hashedBytes = 8;

/**
 * Values by the received bytes of a key, without converting it to text or hashing it with SHA-256. Rows and
 * slots are numbers in two arrays, since thousands of keys take turns (open addressing with linear probing, at most half
 * full).
 */
export class RecentKeys<Value> {
  #rows = new Uint8Array(entriesAtFirst * rowBytes);
  /** Entry + 1; 0: empty. */
  #slots = new Int32Array(entriesAtFirst * 2);
  readonly #values: Value[] = [];

  get size(): number {
    return this.#values.length;
  }

  /** The value added for this key; null if there is none. */
  find(key: Uint8Array, start: number, end: number): Value | null {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hashOf(key, start, end) & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]! - 1;
      if (entry < 0) return null;
      if (this.#holds(entry, key, start, end)) return this.#values[entry]!;
    }
  }

  /** Adds an unknown key. One longer than any of the platform is not kept. */
  add(key: Uint8Array, start: number, end: number, value: Value): void {
    if (end - start > longestKeyBytes) return;
    const entry = this.#values.push(value) - 1;
    if (this.#values.length * 2 > this.#slots.length) this.#grow();
    const row = entry * rowBytes;
    this.#rows[row] = end - start;
    for (let index = start; index < end; index++) this.#rows[row + 1 + index - start] = key[index]!;
    this.#place(entry);
  }

  #holds(entry: number, key: Uint8Array, start: number, end: number): boolean {
    const rows = this.#rows;
    let at = entry * rowBytes;
    if (rows[at++] !== end - start) return false;
    for (let index = start; index < end; index++) if (rows[at++] !== key[index]) return false;
    return true;
  }

  #place(entry: number): void {
    const mask = this.#slots.length - 1;
    const start = entry * rowBytes + 1;
    let slot = hashOf(this.#rows, start, start + this.#rows[start - 1]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry + 1;
  }

  #grow(): void {
    const rows = new Uint8Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let entry = 0; entry < this.#values.length - 1; entry++) this.#place(entry);
  }
}

/** FNV-1a over the end of a key. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = Math.max(start, end - hashedBytes); at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x0100_0193);
  return hash ^ (hash >>> 15);
}
