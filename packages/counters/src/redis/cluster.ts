import type { RedisAddress, ServerAddress } from './address.ts';
import { readRedirection, readSlots, slotOf } from './cluster-slots.ts';
import { RedisConnection, type RedisServer } from './connection.ts';
import type { Script } from './scripts.ts';
import { askOnce, type Done, nameOf, type RedisLogin, type RedisServers, RedisUnavailable } from './servers.ts';

export interface RedisClusterOptions {
  readonly address: RedisAddress;
  readonly login: RedisLogin;
  readonly timeoutMs: number;
  /** Called when every part's server can be asked, with what the last of them reports about itself. */
  readonly onReady: (server: RedisServer) => void;
  /** Called when a part can no longer be counted, or still can't; once per outage. */
  readonly onLost: (reason: Error) => void;
}

/**
 * Parts that keys are in. Each is a hash tag, so its keys are in one slot. Many enough to be spread evenly over dozens of
 * servers, few enough that requests of one turn of the event loop share scripts.
 */
const parts = 256;
const maxRedirections = 4;
const lookTimeoutMs = 1_000;
/** How often it is asked which server has which slots: while one is away, and otherwise. */
const lookEveryMs = 200;
const quietLookEveryMs = 5_000;
/** Looks without a slot until a server is forgotten: one that is receiving its first slot has none for a while. */
const maxLooksWithoutSlots = 50;

interface Member {
  readonly server: ServerAddress;
  readonly connection: RedisConnection;
  /** Looks, one after the other, in which it had no slot. */
  looksWithoutSlots: number;
}

/**
 * The servers of a Redis Cluster. A server that refuses a key since another has it, or is receiving it, has done nothing:
 * the script is then sent there.
 */
export class RedisCluster implements RedisServers {
  readonly parts = parts;
  readonly #options: RedisClusterOptions;
  readonly #slotOfPart = Array.from({ length: parts }, (_, part) => slotOf(String(part)));
  /** By part; null as long as it is unknown. */
  readonly #owners: (Member | null)[] = Array.from({ length: parts }, () => null);
  readonly #members = new Map<string, Member>();
  #state: 'connecting' | 'ready' | 'lost' | 'closed' = 'connecting';
  #looking = false;
  #nextLook: NodeJS.Timeout | undefined;

  constructor(options: RedisClusterOptions) {
    this.#options = options;
    this.#look();
  }

  partOf(group: string): number {
    // FNV-1a.
    let hash = 0x811c_9dc5;
    for (let index = 0; index < group.length; index++) hash = Math.imul(hash ^ group.charCodeAt(index), 0x0100_0193);
    return (hash ^ (hash >>> 15)) & (parts - 1);
  }

  tagOf(part: number): string {
    return `{${part}}`;
  }

  isReady(part: number): boolean {
    return this.#owners[part]?.connection.ready ?? false;
  }

  runOf(part: number): string {
    return this.#owners[part]?.connection.runId ?? '';
  }

  run(script: Script, part: number, keyCount: number, encodedKeysAndArguments: string, done: Done): void {
    const owner = this.#owners[part];
    if (owner) this.#send(owner, script, keyCount, encodedKeysAndArguments, done, 0, false);
    else queueMicrotask(() => done(new RedisUnavailable('Redis is unreachable.'), null));
  }

  flush(): void {
    for (const { connection } of this.#members.values()) connection.flush();
  }

  close(): void {
    this.#state = 'closed';
    clearTimeout(this.#nextLook);
    for (const { connection } of this.#members.values()) connection.close();
  }

  #send(
    to: Member,
    script: Script,
    keyCount: number,
    encoded: string,
    done: Done,
    redirections: number,
    isAsking: boolean,
  ): void {
    const take: Done = (error, reply) => {
      const refusal = error instanceof RedisUnavailable ? error.refusal : null;
      const redirection = refusal === null ? null : readRedirection(refusal, to.server);
      if (redirection === null || redirections === maxRedirections || this.#state === 'closed') {
        if (refusal?.startsWith('CLUSTERDOWN')) this.#look();
        done(error, reply);
        return;
      }
      const next = this.#memberAt(redirection.server);
      if (redirection.isMoved) {
        this.#slotOfPart.forEach((slot, part) => {
          if (slot === redirection.slot) this.#owners[part] = next;
        });
        this.#look();
      }
      this.#send(next, script, keyCount, encoded, done, redirections + 1, !redirection.isMoved);
      next.connection.flush();
    };
    to.connection.run(script, keyCount, encoded, take, isAsking);
  }

  #memberAt(server: ServerAddress): Member {
    const name = nameOf(server);
    const known = this.#members.get(name);
    if (known) return known;
    const { login, timeoutMs } = this.#options;
    const member: Member = {
      server,
      looksWithoutSlots: 0,
      connection: new RedisConnection({
        locate: () => server,
        login,
        database: 0,
        role: 'cluster member',
        timeoutMs,
        onReady: (described) => this.#checkReady(described),
        onLost: (reason) => this.#lose(member, reason),
      }),
    };
    this.#members.set(name, member);
    return member;
  }

  #checkReady(server: RedisServer): void {
    if (this.#state === 'ready' || this.#state === 'closed') return;
    if (!this.#owners.every((owner) => owner?.connection.ready)) return;
    this.#state = 'ready';
    this.#options.onReady(server);
  }

  /** @param member null where no server answers */
  #lose(member: Member | null, reason: Error): void {
    if (this.#state === 'closed') return;
    if (member !== null && !this.#owners.includes(member)) return;
    if (this.#state !== 'lost') {
      this.#state = 'lost';
      this.#options.onLost(reason);
    }
    this.#look();
  }

  /** Asks the servers in turn which of them has which slots, and again after a while. */
  #look(): void {
    if (this.#looking || this.#state === 'closed') return;
    this.#looking = true;
    clearTimeout(this.#nextLook);
    this.#askAny().then(
      () => this.#looked(),
      (error: Error) => {
        this.#lose(null, error);
        this.#looked();
      },
    );
  }

  #looked(): void {
    this.#looking = false;
    if (this.#state === 'closed') return;
    const isWhole = this.#owners.every((owner) => owner?.connection.ready);
    this.#nextLook = setTimeout(() => this.#look(), isWhole ? quietLookEveryMs : lookEveryMs);
  }

  async #askAny(): Promise<void> {
    const members = [...this.#members.values()];
    const ready = members.filter(({ connection }) => connection.ready).map(({ server }) => server);
    let reason = new Error('The cluster has no servers.');
    for (const server of new Map(
      [...ready, ...this.#options.address.servers].map((each) => [nameOf(each), each]),
    ).values()) {
      try {
        const ranges = readSlots(
          await askOnce(server, this.#options.login, ['CLUSTER', 'SLOTS'], lookTimeoutMs),
          server,
        );
        if (this.#state === 'closed') return;
        const owners = this.#slotOfPart.map((slot) => ranges.find(({ first, last }) => slot >= first && slot <= last));
        if (owners.some((range) => range === undefined)) throw new Error('The cluster has slots without a server.');
        owners.forEach((range, part) => {
          this.#owners[part] = this.#memberAt(range!.server);
        });
        this.#forgetOthers();
        return;
      } catch (error) {
        reason = error as Error;
      }
    }
    throw reason;
  }

  #forgetOthers(): void {
    for (const [name, member] of this.#members) {
      member.looksWithoutSlots = this.#owners.includes(member) ? 0 : member.looksWithoutSlots + 1;
      if (member.looksWithoutSlots <= maxLooksWithoutSlots) continue;
      member.connection.close();
      this.#members.delete(name);
    }
  }
}
