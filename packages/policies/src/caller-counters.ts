import type { QuotaCounter, RateCounter } from './run.ts';

/** Policies whose counters a caller knows at once, of each kind: those of a route or two. */
const mostKept = 4;

/** The counters of one kind that counted a caller last, by the policies that they are of. */
class KeptCounters<Counter> {
  readonly #policies: object[] = [];
  readonly #counters: Counter[] = [];
  #next = 0;

  of(policy: object): Counter | null {
    const policies = this.#policies;
    for (let index = 0; index < policies.length; index++) if (policies[index] === policy) return this.#counters[index]!;
    return null;
  }

  keep(policy: object, counter: Counter): Counter {
    this.#policies[this.#next] = policy;
    this.#counters[this.#next] = counter;
    this.#next = (this.#next + 1) % mostKept;
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
