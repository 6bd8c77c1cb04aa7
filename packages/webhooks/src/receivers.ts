/**
 * How a receiver has done of late. `proven`: its last attempt was answered well and soon. `failing`: it was not.
 * `unknown`: there was none.
 */
export type Standing = 'proven' | 'unknown' | 'failing';

/** Attempts at once, in this process. */
export interface Capacity {
  readonly total: number;
  /** To one proven receiver; to any other there is one. */
  readonly perReceiver: number;
}

/** An answer that takes longer than this counts as a slow receiver's, however good. */
const soonMs = 2000;

/** Receivers whose standing is remembered. */
const rememberedReceivers = 20_000;

/** The better a receiver's standing, the fuller the house that it may still enter: shares of the total capacity. */
const shares: Readonly<Record<Standing, number>> = { proven: 1, unknown: 0.75, failing: 0.5 };

/**
 * Why a receiver is wanted: something new may be due, which is to start as soon as one attempt may; or more of a backlog
 * is, which is fetched by the handful, when half of the receiver's places are free.
 */
export type Want = 'new' | 'backlog';

interface Receiver {
  standing: Standing;
  inFlight: number;
  wanted: Want | null;
}

/**
 * Decides how many attempts may start to each receiver, so that none waits for another: receivers that fail or are
 * slow get one attempt each and together at most half of the capacity; the last quarter is kept for proven ones.
 */
export class Receivers {
  readonly #capacity: Capacity;
  /** In the order of their last use. */
  readonly #receivers = new Map<string, Receiver>();
  /** Wanted receivers to which another attempt may start as far as they themselves are concerned. */
  readonly #ready: Readonly<Record<Standing, Set<string>>> = {
    proven: new Set(),
    unknown: new Set(),
    failing: new Set(),
  };
  #inFlight = 0;

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  standing(lane: string): Standing {
    return this.#receivers.get(lane)?.standing ?? 'unknown';
  }

  want(lane: string, want: Want): void {
    const receiver = this.#receiver(lane);
    receiver.wanted = receiver.wanted === 'new' ? 'new' : want;
    this.#updateReady(lane, receiver);
  }

  /**
   * Shares the free capacity out among the wanted receivers, proven ones first, `limit` attempts at most. Who is in the
   * answer is not wanted any more.
   */
  allot(limit: number): { lane: string; limit: number }[] {
    const allotted: { lane: string; limit: number }[] = [];
    let taken = 0;
    for (const standing of ['proven', 'unknown', 'failing'] as const) {
      for (const lane of this.#ready[standing]) {
        const house = Math.floor(this.#capacity.total * shares[standing]) - this.#inFlight - taken;
        const receiver = this.#receiver(lane);
        const free = Math.min(house, limit - taken, this.#ownCapacity(receiver));
        if (free <= 0) break;
        receiver.wanted = null;
        this.#updateReady(lane, receiver);
        allotted.push({ lane, limit: free });
        taken += free;
      }
    }
    return allotted;
  }

  started(lane: string): void {
    const receiver = this.#receiver(lane);
    receiver.inFlight++;
    this.#inFlight++;
    this.#updateReady(lane, receiver);
    this.#receivers.delete(lane);
    this.#receivers.set(lane, receiver);
    this.#forgetOldest();
  }

  ended(lane: string, succeeded: boolean, latencyMs: number): void {
    const receiver = this.#receiver(lane);
    receiver.inFlight--;
    this.#inFlight--;
    this.#ready[receiver.standing].delete(lane);
    receiver.standing = succeeded && latencyMs < soonMs ? 'proven' : 'failing';
    this.#updateReady(lane, receiver);
  }

  #receiver(lane: string): Receiver {
    let receiver = this.#receivers.get(lane);
    if (!receiver) {
      receiver = { standing: 'unknown', inFlight: 0, wanted: null };
      this.#receivers.set(lane, receiver);
    }
    return receiver;
  }

  #ownCapacity(receiver: Receiver): number {
    return (receiver.standing === 'proven' ? this.#capacity.perReceiver : 1) - receiver.inFlight;
  }

  #updateReady(lane: string, receiver: Receiver): void {
    const free = this.#ownCapacity(receiver);
    const needed = receiver.wanted === 'backlog' && receiver.standing === 'proven' ? this.#capacity.perReceiver / 2 : 1;
    if (receiver.wanted !== null && free >= needed) this.#ready[receiver.standing].add(lane);
    else this.#ready[receiver.standing].delete(lane);
  }

  #forgetOldest(): void {
    for (const [lane, { inFlight, wanted }] of this.#receivers) {
      if (this.#receivers.size <= rememberedReceivers) return;
      if (inFlight === 0 && !wanted) this.#receivers.delete(lane);
    }
  }
}
