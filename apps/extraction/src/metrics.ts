import { isDocType } from '@millrace/document-model';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ExtractionDatabase } from './database/schema.ts';

/** What the service counts, in the text format of Prometheus under `GET /metrics`. */
export interface Metrics {
  readonly registry: Registry;
  /** Time of an extraction in the engine, in seconds, by document type and by `ok` or the error's code. */
  readonly engineSeconds: Histogram<'doc_type' | 'outcome'>;
  /** Finished extractions, by `done` or `error` and by `sync` or `async`. */
  readonly extractions: Counter<'state' | 'mode'>;
  /** Attempts to deliver a webhook, by `delivered`, `failed` or `permanently_failed`. */
  readonly deliveries: Counter<'outcome'>;
  /** Messages to an inbox, by `taken`, `empty`, `known` (sent again), `refused` or `failed`. */
  readonly inboxMessages: Counter<'outcome'>;
  /** Time of an attempt to deliver, in seconds. */
  readonly deliverySeconds: Histogram;
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
}

/** Metrics in a registry of their own. The queues are looked at when the metrics are read. */
export function createMetrics(database: ExtractionDatabase): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const jobs: Gauge<'state'> = new Gauge({
    name: 'millrace_jobs',
    help: 'Extraction jobs that are not finished, by state.',
    labelNames: ['state'],
    registers,
    collect: () =>
      readOrLeaveOut(jobs, async () => {
        const { queued, processing, oldest_seconds } = await lookAtJobs(database);
        jobs.set({ state: 'queued' }, queued);
        jobs.set({ state: 'processing' }, processing);
        queueAge.set(oldest_seconds);
      }),
  });
  if (database.replicaReads() !== null) {
    const reads: Counter<'by'> = new Counter({
      name: 'millrace_database_replica_reads_total',
      help: 'Reads that a replica may answer, by who answered them.',
      labelNames: ['by'],
      registers,
      collect: () => {
        reads.reset();
        for (const [by, count] of Object.entries(database.replicaReads() ?? {})) reads.inc({ by }, count);
      },
    });
  }
  const queueAge = new Gauge({
    name: 'millrace_job_queue_age_seconds',
    help: 'How long the oldest queued job has waited.',
    registers,
  });
  const notifications: Gauge = new Gauge({
    name: 'millrace_notifications_pending',
    help: 'Notifications that are not delivered yet.',
    registers,
    collect: () =>
      readOrLeaveOut(notifications, async () => {
        const { count } = await database.system
          .selectFrom('notifications')
          .select((select) => select.fn.countAll<string>().as('count'))
          .where('state', '=', 'pending')
          .executeTakeFirstOrThrow();
        notifications.set(Number(count));
      }),
  });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'millrace_http_request_duration_seconds',
      help: 'Requests, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    engineSeconds: new Histogram({
      name: 'millrace_engine_duration_seconds',
      help: 'Extractions in the engine, by document type and outcome.',
      labelNames: ['doc_type', 'outcome'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
      registers,
    }),
    extractions: new Counter({
      name: 'millrace_extractions_total',
      help: 'Finished extractions, by final state and mode.',
      labelNames: ['state', 'mode'],
      registers,
    }),
    inboxMessages: new Counter({
      name: 'millrace_inbox_messages_total',
      help: 'Messages that came to an inbox, by what became of them.',
      labelNames: ['outcome'],
      registers,
    }),
    deliveries: new Counter({
      name: 'millrace_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'millrace_webhook_attempt_duration_seconds',
      help: 'Attempts to deliver a webhook.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
  };
}

/** Without the database the metrics are those that need none. */
async function readOrLeaveOut(gauge: { reset(): void }, read: () => Promise<void>): Promise<void> {
  await read().catch(() => gauge.reset());
}

async function lookAtJobs(
  database: ExtractionDatabase,
): Promise<{ queued: number; processing: number; oldest_seconds: number }> {
  const { rows } = await sql<{ queued: number; processing: number; oldest_seconds: number }>`
    select count(*) filter (where state = 'queued')::int as queued,
           count(*) filter (where state = 'processing')::int as processing,
           coalesce(extract(epoch from now() - min(created_at) filter (where state = 'queued')), 0)::float as oldest_seconds
    from jobs where state in ('queued', 'processing')`.execute(database.system);
  return rows[0] ?? { queued: 0, processing: 0, oldest_seconds: 0 };
}

/** Counts every request of a server by its route's pattern, so that ids in paths make no series of their own. */
export function observeRequests(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    metrics.requestSeconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
}

/** A document type as metrics name it: accounts may define any number of types, which all count as `own`. */
export function measuredType(docType: string): string {
  return docType === 'detect' || isDocType(docType) ? docType : 'own';
}
