import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import type { Counters } from '../counters.ts';
import { createRedisCounters, type RedisEvent } from '../redis.ts';
import { describeCounters, withoutRedis } from '../testing.ts';
import { readSlots, slotOf } from './cluster-slots.ts';
import { openTestServers, type TestServer, type TestServers } from './testing-servers.ts';

const windowEndMs = Date.now() + 86_400_000;
const nodeTimeoutMs = 1_000;

/** Three primaries, each with a replica, that know each other. */
async function startCluster(servers: TestServers): Promise<readonly TestServer[]> {
  const clustered = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)];
  const members: TestServer[] = [];
  for (let index = 0; index < 6; index++) {
    members.push(await servers.start(...clustered, '--cluster-replica-validity-factor', '0'));
  }
  const ranges = [0, 5_461, 10_923, 16_384];
  for (const [index, member] of members.slice(0, 3).entries()) {
    await member.command('CLUSTER', 'ADDSLOTSRANGE', ranges[index]!, ranges[index + 1]! - 1);
  }
  await eventually('the members', async () => {
    const known = await knownTo(members);
    // Again: one that does not answer within the node time-out is forgotten.
    for (const { port } of members) {
      if (!known[0]!.includes(port)) await members[0]!.command('CLUSTER', 'MEET', '127.0.0.1', port);
    }
    return known.every((ports) => ports.length === members.length);
  });
  for (const [index, replica] of members.slice(3).entries()) {
    const primaryId = String(await members[index]!.command('CLUSTER', 'MYID'));
    await replica.command('CLUSTER', 'REPLICATE', primaryId);
  }
  await eventually('the replicas', async () => {
    const infos = await Promise.all(members.slice(3).map((replica) => replica.command('INFO', 'replication')));
    const states = await Promise.all(members.map((member) => member.command('CLUSTER', 'INFO')));
    return (
      infos.every((info) => String(info).includes('master_link_status:up')) &&
      states.every((state) => String(state).includes('cluster_state:ok'))
    );
  });
  return members;
}

/** The ports of the servers that each member knows by name, itself among them. */
function knownTo(members: readonly TestServer[]): Promise<number[][]> {
  return Promise.all(
    members.map(async (member) => {
      const lines = String(await member.command('CLUSTER', 'NODES')).split('\n');
      return lines
        .filter((line) => line !== '' && !line.includes('handshake'))
        .map((line) => Number(/:(\d+)@/.exec(line)![1]));
    }),
  );
}

describe('a redis cluster', { skip: withoutRedis }, () => {
  let servers: TestServers;
  let members: readonly TestServer[];
  let url = '';
  before(async () => {
    servers = openTestServers();
    members = await startCluster(servers);
    url = `redis+cluster://127.0.0.1:${members[1]!.port},127.0.0.1:${members[0]!.port}`;
  });
  after(() => servers[Symbol.asyncDispose]());

  async function open(context: TestContext, nodes = 1) {
    const events: RedisEvent[] = [];
    const counters = createRedisCounters({ url, nodes: () => nodes, onEvent: (event) => events.push(event) });
    context.after(() => counters.close());
    await counters.connected;
    return { counters, events };
  }

  const admitted = async (counters: Counters, key: string, limit: number, count: number) => {
    const counter = counters.quota(key);
    const all = Array.from({ length: count }, () => counter.count({ limit, windowEndMs, mode: 'strict' }));
    return (await Promise.all(all)).filter((each) => each.admitted).length;
  };

  /** A quota and a rate in one step; null where they were asked for one by one. */
  const both = (counters: Counters, name: string, limit: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const isAsked = counters.countBoth!(
      counters.quota(`quota/${name}`, name),
      { limit, windowEndMs, mode: 'strict' },
      counters.rate(`rate/${name}`, name),
      { intervalMs: 0.01, burst: 100_000, mode: 'strict' },
      { counted: (quota) => resolve(quota.admitted), failed: reject },
    );
    return isAsked ? promise : null;
  };

  /** Begins to move the slot of a key to another primary. */
  async function beginMove(slot: number) {
    const ranges = readSlots(await members[0]!.command('CLUSTER', 'SLOTS'), { path: null, host: '127.0.0.1', port: 0 });
    const ownerPort = ranges.find(({ first, last }) => slot >= first && slot <= last)!.server.port;
    const primaryPorts = ranges.map(({ server }) => server.port);
    const from = members.find(({ port }) => port === ownerPort)!;
    const to = members.find(({ port }) => port !== ownerPort && primaryPorts.includes(port))!;
    const [fromId, toId] = [String(await from.command('CLUSTER', 'MYID')), String(await to.command('CLUSTER', 'MYID'))];
    await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
    await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
    return {
      moveKeys: async (most: number) => {
        const keys = (await from.command('CLUSTER', 'GETKEYSINSLOT', slot, most)) as readonly string[];
        if (keys.length > 0) await from.command('MIGRATE', '127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys);
        return keys.length;
      },
      finish: async () => {
        for (const member of [to, from]) await member.command('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
      },
    };
  }

  describeCounters('redis cluster', async () => {
    await Promise.all(members.slice(0, 3).map((member) => member.command('FLUSHALL')));
    const counters = createRedisCounters({ url, nodes: () => 1 });
    await counters.connected;
    return counters;
  });

  it('counts a quota and a rate of one group in one step, of others one by one', async (context) => {
    const { counters } = await open(context);
    assert.equal(await both(counters, 'app:one', 10), true);
    const apart = (name: string) =>
      counters.countBoth!(
        counters.quota('quota/apart', 'app:apart'),
        { limit: 1, windowEndMs, mode: 'strict' },
        counters.rate(`rate/${name}`, name),
        { intervalMs: 1, burst: 1, mode: 'strict' },
        { counted: () => {}, failed: () => {} },
      );
    // Of so many groups, some are in other parts.
    assert(Array.from({ length: 20 }, (_, index) => apart(`app:${index}`)).includes(false));
  });

  it('counts exactly while the slot of a quota moves to another server', async (context) => {
    const nodes = [(await open(context, 2)).counters, (await open(context, 2)).counters];
    const names = Array.from({ length: 40 }, (_, index) => `app:${index}`);
    const limit = 400;
    const counts = new Map(names.map((name) => [name, 0]));
    let failures = 0;
    let isMoving = true;
    const load = async (node: Counters) => {
      while (isMoving) {
        await Promise.all(
          names.map(async (name) => {
            const isAdmitted = await (both(node, name, limit) ?? false);
            if (isAdmitted) counts.set(name, counts.get(name)! + 1);
          }),
        ).catch(() => failures++);
        await sleep(5);
      }
    };
    const loads = nodes.map(load);
    // All slots that the names' keys are in, some of them while only half of their keys have moved.
    const tags = new Set<number>();
    const keys = (
      await Promise.all(members.slice(0, 3).map((member) => member.command('KEYS', 'millrace:quota:*')))
    ).flat();
    for (const key of keys) tags.add(slotOf(/\{(\d+)\}/.exec(String(key))![1]!));
    for (const slot of [...tags].slice(0, 12)) {
      const move = await beginMove(slot);
      await move.moveKeys(1);
      await sleep(30);
      while ((await move.moveKeys(10)) > 0) await sleep(1);
      await move.finish();
    }
    await eventually('every count', () => [...counts.values()].every((count) => count >= limit));
    isMoving = false;
    await Promise.all(loads);
    assert.equal(failures, 0);
    assert.deepEqual(new Set(counts.values()), new Set([limit]));
  });

  it('goes on with the replica of a server that was killed, and forgets no more than its moment', async (context) => {
    const opened = [await open(context, 2), await open(context, 2)];
    const nodes = opened.map(({ counters }) => counters);
    const names = Array.from({ length: 12 }, (_, index) => `failover-${index}`);
    for (const name of names) assert.equal(await admitted(nodes[0]!, name, 100, 40), 40);
    // What its replica has received is not lost.
    await eventually('the replica', async () => {
      const state = String(await members[2]!.command('INFO', 'replication'));
      return /^slave0:.*,offset=(\d+)/m.exec(state)?.[1] === /^master_repl_offset:(\d+)/m.exec(state)?.[1];
    });
    await members[2]!.kill();
    const startedMs = performance.now();
    const left = new Map(names.map((name) => [name, 60]));
    await eventually('every count', async () => {
      for (const [index, name] of names.entries()) {
        const rest = left.get(name)!;
        if (rest === 0) continue;
        const counted = await admitted(nodes[index % 2]!, name, 100, 100).catch(() => 0);
        left.set(name, rest - counted);
      }
      return [...left.values()].every((rest) => rest <= 0);
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    assert.deepEqual(new Set(left.values()), new Set([0]));
    assert(opened.some(({ events }) => events.some(({ kind }) => kind === 'lost')));
    await eventually('the connections', () => opened.every(({ events }) => events.at(-1)?.kind !== 'lost'));
    context.diagnostic(`counted again on every server after ${seconds.toFixed(1)} s`);
  });
});
