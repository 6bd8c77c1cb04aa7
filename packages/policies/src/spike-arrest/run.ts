import type { Counted, CounterStore, RateCounter } from '@millrace/counters';
import type * as z from 'zod';
import { countedWith, policyScope } from '../count-by.ts';
import { isPerCaller } from '../counting.ts';
import { reportLimit, retryAfter } from '../limit-headers.ts';
import {
  type Decision,
  type Exchange,
  later,
  type Outcome,
  type PolicyParts,
  type PolicyToCompile,
  type RateCounting,
  type RequestPolicy,
} from '../run.ts';
import { spikeArrest } from './config.ts';

type Configuration = z.output<typeof spikeArrest.configuration>;

/**
 * Smooths requests to a rate plus a burst. The burst is reported to callers if it rejects them or if no quota is
 * reported: a quota says more about what they may still do.
 */
export class SpikeArrest implements RequestPolicy, RateCounting {
  readonly counts = 'rate';
  readonly #counters: CounterStore;
  readonly #isOfCaller: boolean;
  /** Interval in milliseconds, burst and mode. */
  readonly rate: Parameters<RateCounter['count']>[0];
  readonly #per: Configuration['per'];
  readonly #identifierHeader: string | null;
  /** The key prefix of its counts. */
  readonly #scope: string;

  constructor(policy: PolicyToCompile, parts: PolicyParts) {
    const { ratePerSecond, ratePerMinute, burst, per, identifierHeader, mode } = spikeArrest.configuration.parse(
      policy.configuration,
    );
    const intervalMs = ratePerSecond === null ? 60_000 / (ratePerMinute ?? 1) : 1_000 / ratePerSecond;
    this.#counters = parts.counters;
    this.#isOfCaller = identifierHeader === null && isPerCaller(per);
    this.rate = { intervalMs, burst, mode };
    this.#per = per;
    this.#identifierHeader = identifierHeader;
    this.#scope = policyScope(policy, parts);
  }

  get counting(): RateCounting {
    return this;
  }

  onHead(exchange: Exchange): Outcome {
    const counted = this.counterOf(exchange).count(this.rate);
    return counted instanceof Promise
      ? later(counted.then((result) => this.decide(exchange, result)))
      : this.decide(exchange, counted);
  }

  /** Decides by the count. */
  decide(exchange: Exchange, counted: Counted): Decision {
    const { startedAtMs, reportedLimit } = exchange;
    if (!counted.admitted || reportedLimit === null) {
      const { intervalMs, burst, mode } = this.rate;
      reportLimit(exchange, {
        limit: burst,
        remaining: counted.remaining,
        resetsAtMs: startedAtMs + counted.retryAfterMs + (burst - counted.remaining - 1) * intervalMs,
        bound: this.#counters.overAdmissionBound('rate', burst, mode),
      });
    }
    if (counted.admitted) return null;
    return { kind: 'refusal', error: 'rate_exceeded', headers: retryAfter(counted.retryAfterMs) };
  }

  /** The counter of the request. */
  counterOf(exchange: Exchange): RateCounter {
    const { caller } = exchange;
    if (!this.#isOfCaller || caller?.kind !== 'key') return this.#open(exchange);
    const { counters } = caller;
    return counters.rateOf(this) ?? counters.keepRate(this, this.#open(exchange));
  }

  #open(exchange: Exchange): RateCounter {
    const counted = countedWith(exchange, this.#per, this.#identifierHeader);
    return this.#counters.rate(`${this.#scope}/${counted}`, counted);
  }
}
