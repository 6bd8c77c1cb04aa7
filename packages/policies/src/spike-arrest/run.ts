import { countedWith, isPerCaller, policyScope } from '../count-by.ts';
import { retryAfter, tellLimit } from '../limit-headers.ts';
import type { Counted, Decision, Exchange, PolicyParts, PolicyToCompile, RateCounter, RequestPolicy } from '../run.ts';
import { spikeArrest } from './config.ts';

/**
 * Smooths requests to a rate, with a burst on top. Callers are told of the burst where it refuses them, or where no quota
 * was told: a quota says more about what they may still do.
 */
export function compileSpikeArrest(policy: PolicyToCompile, parts: PolicyParts): RequestPolicy {
  const { ratePerSecond, ratePerMinute, burst, per, identifierHeader, mode } = spikeArrest.configuration.parse(
    policy.configuration,
  );
  const { counters } = parts;
  const intervalMs = ratePerSecond === null ? 60_000 / (ratePerMinute ?? 1) : 1_000 / ratePerSecond;
  const scope = policyScope(policy, parts);
  const isOfCaller = identifierHeader === null && isPerCaller(per);
  /** By which callers know the counters of this policy. */
  const owner = {};

  const counterOf = (exchange: Exchange): RateCounter => {
    const { caller } = exchange;
    if (!isOfCaller || caller?.kind !== 'key') return counters.rate(keyOf(exchange));
    const { rates } = caller.counters;
    return rates.of(owner) ?? rates.keep(owner, counters.rate(keyOf(exchange)));
  };

  const keyOf = (exchange: Exchange): string => `${scope}/${countedWith(exchange, per, identifierHeader)}`;

  const decide = (exchange: Exchange, counted: Counted): Decision => {
    const { startedAtMs, toldLimit } = exchange;
    if (!counted.admitted || toldLimit === null) {
      tellLimit(exchange, {
        limit: burst,
        remaining: counted.remaining,
        resetsAtMs: startedAtMs + counted.retryAfterMs + (burst - counted.remaining - 1) * intervalMs,
        bound: counters.overAdmissionBound('rate', burst, mode),
      });
    }
    if (counted.admitted) return null;
    return { kind: 'refusal', error: 'rate_exceeded', headers: retryAfter(counted.retryAfterMs) };
  };

  return {
    onHead(exchange) {
      const counted = counterOf(exchange).count({ intervalMs, burst, mode });
      return counted instanceof Promise
        ? counted.then((result) => decide(exchange, result))
        : decide(exchange, counted);
    },
  };
}
