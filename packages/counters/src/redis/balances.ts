import type { BalanceCounter, BalanceStore, Debited } from '../counters.ts';
import { encodeKey, perScript } from './asks.ts';
import { encodeArgument } from './protocol.ts';
import { debitBalances } from './scripts.ts';
import { isMovingSlot, type RedisServers } from './servers.ts';

type DebitRequest = Parameters<BalanceCounter['debit']>[0];

interface Waiter {
  resolve(debited: Debited): void;
  reject(error: Error): void;
}

/** Requests of the same amount that are debited together. */
interface Ask {
  readonly balance: Balance;
  readonly amount: number;
  readonly waiters: Waiter[];
  spare: number;
}

/** What one node knows of a credit. */
interface Balance {
  readonly encodedKey: string;
  /** Of the keys, see {@link RedisServers}. */
  readonly part: number;
  /** The last amount from Redis, and the server run it is from: a later run, which may have lost it, gets it back. */
  seen: number;
  seenInRun: string;
  /** The highest amount that a request said was used. */
  used: number;
  credit: number;
  /** Debited in Redis already, and free to be used here. */
  held: number;
  /** Of the run of the server that leased it. */
  heldOfRun: string;
  /** To be added to the amount in Redis, with the next debit. */
  adjustment: number;
  leasing: boolean;
  usedInRound: number;
  readonly asks: Map<number, Ask>;
}

/** Rounds without a request until what is held is given back. */
const idleRounds = 2;
/** Credits remembered at most; Redis remembers all. */
const mostKnown = 100_000;

/** The most that one node leases of a credit at once. */
function balanceLease(credit: number, nodes: number): number {
  return Math.floor(credit / (nodes * 100));
}

/** Prepaid credits that all nodes share: every debit, or a lease that debits are served from, is made in Redis first. */
export class SharedBalances {
  readonly #servers: RedisServers;
  readonly #nodes: () => number;
  readonly #balances = new Map<string, Balance>();
  /** With an adjustment that is not sent yet. */
  readonly #changed = new Set<Balance>();
  readonly #holding = new Set<Balance>();
  /** What was restored of balances that no request has asked for yet. */
  readonly #restored = new Map<string, number>();
  #asks: Ask[] = [];
  /** While all nodes bring back what a server lost, of the monotonic clock. */
  #waitUntilMs = 0;
  #round = 0;
  /** Requests that wait. */
  waiting = 0;

  constructor(servers: RedisServers, nodes: () => number) {
    this.#servers = servers;
    this.#nodes = nodes;
  }

  /** Whether something can go out. */
  get hasAsks(): boolean {
    return this.#asks.length > 0 && performance.now() >= this.#waitUntilMs;
  }

  /** See {@link BalanceStore.restoreUsed}. */
  restoreUsed(key: string, used: number): void {
    const known = this.#balances.get(key);
    if (known === undefined) this.#restored.set(key, Math.max(used, this.#restored.get(key) ?? 0));
    else known.used = Math.max(known.used, used);
  }

  /**
   * Sends a server that may have lost amounts the last ones that this node received, without flushing. A node that
   * received less would otherwise admit what is used already.
   *
   * @param waitMs until other nodes have done the same; requests wait for it
   */
  restoreSeen(waitMs: number): void {
    this.#waitUntilMs = performance.now() + waitMs;
    const asks = [...this.#balances.values()]
      .filter(({ seen, seenInRun, part }) => seen > 0 && seenInRun !== this.#servers.runOf(part))
      .map((balance): Ask => ({ balance, amount: 1, waiters: [], spare: 0 }));
    for (const part of this.#perScript(asks)) this.#send(part);
  }

  /** What is asked goes out by {@link SharedBalances.sendAsks}. */
  debit(key: string, { amount, credit, used, mode }: DebitRequest): Debited | Promise<Debited> {
    const balance = this.#balanceOf(key);
    balance.usedInRound = this.#round;
    balance.used = Math.max(balance.used, used);
    // Some expired: what is leased of it goes back, since the store alone knows how much of it is still covered.
    if (credit < balance.credit && balance.held > 0) {
      if (balance.heldOfRun === this.#servers.runOf(balance.part)) this.#owe(balance, -balance.held);
      balance.held = 0;
      this.#holding.delete(balance);
    }
    balance.credit = credit;
    if (mode === 'fast') {
      if (balance.held >= amount) {
        balance.held -= amount;
        if (balance.held * 4 <= balanceLease(credit, this.#nodes())) this.#askOf(balance, amount, true);
        return { admitted: true, remaining: Math.max(0, credit - balance.seen) + balance.held };
      }
    }
    const ask = this.#askOf(balance, amount, mode === 'fast');
    this.waiting += 1;
    return new Promise((resolve, reject) => ask.waiters.push({ resolve, reject }));
  }

  /** Goes out with the next debit, or with the next round. */
  adjust(key: string, amount: number): void {
    this.#owe(this.#balanceOf(key), amount);
  }

  /** Sends what was asked since the last time, without flushing. */
  sendAsks(): void {
    if (!this.hasAsks) return;
    for (const asks of this.#perScript(this.#asks)) this.#send(asks);
    this.#asks = [];
  }

  /** To be called regularly: sends adjustments, and gives back what is held by keys without requests, without flushing. */
  creditIdle(): void {
    this.#round += 1;
    this.#credit((balance) => balance.usedInRound + idleRounds <= this.#round);
  }

  /** Gives back all that is held, without flushing; resolves once Redis has it, or cannot have it. */
  creditAll(): Promise<void> {
    return this.#credit(() => true);
  }

  #perScript(asks: readonly Ask[]): Generator<readonly Ask[]> {
    return perScript(asks, this.#servers.parts, ({ balance }) => balance.part);
  }

  #balanceOf(key: string): Balance {
    const known = this.#balances.get(key);
    if (known !== undefined) return known;
    this.#makeRoom();
    const part = this.#servers.partOf(key);
    const balance: Balance = {
      encodedKey: encodeKey(`millrace:balance:${this.#servers.tagOf(part)}${key}`),
      part,
      seen: 0,
      seenInRun: this.#servers.runOf(part),
      used: this.#restored.get(key) ?? 0,
      credit: 0,
      held: 0,
      heldOfRun: '',
      adjustment: 0,
      leasing: false,
      usedInRound: this.#round,
      asks: new Map(),
    };
    this.#balances.set(key, balance);
    return balance;
  }

  /** Forgets the oldest of those that nothing is held or owed of. */
  #makeRoom(): void {
    if (this.#balances.size < mostKnown) return;
    for (const [key, balance] of this.#balances) {
      if (balance.held !== 0 || balance.adjustment !== 0 || balance.asks.size > 0) continue;
      this.#balances.delete(key);
      return;
    }
  }

  #askOf(balance: Balance, amount: number, isLeased: boolean): Ask {
    let ask = balance.asks.get(amount);
    if (ask === undefined) {
      ask = { balance, amount, waiters: [], spare: 0 };
      balance.asks.set(amount, ask);
      this.#asks.push(ask);
    }
    if (isLeased && !balance.leasing) {
      ask.spare = balanceLease(balance.credit, this.#nodes());
      balance.leasing = ask.spare > 0;
    }
    return ask;
  }

  #send(asks: readonly Ask[], done: () => void = () => {}): void {
    let keys = '';
    let values = '';
    const adjustments: number[] = [];
    for (const ask of asks) {
      const { balance, amount, waiters, spare } = ask;
      if (balance.asks.get(amount) === ask) balance.asks.delete(amount);
      keys += balance.encodedKey;
      values +=
        encodeArgument(waiters.length) +
        encodeArgument(amount) +
        encodeArgument(spare) +
        encodeArgument(2 * this.#nodes()) +
        encodeArgument(balance.adjustment) +
        encodeArgument(
          Math.max(balance.used, balance.seenInRun === this.#servers.runOf(balance.part) ? 0 : balance.seen),
        ) +
        encodeArgument(balance.credit);
      adjustments.push(balance.adjustment);
      balance.adjustment = 0;
      this.#changed.delete(balance);
    }
    this.#servers.run(debitBalances, asks[0]!.balance.part, asks.length, keys + values, (error, reply) => {
      if (error && asks.length > 1 && isMovingSlot(error)) {
        let unanswered = asks.length;
        for (const [index, ask] of asks.entries()) {
          ask.balance.adjustment += adjustments[index]!;
          this.#send([ask], () => --unanswered === 0 && done());
        }
        this.#servers.flush();
        return;
      }
      if (error) {
        for (const ask of asks) this.#fail(ask, error);
        done();
        return;
      }
      const numbers = reply as readonly number[];
      for (const [index, ask] of asks.entries()) {
        this.#settle(ask, numbers[3 * index]!, numbers[3 * index + 1]!, numbers[3 * index + 2]!);
      }
      done();
    });
  }

  #settle({ balance, amount, waiters, spare }: Ask, granted: number, leased: number, used: number): void {
    this.waiting -= waiters.length;
    balance.seen = used;
    const run = this.#servers.runOf(balance.part);
    balance.seenInRun = run;
    if (spare > 0) {
      balance.leasing = false;
      if (balance.heldOfRun !== run) balance.held = 0;
      balance.heldOfRun = run;
      balance.held += leased;
      if (leased > 0) this.#holding.add(balance);
    }
    const left = Math.max(0, balance.credit - used) + balance.held;
    for (const [index, waiter] of waiters.entries()) {
      const admitted = index < granted;
      waiter.resolve({ admitted, remaining: admitted ? left + (granted - 1 - index) * amount : left });
    }
  }

  #fail({ balance, waiters, spare }: Ask, error: Error): void {
    this.waiting -= waiters.length;
    if (spare > 0) balance.leasing = false;
    for (const waiter of waiters) waiter.reject(error);
  }

  #credit(isIdle: (balance: Balance) => boolean): Promise<void> {
    for (const balance of this.#holding) {
      if (!isIdle(balance)) continue;
      this.#holding.delete(balance);
      // Another server may know nothing of it.
      if (balance.heldOfRun === this.#servers.runOf(balance.part)) this.#owe(balance, -balance.held);
      balance.held = 0;
    }
    const asks = [...this.#changed].map((balance): Ask => ({ balance, amount: 1, waiters: [], spare: 0 }));
    if (asks.length === 0) return Promise.resolve();
    const sent = Promise.withResolvers<void>();
    let unanswered = asks.length;
    for (const part of this.#perScript(asks)) {
      this.#send(part, () => {
        unanswered -= part.length;
        if (unanswered === 0) sent.resolve();
      });
    }
    return sent.promise;
  }

  #owe(balance: Balance, amount: number): void {
    balance.adjustment += amount;
    this.#changed.add(balance);
  }
}
