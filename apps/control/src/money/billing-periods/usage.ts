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

/** Reads the usage of terms in a period that had arrived when it was closed. */
export type UsageReader = (
  transaction: TenantTransaction,
  terms: readonly ReadTerm[],
  period: Span & { readonly id: string },
) => Promise<readonly TermUsage[]>;

/** Of a few terms, from their rows. */
export const readTermUsage: UsageReader = async (transaction, terms, { startsAt, endsAt, isFirst }) => {
  const { rows } = await sql<TermUsage>`
    select m.term_id as "termId", m.proxy_id as "proxyId", m.status_class as "statusClass",
      coalesce(m.quarter < t.trial_ends_at, false) as "inTrial", ${sums}
    from ${given(terms)} join metered_usage m on m.organization_id = ${transaction.tenantId} and m.term_id = t.id
    where m.late_after = '-infinity' and m.quarter < ${endsAt}::timestamptz
      and m.quarter >= ${isFirst ? '-infinity' : startsAt}::timestamptz
    group by 1, 2, 3, 4`.execute(transaction);
  return rows;
};

/** Of any terms, from the sums that {@link sumUsage} made of the whole period. */
export const readSummedUsage: UsageReader = async (transaction, terms, { id }) => {
  const { rows } = await sql<TermUsage>`
    select term_id as "termId", proxy_id as "proxyId", status_class as "statusClass", in_trial as "inTrial",
      requests::text as requests, request_bytes::text as request_bytes, response_bytes::text as response_bytes,
      trim_scale(units)::text as units
    from usage_sums where organization_id = ${transaction.tenantId} and period_id = ${id}
      and term_id = any(${terms.map((term) => term.id)}::text[])`.execute(transaction);
  return rows;
};

/**
 * Adds the usage of a part of a period to its sums. Rows come in about the order of their time, so that a part is read
 * from few pages; reading it term by term would take several times as long.
 *
 * @param trials terms whose trials may reach into the part
 */
export async function sumUsage(
  transaction: TenantTransaction,
  periodId: string,
  { from, to, trials }: { readonly from: string; readonly to: string; readonly trials: readonly ReadTerm[] },
): Promise<void> {
  const [inTrial, joined] =
    trials.length === 0
      ? [sql`false`, sql``]
      : [sql`coalesce(m.quarter < t.trial_ends_at, false)`, sql`left join ${given(trials)} on t.id = m.term_id`];
  await sql`
    insert into usage_sums as present (organization_id, period_id, term_id, proxy_id, status_class, in_trial, requests,
      request_bytes, response_bytes, units)
    select ${transaction.tenantId}, ${periodId}, m.term_id, m.proxy_id, m.status_class, ${inTrial} as in_trial,
      sum(m.requests), sum(m.request_bytes), sum(m.response_bytes), sum(m.units)
    from metered_usage m ${joined}
    where m.organization_id = ${transaction.tenantId} and m.late_after = '-infinity'
      and m.quarter >= ${from}::timestamptz and m.quarter < ${to}::timestamptz
    group by m.term_id, m.proxy_id, m.status_class, in_trial
    on conflict (organization_id, period_id, term_id, proxy_id, status_class, in_trial) do update set
      requests = present.requests + excluded.requests,
      request_bytes = present.request_bytes + excluded.request_bytes,
      response_bytes = present.response_bytes + excluded.response_bytes,
      units = present.units + excluded.units`.execute(transaction);
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
