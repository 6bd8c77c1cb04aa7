import type { FastifyInstance } from 'fastify';
import { isDraining } from './drain.ts';

/**
 * Adds `/healthz`, which responds as long as the process can, and `/readyz`, which returns 200 if it can work and
 * otherwise, also while it stops, 503 with the reason. Neither needs credentials.
 *
 * @param checks by what they check, such as `database`
 */
export function addHealth(server: FastifyInstance, checks: Readonly<Record<string, () => Promise<boolean>>>): void {
  let running = true;
  server.addHook('preClose', async () => {
    running = false;
  });
  server.get('/healthz', { logLevel: 'warn' }, async () => ({ ok: true }));
  server.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const found = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check()] as const),
    );
    const all = { running: running && !isDraining(server), ...Object.fromEntries(found) };
    const ready = Object.values(all).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ ready, checks: all });
  });
}
