import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { type Listing, pageOf } from '../../frame/listing.ts';
import { recordEdit } from '../alert-rules/store.ts';
import type { Silence } from './contract.ts';
import { stateOf } from './rules.ts';

type Presented = z.infer<typeof Silence>;
type Fields = Pick<Presented, 'comment' | 'matchers' | 'schedule'>;

interface Row extends Selectable<Schema['silences']> {
  readonly suppressing: number;
}

function selectSilences(transaction: TenantTransaction) {
  return transaction
    .selectFrom('silences')
    .selectAll()
    .select(
      sql<number>`(select count(*)::int from alerts
        where alerts.organization_id = silences.organization_id and suppressed_by = silences.id)`.as('suppressing'),
    )
    .where('organization_id', '=', transaction.tenantId);
}

/** What is in force follows from the schedules, so all of them are read; an organization has few. */
export async function listSilences(
  transaction: TenantTransaction,
  filters: Listing & { readonly state?: Presented['state'] | undefined },
  now: Date,
) {
  const all = (await selectSilences(transaction).execute()).map((row) => present(row, now));
  const silences = all.filter(({ state }) => filters.state === undefined || state === filters.state);
  const page = pageOf(silences, filters, ['comment', 'createdByName']);
  return { silences: [...page.rows], total: page.total };
}

/** @param lock blocks other writers until the commit */
export async function findSilence(
  transaction: TenantTransaction,
  id: string,
  now: Date,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = selectSilences(transaction).where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row, now);
}

export async function countSilences(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('silences')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertSilence(
  transaction: TenantTransaction,
  { comment, matchers, schedule }: Fields,
  by: Caller,
  now: Date,
): Promise<Presented> {
  const id = newId('sil');
  await recordEdit(transaction);
  await transaction
    .insertInto('silences')
    .values({
      id,
      organization_id: transaction.tenantId,
      comment,
      matchers: JSON.stringify(matchers),
      schedule: JSON.stringify(schedule),
      created_by: by.id,
      created_by_name: by.name,
    })
    .execute();
  return presentStored(transaction, id, now);
}

export async function updateSilence(
  transaction: TenantTransaction,
  id: string,
  { comment, matchers, schedule }: Fields,
  now: Date,
): Promise<Presented> {
  await recordEdit(transaction);
  await transaction
    .updateTable('silences')
    .set((builder) => ({
      comment,
      matchers: JSON.stringify(matchers),
      schedule: JSON.stringify(schedule),
      version: builder('version', '+', 1),
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return presentStored(transaction, id, now);
}

export async function deleteSilence(transaction: TenantTransaction, id: string): Promise<void> {
  await recordEdit(transaction);
  await transaction
    .deleteFrom('silences')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

async function presentStored(transaction: TenantTransaction, id: string, now: Date): Promise<Presented> {
  const row = await selectSilences(transaction).where('id', '=', id).executeTakeFirstOrThrow();
  return present(row, now);
}

function present(row: Row, now: Date): Presented {
  return {
    id: row.id,
    comment: row.comment,
    matchers: [...row.matchers],
    schedule: row.schedule,
    ...stateOf(row.schedule, now),
    suppressing: row.suppressing,
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
