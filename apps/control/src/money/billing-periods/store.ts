import { newId } from '@millrace/identifiers';
import { civilDays, type Period } from '@millrace/pricing';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, readPage } from '../../frame/listing.ts';
import { findBillingSettings, lockBillingSettings } from '../billing-settings/store.ts';
import { closeUsage } from '../metering/store.ts';
import type { BillingPeriod } from './contract.ts';
import { type Opening, openedPeriod, type PeriodRequest, periodFrom, wholeOf } from './rules.ts';

type Row = Selectable<Schema['billing_periods']>;

const columns = { startsAt: 'starts_at', state: 'state' };

export async function listPeriods(
  transaction: TenantTransaction,
  filters: Listing & { readonly state?: Row['state'] | undefined },
) {
  let query = periods(transaction);
  const search = filters.search?.toLowerCase();
  if (search) query = query.where((builder) => builder(sql`lower(id)`, '=', search));
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { periods: rows.map(present), total };
}

/** @param lock keeps other writers off until the commit */
export async function findPeriod(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<BillingPeriod | null> {
  const query = periods(transaction).where('id', '=', id);
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** The period that contains a moment; null: none is open then. */
export async function findPeriodAt(transaction: TenantTransaction, moment: Date): Promise<BillingPeriod | null> {
  const row = await periods(transaction)
    .where('starts_at', '<=', moment)
    .where('ends_at', '>', moment)
    .executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Opens a period. The settings stay locked until the commit, so that no other is opened meanwhile. */
export async function openPeriod(
  transaction: TenantTransaction,
  request: PeriodRequest,
  now: Date,
): Promise<BillingPeriod> {
  const { period: unit, timeZone } = await lockBillingSettings(transaction);
  const calendar = { unit, timeZone };
  const { from, to } = openedPeriod(request, { ...(await openingOf(transaction)), calendar, now });
  return insertPeriod(transaction, { unit, timeZone, from, to });
}

const mostOpenedAtOnce = 400;

/** Opens the periods that are missing up to now; a period is never opened before the one before it has ended. */
export async function openDuePeriods(transaction: TenantTransaction, now: Date): Promise<readonly BillingPeriod[]> {
  const { period: unit, timeZone } = await lockBillingSettings(transaction);
  const opened: BillingPeriod[] = [];
  const before = await openingOf(transaction);
  let { lastEndsAt } = before;
  if (lastEndsAt === null && before.firstTermAt === null) return [];
  while ((lastEndsAt === null || Date.parse(lastEndsAt) <= now.getTime()) && opened.length < mostOpenedAtOnce) {
    const span = openedPeriod({}, { ...before, lastEndsAt, calendar: { unit, timeZone }, now });
    opened.push(await insertPeriod(transaction, { unit, timeZone, ...span }));
    lastEndsAt = span.to;
  }
  return opened;
}

async function openingOf(transaction: TenantTransaction): Promise<Pick<Opening, 'lastEndsAt' | 'firstTermAt'>> {
  const { rows } = await sql<{ last: Date | null; first: Date | null }>`
    select (select max(ends_at) from billing_periods where organization_id = ${transaction.tenantId}) as last,
           (select min(starts_at) from subscription_terms where organization_id = ${transaction.tenantId}) as first`.execute(
    transaction,
  );
  const { last, first } = rows[0]!;
  return { lastEndsAt: last?.toISOString() ?? null, firstTermAt: first?.toISOString() ?? null };
}

async function insertPeriod(
  transaction: TenantTransaction,
  { unit, timeZone, from, to }: Period & { readonly unit: Row['unit']; readonly timeZone: string },
): Promise<BillingPeriod> {
  const row = await transaction
    .insertInto('billing_periods')
    .values({
      id: newId('bpd'),
      organization_id: transaction.tenantId,
      unit,
      time_zone: timeZone,
      starts_at: new Date(from),
      ends_at: new Date(to),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

/** The oldest period that is not closed; null: all are. */
export async function findUnclosed(transaction: TenantTransaction): Promise<BillingPeriod | null> {
  const row = await periods(transaction)
    .where('state', '<>', 'closed')
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Begins closing a period; its invoices are made afterwards. */
export async function startClosing(
  transaction: TenantTransaction,
  { id, endsAt }: BillingPeriod,
  by: { readonly id: string; readonly name: string },
): Promise<BillingPeriod> {
  const row = await transaction
    .updateTable('billing_periods')
    .set({
      state: 'closing',
      closing_since: sql<Date>`now()`,
      closed_by: by.id,
      closed_by_name: by.name,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  // From here on, what arrives for the period is late.
  await closeUsage(transaction, new Date(endsAt));
  return present(row);
}

/** How far closing a period has come. */
export interface ClosingState {
  readonly period: BillingPeriod;
  /** Usage before this is summed; null: none is. */
  readonly summedUntil: string | null;
  /** Developers up to this id have their invoices. */
  readonly billedThrough: string;
}

/** Locks a period that is being closed, until the commit: one chunk follows the other. */
export async function lockClosing(transaction: TenantTransaction, id: string): Promise<ClosingState | null> {
  const row = await periods(transaction)
    .where('id', '=', id)
    .where('state', '=', 'closing')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    period: present(row),
    summedUntil: row.summed_until?.toISOString() ?? null,
    billedThrough: row.billed_through,
  };
}

/** Stores how far closing a period has come. */
export async function updateClosing(
  transaction: TenantTransaction,
  id: string,
  progress: { readonly summedUntil: string } | { readonly billedThrough: string },
): Promise<void> {
  await transaction
    .updateTable('billing_periods')
    .set(
      'summedUntil' in progress
        ? { summed_until: new Date(progress.summedUntil) }
        : { billed_through: progress.billedThrough },
    )
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Ends a closing, with the totals of its invoices. */
export async function finishClosing(transaction: TenantTransaction, id: string): Promise<BillingPeriod> {
  await transaction
    .deleteFrom('usage_sums')
    .where('organization_id', '=', transaction.tenantId)
    .where('period_id', '=', id)
    .execute();
  const { rows } = await sql<Row>`
    with by_currency as (
      select currency, count(*)::int as invoices, sum(lines_minor)::float8 as "linesMinor",
        sum(tax_minor)::float8 as "taxMinor", sum(total_minor)::float8 as "totalMinor"
      from invoices where organization_id = ${transaction.tenantId} and period_id = ${id} group by currency
    )
    update billing_periods set state = 'closed', closed_at = now(), version = version + 1, updated_at = now(),
      totals = jsonb_build_object(
        'developers', (select count(distinct developer_id) from invoices
          where organization_id = ${transaction.tenantId} and period_id = ${id}),
        'currencies', coalesce((select jsonb_agg(to_jsonb(by_currency) order by currency) from by_currency), '[]'))
    where organization_id = ${transaction.tenantId} and id = ${id} returning *`.execute(transaction);
  return present(rows[0]!);
}

/** The period that would begin at a moment, by the settings as they are now. */
export async function followingPeriod(transaction: TenantTransaction) {
  const { period: unit, timeZone } = await findBillingSettings(transaction);
  const calendar = { unit, timeZone };
  return (startsAt: string) => {
    const span = periodFrom(startsAt, calendar);
    return { id: '', startsAt, endsAt: span.to, timeZone, whole: wholeOf(span, calendar) };
  };
}

function periods(transaction: TenantTransaction) {
  return transaction.selectFrom('billing_periods').selectAll().where('organization_id', '=', transaction.tenantId);
}

function present(row: Row): BillingPeriod {
  const [startsAt, endsAt] = [row.starts_at.toISOString(), row.ends_at.toISOString()];
  const days = civilDays({ from: startsAt, to: endsAt }, row.time_zone);
  return {
    id: row.id,
    startsAt,
    endsAt,
    firstDay: days.from,
    lastDay: days.to,
    unit: row.unit,
    timeZone: row.time_zone,
    state: row.state,
    closedAt: row.closed_at?.toISOString() ?? null,
    closedByName: row.closed_by_name,
    // Written by the closing, in this form.
    totals: row.totals as BillingPeriod['totals'],
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
