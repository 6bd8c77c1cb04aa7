import type { QuotaCounter, RateCounter } from '@millrace/counters';

/** Policies whose counters a caller knows at once, of each kind: those of a route or two. */
const mostKept = 4;

/** One policy's counter of a caller, and the one that was kept before it. */
interface Kept<Counter> {
  readonly policy: object;
  readonly counter: Counter;
  before: Kept<Counter> | null;
}

/** The counters of one kind that were kept last; the very last, which most calls are counted by, at hand. */
class KeptCounters<Counter> {
  #policy: object | null = null;
  #counter: Counter | null = null;
  #before: Kept<Counter> | null = null;

  of(policy: object): Counter | null {
    if (this.#policy === policy) return this.#counter;
    for (let kept = this.#before; kept !== null; kept = kept.before) if (kept.policy === policy) return kept.counter;
    return null;
  }

  keep(policy: object, counter: Counter): Counter {
    if (this.#policy !== null) {
      let oldest: Kept<Counter> = { policy: this.#policy, counter: this.#counter!, before: this.#before };
      this.#before = oldest;
      for (let count = 2; count < mostKept && oldest.before !== null; count++) oldest = oldest.before;
      oldest.before = null;
    }
    this.#policy = policy;
    this.#counter = counter;
    return counter;
  }
}

/**
 * What a caller by key was counted by last. To make the key of a counter and to look it up costs more than all else that a
 * limit does, and most callers call a few routes many times. Ends with the caller, whom every change of the consumers makes
 * anew; policies that are compiled anew find nothing of theirs here.
 */
export class CallerCounters {
  readonly quotas = new KeptCounters<QuotaCounter>();
  readonly rates = new KeptCounters<RateCounter>();
}
