import type { Counted, CountedBothTaker, CounterStore, RateCounter } from '@millrace/counters';
import {
  type AskedQuota,
  type Decision,
  type Exchange,
  LaterDecision,
  later,
  type Outcome,
  type QuotaCounting,
  type RateCounting,
  type RequestPolicy,
} from './run.ts';

/**
 * A quota and a rate right after it as one policy, which counts both in one request to a shared store: it decides
 * what they decide one after the other.
 *
 * @returns null if they are not such a pair of strict policies, or the store is local
 */
export function countedTogether(
  first: RequestPolicy,
  second: RequestPolicy,
  counters: CounterStore,
): RequestPolicy | null {
  const { counting: quota } = first;
  const { counting: rate } = second;
  if (quota?.counts !== 'quota' || rate?.counts !== 'rate' || counters.countBoth === undefined) return null;
  // Fast ones rarely call the store.
  if (quota.mode !== 'strict' || rate.rate.mode !== 'strict') return null;
  return new CountedTogether(quota, rate, second, counters);
}

class CountedTogether implements RequestPolicy {
  readonly #quota: QuotaCounting;
  readonly #rate: RateCounting;
  /** The rate policy. */
  readonly #second: RequestPolicy;
  readonly #counters: CounterStore;

  constructor(quota: QuotaCounting, rate: RateCounting, second: RequestPolicy, counters: CounterStore) {
    this.#quota = quota;
    this.#rate = rate;
    this.#second = second;
    this.#counters = counters;
  }

  onHead(exchange: Exchange): Outcome {
    const asked = this.#quota.ask(exchange);
    if (asked === null) return this.#second.onHead!(exchange);
    const rate = this.#rate;
    const decision = new CountedLater(exchange, asked, this.#quota, rate);
    const counter = rate.counterOf(exchange);
    const isAsked = this.#counters.countBoth!(asked.counter, asked.request, counter, rate.rate, decision);
    return isAsked ? decision : later(this.#countOneByOne(exchange, asked, counter));
  }

  async #countOneByOne(exchange: Exchange, asked: AskedQuota, counter: RateCounter): Promise<Decision> {
    const decision = this.#quota.decide(exchange, asked, await asked.counter.count(asked.request));
    return decision ?? this.#rate.decide(exchange, await counter.count(this.#rate.rate));
  }
}

/** The decision about one request that waits until both have counted it. */
class CountedLater extends LaterDecision implements CountedBothTaker {
  readonly #exchange: Exchange;
  readonly #asked: AskedQuota;
  readonly #quota: QuotaCounting;
  readonly #rate: RateCounting;

  constructor(exchange: Exchange, asked: AskedQuota, quota: QuotaCounting, rate: RateCounting) {
    super();
    this.#exchange = exchange;
    this.#asked = asked;
    this.#quota = quota;
    this.#rate = rate;
  }

  counted(quota: Counted, rate: Counted | null): void {
    let decision: Decision;
    try {
      decision = this.#quota.decide(this.#exchange, this.#asked, quota);
      if (decision === null && rate !== null) decision = this.#rate.decide(this.#exchange, rate);
    } catch (error) {
      this.failed(error);
      return;
    }
    this.taker!.decided(decision);
  }

  failed(error: unknown): void {
    this.taker!.failed(error);
  }
}
