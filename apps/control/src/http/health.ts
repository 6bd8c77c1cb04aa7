import { isAnswering } from '@millrace/postgres';
import { createStorageCheck } from '@millrace/postgres/storage';
import type { FastifyInstance } from 'fastify';
import type { ControlDatabase } from '../database/schema.ts';

/**
 * Adds `/healthz`, which answers while the process answers at all, and `/readyz`, which is 200 when it can work and else
 * 503 with what is missing, also while it stops.
 */
export function addHealth(
  server: FastifyInstance,
  { database, dataDirectory }: { readonly database: ControlDatabase; readonly dataDirectory: string },
): void {
  const hasRoom = createStorageCheck(database, [dataDirectory]);
  let running = true;
  server.addHook('preClose', async () => {
    running = false;
  });
  server.get('/healthz', async () => ({ ok: true }));
  server.get('/readyz', async (_request, reply) => {
    const [answering, storage] = await Promise.all([isAnswering(database), hasRoom()]);
    const checks = { running, database: answering, storage };
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ ready, checks });
  });
}
