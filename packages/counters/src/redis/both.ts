import type { CountedBoth, QuotaCounter, RateCounter } from '@millrace/policies/run';
import { countedAs, perScript } from './asks.ts';
import type { RedisConnection } from './connection.ts';
import { encodeArgument } from './protocol.ts';
import { isRefused, type Quota, type QuotaKey, type SharedQuotas, untilEnd, WindowOver } from './quotas.ts';
import { nowMicroseconds, type Rate, type RateKey, type SharedRates, sawRate } from './rates.ts';
import { debitBoth } from './scripts.ts';

/** Requests of one quota, its limit and one rate that are asked for together. */
export interface BothAsk {
  readonly quota: Quota;
  readonly limit: number;
  readonly rate: Rate;
  readonly waiters: BothWaiter[];
}

interface BothWaiter {
  resolve(counted: CountedBoth): void;
  reject(error: Error): void;
}

/**
 * Strict counts of requests that have a quota and a rate: asked for in one step, which debits the rate only by what the
 * quota grants. One wait in the place of two costs a request half as much.
 */
export class SharedBoth {
  readonly #connection: RedisConnection;
  readonly #quotas: SharedQuotas;
  readonly #rates: SharedRates;
  #asks: BothAsk[] = [];
  /** Requests that wait. */
  waiting = 0;

  constructor(connection: RedisConnection, quotas: SharedQuotas, rates: SharedRates) {
    this.#connection = connection;
    this.#quotas = quotas;
    this.#rates = rates;
  }

  get hasAsks(): boolean {
    return this.#asks.length > 0;
  }

  /**
   * What is asked goes out by {@link sendAsks}.
   *
   * @returns null where they are to be counted one after the other: one of them was refused just now
   */
  count(
    quotaKey: QuotaKey,
    { limit, windowEndMs }: Parameters<QuotaCounter['count']>[0],
    rateKey: RateKey,
    { intervalMs, burst }: Parameters<RateCounter['count']>[0],
  ): Promise<CountedBoth> | null {
    const now = nowMicroseconds();
    const quota = this.#quotas.find(quotaKey, windowEndMs);
    const rate = this.#rates.find(rateKey, intervalMs, burst, now);
    if (isRefused(quota, limit) || rate.refusedUntil > now) return null;
    const { waiters } = this.#askOf(quota, limit, rate);
    this.waiting += 1;
    return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
  }

  /** Sends what was asked since the last time, without flushing. */
  sendAsks(): void {
    for (const asks of perScript(this.#asks, 2)) this.#send(asks);
    this.#asks = [];
  }

  #askOf(quota: Quota, limit: number, rate: Rate): BothAsk {
    const known = rate.askedBehind;
    if (known?.quota === quota && known.limit === limit) return known;
    const ask: BothAsk = { quota, limit, rate, waiters: [] };
    rate.askedBehind = ask;
    this.#asks.push(ask);
    return ask;
  }

  #send(asks: readonly BothAsk[]): void {
    let keys = '';
    let values = '';
    for (const { quota, limit, rate, waiters } of asks) {
      rate.askedBehind = null;
      keys += quota.encodedKey + rate.encodedKey;
      values +=
        encodeArgument(waiters.length) +
        encodeArgument(this.#quotas.seenBefore(quota)) +
        encodeArgument(limit) +
        quota.encodedExpiry +
        rate.encodedRate;
    }
    this.#connection.run(debitBoth, asks.length * 2, keys + values, (error, reply) => {
      for (const { waiters } of asks) this.waiting -= waiters.length;
      if (error) {
        for (const { waiters } of asks) for (const waiter of waiters) waiter.reject(error);
        return;
      }
      const numbers = reply as readonly number[];
      for (let index = 0; index < asks.length; index++) {
        const at = index * 4;
        this.#settle(asks[index]!, numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!);
      }
      this.#quotas.restored(numbers.at(-1)!);
    });
  }

  #settle(
    { quota, limit, rate, waiters }: BothAsk,
    granted: number,
    count: number,
    passed: number,
    ahead: number,
  ): void {
    if (granted < 0) {
      for (const waiter of waiters) waiter.reject(new WindowOver());
      return;
    }
    const quotaLeft = Math.max(0, limit - count);
    const resetsMs = untilEnd(quota);
    this.#quotas.saw(quota, limit, count, granted < waiters.length);
    const { remaining: rateLeft, retryAfterMs } =
      granted === 0 ? { remaining: 0, retryAfterMs: 0 } : sawRate(rate, ahead, passed < granted);
    for (let index = 0; index < waiters.length; index++) {
      waiters[index]!.resolve({
        quota: countedAs(index, granted, quotaLeft, resetsMs),
        rate: index < granted ? countedAs(index, passed, rateLeft, retryAfterMs) : null,
      });
    }
  }
}
