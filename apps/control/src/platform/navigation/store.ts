import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { Notification } from './contract.ts';

/**
 * Of the decision that a notice asks for: open as long as what it links to is pending. It is looked up rather than
 * written, since a decision is settled in many ways: made, withdrawn, void by an edit, gone with its proxy or app.
 */
const decision = sql<'open' | 'settled' | null>`case kind
  when 'lifecycle_request' then case when exists (
    select from lifecycle_requests asked where asked.organization_id = notifications.organization_id
      and asked.id = substring(notifications.link from '[^/]+$') and asked.state = 'pending') then 'open' else 'settled' end
  when 'subscription' then case when exists (
    select from subscriptions asked where asked.organization_id = notifications.organization_id
      and asked.id = substring(notifications.link from '[^/]+$') and asked.state = 'pending') then 'open' else 'settled' end
  end`;

/** Whether somebody should still look at a notice. */
const isUnread = sql<boolean>`(read_at is null and ${decision} is distinct from 'settled')`;

export async function listNotifications(
  transaction: TenantTransaction,
  userId: string,
  filters: Listing & { readonly unread?: boolean | undefined; readonly kind?: string | undefined },
) {
  let query = transaction
    .selectFrom('notifications')
    .selectAll()
    .select(decision.as('decision'))
    .where('organization_id', '=', transaction.tenantId)
    .where('user_id', '=', userId)
    .where((builder) => matches(builder, ['title'], filters.search));
  if (filters.unread !== undefined) query = query.where(filters.unread ? isUnread : sql<boolean>`not ${isUnread}`);
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
    .where(isUnread)
    .executeTakeFirstOrThrow();
  return unread;
}

function present(
  row: Selectable<Schema['notifications']> & { readonly decision: 'open' | 'settled' | null },
): z.infer<typeof Notification> {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    link: row.link,
    decision: row.decision,
    readAt: row.read_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
