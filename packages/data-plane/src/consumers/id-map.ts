const shards = 64;

/**
 * Values by id, in several maps: a single map of a hundred thousand entries stalls everything for ten milliseconds when it
 * grows. The end of an id is random.
 */
export class IdMap<Value> {
  readonly #shards: readonly Map<string, Value>[] = Array.from({ length: shards }, () => new Map());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): Value | undefined {
    return this.#shardOf(id).get(id);
  }

  set(id: string, value: Value): void {
    const shard = this.#shardOf(id);
    const before = shard.size;
    shard.set(id, value);
    this.#size += shard.size - before;
  }

  delete(id: string): void {
    if (this.#shardOf(id).delete(id)) this.#size -= 1;
  }

  #shardOf(id: string): Map<string, Value> {
    const last = id.length - 1;
    // NaN, for ids that are too short, is index 0 too.
    return this.#shards[((id.charCodeAt(last) ^ (id.charCodeAt(last - 1) << 3)) % shards) | 0]!;
  }
}
