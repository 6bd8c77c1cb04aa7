import type { Counted, CounterStore, QuotaCounter } from '@millrace/counters';
import type * as z from 'zod';
import { countedWith, policyScope } from '../count-by.ts';
import { isPerCaller } from '../counting.ts';
import { reportLimit, retryAfter } from '../limit-headers.ts';
import {
  type AskedQuota,
  type Caller,
  type Decision,
  type Exchange,
  later,
  type Outcome,
  type PolicyParts,
  type PolicyToCompile,
  type QuotaCounting,
  type QuotaLimit,
  type RequestPolicy,
} from '../run.ts';
import { quota } from './config.ts';
import { windowEndMs } from './window.ts';

type Configuration = z.output<typeof quota.configuration>;
type KeyCaller = Extract<Caller, { readonly kind: 'key' }>;

/**
 * Admits a number of requests per window. If requests are counted per app, product or key, the quota of the caller's
 * subscription or product replaces the policy's own; it is counted over all APIs of the product, whatever
 * the identifier header says, and once where several policies ask for it.
 */
export class Quota implements RequestPolicy, QuotaCounting {
  readonly counts = 'quota';
  readonly #counters: CounterStore;
  readonly #own: QuotaLimit;
  readonly mode: Configuration['mode'];
  readonly #isPerCaller: boolean;
  readonly #identifierHeader: string | null;
  readonly #per: Configuration['per'];
  /** The key prefix of its own counts. */
  readonly #scope: string;
  readonly #environmentId: string;

  constructor(policy: PolicyToCompile, parts: PolicyParts) {
    const { limit, window, per, identifierHeader, mode } = quota.configuration.parse(policy.configuration);
    this.#counters = parts.counters;
    this.#own = { limit, window };
    this.mode = mode;
    this.#isPerCaller = isPerCaller(per);
    this.#identifierHeader = identifierHeader;
    this.#per = per;
    this.#scope = policyScope(policy, parts);
    this.#environmentId = parts.environment.id;
  }

  get counting(): QuotaCounting {
    return this;
  }

  onHead(exchange: Exchange): Outcome {
    const asked = this.ask(exchange);
    if (asked === null) return null;
    const counted = asked.counter.count(asked.request);
    return counted instanceof Promise
      ? later(counted.then((result) => this.decide(exchange, asked, result)))
      : this.decide(exchange, asked, counted);
  }

  /** The counter of the request; null: another policy has already counted it there. */
  ask(exchange: Exchange): AskedQuota | null {
    const { caller } = exchange;
    const subscribed = this.#isPerCaller && caller?.kind === 'key' && caller.quota !== null ? caller : null;
    const { limit, window } = subscribed?.quota ?? this.#own;
    const counter = this.#counterOf(exchange, subscribed, window);
    if (exchange.countedQuotaKey === counter.key) return null;
    const request = { limit, windowEndMs: windowEndMs(window, exchange.startedAtMs), mode: this.mode };
    return { counter, request, isSubscribed: subscribed !== null };
  }

  /** Decides by the count. */
  decide(exchange: Exchange, { counter, request, isSubscribed }: AskedQuota, counted: Counted): Decision {
    if (isSubscribed) exchange.countedQuotaKey = counter.key;
    const { limit, windowEndMs: resetsAtMs, mode } = request;
    const bound = this.#counters.overAdmissionBound('quota', limit, mode);
    reportLimit(exchange, { limit, remaining: counted.remaining, resetsAtMs, bound });
    if (counted.admitted) return null;
    return { kind: 'refusal', error: 'quota_exceeded', headers: retryAfter(counted.retryAfterMs) };
  }

  /** @param subscribed whose quota it is; null: the policy's */
  #counterOf(exchange: Exchange, subscribed: KeyCaller | null, window: QuotaLimit['window']): QuotaCounter {
    const { caller } = exchange;
    const isOfCaller = this.#isPerCaller && (subscribed !== null || this.#identifierHeader === null);
    if (!isOfCaller || caller?.kind !== 'key') return this.#open(exchange, subscribed, window);
    const { counters } = caller;
    return counters.quotaOf(this) ?? counters.keepQuota(this, this.#open(exchange, subscribed, window));
  }

  /** Windows of different lengths are counted separately: a count lasts until the end of its window, however long that is. */
  #open(exchange: Exchange, subscribed: KeyCaller | null, { unit, count }: QuotaLimit['window']): QuotaCounter {
    const length = `${count}${unit}`;
    const counted = countedWith(exchange, this.#per, subscribed === null ? this.#identifierHeader : null);
    if (subscribed === null) return this.#counters.quota(`${this.#scope}/${length}/${counted}`, counted);
    // In the app's group: its spike arrest is counted together with it.
    const counts = this.#per === 'app' ? `subscription:${subscribed.subscriptionId}` : counted;
    return this.#counters.quota(`${this.#environmentId}/${length}/${counts}`, counted);
  }
}
