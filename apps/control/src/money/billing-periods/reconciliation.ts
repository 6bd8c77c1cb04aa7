import { sql } from 'kysely';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import type { ReconciledTerm } from './contract.ts';
import type { NotBillable } from './not-billable.ts';
import { type Billing, billDevelopers } from './terms.ts';

type Presented = z.infer<typeof ReconciledTerm>;

interface Paging {
  readonly page: number;
  readonly pageSize: number;
}

interface Row {
  readonly id: string;
  readonly subscription_id: string;
  readonly developer_id: string;
  readonly app_id: string;
  readonly app_name: string;
  readonly product_id: string;
  readonly currency: string;
  readonly starts_at: Date;
  readonly ends_at: Date | null;
  /** What the closing found; null until the term is billed. */
  readonly billed: string | null;
  readonly not_billable: NotBillable | null;
  readonly late_requests: string | null;
  readonly amount_minor: string | null;
  /** All rows of the period, those that came late, and those of hours that lie within term and period. */
  readonly metered: string;
  readonly late: string;
  readonly metered_in_hours: string;
  /** What gateway nodes counted in the same hours. */
  readonly traffic: string;
}

/**
 * Compares, term by term, what gateway nodes counted with the rows that are billed by, and those with what was billed; of
 * a term that is not billed yet, with what would be.
 */
export async function reconcile(
  transaction: TenantTransaction,
  billing: Billing,
  { page, pageSize }: Paging,
): Promise<{ readonly terms: Presented[]; readonly total: number }> {
  const rows = await listRows(transaction, billing, { page, pageSize });
  const unbilled = [...new Set(rows.filter(({ billed }) => billed === null).map((row) => row.developer_id))];
  const previews = new Map(
    (await billDevelopers(transaction, billing, unbilled)).map((billed) => [billed.term.id, billed]),
  );
  const terms = rows.map((row): Presented => {
    const preview = previews.get(row.id);
    const [metered, late] = [Number(row.metered), Number(row.late)];
    const billed = row.billed === null ? (preview?.billed ?? 0) : Number(row.billed);
    const notBillable = row.not_billable ?? preview?.notBillable ?? {};
    const admitted = Number(row.traffic) + metered - Number(row.metered_in_hours);
    const excluded = Object.values(notBillable).reduce((total, requests) => total + requests, 0);
    return {
      termId: row.id,
      subscriptionId: row.subscription_id,
      developerId: row.developer_id,
      appId: row.app_id,
      appName: row.app_name,
      productId: row.product_id,
      startsAt: row.starts_at.toISOString(),
      endsAt: row.ends_at?.toISOString() ?? null,
      admitted,
      metered,
      late,
      billed,
      notBillable,
      lateBilled: row.late_requests === null ? (preview?.lateRequests ?? 0) : Number(row.late_requests),
      currency: row.currency,
      amountMinor:
        row.amount_minor === null
          ? (preview?.lines.reduce((total, { amountMinor }) => total + amountMinor, 0) ?? 0)
          : Number(row.amount_minor),
      notMetered: admitted - metered,
      unexplained: metered - late - billed - excluded,
    };
  });
  return { terms, total: await countTerms(transaction, billing) };
}

async function listRows(
  transaction: TenantTransaction,
  { period }: Billing,
  { page, pageSize }: Paging,
): Promise<readonly Row[]> {
  const firstQuarter = period.isFirst ? '-infinity' : period.startsAt;
  const { rows } = await sql<Row>`
    with paged as (
      select t.*, p.terms ->> 'currency' as currency, b.billed, b.not_billable, b.late_requests, b.amount_minor,
        -- Hours that lie within the term and the period.
        date_trunc('hour', greatest(t.starts_at, ${period.startsAt}::timestamptz) + interval '59 minutes 59.999999 seconds') as first_hour,
        date_trunc('hour', least(t.ends_at, ${period.endsAt}::timestamptz)) as end_hour
      ${ofPeriod(transaction, period)}
      order by t.developer_id, t.id limit ${pageSize} offset ${(page - 1) * pageSize}
    )
    select paged.*, metered.*, traffic.*
    from paged
    cross join lateral (
      select coalesce(sum(requests), 0) as metered,
        coalesce(sum(requests) filter (where late_after > '-infinity'), 0) as late,
        coalesce(sum(requests) filter (where quarter >= first_hour and quarter < end_hour), 0) as metered_in_hours
      from metered_usage m
      where m.organization_id = paged.organization_id and m.term_id = paged.id
        and m.quarter >= ${firstQuarter}::timestamptz and m.quarter < ${period.endsAt}::timestamptz
    ) metered
    cross join lateral (
      select coalesce(sum(requests), 0) as traffic from traffic_aggregates a
      where a.organization_id = paged.organization_id and a.app_id = paged.app_id and a.product_id = paged.product_id
        and a.hour >= first_hour and a.hour < end_hour
    ) traffic
    order by paged.developer_id, paged.id`.execute(transaction);
  return rows;
}

async function countTerms(transaction: TenantTransaction, { period }: Billing): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count ${ofPeriod(transaction, period)}`.execute(transaction);
  return rows[0]?.count ?? 0;
}

/** Terms that held in a period, and those that were billed in it. */
function ofPeriod(transaction: TenantTransaction, { id, startsAt, endsAt }: Billing['period']) {
  return sql`from subscription_terms t
    join rate_plans p on p.organization_id = t.organization_id and p.id = t.rate_plan_id
    left join billed_terms b on b.organization_id = t.organization_id and b.period_id = ${id} and b.term_id = t.id
    where t.organization_id = ${transaction.tenantId} and t.starts_at < ${endsAt}::timestamptz
      and (t.ends_at is null or t.ends_at > ${startsAt}::timestamptz or b.term_id is not null)`;
}
