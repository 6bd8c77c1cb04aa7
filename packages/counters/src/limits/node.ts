import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Counters } from '../counters.ts';
import { createRedisCounters } from '../redis.ts';

/** Requests of one key that a node is to count, all at once. */
export interface Requests {
  readonly kind: 'quota' | 'rate';
  readonly key: string;
  /** Of a rate, its burst. */
  readonly limit: number;
  readonly mode: 'strict' | 'fast';
  /** Of a quota, when its window ends; of a rate, its interval. In milliseconds. */
  readonly ms: number;
  readonly count: number;
}

export interface Outcome {
  readonly admitted: number;
  /** Neither admitted nor refused: Redis could not be asked. */
  readonly failed: number;
}

/** One node of a gateway, as far as it counts. */
export interface TestNode {
  count(requests: Requests): Promise<Outcome>;
  close(): Promise<void>;
}

export interface NodeOptions {
  readonly url: string;
  readonly nodes: number;
}

export async function countAll(counters: Counters, { kind, key, limit, mode, ms, count }: Requests): Promise<Outcome> {
  const ask = async () =>
    kind === 'quota'
      ? counters.quota(key).count({ limit, windowEndMs: ms, mode })
      : counters.rate(key).count({ burst: limit, intervalMs: ms, mode });
  const results = await Promise.allSettled(Array.from({ length: count }, ask));
  return {
    admitted: results.filter((result) => result.status === 'fulfilled' && result.value.admitted).length,
    failed: results.filter((result) => result.status === 'rejected').length,
  };
}

/** A node in this process. */
export function localNode({ url, nodes }: NodeOptions): TestNode {
  const counters = createRedisCounters({ url, nodes: () => nodes });
  return { count: (requests) => countAll(counters, requests), close: () => counters.close() };
}

/** A node in a process of its own. */
export async function forkedNode(options: NodeOptions): Promise<TestNode> {
  const child = fork(new URL('./node-process.ts', import.meta.url), [JSON.stringify(options)], { execArgv: [] });
  await once(child, 'message');
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  let last = 0;
  child.on('message', ({ id, outcome }: { readonly id: number; readonly outcome: Outcome }) => {
    waiting.get(id)?.resolve(outcome);
    waiting.delete(id);
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The node has stopped.'));
  });
  return {
    count(requests) {
      last += 1;
      const answer = Promise.withResolvers<Outcome>();
      waiting.set(last, answer);
      child.send({ id: last, requests });
      return answer.promise;
    },
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
