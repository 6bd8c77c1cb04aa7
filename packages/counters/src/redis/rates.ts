import type { Counted, RateCounter } from '../counters.ts';
import { intervalMicroseconds } from '../counters.ts';
import { encodeKey, perScript, settle, type Waiter } from './asks.ts';
import type { Pair } from './both.ts';
import { encodeArgument, inOnePiece } from './protocol.ts';
import type { QuotaKey } from './quotas.ts';
import { debitRates } from './scripts.ts';
import { isMovingSlot, type RedisServers } from './servers.ts';

type RateRequest = Parameters<RateCounter['count']>[0];

/** What one node knows of a key. Moments are in microseconds of this process's own clock. */
export interface Rate {
  readonly encodedKey: string;
  /** Of the keys, see {@link RedisServers}. */
  readonly part: number;
  /** Interval and burst, as they go over the wire. */
  readonly encodedRate: string;
  readonly interval: number;
  readonly burst: number;
  /** Debited already, and free to be used here. */
  held: number;
  /** Whether more of them are being asked for. */
  leasing: boolean;
  /** When this node's next request would be due if it had the rate for itself: fast counting is held against it. */
  arrival: number;
  usedAt: number;
  /** Until when Redis refuses. It may be later, never sooner. */
  refusedUntil: number;
  waiters: Waiter[];
  spare: number;
  asked: boolean;
  /** With the quota that it was counted behind last. */
  pair: Pair | null;
  /** Whether it is what is known of the key: others are to be looked up again for every request. */
  isKnown: boolean;
}

/** A key that is counted under again and again: what is known of it is looked up once. */
export interface RateKey {
  readonly key: string;
  readonly part: number;
  found: Rate | null;
  /** With which quota it was counted together last, and what is known of both. */
  pairedWith: QuotaKey | null;
  pair: Pair | null;
}

/** Requests of one rate that are asked for together. */
interface Ask {
  readonly rate: Rate;
  readonly waiters: readonly Waiter[];
  readonly spare: number;
}

const sweptPerNewKey = 2;
/** For how long what a key holds is kept without a request, in microseconds. */
const idleMicroseconds = 5_000_000;

/** A part of the burst that {@link rateBound} is made of: with few nodes a quarter of the burst, in all, is leased. */
function rateLease(burst: number, nodes: number): number {
  return Math.min(1_000, Math.floor(burst / (4 * nodes)));
}

/**
 * Most requests of a rate that one node may lease. Together, the nodes lease no more than {@link rateBound}; a single
 * node counts its own requests against the rate as well, so that it exceeds nothing.
 */
function mostHeld(burst: number, nodes: number): number {
  const lease = rateLease(burst, nodes);
  return nodes === 1 ? lease : Math.floor((lease * (nodes - 1)) / nodes);
}

/**
 * Most requests that pass beyond a rate and its burst, over all nodes: those that were debited before a pause and are used
 * after it, when the burst is whole again.
 */
export function rateBound(burst: number, nodes: number): number {
  return (nodes - 1) * rateLease(burst, nodes);
}

/** Smoothed rates that all nodes share, by Redis's clock. */
export class SharedRates {
  readonly #servers: RedisServers;
  readonly #nodes: () => number;
  readonly #maxKeys: number;
  readonly #rates = new Map<string, Rate>();
  #sweep = this.#rates.entries();
  #asks: Rate[] = [];
  /** Requests that wait. */
  waiting = 0;

  constructor(servers: RedisServers, nodes: () => number, maxKeys: number) {
    this.#servers = servers;
    this.#nodes = nodes;
    this.#maxKeys = maxKeys;
  }

  get hasAsks(): boolean {
    return this.#asks.length > 0;
  }

  /** What is asked goes out by {@link sendAsks}. */
  count(of: RateKey, { intervalMs, burst, mode }: RateRequest): Counted | Promise<Counted> {
    const now = nowMicroseconds();
    const rate = this.find(of, intervalMs, burst, now);
    if (rate.refusedUntil > now && rate.held === 0) return refused(rate.refusedUntil - now);
    if (mode === 'fast') {
      const { interval } = rate;
      const arrival = Math.max(rate.arrival, now);
      const wait = arrival - now - (burst - 1) * interval;
      if (wait > 0) return refused(wait);
      rate.arrival = arrival + interval;
      const most = mostHeld(burst, this.#nodes());
      // There may be more nodes now than when these were leased.
      rate.held = Math.min(rate.held, most);
      if (rate.held * 4 <= most && most > 0) this.#lease(rate, most - rate.held);
      if (rate.held > 0) {
        rate.held -= 1;
        const remaining = Math.floor((now + burst * interval - rate.arrival) / interval);
        return { admitted: true, remaining, retryAfterMs: Math.max(0, wait + interval) / 1_000 };
      }
    }
    this.#ask(rate);
    this.waiting += 1;
    return new Promise((resolve, reject) => rate.waiters.push({ resolve, reject }));
  }

  /** Sends what was asked since the last time, without flushing. */
  sendAsks(): void {
    for (const rates of perScript(this.#asks, this.#servers.parts, ({ part }) => part)) {
      this.#send(rates.map(takeAsk));
    }
    this.#asks = [];
  }

  /**
   * What is known of the key, for a request that is to be counted now.
   *
   * @param now see {@link nowMicroseconds}
   */
  find(of: RateKey, intervalMs: number, burst: number, now: number): Rate {
    const { key, part } = of;
    const interval = intervalMicroseconds(intervalMs);
    const known = of.found?.isKnown ? of.found : this.#rates.get(key);
    of.found = known ?? null;
    if (known && known.interval === interval && known.burst === burst) {
      known.usedAt = now;
      return known;
    }
    if (known) known.isKnown = false;
    else this.#makeRoom(now);
    const rate: Rate = {
      encodedKey: encodeKey(`millrace:rate:${this.#servers.tagOf(part)}${key}`),
      part,
      encodedRate: inOnePiece(encodeArgument(interval) + encodeArgument(burst)),
      interval,
      burst,
      held: 0,
      leasing: false,
      arrival: 0,
      usedAt: now,
      refusedUntil: 0,
      waiters: [],
      spare: 0,
      asked: false,
      pair: null,
      isKnown: true,
    };
    of.found = rate;
    this.#rates.set(key, rate);
    return rate;
  }

  /** Keys that nothing is to be remembered of go, then the oldest: Redis knows them all. */
  #makeRoom(now: number): void {
    for (let seen = 0; seen < sweptPerNewKey; seen++) {
      const next = this.#sweep.next();
      if (next.done) {
        this.#sweep = this.#rates.entries();
        break;
      }
      const { arrival, usedAt, refusedUntil } = next.value[1];
      if (usedAt + idleMicroseconds < now && arrival < now && refusedUntil < now) this.#remove(...next.value);
    }
    if (this.#rates.size < this.#maxKeys) return;
    for (const [key, rate] of this.#rates) {
      this.#remove(key, rate);
      return;
    }
  }

  #remove(key: string, rate: Rate): void {
    this.#rates.delete(key);
    rate.isKnown = false;
  }

  #lease(rate: Rate, spare: number): void {
    if (rate.leasing) return;
    rate.leasing = true;
    rate.spare = spare;
    this.#ask(rate);
  }

  #ask(rate: Rate): void {
    if (rate.asked) return;
    rate.asked = true;
    this.#asks.push(rate);
  }

  #send(asks: readonly Ask[]): void {
    let keys = '';
    let values = '';
    for (const { rate, waiters, spare } of asks) {
      keys += rate.encodedKey;
      values += encodeArgument(waiters.length) + encodeArgument(spare) + rate.encodedRate;
    }
    this.#servers.run(debitRates, asks[0]!.rate.part, asks.length, keys + values, (error, reply) => {
      if (error && asks.length > 1 && isMovingSlot(error)) {
        for (const ask of asks) this.#send([ask]);
        this.#servers.flush();
        return;
      }
      for (const [index, { rate, waiters, spare }] of asks.entries()) {
        this.waiting -= waiters.length;
        if (spare > 0) rate.leasing = false;
        if (error) {
          for (const waiter of waiters) waiter.reject(error);
        } else {
          const numbers = reply as readonly number[];
          settleRate(rate, waiters, numbers[2 * index]!, numbers[2 * index + 1]!);
        }
      }
    });
  }
}

/** What is asked of a rate; its next requests are asked for in another question. */
function takeAsk(rate: Rate): Ask {
  const ask = { rate, waiters: rate.waiters, spare: rate.spare };
  rate.waiters = [];
  rate.spare = 0;
  rate.asked = false;
  return ask;
}

/** @param ahead how far the arrival time of the next request lies ahead, in microseconds */
function settleRate(rate: Rate, waiters: readonly Waiter[], granted: number, ahead: number): void {
  const admitted = Math.min(granted, waiters.length);
  rate.held += granted - admitted;
  const { remaining, retryAfterMs } = sawRate(rate, ahead, admitted < waiters.length);
  settle(waiters, admitted, remaining, retryAfterMs);
}

/**
 * Stores Redis's reply about a rate.
 *
 * @param ahead how far the arrival time of the next request lies ahead, in microseconds
 * @returns the remaining burst, and how long the next request has to wait
 */
export function sawRate(rate: Rate, ahead: number, hasRefused: boolean) {
  const { burst, interval } = rate;
  const retryAfterMs = Math.max(0, ahead - (burst - 1) * interval) / 1_000;
  if (hasRefused) rate.refusedUntil = Math.floor((performance.now() + retryAfterMs) * 1_000);
  return { remaining: Math.floor((burst * interval - ahead) / interval), retryAfterMs };
}

/** Of this process's own clock, a whole number. */
export function nowMicroseconds(): number {
  return Math.floor(performance.now() * 1_000);
}

function refused(waitMicroseconds: number): Counted {
  return { admitted: false, remaining: 0, retryAfterMs: waitMicroseconds / 1_000 };
}
