import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { startTestRedis, type TestRedis, withoutRedis } from '@millrace/counters/testing';
import type { Cost, Work } from './counters/node.ts';
import { median } from './statistics/quantile.ts';

const nodeCount = 2;
const seconds = 1;
const rounds = 3;
const hotLimit = 20_000;

type Way = 'local' | 'strict' | 'fast';
const ways: readonly Way[] = ['local', 'strict', 'fast'];

/** The benchmark of shared limits; see the report's own words for the method. */
export async function run(): Promise<string> {
  if (withoutRedis) throw new Error(withoutRedis);
  await using stack = new AsyncDisposableStack();
  const redis = await startTestRedis();
  stack.defer(() => redis.remove());
  const nodes = Array.from({ length: nodeCount }, () => startNode());
  stack.defer(() => {
    for (const node of nodes) node.kill();
  });
  await Promise.all(nodes.map((node) => once(node, 'message')));

  const rows: string[] = [];
  for (const [keys, limit, title] of [
    [200, 1_000_000_000, '200 keys'],
    [1, 1_000_000_000, 'one key'],
    [200, 10, '200 keys, used up'],
  ] as const) {
    for (const connections of [8, 64]) {
      const measured = await inTurns(ways, (way) =>
        measure(redis, nodes, way, { keys, limit, connections, requests: 0, seconds }),
      );
      const local = measured.get('local')!;
      for (const [way, costs] of measured) {
        const added = costs.map(({ cpuUs }, round) => cpuUs - local[round]!.cpuUs);
        rows.push(
          `| ${title} | ${connections} | ${way} | ${median(costs.map(({ cpuUs }) => cpuUs)).toFixed(2)} | ` +
            `${way === 'local' ? '–' : median(added).toFixed(2)} | ` +
            `${median(costs.map(({ redisUs }) => redisUs)).toFixed(2)} | ` +
            `${median(costs.map(({ p50Ms }) => p50Ms)).toFixed(2)} | ${median(costs.map(({ p99Ms }) => p99Ms)).toFixed(2)} |`,
        );
      }
    }
  }

  const hot: string[] = [];
  for (const way of ['strict', 'fast'] as const) {
    const { admitted } = await measure(redis, nodes, way, {
      keys: 1,
      limit: hotLimit,
      connections: 64,
      requests: hotLimit,
      seconds: 0,
    });
    hot.push(`| ${way} | ${admitted} | ${Math.max(0, admitted - hotLimit)} | ${Math.max(0, hotLimit - admitted)} |`);
  }

  return `${nodeCount} processes count requests as gateway nodes do: each request passes a quota, then a rate. A number of
connections send one request after another, each in a later turn of the event loop. Redis runs on the same machine, on a socket,
without persistence. Only counting is measured, without HTTP. Medians of ${rounds} rounds of ${seconds} s, the modes in turn.

## CPU time per request

"Beyond local" is what sharing the limits adds for a node. The wait is for both limits.

| Keys | Connections per node | Mode | CPU of the node, µs | Beyond local, µs | CPU of Redis, µs | Wait p50, ms | Wait p99, ms |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

## Beyond the limit

${nodeCount} nodes count requests of one key ${hotLimit} times each; its limit is ${hotLimit}.

| Mode | Admitted | Too many | Too few |
|---|---|---|---|
${hot.join('\n')}`;
}

function startNode(): ChildProcess {
  return fork(new URL('counters/node.ts', import.meta.url), { execArgv: [] });
}

interface Measured {
  readonly admitted: number;
  /** Of one request, in microseconds. */
  readonly cpuUs: number;
  readonly redisUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function measure(
  redis: TestRedis,
  nodes: readonly ChildProcess[],
  way: Way,
  work: Omit<Work, 'url' | 'mode' | 'nodes' | 'windowEndMs'>,
): Promise<Measured> {
  await redis.command('FLUSHALL');
  const windowEndMs = Date.now() + 86_400_000;
  const before = await redisCpuUs(redis);
  const costs = await Promise.all(
    nodes.map(async (node) => {
      const answer = once(node, 'message');
      const whole: Work = {
        ...work,
        url: way === 'local' ? null : redis.url,
        mode: way === 'fast' ? 'fast' : 'strict',
        nodes: nodes.length,
        windowEndMs,
      };
      node.send(whole);
      const [cost]: Cost[] = await answer;
      return cost!;
    }),
  );
  const redisUs = (await redisCpuUs(redis)) - before;
  const sum = (pick: (cost: Cost) => number) => costs.reduce((total, cost) => total + pick(cost), 0);
  if (sum(({ failed }) => failed) > 0) throw new Error('Redis could not be asked.');
  const requests = sum((cost) => cost.requests);
  return {
    admitted: sum(({ admitted }) => admitted),
    cpuUs: sum(({ cpuUs }) => cpuUs) / requests,
    redisUs: redisUs / requests,
    p50Ms: Math.max(...costs.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...costs.map(({ p99Ms }) => p99Ms)),
  };
}

async function redisCpuUs(redis: TestRedis): Promise<number> {
  const info = await redis.command('INFO', 'cpu');
  const secondsOf = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return (secondsOf('used_cpu_user') + secondsOf('used_cpu_sys')) * 1_000_000;
}

/** Measures each way once in every round, so that what else the machine does falls on all of them. */
async function inTurns(all: readonly Way[], measureOne: (way: Way) => Promise<Measured>) {
  const measured = new Map<Way, Measured[]>(all.map((way) => [way, []]));
  for (let round = 0; round < rounds; round++) {
    for (const way of all) measured.get(way)!.push(await measureOne(way));
  }
  return measured;
}
