const wordsOfHash = 8;
const smallestCapacity = 64;

/**
 * Finds a number by a SHA-256, in about 50 bytes per key: the hashes are in one array, and a table of their positions is
 * probed from the hash's first word (open addressing with linear probing, at most three quarters full).
 */
export class KeyIndex {
  #words = new Uint32Array(smallestCapacity * wordsOfHash);
  #owners = new Int32Array(smallestCapacity);
  /** Entry + 1; 0: empty. */
  #slots = new Int32Array(smallestCapacity * 2);
  #entries = 0;
  readonly #free: number[] = [];
  /** The searched hash, word by word. */
  readonly #wanted = new Uint32Array(wordsOfHash);

  /**
   * Adds a key; the returned entry removes it.
   *
   * @param hash 32 bytes
   * @param owner what {@link KeyIndex.find} returns, from 0
   */
  add(hash: Uint8Array, owner: number): number {
    if ((this.#entries - this.#free.length + 1) * 4 > this.#slots.length * 3) this.#growSlots();
    const entry = this.#free.pop() ?? this.#nextEntry();
    this.#read(hash);
    this.#words.set(this.#wanted, entry * wordsOfHash);
    this.#owners[entry] = owner;
    this.#place(entry);
    return entry;
  }

  /** The owner of the key; -1 if unknown. */
  find(hash: Uint8Array): number {
    this.#read(hash);
    const mask = this.#slots.length - 1;
    for (let slot = this.#wanted[0]! & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0) return -1;
      if (this.#holdsWanted(entry)) return this.#owners[entry]!;
    }
  }

  /** Removes an entry's key, and closes the gap in the probe sequence. */
  remove(entry: number): void {
    const mask = this.#slots.length - 1;
    let gap = this.#home(entry);
    while (this.#slots[gap] !== entry + 1) gap = (gap + 1) & mask;
    for (let slot = (gap + 1) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.#home(this.#slots[slot]! - 1);
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
      this.#slots[gap] = this.#slots[slot]!;
      gap = slot;
    }
    this.#slots[gap] = 0;
    this.#free.push(entry);
  }

  #read(hash: Uint8Array): void {
    for (let word = 0, byte = 0; word < wordsOfHash; word += 1, byte += 4) {
      this.#wanted[word] = hash[byte]! | (hash[byte + 1]! << 8) | (hash[byte + 2]! << 16) | (hash[byte + 3]! << 24);
    }
  }

  #holdsWanted(entry: number): boolean {
    const start = entry * wordsOfHash;
    for (let word = 0; word < wordsOfHash; word += 1) {
      if (this.#words[start + word] !== this.#wanted[word]) return false;
    }
    return true;
  }

  #home(entry: number): number {
    return this.#words[entry * wordsOfHash]! & (this.#slots.length - 1);
  }

  #place(entry: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#home(entry);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry + 1;
  }

  #nextEntry(): number {
    if (this.#entries === this.#owners.length) {
      const capacity = Math.ceil(this.#entries * 1.5);
      const [words, owners] = [this.#words, this.#owners];
      this.#words = new Uint32Array(capacity * wordsOfHash);
      this.#words.set(words);
      this.#owners = new Int32Array(capacity);
      this.#owners.set(owners);
    }
    return this.#entries++;
  }

  #growSlots(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    for (const placed of before) if (placed !== 0) this.#place(placed - 1);
  }
}
