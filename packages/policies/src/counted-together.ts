import { Quota } from './quota/run.ts';
import type { CounterStore, Decision, Exchange, RequestPolicy } from './run.ts';
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

  onHead(exchange: Exchange): Decision | Promise<Decision> {
    const quota = this.#quota;
    const spikeArrest = this.#spikeArrest;
    const asked = quota.ask(exchange);
    if (asked === null) return spikeArrest.onHead(exchange);
    const rate = spikeArrest.counterOf(exchange);
    const both = this.#counters.countBoth!(asked.counter, asked.request, rate, spikeArrest.rate);
    if (both !== null) {
      return both.then(
        (counted) =>
          quota.decide(exchange, asked, counted.quota) ??
          (counted.rate === null ? null : spikeArrest.decide(exchange, counted.rate)),
      );
    }
    const decision = quota.count(exchange, asked);
    if (decision instanceof Promise) return decision.then((decided) => decided ?? spikeArrest.onHead(exchange));
    return decision ?? spikeArrest.onHead(exchange);
  }
}
