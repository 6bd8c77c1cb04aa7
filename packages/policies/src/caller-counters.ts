import type { QuotaCounter, RateCounter } from '@millrace/counters';

/** Counters kept per caller and kind: enough for the policies of a route or two. */
const mostKept = 4;

/** One policy's counter of a caller, and the one kept before it. */
interface Kept<Counter> {
  readonly policy: object;
  readonly counter: Counter;
  before: Kept<Counter> | null;
}

/** Keeps the latest of a kind before the others, of which the oldest is dropped. */
function keptBefore<Counter>(latest: Kept<Counter>): Kept<Counter> {
  let oldest = latest;
  for (let count = 2; count < mostKept && oldest.before !== null; count++) oldest = oldest.before;
  oldest.before = null;
  return latest;
}

function find<Counter>(first: Kept<Counter> | null, policy: object): Counter | null {
  for (let kept = first; kept !== null; kept = kept.before) if (kept.policy === policy) return kept.counter;
  return null;
}

/**
 * The counters that last counted a caller by key. Building a counter's key and looking it up costs more than everything else that a
 * limit does, and most callers call a few routes many times. Discarded with the caller, which every change of consumers
 * replaces; recompiled policies start without counters here.
 *
 * The latest of each kind, which most calls use, stand here themselves: thousands of callers take turns, and each object
 * on the way to a count is another one to bring into the caches.
 */
export class CallerCounters {
  #quotaPolicy: object | null = null;
  #quota: QuotaCounter | null = null;
  #ratePolicy: object | null = null;
  #rate: RateCounter | null = null;
  #quotasBefore: Kept<QuotaCounter> | null = null;
  #ratesBefore: Kept<RateCounter> | null = null;

  /** The quota's counter; null: none is kept. */
  quotaOf(policy: object): QuotaCounter | null {
    return this.#quotaPolicy === policy ? this.#quota : find(this.#quotasBefore, policy);
  }

  /** The rate's counter; null: none is kept. */
  rateOf(policy: object): RateCounter | null {
    return this.#ratePolicy === policy ? this.#rate : find(this.#ratesBefore, policy);
  }

  keepQuota(policy: object, counter: QuotaCounter): QuotaCounter {
    if (this.#quotaPolicy !== null) {
      this.#quotasBefore = keptBefore({ policy: this.#quotaPolicy, counter: this.#quota!, before: this.#quotasBefore });
    }
    this.#quotaPolicy = policy;
    this.#quota = counter;
    return counter;
  }

  keepRate(policy: object, counter: RateCounter): RateCounter {
    if (this.#ratePolicy !== null) {
      this.#ratesBefore = keptBefore({ policy: this.#ratePolicy, counter: this.#rate!, before: this.#ratesBefore });
    }
    this.#ratePolicy = policy;
    this.#rate = counter;
    return counter;
  }
}
