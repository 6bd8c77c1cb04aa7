import { newId } from '@millrace/identifiers';
import { civilDays, type Period } from '@millrace/pricing';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, readPage } from '../../frame/listing.ts';
import { lockBillingSettings } from '../billing-settings/store.ts';
import type { BillingPeriod } from './contract.ts';
import { type Opening, openedPeriod, type PeriodRequest } from './rules.ts';

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

/** A gateway node that may have usage that it has not reported. */
export interface NodeBehind {
  readonly id: string;
  readonly name: string;
  readonly usageCompleteUntil: string | null;
}

const mostNodesBehind = 100;

/** Registered gateway nodes that have not reported all usage up to this time; at most 100, by name. */
export async function listNodesBehind(transaction: TenantTransaction, until: string): Promise<NodeBehind[]> {
  const rows = await transaction
    .selectFrom('gateway_nodes')
    .select(['id', 'name', 'usage_complete_until'])
    .where('organization_id', '=', transaction.tenantId)
    // One that registered later had no traffic then.
    .where('registered_at', '<', new Date(until))
    .where((builder) =>
      builder.or([builder('usage_complete_until', 'is', null), builder('usage_complete_until', '<', new Date(until))]),
    )
    .orderBy('name')
    .limit(mostNodesBehind)
    .execute();
  return rows.map(({ id, name, usage_complete_until }) => ({
    id,
    name,
    usageCompleteUntil: usage_complete_until?.toISOString() ?? null,
  }));
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
