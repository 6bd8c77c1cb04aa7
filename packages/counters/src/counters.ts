/** What is counted, and how a store of counts is asked. */

/** Outcome of a counted request. */
export interface Counted {
  readonly admitted: boolean;
  /** Left in this window after this request; of a rate, the burst that is left. */
  readonly remaining: number;
  /** Milliseconds until the next request could be admitted; 0 where it could at once. */
  readonly retryAfterMs: number;
}

/** Counts requests in windows. Rejects or throws where they cannot be counted. */
export interface QuotaCounter {
  readonly key: string;
  /** One more in the window that ends at `windowEndMs` (Unix milliseconds). May answer synchronously. */
  count(request: {
    readonly limit: number;
    readonly windowEndMs: number;
    readonly mode: 'strict' | 'fast';
  }): Counted | Promise<Counted>;
}

/** Counts requests in smoothed rates. Rejects or throws where they cannot be counted. */
export interface RateCounter {
  /** One more in a rate (GCRA): one every `intervalMs`, `burst` at once after a pause. May answer synchronously. */
  count(request: {
    readonly intervalMs: number;
    readonly burst: number;
    readonly mode: 'strict' | 'fast';
  }): Counted | Promise<Counted>;
}

/**
 * Waits until a request was counted by a quota and, if that allowed it, by a rate; called once, with the result of one
 * or both. Neither may throw: the next waiters are called in the same turn.
 */
export interface CountedBothTaker {
  /** @param rate null where the quota refused */
  counted(quota: Counted, rate: Counted | null): void;
  failed(error: unknown): void;
}

/**
 * Counts that all nodes of a gateway have in common. A key names what is counted: policy, and whose requests. All counters
 * of a key count together, for as long as they are kept; who keeps one spares itself to make the key, and the store to look
 * it up.
 *
 * A group names whose requests are counted, such as an app's: what is counted in the same group can be counted together.
 * It is the same whenever a key is asked for; by default the key.
 */
export interface CounterStore {
  quota(key: string, group?: string): QuotaCounter;
  rate(key: string, group?: string): RateCounter;
  /**
   * Counts by a quota of this store and, if that allows it, by a rate, both strict, in one query. Absent if counting
   * needs no query.
   *
   * @param taker called in a later turn of the event loop
   * @returns false if they have to be counted one after the other: the taker is then not called
   */
  countBoth?(
    quota: QuotaCounter,
    quotaRequest: Parameters<QuotaCounter['count']>[0],
    rate: RateCounter,
    rateRequest: Parameters<RateCounter['count']>[0],
    taker: CountedBothTaker,
  ): boolean;
  /**
   * Most requests above a limit that fast counting may admit, over all nodes: `(nodes − 1) × lease`; 0 where strict.
   *
   * @param limit of a quota, its limit; of a rate, its burst
   */
  overAdmissionBound(kind: 'quota' | 'rate', limit: number, mode: 'strict' | 'fast'): number;
}

/** Outcome of a debit. */
export interface Debited {
  readonly admitted: boolean;
  /** Left of the credit afterwards, as far as this node knows; 0 or more. */
  readonly remaining: number;
}

/** Debits a prepaid credit before what it pays for. Rejects or throws where it can't be debited. */
export interface BalanceCounter {
  /** All amounts are whole numbers of the same unit. May answer synchronously. */
  debit(request: {
    readonly amount: number;
    /** All that was ever paid in, without what has expired of it. */
    readonly credit: number;
    /** What is known to be used of it: never less is counted, such as by a store that lost its counts. */
    readonly used: number;
    /** `fast`: leases are debited in the store, and requests from them. */
    readonly mode: 'strict' | 'fast';
  }): Debited | Promise<Debited>;
  /** Adds what a debited request really costs beyond its debit; negative: gives back what it doesn't. */
  adjust(amount: number): void;
}

/** Prepaid credits that all nodes of a gateway debit together. */
export interface BalanceStore {
  balance(key: string): BalanceCounter;
  /** From now on at least this much of a credit is used, whatever a store that lost its counts says. */
  restoreUsed(key: string, used: number): void;
}

/** A store of counts that a gateway opens when it starts and closes when it ends. */
export interface Counters extends CounterStore, BalanceStore {
  /** Resolves when the store can be asked for the first time, which may be never. */
  readonly connected: Promise<void>;
  /** Gives back what it holds and lets go of its connections. Whatever is counted afterwards is refused with an error. */
  close(): Promise<void>;
}

/** Unit in which rates are counted: a sixteenth of a microsecond, so that sums of intervals are exact in a double. */
const ticksPerMicrosecond = 16;

/**
 * The interval of a rate in microseconds, a whole number of sixteenths, rounded up so that rounding never admits more.
 *
 * @param intervalMs time between two requests, in milliseconds
 */
export function intervalMicroseconds(intervalMs: number): number {
  return Math.max(1, Math.ceil(intervalMs * 1_000 * ticksPerMicrosecond - 1e-6)) / ticksPerMicrosecond;
}
