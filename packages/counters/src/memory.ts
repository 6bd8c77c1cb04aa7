import { performance } from 'node:perf_hooks';
import type { BalanceCounter, Counted, Debited, QuotaCounter, RateCounter } from './counters.ts';
import { type Counters, intervalMicroseconds } from './counters.ts';
import { KeyedCounter, StateTable } from './state-table.ts';

/**
 * For how long a window's count outlives it: a request belongs to the window in which it began, and may be counted a
 * little later.
 */
const windowGraceMs = 60_000;
/** For how long a rate whose burst is whole is kept all the same, so that one in steady use is not made again and again. */
const rateGraceMs = 1_000;

export interface MemoryCountersOptions {
  /** Most keys that have a count of their own, of quotas and of rates each; about 250 bytes per key. */
  readonly maxKeys?: number;
  /** Unix milliseconds, for windows. */
  readonly nowMs?: () => number;
  /** Milliseconds of a monotonic clock, for rates. */
  readonly monotonicMs?: () => number;
}

/**
 * Counts of one process, for a gateway of one node: nothing is shared, so that strict and fast are the same and nothing
 * passes beyond a limit. Where more than `maxKeys` keys are alive at once, as in a flood of addresses, those beyond are
 * counted together in buckets: such a key may be refused early, but it is never admitted beyond its limit, no count is
 * forgotten before its time, and memory stays bounded.
 */
export function createMemoryCounters({
  maxKeys = 200_000,
  nowMs = Date.now,
  monotonicMs = () => performance.now(),
}: MemoryCountersOptions = {}): Counters {
  // What a state is worth keeping for: a quota's until its window's end, a rate's until its burst is whole again.
  const quotas = new StateTable<MemoryQuota>(maxKeys, () => nowMs() - windowGraceMs);
  const rates = new StateTable<MemoryRate>(maxKeys, () => (monotonicMs() - rateGraceMs) * 1_000);
  // Of subscriptions alone, of which there are not more than the node has in memory.
  const balances = new Map<string, MemoryBalance>();

  const balanceOf = (key: string) => {
    const balance = balances.get(key) ?? new MemoryBalance();
    balances.set(key, balance);
    return balance;
  };

  return {
    quota: (key) => quotas.known(key) ?? new MemoryQuota(key, quotas, nowMs),
    rate: (key) => rates.known(key) ?? new MemoryRate(key, rates, monotonicMs),
    balance: balanceOf,
    restoreUsed: (key, used) => balanceOf(key).restoreUsed(used),
    overAdmissionBound: () => 0,
    connected: Promise.resolve(),
    close: async () => {},
  };
}

class MemoryBalance implements BalanceCounter {
  #used = 0;

  restoreUsed(used: number): void {
    this.#used = Math.max(this.#used, used);
  }

  debit({ amount, credit, used }: Parameters<BalanceCounter['debit']>[0]): Debited {
    this.restoreUsed(used);
    const remaining = credit - this.#used - amount;
    if (remaining < 0) return { admitted: false, remaining: Math.max(0, remaining + amount) };
    this.#used += amount;
    return { admitted: true, remaining };
  }

  adjust(amount: number): void {
    this.#used += amount;
  }
}

class MemoryQuota extends KeyedCounter implements QuotaCounter {
  readonly #nowMs: () => number;

  constructor(key: string, table: StateTable<MemoryQuota>, nowMs: () => number) {
    super(key, table);
    this.#nowMs = nowMs;
  }

  count({ limit, windowEndMs }: Parameters<QuotaCounter['count']>[0]): Counted {
    const value = this.find(windowEndMs);
    const end = value + 1;
    const { numbers } = this.table;
    // A request of an earlier window, late or of a clock that was set back, is counted in the present one.
    if (windowEndMs > numbers[end]!) {
      numbers[value] = 0;
      numbers[end] = windowEndMs;
    }
    const counted = numbers[value]!;
    if (counted >= limit) return { admitted: false, remaining: 0, retryAfterMs: this.#until(numbers[end]!) };
    numbers[value] = counted + 1;
    const remaining = limit - counted - 1;
    return { admitted: true, remaining, retryAfterMs: remaining > 0 ? 0 : this.#until(numbers[end]!) };
  }

  #until(endMs: number): number {
    return Math.max(1, endMs - this.#nowMs());
  }
}

class MemoryRate extends KeyedCounter implements RateCounter {
  readonly #monotonicMs: () => number;

  constructor(key: string, table: StateTable<MemoryRate>, monotonicMs: () => number) {
    super(key, table);
    this.#monotonicMs = monotonicMs;
  }

  count({ intervalMs, burst }: Parameters<RateCounter['count']>[0]): Counted {
    const interval = intervalMicroseconds(intervalMs);
    const now = Math.floor(this.#monotonicMs() * 1_000);
    const due = this.find(interval);
    const { numbers } = this.table;
    // GCRA (ITU-T I.371, annex A), virtual scheduling: what is kept is the theoretical arrival time of the next request.
    // One of an earlier, slower configuration is brought down to an empty burst.
    const arrival = Math.min(Math.max(numbers[due]!, now), now + burst * interval);
    const wait = arrival - now - (burst - 1) * interval;
    if (wait > 0) return { admitted: false, remaining: 0, retryAfterMs: wait / 1_000 };
    const next = arrival + interval;
    numbers[due] = next;
    numbers[due + 1] = next;
    const backlog = next - now;
    return {
      admitted: true,
      remaining: Math.floor((burst * interval - backlog) / interval),
      retryAfterMs: Math.max(0, backlog - (burst - 1) * interval) / 1_000,
    };
  }
}
