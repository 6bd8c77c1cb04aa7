import type { PlanTerms } from '@millrace/pricing';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { type BillableTerm, type BilledPeriod, type BilledTerm, billTerm, trialEndsAt } from './billing.ts';
import { wholeOf } from './rules.ts';
import { takeTurns } from './turns.ts';
import {
  hasLateUsage,
  type LateTermUsage,
  type ReadTerm,
  readLateUsage,
  readTermUsage,
  type UsageReader,
} from './usage.ts';

interface TermRow extends Omit<BillableTerm, 'terms' | 'startsAt' | 'endsAt' | 'subscribedAt'> {
  readonly terms: PlanTerms | null;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly subscribedAt: Date;
}

/** What is billed in a period, and the periods around it. */
export interface Billing {
  readonly period: BilledPeriod;
  readonly next: BilledPeriod;
  /** The periods before it, by their ids. */
  readonly closed: ReadonlyMap<string, BilledPeriod>;
}

interface PeriodRow {
  readonly id: string;
  readonly unit: 'week' | 'month' | 'quarter';
  readonly timeZone: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * Reads a period, those before it and the one after it.
 *
 * @param following the period after it, if that is not open yet
 */
export async function loadBilling(
  transaction: TenantTransaction,
  periodId: string,
  following: (endsAt: string) => Omit<BilledPeriod, 'isFirst'>,
): Promise<Billing> {
  const { rows } = await sql<PeriodRow>`
    select id, unit, time_zone as "timeZone", starts_at as "startsAt", ends_at as "endsAt" from billing_periods
    where organization_id = ${transaction.tenantId} order by starts_at`.execute(transaction);
  const periods = rows.map((row, index) => billedPeriod(row, index === 0));
  const place = periods.findIndex(({ id }) => id === periodId);
  const period = periods[place];
  if (period === undefined) throw new Error(`the billing period ${periodId} is gone`);
  return {
    period,
    next: periods[place + 1] ?? { ...following(period.endsAt), isFirst: false },
    closed: new Map(periods.slice(0, place).map((before) => [before.id, before])),
  };
}

function billedPeriod({ id, unit, timeZone, startsAt, endsAt }: PeriodRow, isFirst: boolean): BilledPeriod {
  const [from, to] = [startsAt.toISOString(), endsAt.toISOString()];
  return { id, startsAt: from, endsAt: to, timeZone, isFirst, whole: wholeOf({ from, to }, { unit, timeZone }) };
}

/**
 * Developers with terms that began before the end of a period, in the order of their ids.
 *
 * @param after the last id before them
 * @param most terms that they have together, unless a single developer has more
 */
export async function listBillableDevelopers(
  transaction: TenantTransaction,
  { endsAt }: Pick<BilledPeriod, 'endsAt'>,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; terms: number }>`
    select developer_id as id, count(*)::int as terms from subscription_terms
    where organization_id = ${transaction.tenantId} and developer_id > ${after} and starts_at < ${endsAt}::timestamptz
    group by developer_id order by developer_id limit ${most}`.execute(transaction);
  let terms = 0;
  return rows
    .filter((row, index) => {
      terms += row.terms;
      return index === 0 || terms <= most;
    })
    .map(({ id }) => id);
}

/** Bills developers for a period: every term of theirs that began before its end. The same for a preview and a closing. */
export async function billDevelopers(
  transaction: TenantTransaction,
  billing: Billing,
  developerIds: readonly string[],
  readUsage: UsageReader = readTermUsage,
): Promise<readonly BilledTerm[]> {
  const { period } = billing;
  const terms = await loadTerms(transaction, period, developerIds);
  const read = terms.map((term) => ({ id: term.id, trialEndsAt: trialEndsAt(term, period.timeZone) }));
  const usage = Map.groupBy(await readUsage(transaction, read, period), ({ termId }) => termId);
  const isLate = !period.isFirst && (await hasLateUsage(transaction, period.startsAt));
  const lateUsage = isLate ? await readLateUsage(transaction, read, period.startsAt) : [];
  const late: ReadonlyMap<string, readonly LateTermUsage[]> = Map.groupBy(lateUsage, ({ termId }) => termId);
  const billed: BilledTerm[] = [];
  const turn = takeTurns();
  for (const term of terms) {
    const [own, ownLate] = [usage.get(term.id) ?? [], late.get(term.id) ?? []];
    const isOver = term.endsAt !== null && Date.parse(term.endsAt) < Date.parse(period.startsAt);
    if (isOver && own.length === 0 && ownLate.length === 0) continue;
    billed.push(billTerm({ ...billing, term, usage: own, late: ownLate }));
    await turn();
  }
  return billed;
}

/** Terms that began before a period ended and whose trials end after a moment. */
export async function listTrials(
  transaction: TenantTransaction,
  { endsAt, timeZone }: BilledPeriod,
  after: string,
): Promise<readonly ReadTerm[]> {
  const { rows } = await sql<{ id: string; subscribedAt: Date; terms: PlanTerms }>`
    select term.id, subscribed.at as "subscribedAt", version.terms
    from subscription_terms term
    join rate_plan_versions version on version.organization_id = term.organization_id
      and version.rate_plan_id = term.rate_plan_id and version.plan_version = term.plan_version
    cross join lateral (
      select min(starts_at) as at from subscription_terms first
      where first.organization_id = term.organization_id and first.subscription_id = term.subscription_id) subscribed
    where term.organization_id = ${transaction.tenantId} and term.starts_at < ${endsAt}::timestamptz
      and (version.terms ->> 'trialDays')::int > 0
      and subscribed.at + ((version.terms ->> 'trialDays')::int + 2) * interval '1 day' > ${after}::timestamptz`.execute(
    transaction,
  );
  return rows.map(({ id, subscribedAt, terms }) => ({
    id,
    trialEndsAt: trialEndsAt({ terms, subscribedAt: subscribedAt.toISOString() }, timeZone),
  }));
}

/**
 * Terms of developers that began before the end of a period, with what their bills depend on.
 *
 * @param subscriptionIds only those of these subscriptions; null: all
 */
export async function loadTerms(
  transaction: TenantTransaction,
  { endsAt }: Pick<BilledPeriod, 'endsAt'>,
  developerIds: readonly string[],
  subscriptionIds: readonly string[] | null = null,
): Promise<readonly BillableTerm[]> {
  const { rows } = await sql<TermRow>`
    with own as (
      select *, min(starts_at) over (partition by subscription_id) as subscribed_at,
        lag(ends_at) over (partition by subscription_id order by starts_at, id) as ended_before,
        row_number() over (partition by subscription_id, rate_plan_id order by starts_at, id) > 1 as is_repeated
      from subscription_terms
      where organization_id = ${transaction.tenantId} and developer_id = any(${developerIds}::text[])
        and starts_at < ${endsAt}::timestamptz
        and (${subscriptionIds}::text[] is null or subscription_id = any(${subscriptionIds}::text[]))
    )
    select own.id, own.subscription_id as "subscriptionId", own.developer_id as "developerId",
      own.product_id as "productId", own.rate_plan_id as "ratePlanId", own.plan_version as "planVersion",
      product.display_name as "productName", coalesce(version.display_name, '') as "planName", own.app_name as "appName",
      own.starts_at as "startsAt", own.ends_at as "endsAt", own.subscribed_at as "subscribedAt",
      coalesce(own.ended_before = own.starts_at, false) as "isContinuation", own.is_repeated as "isRepeated", version.terms
    from own
    join products product on product.organization_id = own.organization_id and product.id = own.product_id
    left join rate_plan_versions version on version.organization_id = own.organization_id
      and version.rate_plan_id = own.rate_plan_id and version.plan_version = own.plan_version
    order by own.developer_id, product.display_name, own.app_name, own.subscription_id, own.starts_at, own.id`.execute(
    transaction,
  );
  return rows.map(({ terms, ...row }) => ({
    ...row,
    terms: published(terms, row),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt?.toISOString() ?? null,
    subscribedAt: row.subscribedAt.toISOString(),
  }));
}

/** A term that can't be priced stops its closing, rather than being left out. */
function published(terms: PlanTerms | null, { id, ratePlanId, planVersion }: Omit<TermRow, 'terms'>): PlanTerms {
  if (terms === null) throw new Error(`the term ${id} has no version ${planVersion} of the plan ${ratePlanId}`);
  return terms;
}
