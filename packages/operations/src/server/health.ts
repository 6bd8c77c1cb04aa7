import type { FastifyInstance } from 'fastify';

/**
 * Adds `/healthz`, which answers while the process answers at all, and `/readyz`, which is 200 when it can work and else
 * 503 with what is missing, also while it stops. Neither takes credentials.
 *
 * @param checks by what they are about, such as `database`
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
    const all = { running, ...Object.fromEntries(found) };
    const ready = Object.values(all).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ ready, checks: all });
  });
}
