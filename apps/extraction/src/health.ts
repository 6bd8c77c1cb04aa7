import { addHealth } from '@millrace/operations/health';
import { isAnswering } from '@millrace/postgres';
import { createStorageCheck } from '@millrace/postgres/storage';
import type { FastifyInstance } from 'fastify';
import type { ExtractionDatabase } from './database/schema.ts';
import type { Metrics } from './metrics.ts';

/** The endpoints for those who run the service, without a key: of its health, and `GET /metrics` (Prometheus). */
export function addOperationalRoutes(
  server: FastifyInstance,
  parts: {
    readonly database: ExtractionDatabase;
    readonly metrics: Metrics;
    /** Where this process stores data on its own machine. */
    readonly folders: readonly string[];
  },
): void {
  addHealth(server, {
    database: () => isAnswering(parts.database),
    storage: createStorageCheck(parts.database, parts.folders),
  });

  server.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
    reply.type(parts.metrics.registry.contentType);
    return parts.metrics.registry.metrics();
  });
}
