import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** Calls of a term to one API proxy, with the same first digit of their status; sums as exact decimals. */
export interface TermUsage {
  readonly termId: string;
  readonly proxyId: string;
  /** 0: the gateway rejected them before a target was called; never billed. */
  readonly statusClass: number;
  /** In the trial of the subscription, which is never billed. */
  readonly inTrial: boolean;
  readonly requests: string;
  readonly request_bytes: string;
  readonly response_bytes: string;
  readonly units: string;
}

/** Usage of a period that was closed before it arrived, and what had been billed of it by then. */
export interface LateTermUsage extends TermUsage {
  /** The closed period that it is from. */
  readonly periodId: string;
  /** Billed by an earlier invoice, rather than late. */
  readonly isBilled: boolean;
}

/** Terms whose usage is read, and where their trials end. */
export interface ReadTerm {
  readonly id: string;
  /** Null: there is no trial. */
  readonly trialEndsAt: string | null;
}

interface Span {
  readonly startsAt: string;
  readonly endsAt: string;
  /** The first period of an organization has all earlier usage too: of clocks that are behind. */
  readonly isFirst: boolean;
}

const sums = sql`sum(m.requests)::text as requests, sum(m.request_bytes)::text as request_bytes,
  sum(m.response_bytes)::text as response_bytes, trim_scale(sum(m.units))::text as units`;

/** Usage of terms in a period that had arrived when it was closed. */
export async function readTermUsage(
  transaction: TenantTransaction,
  terms: readonly ReadTerm[],
  { startsAt, endsAt, isFirst }: Span,
): Promise<readonly TermUsage[]> {
  const { rows } = await sql<TermUsage>`
    select m.term_id as "termId", m.proxy_id as "proxyId", m.status_class as "statusClass",
      coalesce(m.quarter < t.trial_ends_at, false) as "inTrial", ${sums}
    from ${given(terms)} join metered_usage m on m.organization_id = ${transaction.tenantId} and m.term_id = t.id
    where m.late_after = '-infinity' and m.quarter < ${endsAt}::timestamptz
      and m.quarter >= ${isFirst ? '-infinity' : startsAt}::timestamptz
    group by 1, 2, 3, 4`.execute(transaction);
  return rows;
}

/**
 * Usage of terms that arrived between the two latest closings, for periods that were closed before, and what earlier
 * invoices billed of the same terms and periods.
 *
 * @param closedUntil up to when usage was closed while it arrived
 */
export async function readLateUsage(
  transaction: TenantTransaction,
  terms: readonly ReadTerm[],
  closedUntil: string,
): Promise<readonly LateTermUsage[]> {
  const organizationId = transaction.tenantId;
  const { rows } = await sql<LateTermUsage>`
    with closed as (
      select id, ends_at, case when lag(id) over (order by starts_at) is null then '-infinity' else starts_at end as starts_at
      from billing_periods where organization_id = ${organizationId} and ends_at <= ${closedUntil}::timestamptz
    ), late as (
      select distinct t.id, t.trial_ends_at, closed.id as period_id, closed.starts_at, closed.ends_at
      from ${given(terms)} join metered_usage m on m.organization_id = ${organizationId} and m.term_id = t.id
      join closed on m.quarter >= closed.starts_at and m.quarter < closed.ends_at
      where m.late_after = ${closedUntil}::timestamptz and m.late_after > '-infinity'
    )
    select m.term_id as "termId", t.period_id as "periodId", m.late_after < ${closedUntil}::timestamptz as "isBilled",
      m.proxy_id as "proxyId", m.status_class as "statusClass", coalesce(m.quarter < t.trial_ends_at, false) as "inTrial",
      ${sums}
    from late t join metered_usage m on m.organization_id = ${organizationId} and m.term_id = t.id
      and m.quarter >= t.starts_at and m.quarter < t.ends_at and m.late_after <= ${closedUntil}::timestamptz
    group by 1, 2, 3, 4, 5, 6`.execute(transaction);
  return rows;
}

/** Whether any usage arrived late since this closing. */
export async function hasLateUsage(transaction: TenantTransaction, closedUntil: string): Promise<boolean> {
  const { rows } = await sql`
    select from metered_usage where organization_id = ${transaction.tenantId} and late_after = ${closedUntil}::timestamptz
      and late_after > '-infinity' limit 1`.execute(transaction);
  return rows.length > 0;
}

function given(terms: readonly ReadTerm[]) {
  const ids = terms.map(({ id }) => id);
  const trialEnds = terms.map(({ trialEndsAt }) => trialEndsAt);
  return sql`unnest(${ids}::text[], ${trialEnds}::timestamptz[]) as t (id, trial_ends_at)`;
}
