/** Entry point of one node of `bench/counters.ts`: counts as its parent says, and reports the cost. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Counted } from '@millrace/counters';
import { createMemoryCounters } from '@millrace/counters/memory';
import { createRedisCounters } from '@millrace/counters/redis';

export interface Work {
  /** Null: counted in memory. */
  readonly url: string | null;
  readonly mode: 'strict' | 'fast';
  readonly nodes: number;
  readonly keys: number;
  readonly limit: number;
  readonly windowEndMs: number;
  /** Concurrent requests. */
  readonly connections: number;
  /** To be made in all, or 0: until the time is over. */
  readonly requests: number;
  readonly seconds: number;
}

export interface Cost {
  readonly requests: number;
  readonly admitted: number;
  readonly failed: number;
  /** Processor time of this process, in microseconds. */
  readonly cpuUs: number;
  readonly seconds: number;
  /** From asking to knowing, of both limits, in milliseconds: median and 99th percentile. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

process.on('message', async (work: Work) => {
  const cost = await measure(work);
  process.send?.(cost);
});
process.send?.('ready');

async function measure(work: Work): Promise<Cost> {
  const { url, mode, nodes, keys, limit, windowEndMs, connections, requests, seconds } = work;
  const counters = url === null ? createMemoryCounters() : createRedisCounters({ url, nodes: () => nodes });
  const names = Array.from({ length: keys }, (_, index) => `environment-1/proxy-${index % 50}/policy-1/app:${index}`);
  const waits: number[] = [];
  let made = 0;
  let admitted = 0;
  let failed = 0;

  /** A quota and, behind it, a rate, as the gateway counts them: in one question where there is one. */
  const request = async (key: string): Promise<boolean> => {
    const quotaRequest = { limit, windowEndMs, mode };
    const rateRequest = { intervalMs: 0.001, burst: 100_000, mode };
    const quota = counters.quota(key);
    const rate = counters.rate(key);
    if (mode === 'strict' && counters.countBoth !== undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const taker = {
        counted: (_quota: Counted, rate: Counted | null) => resolve(rate?.admitted === true),
        failed: reject,
      };
      if (counters.countBoth(quota, quotaRequest, rate, rateRequest, taker)) return promise;
    }
    let counted: Counted | Promise<Counted> = quota.count(quotaRequest);
    if (counted instanceof Promise) counted = await counted;
    if (!counted.admitted) return false;
    counted = rate.count(rateRequest);
    if (counted instanceof Promise) counted = await counted;
    return counted.admitted;
  };

  // The first connection to Redis, and the first compilation, are no part of it.
  for (let index = 0; index < 2_000; index++) await request(`warm-${index % 20}`).catch(() => {});
  const cpu = process.cpuUsage();
  const started = performance.now();
  const connection = async () => {
    while (requests > 0 ? made < requests : performance.now() - started < seconds * 1_000) {
      made += 1;
      const key = names[(made * 7_919) % keys]!;
      const asked = performance.now();
      try {
        if (await request(key)) admitted += 1;
      } catch {
        failed += 1;
      }
      if (made % 16 === 0) waits.push(performance.now() - asked);
      // As the next request of a connection arrives: in a later turn of the event loop.
      await turn();
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = (performance.now() - started) / 1_000;
  await counters.close();
  waits.sort((one, other) => one - other);
  const at = (share: number) => waits[Math.floor(share * (waits.length - 1))] ?? 0;
  return { requests: made, admitted, failed, cpuUs: user + system, seconds: elapsed, p50Ms: at(0.5), p99Ms: at(0.99) };
}
