import type { Counted, CountedBothTaker, CounterStore } from '@millrace/counters';
import { type Asked, Quota } from './quota/run.ts';
import { type Decision, type Exchange, LaterDecision, type RequestPolicy } from './run.ts';
import { SpikeArrest } from './spike-arrest/run.ts';

/**
 * A quota and the spike arrest right behind it as one policy, which counts both in one question to a store that nodes
 * share: it decides what they decide one after the other.
 *
 * @returns null where they are no such two, strict both, or the store asks nobody
 */
export function countedTogether(
  first: RequestPolicy,
  second: RequestPolicy,
  counters: CounterStore,
): RequestPolicy | null {
  if (!(first instanceof Quota && second instanceof SpikeArrest) || counters.countBoth === undefined) return null;
  // Fast ones seldom ask.
  if (first.mode !== 'strict' || second.rate.mode !== 'strict') return null;
  return new CountedTogether(first, second, counters);
}

class CountedTogether implements RequestPolicy {
  readonly #quota: Quota;
  readonly #spikeArrest: SpikeArrest;
  readonly #counters: CounterStore;

  constructor(quota: Quota, spikeArrest: SpikeArrest, counters: CounterStore) {
    this.#quota = quota;
    this.#spikeArrest = spikeArrest;
    this.#counters = counters;
  }

  onHead(exchange: Exchange): Decision | Promise<Decision> | LaterDecision {
    const quota = this.#quota;
    const spikeArrest = this.#spikeArrest;
    const asked = quota.ask(exchange);
    if (asked === null) return spikeArrest.onHead(exchange);
    const rate = spikeArrest.counterOf(exchange);
    const later = new CountedLater(exchange, asked, quota, spikeArrest);
    if (this.#counters.countBoth!(asked.counter, asked.request, rate, spikeArrest.rate, later)) return later;
    const decision = quota.count(exchange, asked);
    if (decision instanceof Promise) return decision.then((decided) => decided ?? spikeArrest.onHead(exchange));
    return decision ?? spikeArrest.onHead(exchange);
  }
}

/** The decision about one request that waits until both have counted it. */
class CountedLater extends LaterDecision implements CountedBothTaker {
  readonly #exchange: Exchange;
  readonly #asked: Asked;
  readonly #quota: Quota;
  readonly #spikeArrest: SpikeArrest;

  constructor(exchange: Exchange, asked: Asked, quota: Quota, spikeArrest: SpikeArrest) {
    super();
    this.#exchange = exchange;
    this.#asked = asked;
    this.#quota = quota;
    this.#spikeArrest = spikeArrest;
  }

  counted(quota: Counted, rate: Counted | null): void {
    let decision: Decision;
    try {
      decision = this.#quota.decide(this.#exchange, this.#asked, quota);
      if (decision === null && rate !== null) decision = this.#spikeArrest.decide(this.#exchange, rate);
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
