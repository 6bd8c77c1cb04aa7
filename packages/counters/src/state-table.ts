import { randomInt } from 'node:crypto';

/** What is counted under one key, and until when it matters; of a new one, both are 0. */
export interface State {
  value: number;
  expiresAt: number;
  /** Whether it is the key's own. Another one, and one that is forgotten, has to be looked up again for every request. */
  isOwn: boolean;
}

/** Who counts under one key again and again, and looks its state up once. */
export abstract class KeyedCounter {
  readonly key: string;
  readonly #table: StateTable;
  #state: State | null = null;

  constructor(key: string, table: StateTable) {
    this.key = key;
    this.#table = table;
  }

  /** @see StateTable.find */
  protected find(stateClass: number): State {
    const known = this.#state;
    if (known?.isOwn) return known;
    const found = this.#table.find(this.key, stateClass);
    this.#state = found;
    return found;
  }
}

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
 */
export class StateTable {
  readonly #maxStates: number;
  readonly #expired: () => number;
  readonly #states = new Map<string, State>();
  readonly #buckets = new Map<number, (State | undefined)[]>();
  readonly #seed = randomInt(2 ** 32);
  #sweep = this.#states.entries();
  #untilBucketSweep = statesPerBucketSweep;

  /** @param expired States that expire before that are forgotten. */
  constructor(maxStates: number, expired: () => number) {
    this.#maxStates = maxStates;
    this.#expired = expired;
  }

  /** States with a key of their own. */
  get size(): number {
    return this.#states.size;
  }

  /**
   * The state of a key, a new one where there is none. The caller writes it.
   *
   * @param stateClass Keys of different classes never share a bucket: the window's end of a quota, the interval of a rate.
   * @throws Error where all states and all classes are taken: nothing can be counted then
   */
  find(key: string, stateClass: number): State {
    return this.#states.get(key) ?? this.#add(key, stateClass);
  }

  #add(key: string, stateClass: number): State {
    const expired = this.#expired();
    this.#sweepStates(expired);
    if (this.#buckets.size > 0) this.#sweepBuckets(expired);
    const bucket = this.#buckets.get(stateClass)?.[this.#bucketOf(key)];
    if (this.#states.size < this.#maxStates) {
      const state = { value: bucket?.value ?? 0, expiresAt: bucket?.expiresAt ?? 0, isOwn: true };
      this.#states.set(key, state);
      return state;
    }
    return bucket ?? this.#addBucket(key, stateClass);
  }

  #addBucket(key: string, stateClass: number): State {
    let buckets = this.#buckets.get(stateClass);
    if (!buckets) {
      if (this.#buckets.size === maxBucketClasses) throw new Error('There is no room for more counts.');
      buckets = Array<State | undefined>(bucketsPerClass).fill(undefined);
      this.#buckets.set(stateClass, buckets);
    }
    const bucket = { value: 0, expiresAt: 0, isOwn: false };
    buckets[this.#bucketOf(key)] = bucket;
    return bucket;
  }

  #sweepStates(expired: number): void {
    for (let seen = 0; seen < sweptPerNewState; seen++) {
      const next = this.#sweep.next();
      if (next.done) {
        this.#sweep = this.#states.entries();
        return;
      }
      const [key, state] = next.value;
      if (state.expiresAt >= expired) continue;
      this.#states.delete(key);
      state.isOwn = false;
    }
  }

  /** Now and then, lets go of the class that has had buckets for longest, where nothing in them matters any more. */
  #sweepBuckets(expired: number): void {
    this.#untilBucketSweep -= 1;
    if (this.#untilBucketSweep > 0) return;
    this.#untilBucketSweep = statesPerBucketSweep;
    const [oldest] = this.#buckets;
    if (!oldest) return;
    const [stateClass, buckets] = oldest;
    this.#buckets.delete(stateClass);
    // Those that live on go to the end, so that the others have their turn.
    if (buckets.some((bucket) => bucket && bucket.expiresAt >= expired)) this.#buckets.set(stateClass, buckets);
  }

  /** FNV-1a, with a seed so that nobody can choose whose bucket to fill. */
  #bucketOf(key: string): number {
    let hash = this.#seed;
    for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x0100_0193);
    return (hash ^ (hash >>> 15)) & (bucketsPerClass - 1);
  }
}
