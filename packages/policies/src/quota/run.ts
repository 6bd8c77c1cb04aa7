import { countedWith, policyScope } from '../count-by.ts';
import { retryAfter, tellLimit } from '../limit-headers.ts';
import type { Counted, Decision, Exchange, PolicyParts, PolicyToCompile, QuotaLimit, RequestPolicy } from '../run.ts';
import { quota } from './config.ts';
import { windowEndMs } from './window.ts';

/**
 * Admits a number of requests per window. Where requests are counted per app, product or key, the quota of the caller's
 * subscription or product takes the place of the policy's own; that one is counted over all APIs of the product, whatever
 * the identifier header says, and once where several policies ask for it.
 */
export function compileQuota(policy: PolicyToCompile, parts: PolicyParts): RequestPolicy {
  const { limit, window, per, identifierHeader, mode } = quota.configuration.parse(policy.configuration);
  const { counters, environment } = parts;
  const own: QuotaLimit = { limit, window };
  const ownScope = policyScope(policy, parts);
  const perCaller = per === 'app' || per === 'product' || per === 'key';

  const decide = (exchange: Exchange, limit: number, resetsAtMs: number, counted: Counted): Decision => {
    tellLimit(exchange, {
      limit,
      remaining: counted.remaining,
      resetsAtMs,
      bound: counters.overAdmissionBound('quota', limit, mode),
    });
    if (counted.admitted) return null;
    return { kind: 'refusal', error: 'quota_exceeded', headers: retryAfter(counted.retryAfterMs) };
  };

  return {
    onHead(exchange) {
      const { caller } = exchange;
      const subscribed = perCaller && caller?.kind === 'key' && caller.quota !== null ? caller : null;
      const { limit, window } = subscribed?.quota ?? own;
      const key = subscribed
        ? `${environment.id}/${per === 'app' ? `subscription:${subscribed.subscriptionId}` : countedWith(exchange, per, null)}`
        : `${ownScope}/${countedWith(exchange, per, identifierHeader)}`;
      if (exchange.countedQuotaKey === key) return null;

      const end = windowEndMs(window, exchange.startedAtMs);
      const counted = counters.countQuota({ key, limit, windowEndMs: end, mode });
      if (counted instanceof Promise) {
        return counted.then((result) => {
          if (subscribed) exchange.countedQuotaKey = key;
          return decide(exchange, limit, end, result);
        });
      }
      if (subscribed) exchange.countedQuotaKey = key;
      return decide(exchange, limit, end, counted);
    },
  };
}
