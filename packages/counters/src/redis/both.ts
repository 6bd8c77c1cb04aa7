import type { CountedBothTaker, QuotaCounter, RateCounter } from '../counters.ts';
import { countedAs, perScript } from './asks.ts';
import { encodeArgument, inOnePiece } from './protocol.ts';
import { isRefused, type Quota, type QuotaKey, type SharedQuotas, untilEnd, WindowOver } from './quotas.ts';
import { nowMicroseconds, type Rate, type RateKey, type SharedRates, sawRate } from './rates.ts';
import { debitBoth, debitQuotas, debitRates } from './scripts.ts';
import { isMovingSlot, type RedisServers } from './servers.ts';

type QuotaRequest = Parameters<QuotaCounter['count']>[0];
type RateRequest = Parameters<RateCounter['count']>[0];

/**
 * A quota, its limit and a rate that requests are repeatedly counted by together. What a request needs of the three is
 * stored together here: reading each of them touches another place in memory.
 */
export class Pair {
  readonly #windowEndMs: number;
  readonly #intervalMs: number;
  readonly #burst: number;
  readonly quota: Quota;
  readonly limit: number;
  readonly rate: Rate;
  /** As they go over the wire, as are the arguments of one request whose quota Redis need not be reminded of. */
  readonly encodedKeys: string;
  readonly encodedOne: string;
  /** Whether one of both was refused: it is to be seen whether that is still believed. */
  mayBeRefused = true;
  /** Where it stands in the question that last asked for it. */
  place = 0;

  constructor(quota: Quota, limit: number, rate: Rate, { intervalMs, burst }: RateRequest) {
    this.#windowEndMs = quota.windowEndMs;
    this.#intervalMs = intervalMs;
    this.#burst = burst;
    this.quota = quota;
    this.limit = limit;
    this.rate = rate;
    this.encodedKeys = inOnePiece(quota.encodedKey + rate.encodedKey);
    this.encodedOne = inOnePiece(encodeNumbers(1, 0, quota, limit, rate));
  }

  isOf(quota: QuotaRequest, rate: RateRequest): boolean {
    return (
      this.limit === quota.limit &&
      this.#windowEndMs === quota.windowEndMs &&
      this.#burst === rate.burst &&
      this.#intervalMs === rate.intervalMs
    );
  }

  /** Whether it is believed, without asking again, that one of both refuses. */
  isRefused(): boolean {
    if (!this.mayBeRefused) return false;
    this.mayBeRefused = isRefused(this.quota, this.limit) || this.rate.refusedUntil > nowMicroseconds();
    return this.mayBeRefused;
  }
}

/** Requests of one pair in one question. */
class Asked {
  readonly pair: Pair;
  readonly #first: CountedBothTaker;
  #others: CountedBothTaker[] | null = null;

  constructor(pair: Pair, first: CountedBothTaker) {
    this.pair = pair;
    this.#first = first;
  }

  add(taker: CountedBothTaker): void {
    if (this.#others === null) this.#others = [taker];
    else this.#others.push(taker);
  }

  get count(): number {
    return this.#others === null ? 1 : 1 + this.#others.length;
  }

  /** In the order in which they came. */
  at(index: number): CountedBothTaker {
    return index === 0 ? this.#first : this.#others![index - 1]!;
  }

  fail(error: Error): void {
    for (let index = 0; index < this.count; index++) this.at(index).failed(error);
  }
}

/**
 * Strict counts of requests that have a quota and a rate: queried in one step, which debits the rate only by what the
 * quota grants. One wait instead of two halves the cost of a request.
 */
export class SharedBoth {
  readonly #servers: RedisServers;
  readonly #quotas: SharedQuotas;
  readonly #rates: SharedRates;
  /** The question that is to be sent next. */
  #asked: Asked[] = [];
  /** Requests that wait. */
  waiting = 0;

  constructor(servers: RedisServers, quotas: SharedQuotas, rates: SharedRates) {
    this.#servers = servers;
    this.#quotas = quotas;
    this.#rates = rates;
  }

  get hasAsks(): boolean {
    return this.#asked.length > 0;
  }

  /**
   * What is asked goes out by {@link sendAsks}.
   *
   * @returns false where they are to be counted one after the other: one of them was refused just now, or they may be on
   * different servers
   */
  count(
    quotaKey: QuotaKey,
    quotaRequest: QuotaRequest,
    rateKey: RateKey,
    rateRequest: RateRequest,
    taker: CountedBothTaker,
  ): boolean {
    if (quotaKey.part !== rateKey.part) return false;
    let { pair } = rateKey;
    if (pair === null || rateKey.pairedWith !== quotaKey || !pair.isOf(quotaRequest, rateRequest)) {
      pair = this.#pairOf(quotaKey, quotaRequest, rateKey, rateRequest);
      rateKey.pair = pair;
      rateKey.pairedWith = quotaKey;
    }
    if (pair.isRefused()) return false;
    const asked = this.#asked;
    if (pair.place < asked.length && asked[pair.place]!.pair === pair) {
      asked[pair.place]!.add(taker);
    } else {
      pair.place = asked.length;
      asked.push(new Asked(pair, taker));
    }
    this.waiting += 1;
    return true;
  }

  /** Sends what was asked since the last time, without flushing. */
  sendAsks(): void {
    const { parts } = this.#servers;
    for (const asked of perScript(this.#asked, parts, ({ pair }) => pair.quota.part, 2)) this.#send(asked);
    this.#asked = [];
  }

  #pairOf(quotaKey: QuotaKey, { limit, windowEndMs }: QuotaRequest, rateKey: RateKey, rateRequest: RateRequest): Pair {
    const quota = this.#quotas.find(quotaKey, windowEndMs);
    const rate = this.#rates.find(rateKey, rateRequest.intervalMs, rateRequest.burst, nowMicroseconds());
    if (rate.pair?.quota !== quota || rate.pair.limit !== limit) rate.pair = new Pair(quota, limit, rate, rateRequest);
    return rate.pair;
  }

  #send(asked: readonly Asked[]): void {
    let keys = '';
    let values = '';
    for (const { pair, count } of asked) {
      const { quota, limit, rate } = pair;
      const seen = this.#quotas.seenBefore(quota);
      keys += pair.encodedKeys;
      values += count === 1 && seen === 0 ? pair.encodedOne : encodeNumbers(count, seen, quota, limit, rate);
    }
    this.#servers.run(debitBoth, asked[0]!.pair.quota.part, asked.length * 2, keys + values, (error, reply) => {
      if (error && isMovingSlot(error)) {
        if (asked.length === 1) this.#sendApart(asked[0]!);
        else for (const one of asked) this.#send([one]);
        this.#servers.flush();
        return;
      }
      for (const { count } of asked) this.waiting -= count;
      if (error) {
        for (const one of asked) one.fail(error);
        return;
      }
      const numbers = reply as readonly number[];
      const nowMs = Date.now();
      for (let index = 0; index < asked.length; index++) {
        const at = index * 4;
        const one = asked[index]!;
        const granted = numbers[at]!;
        if (granted < 0) one.fail(new WindowOver());
        else this.#settle(one, granted, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!, nowMs);
      }
      this.#quotas.restored(numbers.at(-1)!);
    });
  }

  /** One after the other: while a slot moves, one of both may be on the server that it leaves, the other where it goes. */
  #sendApart(asked: Asked): void {
    const { pair, count } = asked;
    const { quota, limit, rate } = pair;
    const seen = encodeArgument(this.#quotas.seenBefore(quota));
    const none = encodeArgument(0);
    const quotaNumbers = encodeArgument(count) + none + encodeArgument(1) + seen + encodeArgument(limit);
    const finish = (error: Error | null, granted: number, total: number, [passed, ahead]: readonly number[]) => {
      this.waiting -= count;
      if (error) asked.fail(error);
      else if (granted < 0) asked.fail(new WindowOver());
      else this.#settle(asked, granted, total, passed!, ahead!, Date.now());
    };
    const keyAndNumbers = quota.encodedKey + quotaNumbers + quota.encodedExpiry;
    this.#servers.run(debitQuotas, quota.part, 1, keyAndNumbers, (error, reply) => {
      const [granted = 0, total = 0] = (reply ?? []) as readonly number[];
      if (error || granted <= 0) {
        finish(error, granted, total, [0, 0]);
        return;
      }
      const rateNumbers = encodeArgument(granted) + none + rate.encodedRate;
      this.#servers.run(debitRates, rate.part, 1, rate.encodedKey + rateNumbers, (error, reply) =>
        finish(error, granted, total, (reply ?? []) as readonly number[]),
      );
      this.#servers.flush();
    });
  }

  #settle(asked: Asked, granted: number, total: number, passed: number, ahead: number, nowMs: number): void {
    const { pair, count } = asked;
    const { quota, limit, rate } = pair;
    const quotaLeft = Math.max(0, limit - total);
    const resetsMs = untilEnd(quota, nowMs);
    this.#quotas.saw(quota, limit, total, granted < count);
    const { remaining: rateLeft, retryAfterMs } =
      granted === 0 ? { remaining: 0, retryAfterMs: 0 } : sawRate(rate, ahead, passed < granted);
    if (passed < count) pair.mayBeRefused = true;
    for (let index = 0; index < count; index++) {
      asked
        .at(index)
        .counted(
          countedAs(index, granted, quotaLeft, resetsMs),
          index < granted ? countedAs(index, passed, rateLeft, retryAfterMs) : null,
        );
    }
  }
}

/** The arguments of {@link debitBoth}. */
function encodeNumbers(count: number, seen: number, quota: Quota, limit: number, rate: Rate): string {
  return encodeArgument(count) + encodeArgument(seen) + encodeArgument(limit) + quota.encodedExpiry + rate.encodedRate;
}
