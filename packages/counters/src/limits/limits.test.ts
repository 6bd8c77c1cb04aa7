import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quotaLease } from '../redis/quotas.ts';
import { rateBound } from '../redis/rates.ts';
import { createRedisCounters } from '../redis.ts';
import { startTestRedis, type TestRedis, withoutRedis } from '../testing.ts';
import { forkedNode, localNode, type Outcome, type Requests, type TestNode } from './node.ts';

const limits = [1, 5, 100, 10_000];
const windowEndMs = Date.now() + 86_400_000;
const intervalMs = 1_000;

/** Pseudo-random numbers from 0 to 1 (mulberry32), the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What one key is held against, and what became of its requests. */
interface Subject extends Omit<Requests, 'count'> {
  admitted: number;
  failed: number;
}

function subjectsOf(prefix: string): Subject[] {
  return limits.flatMap((limit) =>
    (['strict', 'fast'] as const).flatMap((mode) =>
      (['quota', 'rate'] as const).map((kind) => ({
        kind,
        key: `${prefix}-${kind}-${mode}-${limit}`,
        limit,
        mode,
        ms: kind === 'quota' ? windowEndMs : intervalMs,
        admitted: 0,
        failed: 0,
      })),
    ),
  );
}

async function ask(node: TestNode, subject: Subject, count: number): Promise<Outcome> {
  const outcome = await node.count({ ...subject, count });
  subject.admitted += outcome.admitted;
  subject.failed += outcome.failed;
  return outcome;
}

/** What happens to Redis while nodes count. All of it leaves the data whole. */
const faults: readonly ((redis: TestRedis, random: () => number) => Promise<unknown>)[] = [
  async (redis, random) => {
    await redis.stop('SIGKILL');
    await sleep(random() * 80);
    await redis.start();
  },
  async (redis, random) => {
    await redis.stop('SIGTERM');
    await sleep(random() * 80);
    await redis.start();
  },
  async (redis, random) => {
    redis.pause();
    await sleep(100 + random() * 300);
    redis.resume();
  },
  (redis) => redis.command('SCRIPT', 'FLUSH'),
  (redis) => redis.command('CLIENT', 'KILL', 'TYPE', 'normal'),
];

describe('limits over nodes', { skip: withoutRedis, concurrency: true }, () => {
  for (const count of [1, 3, 5]) {
    it(`hold with ${count} nodes, whatever happens to Redis`, async (context) => {
      const redis = await startTestRedis({ persistent: true });
      context.after(() => redis.remove());
      const options = { url: redis.url, nodes: count };
      const nodes = await Promise.all(
        Array.from({ length: count }, (_, index) => (index % 2 === 1 ? forkedNode(options) : localNode(options))),
      );
      context.after(() => Promise.all(nodes.map((node) => node.close())));
      const random = randomFrom(count);
      const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
      const subjects = subjectsOf(`nodes-${count}`);
      const startedMs = performance.now();

      let over = false;
      const walks = subjects.map(async (subject) => {
        // On average twice what the limit admits, unless Redis is away.
        for (let step = 0; step < 24 || !over; step++) {
          await ask(pick(nodes), subject, 1 + Math.floor(random() * Math.min(1_000, subject.limit / 4)));
          await sleep(random() * 25);
        }
      });
      for (const fault of [...faults, pick(faults)]) {
        await sleep(random() * 60);
        await fault(redis, random);
      }
      over = true;
      await Promise.all(walks);
      // Now that all is well, the rest.
      const [first] = nodes;
      await sleep(100);
      for (const subject of subjects) await ask(first!, subject, subject.limit + 1);

      const refilled = (performance.now() - startedMs) / intervalMs;
      for (const { kind, key, mode, limit, admitted, failed } of subjects) {
        const bound = kind === 'rate' && mode === 'fast' ? rateBound(limit, count) : 0;
        const most = kind === 'quota' ? limit : limit + refilled + bound;
        assert(admitted <= most, `${key} admitted ${admitted} of at most ${most}`);
        // Other nodes may hold a lease, and what failed may have been counted.
        const held = mode === 'strict' ? 0 : kind === 'quota' ? count * 2 * quotaLease(limit, count) : limit / 4;
        assert(admitted + failed + held >= limit, `${key} admitted ${admitted}, ${failed} failed`);
      }
    });
  }
});

describe('a fast rate', { skip: withoutRedis }, () => {
  let redis: TestRedis;
  before(async () => {
    redis = await startTestRedis();
  });
  after(() => redis.remove());

  it('exceeds its burst by what nodes hold after a pause, and by no more', async () => {
    const count = 4;
    const burst = 800;
    const nodes = Array.from({ length: count }, () => createRedisCounters({ url: redis.url, nodes: () => count }));
    const started = performance.now();
    const request = { intervalMs: 1, burst, mode: 'fast' } as const;
    const bound = nodes[0]!.overAdmissionBound('rate', burst, 'fast');
    assert.equal(bound, 3 * 50);
    for (const node of nodes) assert((await node.rate('held').count(request)).admitted);
    await sleep(Math.max(0, started + 300 - performance.now()));
    const askedAt = performance.now();
    const counted = await Promise.all(
      Array.from({ length: 2 * burst }, (_, index) => nodes[index % count]!.rate('held').count(request)),
    );
    const admitted = counted.filter((each) => each.admitted).length;
    const refilled = performance.now() - askedAt;
    assert(admitted > burst, 'nodes held something');
    assert(admitted <= burst + refilled + bound, `${admitted} of ${burst} + ${refilled} + ${bound}`);
    await Promise.all(nodes.map((node) => node.close()));
  });
});
