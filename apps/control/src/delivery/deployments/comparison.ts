import { Histogram } from '@millrace/histograms';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** A deployment's traffic since a given time. */
export interface Traffic {
  readonly requests: number;
  /** Responses 5xx. */
  readonly errors: number;
  /** Between 0 and 1; null without requests. */
  readonly errorRate: number | null;
  /** Milliseconds from the head of the request to the end of the response; null without requests. */
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null; readonly p99: number | null };
}

/** A deployment's traffic from the minute of this time on. */
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

/** A deployment's share of the requests of both. */
interface MeasuredShare {
  readonly requests: number;
  /** Between 0 and 1; null without requests. */
  readonly share: number | null;
}

/**
 * How requests were split between a canary and the deployment next to it since its weight was last set, in whole minutes:
 * the minute in which it was set still has requests split as before.
 */
export async function measureSplit(
  transaction: TenantTransaction,
  canaryId: string,
  stableId: string | null,
): Promise<{ readonly since: string; readonly canary: MeasuredShare; readonly stable: MeasuredShare }> {
  const { rows } = await sql<{ since: Date; canary: string; stable: string }>`
    select measured.since,
      coalesce(sum(t.requests) filter (where t.deployment_id = ${canaryId}), 0) as canary,
      coalesce(sum(t.requests) filter (where t.deployment_id <> ${canaryId}), 0) as stable
    from (
      select date_trunc('minute', split_since) + interval '1 minute' as since, coalesce(ended_at, 'infinity') as until
      from deployments where organization_id = ${transaction.tenantId} and id = ${canaryId}) measured
    left join deployment_traffic t on t.organization_id = ${transaction.tenantId}
      and t.deployment_id in (${canaryId}, ${stableId}) and t.minute >= measured.since and t.minute < measured.until
    group by measured.since`.execute(transaction);
  const { since, ...requests } = rows[0]!;
  const [canary, stable] = [Number(requests.canary), Number(requests.stable)];
  const shareOf = (own: number) => ({ requests: own, share: canary + stable === 0 ? null : own / (canary + stable) });
  return { since: since.toISOString(), canary: shareOf(canary), stable: shareOf(stable) };
}
