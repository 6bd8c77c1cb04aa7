import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ControlDatabase } from './database/schema.ts';
import type { AnyControlOperation } from './frame/operation.ts';

/** What the service counts, in the text format of Prometheus under `GET /metrics`. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts a call by its operation and status, and its time, once its response has ended. */
  observe(operation: AnyControlOperation, reply: FastifyReply): void;
}

type Queue = 'mail' | 'deliveries';

interface QueueLook {
  readonly queue: Queue;
  readonly queued: number;
  readonly leased: number;
  readonly expired: number;
  readonly oldest_seconds: number;
}

/** Metrics in a registry of their own. The queues and leases are looked at when the metrics are read. */
export function createMetrics(database: ControlDatabase): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'millrace_control_request_duration_seconds',
    help: 'Calls, by operation and status.',
    labelNames: ['operation', 'status'],
    // Few, since there are hundreds of operations.
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  });
  const connections: Gauge<'pool' | 'state'> = new Gauge({
    name: 'millrace_control_database_connections',
    help: 'Connections to the database that are used and idle, and work that waits for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect: () => {
      for (const [pool, states] of Object.entries(database.connections())) {
        for (const [state, count] of Object.entries(states)) connections.set({ pool, state }, count);
      }
    },
  });
  if (database.replicaReads() !== null) {
    const reads: Counter<'by'> = new Counter({
      name: 'millrace_control_database_replica_reads_total',
      help: 'Reads that a replica may answer, by who answered them.',
      labelNames: ['by'],
      registers,
      collect: () => {
        reads.reset();
        for (const [by, count] of Object.entries(database.replicaReads() ?? {})) reads.inc({ by }, count);
      },
    });
  }
  const entries: Gauge<'queue' | 'state'> = new Gauge({
    name: 'millrace_control_queue_entries',
    help: 'E-mails and notifications that are not sent yet: queued, leased by a process, or with a lease that expired.',
    labelNames: ['queue', 'state'],
    registers,
    collect: () =>
      readOrLeaveOut([entries, age], async () => {
        for (const { queue, oldest_seconds, ...states } of await lookAtQueues(database)) {
          for (const [state, count] of Object.entries(states)) entries.set({ queue, state }, count);
          age.set({ queue }, oldest_seconds);
        }
      }),
  });
  const age: Gauge<'queue'> = new Gauge({
    name: 'millrace_control_queue_age_seconds',
    help: 'For how long the oldest e-mail or notification has been due.',
    labelNames: ['queue'],
    registers,
  });
  const evaluator: Gauge = new Gauge({
    name: 'millrace_control_evaluator_lease_seconds',
    help: 'For how long a process still has the lease to evaluate alert rules; negative since it expired.',
    registers,
    collect: () =>
      readOrLeaveOut([evaluator], async () => {
        const { rows } = await sql<{ seconds: number }>`
          select extract(epoch from expires_at - now())::float as seconds from evaluator_lease`.execute(
          database.system,
        );
        if (rows[0] !== undefined) evaluator.set(rows[0].seconds);
      }),
  });
  return {
    registry,
    observe(operation, reply) {
      reply.raw.once('close', () =>
        seconds.observe({ operation: operation.id, status: String(reply.statusCode) }, reply.elapsedTime / 1_000),
      );
    },
  };
}

/** Without a key, as the other endpoints for those who run the service. */
export function addMetrics(server: FastifyInstance, { registry }: Metrics): void {
  server.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
    reply.type(registry.contentType);
    return registry.metrics();
  });
}

/** Without the database the metrics are those that need none. */
async function readOrLeaveOut(gauges: readonly { reset(): void }[], read: () => Promise<void>): Promise<void> {
  await read().catch(() => {
    for (const gauge of gauges) gauge.reset();
  });
}

async function lookAtQueues(database: ControlDatabase): Promise<readonly QueueLook[]> {
  const { rows } = await sql<QueueLook>`
    select 'mail' as queue,
      count(*) filter (where state = 'queued')::int as queued,
      count(*) filter (where state = 'processing' and run_at > now())::int as leased,
      count(*) filter (where state = 'processing' and run_at <= now())::int as expired,
      greatest(0, coalesce(extract(epoch from now() - min(run_at) filter (where state = 'queued')), 0))::float as oldest_seconds
    from outbox where state in ('queued', 'processing')
    union all
    select 'deliveries',
      count(*) filter (where lease_until is null)::int,
      count(*) filter (where lease_until > now())::int,
      count(*) filter (where lease_until <= now())::int,
      greatest(0, coalesce(extract(epoch from now() - min(run_at) filter (where lease_until is null)), 0))::float
    from integration_deliveries where state = 'queued'`.execute(database.system);
  return rows;
}
