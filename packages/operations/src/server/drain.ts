import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Longer than most callers pause between two requests of a connection. */
const longestDrainMs = 1_000;

const draining = new WeakSet<FastifyInstance>();

/** Whether {@link drainConnections} was called. */
export function isDraining(server: FastifyInstance): boolean {
  return draining.has(server);
}

/**
 * Ends connections that are kept alive before the server closes: each response says that it is the last one, so that no
 * caller sends a request while its connection is being closed. Returns when no connection is left, or after a second.
 */
export async function drainConnections(server: FastifyInstance): Promise<void> {
  draining.add(server);
  const endMs = performance.now() + longestDrainMs;
  while (performance.now() < endMs) {
    const open = await new Promise<number>((resolve) =>
      server.server.getConnections((_error, count) => resolve(count)),
    );
    if (open === 0) return;
    await sleep(20);
  }
}
