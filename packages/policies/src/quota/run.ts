import { countedWith, isPerCaller, policyScope } from '../count-by.ts';
import { retryAfter, tellLimit } from '../limit-headers.ts';
import type {
  Caller,
  Counted,
  Decision,
  Exchange,
  PolicyParts,
  PolicyToCompile,
  QuotaCounter,
  QuotaLimit,
  RequestPolicy,
} from '../run.ts';
import { quota } from './config.ts';
import { windowEndMs } from './window.ts';

type KeyCaller = Extract<Caller, { readonly kind: 'key' }>;

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
  const perCaller = isPerCaller(per);
  /** By which callers know the counters of this policy. */
  const owner = {};

  /** The counter of a caller's own quota; null: of the policy's. */
  const counterOf = (exchange: Exchange, subscribed: KeyCaller | null): QuotaCounter => {
    const { caller } = exchange;
    const isOfCaller = perCaller && (subscribed !== null || identifierHeader === null);
    if (!isOfCaller || caller?.kind !== 'key') return counters.quota(keyOf(exchange, subscribed));
    const { quotas } = caller.counters;
    return quotas.of(owner) ?? quotas.keep(owner, counters.quota(keyOf(exchange, subscribed)));
  };

  const keyOf = (exchange: Exchange, subscribed: KeyCaller | null): string => {
    if (subscribed === null) return `${ownScope}/${countedWith(exchange, per, identifierHeader)}`;
    const counted = per === 'app' ? `subscription:${subscribed.subscriptionId}` : countedWith(exchange, per, null);
    return `${environment.id}/${counted}`;
  };

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
      const counter = counterOf(exchange, subscribed);
      if (exchange.countedQuotaKey === counter.key) return null;

      const end = windowEndMs(window, exchange.startedAtMs);
      const counted = counter.count({ limit, windowEndMs: end, mode });
      if (counted instanceof Promise) {
        return counted.then((result) => {
          if (subscribed) exchange.countedQuotaKey = counter.key;
          return decide(exchange, limit, end, result);
        });
      }
      if (subscribed) exchange.countedQuotaKey = counter.key;
      return decide(exchange, limit, end, counted);
    },
  };
}
