import { isAnswering } from '@millrace/postgres';
import { createStorageCheck } from '@millrace/postgres/storage';
import type { FastifyInstance } from 'fastify';
import type { ExtractionDatabase } from './database/schema.ts';
import type { Metrics } from './metrics.ts';

/**
 * The endpoints for those who run the service, without a key: `GET /healthz` (the process answers), `GET /readyz` (it
 * can work: 200, or 503 with what is missing) and `GET /metrics` (Prometheus).
 */
export function addOperationalRoutes(
  server: FastifyInstance,
  parts: {
    readonly database: ExtractionDatabase;
    readonly metrics: Metrics;
    /** Where this process stores data on its own machine. */
    readonly folders: readonly string[];
    /** False once the service has begun to stop, so that no new requests are sent here. */
    readonly isRunning: () => boolean;
  },
): void {
  const hasRoom = createStorageCheck(parts.database, parts.folders);
  server.get('/healthz', { logLevel: 'warn' }, async () => ({ ok: true }));

  server.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const [answering, storage] = await Promise.all([isAnswering(parts.database), hasRoom()]);
    const checks = { running: parts.isRunning(), database: answering, storage };
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ ready, checks });
  });

  server.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
    reply.type(parts.metrics.registry.contentType);
    return parts.metrics.registry.metrics();
  });
}
