import type { Counted, QuotaCounter } from '../counters.ts';
import { encodeKey, perScript, settle, type Waiter } from './asks.ts';
import { encodeArgument, inOnePiece } from './protocol.ts';
import { creditQuotas, debitQuotas } from './scripts.ts';
import { isMovingSlot, type RedisServers } from './servers.ts';

type QuotaRequest = Parameters<QuotaCounter['count']>[0];

/** What one node knows of a key in one window. */
export interface Quota {
  /** As it goes over the wire, as are the others so named. */
  readonly encodedKey: string;
  readonly encodedExpiry: string;
  /** Of the keys, see {@link RedisServers}. */
  readonly part: number;
  readonly windowEndMs: number;
  /** The last count from Redis, and the server run it is from: a later run, which may have lost it, gets it back. */
  seen: number;
  seenInRun: string;
  /** Debited already, and free to be used here. */
  held: number;
  /** Limit under which they were debited: a lower one must not use them. */
  heldLimit: number;
  /** Run of the server that debited them: another one may know nothing of them, and must not be given them back. */
  heldOfRun: string;
  /** Whether more of them are being asked for. */
  leasing: boolean;
  usedInRound: number;
  /** A limit that Redis found used up, and until when that is believed. */
  refusedLimit: number;
  refusedUntilMs: number;
  /** What is to be asked next, not sent yet. */
  ask: Ask | null;
  /** Whether it is what is known of the key: others are to be looked up again for every request. */
  isKnown: boolean;
}

/** A key that is counted under again and again: what is known of it is looked up once. */
export interface QuotaKey {
  readonly key: string;
  readonly part: number;
  found: Quota | null;
}

/** A lease that is given back. */
interface Returned {
  readonly quota: Quota;
  readonly held: number;
}

/** Requests of one key and limit that are asked for together. */
interface Ask {
  readonly quota: Quota;
  readonly limit: number;
  readonly waiters: Waiter[];
  spare: number;
}

/**
 * How long a refusal is believed without asking again. Not until the window ends: other nodes give back what they leased,
 * and limits are raised.
 */
const refusalMs = 200;
/**
 * For how long a count outlives its window: how much a node's clock may be behind. Beyond, the node cannot count: Redis
 * would have forgotten the window.
 */
const windowGraceMs = 60_000;
/** Rounds without a request until what is held is given back. */
const idleRounds = 2;
const sweptPerNewKey = 2;

/** Redis does not count in a window that is over by its own clock. */
export class WindowOver extends Error {
  override readonly name = 'WindowOver';

  constructor() {
    super('The window is over: the clock of this node is behind.');
  }
}

/** Most requests of a limit that one node leases at once. */
export function quotaLease(limit: number, nodes: number): number {
  return Math.min(1_000, Math.floor(limit / (nodes * 10)));
}

/** Quotas that all nodes share: every request, or a lease that requests are served from, is debited in Redis first. */
export class SharedQuotas {
  readonly #servers: RedisServers;
  readonly #nodes: () => number;
  readonly #maxKeys: number;
  readonly #onRestored: (keys: number) => void;
  readonly #quotas = new Map<string, Quota>();
  readonly #holding = new Set<Quota>();
  #sweep = this.#quotas.entries();
  #asks: Ask[] = [];
  #round = 0;
  /** Requests that wait. */
  waiting = 0;

  constructor(
    servers: RedisServers,
    nodes: () => number,
    maxKeys: number,
    /** Called with keys whose count in Redis was lower than before. */
    onRestored: (keys: number) => void,
  ) {
    this.#servers = servers;
    this.#nodes = nodes;
    this.#maxKeys = maxKeys;
    this.#onRestored = onRestored;
  }

  get hasAsks(): boolean {
    return this.#asks.length > 0;
  }

  /** What is asked goes out by {@link sendAsks}. */
  count(of: QuotaKey, { limit, windowEndMs, mode }: QuotaRequest): Counted | Promise<Counted> {
    const quota = this.find(of, windowEndMs);
    if (mode === 'fast' && quota.held > 0 && limit >= quota.heldLimit) {
      quota.held -= 1;
      if (quota.held * 4 <= quotaLease(limit, this.#nodes())) this.#lease(quota, limit);
      const remaining = Math.max(0, limit - quota.seen) + quota.held;
      return { admitted: true, remaining, retryAfterMs: remaining > 0 ? 0 : untilEnd(quota) };
    }
    if (isRefused(quota, limit)) return { admitted: false, remaining: 0, retryAfterMs: untilEnd(quota) };
    if (mode === 'fast') this.#lease(quota, limit);
    const ask = this.#askOf(quota, limit);
    this.waiting += 1;
    return new Promise((resolve, reject) => ask.waiters.push({ resolve, reject }));
  }

  /** Sends what was asked since the last time, without flushing. */
  sendAsks(): void {
    for (const asks of perScript(this.#asks, this.#servers.parts, ({ quota }) => quota.part)) this.#send(asks);
    this.#asks = [];
  }

  /** To be called regularly: gives back what is held by keys without requests, without flushing. */
  creditIdle(): void {
    this.#round += 1;
    this.#credit((quota) => quota.usedInRound + idleRounds <= this.#round);
  }

  /** Gives back all that is held, without flushing; resolves once Redis has it, or cannot have it. */
  creditAll(): Promise<void> {
    return this.#credit(() => true);
  }

  /** What is known of the key in that window, for a request that is to be counted now. */
  find(of: QuotaKey, windowEndMs: number): Quota {
    const { key, part } = of;
    const known = of.found?.isKnown ? of.found : this.#quotas.get(key);
    of.found = known ?? null;
    if (known?.windowEndMs === windowEndMs) {
      known.usedInRound = this.#round;
      return known;
    }
    const expiresAtMs = windowEndMs + windowGraceMs;
    const quota: Quota = {
      encodedKey: encodeKey(`millrace:quota:${this.#servers.tagOf(part)}${key}:${windowEndMs}`),
      encodedExpiry: inOnePiece(encodeArgument(expiresAtMs)),
      part,
      windowEndMs,
      seen: 0,
      seenInRun: this.#servers.runOf(part),
      held: 0,
      heldLimit: 0,
      heldOfRun: '',
      leasing: false,
      usedInRound: this.#round,
      refusedLimit: 0,
      refusedUntilMs: 0,
      ask: null,
      isKnown: false,
    };
    // A request that started in the previous window is queried separately.
    if (known && known.windowEndMs > windowEndMs) return quota;
    if (known) {
      this.#holding.delete(known);
      known.isKnown = false;
    } else {
      this.#makeRoom();
    }
    this.#quotas.set(key, quota);
    quota.isKnown = true;
    of.found = quota;
    return quota;
  }

  /** Keys of past windows go, then the oldest: Redis knows them all. */
  #makeRoom(): void {
    const nowMs = Date.now();
    for (let seen = 0; seen < sweptPerNewKey; seen++) {
      const next = this.#sweep.next();
      if (next.done) {
        this.#sweep = this.#quotas.entries();
        break;
      }
      if (next.value[1].windowEndMs < nowMs) this.#remove(...next.value);
    }
    if (this.#quotas.size < this.#maxKeys) return;
    for (const [key, quota] of this.#quotas) {
      this.#remove(key, quota);
      return;
    }
  }

  #remove(key: string, quota: Quota): void {
    this.#quotas.delete(key);
    quota.isKnown = false;
    // What it holds is given back in the next round.
    quota.usedInRound = Number.NEGATIVE_INFINITY;
  }

  #lease(quota: Quota, limit: number): void {
    if (quota.leasing || (quota.held > 0 && quota.heldLimit !== limit)) return;
    const spare = quotaLease(limit, this.#nodes());
    if (spare === 0) return;
    quota.leasing = true;
    this.#askOf(quota, limit).spare = spare;
  }

  #askOf(quota: Quota, limit: number): Ask {
    if (quota.ask?.limit === limit) return quota.ask;
    const ask: Ask = { quota, limit, waiters: [], spare: 0 };
    quota.ask = ask;
    this.#asks.push(ask);
    return ask;
  }

  #send(asks: readonly Ask[]): void {
    const share = encodeArgument(2 * this.#nodes());
    let keys = '';
    let values = '';
    for (const { quota, limit, waiters, spare } of asks) {
      quota.ask = null;
      keys += quota.encodedKey;
      values +=
        encodeArgument(waiters.length) +
        encodeArgument(spare) +
        share +
        encodeArgument(this.seenBefore(quota)) +
        encodeArgument(limit) +
        quota.encodedExpiry;
    }
    this.#servers.run(debitQuotas, asks[0]!.quota.part, asks.length, keys + values, (error, reply) => {
      if (error && asks.length > 1 && isMovingSlot(error)) {
        for (const ask of asks) this.#send([ask]);
        this.#servers.flush();
        return;
      }
      if (error) {
        for (const ask of asks) this.#fail(ask, error);
        return;
      }
      const numbers = reply as readonly number[];
      for (const [index, ask] of asks.entries()) this.#settle(ask, numbers[2 * index]!, numbers[2 * index + 1]!);
      this.restored(numbers.at(-1)!);
    });
  }

  /**
   * The count to restore in Redis. 0 in the run that reported it: there, it may have decreased since, by what other
   * nodes returned.
   */
  seenBefore(quota: Quota): number {
    return quota.seenInRun === this.#servers.runOf(quota.part) ? 0 : quota.seen;
  }

  /** Stores Redis's reply about a quota. */
  saw(quota: Quota, limit: number, count: number, hasRefused: boolean): void {
    quota.seen = count;
    quota.seenInRun = this.#servers.runOf(quota.part);
    if (!hasRefused) return;
    quota.refusedLimit = limit;
    quota.refusedUntilMs = performance.now() + refusalMs;
  }

  /** Reports keys whose count in Redis was lower than before, if there are any. */
  restored(keys: number): void {
    if (keys > 0) this.#onRestored(keys);
  }

  #settle(ask: Ask, granted: number, count: number): void {
    const { quota, limit, waiters } = ask;
    if (granted < 0) {
      this.#fail(ask, new WindowOver());
      return;
    }
    this.waiting -= waiters.length;
    if (ask.spare > 0) quota.leasing = false;
    const admitted = Math.min(granted, waiters.length);
    if (granted > admitted) this.#hold(quota, granted - admitted, limit);
    this.saw(quota, limit, count, admitted < waiters.length);
    settle(waiters, admitted, Math.max(0, limit - count) + granted - admitted, untilEnd(quota));
  }

  #hold(quota: Quota, more: number, limit: number): void {
    const run = this.#servers.runOf(quota.part);
    if (quota.heldOfRun !== run) quota.held = 0;
    quota.heldOfRun = run;
    quota.heldLimit = quota.held === 0 ? limit : Math.max(quota.heldLimit, limit);
    quota.held += more;
    this.#holding.add(quota);
  }

  #fail(ask: Ask, error: Error): void {
    this.waiting -= ask.waiters.length;
    if (ask.spare > 0) ask.quota.leasing = false;
    for (const waiter of ask.waiters) waiter.reject(error);
  }

  #credit(idle: (quota: Quota) => boolean): Promise<void> {
    const nowMs = Date.now();
    const returned: Returned[] = [];
    for (const quota of this.#holding) {
      if (quota.held === 0 || quota.windowEndMs < nowMs) {
        this.#holding.delete(quota);
      } else if (this.#mayCredit(quota) && idle(quota)) {
        // Before it is known whether they arrive: what may have been given back must not be used.
        returned.push({ quota, held: quota.held });
        quota.seen -= quota.held;
        quota.held = 0;
        this.#holding.delete(quota);
      }
    }
    const sent: Promise<void>[] = [];
    for (const part of perScript(returned, this.#servers.parts, ({ quota }) => quota.part)) {
      sent.push(new Promise((resolve) => this.#sendCredit(part, resolve)));
    }
    return Promise.all(sent).then(() => {});
  }

  #mayCredit({ part, heldOfRun }: Quota): boolean {
    return this.#servers.isReady(part) && heldOfRun === this.#servers.runOf(part);
  }

  #sendCredit(returned: readonly Returned[], done: () => void): void {
    const encoded =
      returned.map(({ quota }) => quota.encodedKey).join('') +
      returned.map(({ held }) => encodeArgument(held)).join('');
    this.#servers.run(creditQuotas, returned[0]!.quota.part, returned.length, encoded, (error) => {
      if (!error || returned.length === 1 || !isMovingSlot(error)) return done();
      let unanswered = returned.length;
      for (const each of returned) this.#sendCredit([each], () => --unanswered === 0 && done());
      this.#servers.flush();
    });
  }
}

/** Whether it is believed, without asking again, that the quota is used up. */
export function isRefused(quota: Quota, limit: number): boolean {
  return quota.refusedUntilMs > 0 && limit <= quota.refusedLimit && performance.now() < quota.refusedUntilMs;
}

/** Milliseconds until the window ends. */
export function untilEnd({ windowEndMs }: Quota, nowMs = Date.now()): number {
  return Math.max(1, windowEndMs - nowMs);
}
