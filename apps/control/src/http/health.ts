import { isAnswering } from '@millrace/postgres';
import type { FastifyInstance } from 'fastify';
import type { ControlDatabase } from '../database/schema.ts';

/**
 * Adds `/healthz`, which answers while the process answers at all, and `/readyz`, which is 200 when it can work and else
 * 503 with what is missing, also while it stops.
 */
export function addHealth(server: FastifyInstance, database: ControlDatabase): void {
  let running = true;
  server.addHook('preClose', async () => {
    running = false;
  });
  server.get('/healthz', async () => ({ ok: true }));
  server.get('/readyz', async (_request, reply) => {
    const checks = { running, database: await isAnswering(database) };
    const ready = checks.running && checks.database;
    return reply.code(ready ? 200 : 503).send({ ready, checks });
  });
}
