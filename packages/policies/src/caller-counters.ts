import type { QuotaCounter, RateCounter } from '@millrace/counters';

/** Counters kept per caller and kind: enough for the policies of a route or two. */
const mostKept = 4;

/** One policy's counter of a caller, and the one kept before it. */
interface Kept<Counter> {
  readonly policy: object;
  readonly counter: Counter;
  before: Kept<Counter> | null;
}

/** The most recent counters of one kind; the latest, which most calls use, is found first. */
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
 * The counters that last counted a caller by key. Building a counter's key and looking it up costs more than everything else that a
 * limit does, and most callers call a few routes many times. Discarded with the caller, which every change of consumers
 * replaces; recompiled policies start without counters here.
 */
export class CallerCounters {
  readonly quotas = new KeptCounters<QuotaCounter>();
  readonly rates = new KeptCounters<RateCounter>();
}
