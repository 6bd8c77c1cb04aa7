import type { BalanceCounter, Counted, Counters, Debited, QuotaCounter, RateCounter } from './counters.ts';
import { parseRedisUrl } from './redis/address.ts';
import { SharedBalances } from './redis/balances.ts';
import { SharedBoth } from './redis/both.ts';
import type { RedisServer } from './redis/connection.ts';
import { openServers } from './redis/open-servers.ts';
import { type QuotaKey, SharedQuotas } from './redis/quotas.ts';
import { type RateKey, rateBound, SharedRates } from './redis/rates.ts';
import { RedisUnavailable } from './redis/servers.ts';

/** What becomes of the connection, for the log. */
export type RedisEvent =
  /** With what is wrong with how the server is run, as sentences for the operator. */
  | { readonly kind: 'connected'; readonly warnings: readonly string[] }
  | { readonly kind: 'lost'; readonly reason: string }
  /** The server came back without its counts. */
  | { readonly kind: 'data lost' }
  /** This many keys had a count below the one that this node had received: the node's count is restored. */
  | { readonly kind: 'restored'; readonly keys: number };

export interface RedisCountersOptions {
  /** Of a server, of sentinels or of a cluster: see {@link parseRedisUrl}. */
  readonly url: string;
  /** Certificate authorities (PEM) of servers reached by TLS, where they are not those of Node. */
  readonly certificateAuthority?: string | undefined;
  /** Name in the certificates of servers reached by TLS, where it is not the host that each is reached by. */
  readonly serverName?: string | undefined;
  /** Nodes that count together now. */
  readonly nodes: () => number;
  readonly onEvent?: (event: RedisEvent) => void;
  /** For how long a request may wait for Redis. */
  readonly timeoutMs?: number;
  /**
   * Most keys of quotas, and of rates, that this node remembers; about 600 bytes per key, and 400 for a quota and a rate that
   * are asked for together. Redis remembers all.
   */
  readonly maxKeys?: number;
}

/** Most requests that wait for Redis at once. */
const maxWaiting = 20_000;
const creditEveryMs = 500;

/**
 * Counts that all nodes share in Redis 7 or later, or Valkey: on one server, on a primary that sentinels watch, or on the
 * servers of a cluster.
 *
 * Requests that arrive in the same turn of the event loop are queried together: one write, and one entry per key. A
 * rejection by Redis is reused for a moment without asking again.
 *
 * - Strict: every request is debited in Redis before it is admitted. Nothing exceeds a limit, whatever happens to nodes
 *   and connections, as long as Redis keeps its data. If Redis is unreachable, counting fails.
 * - Fast quota: leases are debited and used up locally; what idle keys have left is returned after a second. Nothing
 *   exceeds the limit; slightly less than allowed may pass, by what other nodes have leased. Without Redis, counting
 *   continues with the current leases.
 * - Fast rate: the same with parts of the burst; `overAdmissionBound` says how many requests may pass beyond it.
 *
 * Windows are identified by their end, so that differing clocks never open one twice; Redis keeps a window's count for
 * a minute beyond its end, and refuses to count for a node that is later than that. Rates use Redis's clock.
 *
 * A server that returns without its data, or takes over without all of it, gets from each node the last count that the
 * node received, key by key. Replicas receive counts a moment later than nodes do. So when one takes over, a key may
 * exceed its limit by as many requests as *other* nodes were granted in the moment that was lost, and no more; a single
 * node exceeds nothing.
 *
 * @throws Error if the URL is invalid. An unreachable server is retried again and again.
 */
export function createRedisCounters({
  url,
  certificateAuthority,
  serverName,
  nodes,
  onEvent = () => {},
  timeoutMs = 250,
  maxKeys = 100_000,
}: RedisCountersOptions): Counters {
  const nodesNow = () => Math.max(1, nodes());
  let dataId: string | null = null;
  let scheduled = false;
  const connected = Promise.withResolvers<void>();

  const onReady = (server: RedisServer) => {
    const lost = dataId !== null && dataId !== server.dataId;
    dataId = server.dataId;
    connected.resolve();
    onEvent({ kind: 'connected', warnings: warningsAbout(server) });
    if (lost) onEvent({ kind: 'data lost' });
    balances.restoreSeen(server.restoringMs);
    servers.flush();
    // What waited meanwhile.
    if (server.restoringMs > 0) setTimeout(schedule, server.restoringMs + 1).unref();
  };
  const servers = openServers({
    address: parseRedisUrl(url),
    trust: { certificateAuthority, serverName },
    timeoutMs,
    onReady,
    onLost: ({ message }) => onEvent({ kind: 'lost', reason: message }),
  });
  const quotas = new SharedQuotas(servers, nodesNow, maxKeys, (keys) => onEvent({ kind: 'restored', keys }));
  const rates = new SharedRates(servers, nodesNow, maxKeys);
  const both = new SharedBoth(servers, quotas, rates);
  const balances = new SharedBalances(servers, nodesNow);

  const send = () => {
    scheduled = false;
    quotas.sendAsks();
    rates.sendAsks();
    both.sendAsks();
    balances.sendAsks();
    servers.flush();
  };
  const schedule = () => {
    if (scheduled || !(quotas.hasAsks || rates.hasAsks || both.hasAsks || balances.hasAsks)) return;
    scheduled = true;
    // After all that arrived in this turn of the event loop.
    setImmediate(send);
  };
  const checkRoom = () => {
    if (quotas.waiting + rates.waiting + both.waiting + balances.waiting >= maxWaiting)
      throw new RedisUnavailable('Too many requests are waiting for Redis.');
  };

  const crediting = setInterval(() => {
    quotas.creditIdle();
    balances.creditIdle();
    servers.flush();
  }, creditEveryMs);

  class SharedQuota implements QuotaCounter {
    readonly of: QuotaKey;

    constructor(key: string, group: string) {
      this.of = { key, part: servers.partOf(group), found: null };
    }

    get key(): string {
      return this.of.key;
    }

    count(request: Parameters<QuotaCounter['count']>[0]): Counted | Promise<Counted> {
      checkRoom();
      const counted = quotas.count(this.of, request);
      schedule();
      return counted;
    }
  }

  class SharedRate implements RateCounter {
    readonly of: RateKey;

    constructor(key: string, group: string) {
      this.of = { key, part: servers.partOf(group), found: null, pairedWith: null, pair: null };
    }

    count(request: Parameters<RateCounter['count']>[0]): Counted | Promise<Counted> {
      checkRoom();
      const counted = rates.count(this.of, request);
      schedule();
      return counted;
    }
  }

  class SharedBalance implements BalanceCounter {
    readonly #key: string;

    constructor(key: string) {
      this.#key = key;
    }

    debit(request: Parameters<BalanceCounter['debit']>[0]): Debited | Promise<Debited> {
      checkRoom();
      const debited = balances.debit(this.#key, request);
      schedule();
      return debited;
    }

    adjust(amount: number): void {
      balances.adjust(this.#key, amount);
    }
  }

  return {
    quota: (key, group = key) => new SharedQuota(key, group),
    rate: (key, group = key) => new SharedRate(key, group),
    balance: (key) => new SharedBalance(key),
    restoreUsed: (key, used) => balances.restoreUsed(key, used),

    countBoth(quota, quotaRequest, rate, rateRequest, taker) {
      if (!(quota instanceof SharedQuota && rate instanceof SharedRate)) return false;
      checkRoom();
      const isAsked = both.count(quota.of, quotaRequest, rate.of, rateRequest, taker);
      schedule();
      return isAsked;
    },

    overAdmissionBound: (kind, limit, mode) => (mode === 'fast' && kind === 'rate' ? rateBound(limit, nodesNow()) : 0),

    connected: connected.promise,

    async close() {
      clearInterval(crediting);
      const credited = Promise.all([quotas.creditAll(), balances.creditAll()]);
      servers.flush();
      await credited;
      servers.close();
    },
  };
}

function warningsAbout({ info }: RedisServer): readonly string[] {
  const warnings: string[] = [];
  const policy = info.get('maxmemory_policy');
  if (info.get('maxmemory') !== '0' && policy !== undefined && policy !== 'noeviction') {
    warnings.push(`Redis evicts keys if memory runs short (${policy}), so limits would start over. Set noeviction.`);
  }
  // A line that is only there if it is set.
  if (Number(info.get('connected_slaves') ?? 0) > 0 && !info.has('min_slaves_good_slaves')) {
    warnings.push(
      'Redis accepts writes that no replica receives, so a failover may forget counts. Set min-replicas-to-write 1 and min-replicas-max-lag 2.',
    );
  }
  if (info.get('aof_enabled') === '0') {
    warnings.push('Redis writes no append-only file, so counts are lost when it stops. Set appendonly yes.');
  }
  return warnings;
}
