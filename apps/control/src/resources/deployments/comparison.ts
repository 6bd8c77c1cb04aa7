import { Histogram } from '@millrace/histograms';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** What a deployment answered since a moment. */
export interface Traffic {
  readonly requests: number;
  /** Answers of 5xx. */
  readonly errors: number;
  /** Between 0 and 1; null without requests. */
  readonly errorRate: number | null;
  /** Milliseconds, from the head of the request to the end of the answer; null without requests. */
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null; readonly p99: number | null };
}

/** What a deployment answered from the minute of this moment on. */
export async function readTraffic(
  transaction: TenantTransaction,
  deploymentId: string,
  since: string,
): Promise<Traffic> {
  const rows = await transaction
    .selectFrom('deployment_traffic')
    .select(['requests', 'status_5xx', 'latency'])
    .where('organization_id', '=', transaction.tenantId)
    .where('deployment_id', '=', deploymentId)
    .where('minute', '>=', sql<Date>`date_trunc('minute', ${since}::timestamptz)`)
    .execute();
  const latency = new Histogram();
  for (const row of rows) latency.addEncoded(row.latency.map(Number));
  const requests = rows.reduce((sum, row) => sum + Number(row.requests), 0);
  const errors = rows.reduce((sum, row) => sum + Number(row.status_5xx), 0);
  const percentileMs = (share: number) => {
    const microseconds = latency.percentile(share);
    return microseconds === null ? null : Math.round(microseconds) / 1_000;
  };
  return {
    requests,
    errors,
    errorRate: requests === 0 ? null : errors / requests,
    latencyMs: { p50: percentileMs(0.5), p95: percentileMs(0.95), p99: percentileMs(0.99) },
  };
}
