import type { QuotaCounter, RateCounter } from './run.ts';

/** Policies whose counters a caller knows at once, of each kind: those of a route or two. */
const mostKept = 4;

/** One policy's counter of a caller, and the one that was kept before it. */
interface Kept<Counter> {
  readonly policy: object;
  readonly counter: Counter;
  before: Kept<Counter> | null;
}

/** The counters of one kind that were kept last. */
class KeptCounters<Counter> {
  #last: Kept<Counter> | null = null;

  of(policy: object): Counter | null {
    for (let kept = this.#last; kept !== null; kept = kept.before) if (kept.policy === policy) return kept.counter;
    return null;
  }

  keep(policy: object, counter: Counter): Counter {
    let oldest: Kept<Counter> = { policy, counter, before: this.#last };
    this.#last = oldest;
    for (let count = 1; count < mostKept && oldest.before !== null; count++) oldest = oldest.before;
    oldest.before = null;
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
