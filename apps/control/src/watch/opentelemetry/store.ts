import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Names, TelemetryReport } from './metrics.ts';

/** Rows that are exported in one request; a report is not split. */
const mostRows = 2_000;

/** Keeps what a node reported for each integration that exports it, in the transaction of the report. */
export async function keepReports(transaction: TenantTransaction, reports: readonly TelemetryReport[]): Promise<void> {
  for (const { environmentId, rows } of reports) {
    await sql`
      insert into telemetry_reports (organization_id, integration_id, environment_id, rows)
      select organization_id, id, ${environmentId}, ${JSON.stringify(rows)}::jsonb from integrations
      where organization_id = ${transaction.tenantId} and kind = 'opentelemetry' and enabled`.execute(transaction);
  }
}

/** The oldest reports that an integration still has to export. */
export async function readReports(
  transaction: TenantTransaction,
  integrationId: string,
): Promise<readonly (TelemetryReport & { readonly id: string })[]> {
  const { rows } = await sql<{ id: string; environment_id: string; rows: TelemetryReport['rows'] }>`
    select id, environment_id, rows from (
      select id, environment_id, rows, sum(jsonb_array_length(rows)) over (order by id) - jsonb_array_length(rows) as before
      from (select * from telemetry_reports
        where organization_id = ${transaction.tenantId} and integration_id = ${integrationId}
        order by id limit 500) as oldest
    ) as counted where before < ${mostRows} order by id`.execute(transaction);
  return rows.map(({ id, environment_id: environmentId, rows: counted }) => ({ id, environmentId, rows: counted }));
}

/** Removes reports that were exported. */
export async function deleteReports(transaction: TenantTransaction, ids: readonly string[]): Promise<void> {
  await sql`delete from telemetry_reports
    where organization_id = ${transaction.tenantId} and id = any(${ids}::bigint[])`.execute(transaction);
}

/** What the environments and proxies of reports are called now. */
export async function readNames(transaction: TenantTransaction, reports: readonly TelemetryReport[]): Promise<Names> {
  const ids = [
    ...new Set(reports.flatMap(({ environmentId, rows }) => [environmentId, ...rows.map(({ proxyId }) => proxyId)])),
  ];
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from environments where organization_id = ${transaction.tenantId} and id = any(${ids}::text[])
    union all
    select id, name from proxies where organization_id = ${transaction.tenantId} and id = any(${ids}::text[])`.execute(
    transaction,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
