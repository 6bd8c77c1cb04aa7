import { randomInt } from 'node:crypto';

/** Who counts under one key. Its state is looked up once, for as long as the table keeps it. */
export class KeyedCounter {
  readonly key: string;
  protected readonly table: StateTable<KeyedCounter>;
  /** Of the key's own state, see {@link StateTable.numbers}; -1 where it is to be looked up for every request. */
  place = -1;

  constructor(key: string, table: StateTable<KeyedCounter>) {
    this.key = key;
    this.table = table;
  }

  /** @see StateTable.find */
  protected find(stateClass: number): number {
    return this.place >= 0 ? this.place : this.table.find(this, stateClass);
  }
}

/** Numbers of one state: what was counted, and behind it until when that matters. */
const numbersPerState = 2;
const statesAtFirst = 1_024;
/** Buckets that keys without a state of their own share, per class. */
const bucketsPerClass = 8_192;
/** Most classes with buckets at once: with them, memory for buckets is bounded. */
const maxBucketClasses = 64;
/** Old states looked at for each new one: twice as many as come in, so that the expired ones never pile up. */
const sweptPerNewState = 2;
/** New states between two looks at the buckets of a class. */
const statesPerBucketSweep = 1_024;

/**
 * States by key, at most `maxStates` of them, without a timer: each new state sweeps expired ones. Keys that find no place
 * share a bucket of their class with others. When such a key gets a place later, it starts with its bucket's state: what was
 * counted is never forgotten, at the price of counting others' with it.
 *
 * All states stand in one row of numbers: thousands of them are used in turn, and four fit where one object would lie.
 */
export class StateTable<Counter extends KeyedCounter> {
  /** Of the state at a place: there what was counted, and behind it until when that matters. Both are 0 of a new one. */
  numbers = new Float64Array(statesAtFirst * numbersPerState);
  #end = 0;
  readonly #freePlaces: number[] = [];
  readonly #freeBuckets: number[] = [];
  readonly #maxStates: number;
  readonly #expired: () => number;
  /** Those that have a state of their own. */
  readonly #counters = new Map<string, Counter>();
  /** By class, the place of its first bucket. */
  readonly #buckets = new Map<number, number>();
  readonly #seed = randomInt(2 ** 32);
  #sweep = this.#counters.entries();
  #untilBucketSweep = statesPerBucketSweep;

  /** @param expired States that expire before that are forgotten. */
  constructor(maxStates: number, expired: () => number) {
    this.#maxStates = maxStates;
    this.#expired = expired;
  }

  /** States with a key of their own. */
  get size(): number {
    return this.#counters.size;
  }

  /** Who counts under this key already. */
  known(key: string): Counter | undefined {
    return this.#counters.get(key);
  }

  /**
   * The place of a counter's state, of a new one where there is none. The caller writes it.
   *
   * @param stateClass Keys of different classes never share a bucket: the window's end of a quota, the interval of a rate.
   * @throws Error where all states and all classes are taken: nothing can be counted then
   */
  find(counter: Counter, stateClass: number): number {
    const known = this.#counters.get(counter.key);
    return known === undefined ? this.#add(counter, stateClass) : known.place;
  }

  #add(counter: Counter, stateClass: number): number {
    const expired = this.#expired();
    this.#sweepStates(expired);
    if (this.#buckets.size > 0) this.#sweepBuckets(expired);
    if (this.#counters.size === this.#maxStates) return this.#bucketOf(counter.key, stateClass);
    const place = this.#freePlaces.pop() ?? this.#append(1);
    const bucket = this.#buckets.has(stateClass) ? this.#bucketOf(counter.key, stateClass) : -1;
    for (let index = 0; index < numbersPerState; index++) {
      this.numbers[place + index] = bucket < 0 ? 0 : this.numbers[bucket + index]!;
    }
    counter.place = place;
    this.#counters.set(counter.key, counter);
    return place;
  }

  #bucketOf(key: string, stateClass: number): number {
    let first = this.#buckets.get(stateClass);
    if (first === undefined) {
      if (this.#buckets.size === maxBucketClasses) throw new Error('The table has no room for more counts.');
      first = this.#freeBuckets.pop() ?? this.#append(bucketsPerClass);
      this.#buckets.set(stateClass, first);
    }
    return first + (hashOf(key, this.#seed) & (bucketsPerClass - 1)) * numbersPerState;
  }

  /** Room for so many states, one behind the other. */
  #append(states: number): number {
    const place = this.#end;
    this.#end += states * numbersPerState;
    if (this.#end > this.numbers.length) {
      const grown = new Float64Array(Math.max(this.#end, this.numbers.length * 2));
      grown.set(this.numbers);
      this.numbers = grown;
    }
    return place;
  }

  #sweepStates(expired: number): void {
    for (let seen = 0; seen < sweptPerNewState; seen++) {
      const next = this.#sweep.next();
      if (next.done) {
        this.#sweep = this.#counters.entries();
        return;
      }
      const [key, counter] = next.value;
      if (this.numbers[counter.place + 1]! >= expired) continue;
      this.#counters.delete(key);
      this.#freePlaces.push(counter.place);
      counter.place = -1;
    }
  }

  /** Now and then, lets go of the class that has had buckets for longest, where nothing in them matters any more. */
  #sweepBuckets(expired: number): void {
    this.#untilBucketSweep -= 1;
    if (this.#untilBucketSweep > 0) return;
    this.#untilBucketSweep = statesPerBucketSweep;
    const [oldest] = this.#buckets;
    if (!oldest) return;
    const [stateClass, first] = oldest;
    this.#buckets.delete(stateClass);
    const buckets = this.numbers.subarray(first, first + bucketsPerClass * numbersPerState);
    for (let index = 1; index < buckets.length; index += numbersPerState) {
      if (buckets[index]! < expired) continue;
      // Those that live on go to the end, so that the others have their turn.
      this.#buckets.set(stateClass, first);
      return;
    }
    buckets.fill(0);
    this.#freeBuckets.push(first);
  }
}

/** FNV-1a, with a seed so that nobody can choose whose bucket to fill. */
function hashOf(key: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x0100_0193);
  return hash ^ (hash >>> 15);
}
