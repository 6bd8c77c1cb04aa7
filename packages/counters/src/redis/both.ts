import type { CountedBoth, QuotaCounter, RateCounter } from '@millrace/policies/run';
import { countedAs, perScript } from './asks.ts';
import type { RedisConnection } from './connection.ts';
import { encodeArgument, inOnePiece } from './protocol.ts';
import { isRefused, type Quota, type QuotaKey, type SharedQuotas, untilEnd, WindowOver } from './quotas.ts';
import { nowMicroseconds, type Rate, type RateKey, type SharedRates, sawRate } from './rates.ts';
import { debitBoth } from './scripts.ts';

/** Requests of one quota, its limit and one rate that are asked for together, again and again. */
export interface BothAsk {
  readonly quota: Quota;
  readonly limit: number;
  readonly rate: Rate;
  /** As they go over the wire, as are the arguments of one request whose quota Redis need not be reminded of. */
  readonly encodedKeys: string;
  readonly encodedOne: string;
  /** Not sent yet. */
  waiters: BothWaiter[];
}

/** What was sent of an ask. */
interface Sent {
  readonly ask: BothAsk;
  readonly waiters: readonly BothWaiter[];
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
    let ask = rate.askedBehind;
    if (ask?.quota !== quota || ask.limit !== limit) {
      ask = {
        quota,
        limit,
        rate,
        encodedKeys: inOnePiece(quota.encodedKey + rate.encodedKey),
        encodedOne: inOnePiece(encodeNumbers(1, 0, quota, limit, rate)),
        waiters: [],
      };
      rate.askedBehind = ask;
    }
    if (ask.waiters.length === 0) this.#asks.push(ask);
    return ask;
  }

  #send(asks: readonly BothAsk[]): void {
    let keys = '';
    let values = '';
    const sent: Sent[] = [];
    for (const ask of asks) {
      const { quota, limit, rate, waiters } = ask;
      const seen = this.#quotas.seenBefore(quota);
      keys += ask.encodedKeys;
      values +=
        waiters.length === 1 && seen === 0 ? ask.encodedOne : encodeNumbers(waiters.length, seen, quota, limit, rate);
      sent.push({ ask, waiters });
      ask.waiters = [];
    }
    this.#connection.run(debitBoth, asks.length * 2, keys + values, (error, reply) => {
      for (const { waiters } of sent) this.waiting -= waiters.length;
      if (error) {
        for (const { waiters } of sent) for (const waiter of waiters) waiter.reject(error);
        return;
      }
      const numbers = reply as readonly number[];
      for (let index = 0; index < sent.length; index++) {
        const at = index * 4;
        this.#settle(sent[index]!, numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!);
      }
      this.#quotas.restored(numbers.at(-1)!);
    });
  }

  #settle({ ask, waiters }: Sent, granted: number, count: number, passed: number, ahead: number): void {
    const { quota, limit, rate } = ask;
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

/** The arguments of {@link debitBoth}. */
function encodeNumbers(waiters: number, seen: number, quota: Quota, limit: number, rate: Rate): string {
  return (
    encodeArgument(waiters) + encodeArgument(seen) + encodeArgument(limit) + quota.encodedExpiry + rate.encodedRate
  );
}
