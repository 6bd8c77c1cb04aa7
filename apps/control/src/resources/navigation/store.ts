import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Notification } from './contract.ts';

export async function listNotifications(
  transaction: TenantTransaction,
  userId: string,
  filters: Listing & { readonly unread?: boolean | undefined; readonly kind?: string | undefined },
) {
  let query = transaction
    .selectFrom('notifications')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .where((builder) => matches(builder, ['title'], filters.search));
  if (filters.unread !== undefined) query = query.where('read_at', filters.unread ? 'is' : 'is not', null);
  if (filters.kind !== undefined) query = query.where('kind', '=', filters.kind);
  const { rows, total } = await readPage(query, filters, { createdAt: 'created_at' }, 'id');
  return { notifications: rows.map(present), total, unread: await countUnread(transaction, userId) };
}

/**
 * Marks the user's notifications read; of the ids, those that are theirs.
 *
 * @param ids null: all
 * @returns how many were unread
 */
export async function markRead(
  transaction: TenantTransaction,
  userId: string,
  ids: readonly string[] | null,
  now: Date,
): Promise<number> {
  let query = transaction
    .updateTable('notifications')
    .set({ read_at: now })
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null);
  if (ids !== null) query = query.where('id', 'in', ids);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

export async function countUnread(transaction: TenantTransaction, userId: string): Promise<number> {
  const { unread } = await transaction
    .selectFrom('notifications')
    .select(sql<number>`count(*)::int`.as('unread'))
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return unread;
}

function present(row: Selectable<Schema['notifications']>): z.infer<typeof Notification> {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    link: row.link,
    readAt: row.read_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
