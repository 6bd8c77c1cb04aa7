import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';

/** What somebody should look at. */
export interface Notice {
  /** Users of the transaction's organization; who is none, such as one that was deleted, is left out. */
  readonly userIds: readonly string[];
  /**
   * What it is about, such as `lifecycle_request`; people may filter by it. One that asks for a decision has a kind of
   * its own, by which lists know whether the decision is still open.
   */
  readonly kind: string;
  readonly title: string;
  /** Path in the console; null where there is nothing to look at. */
  readonly link: string | null;
}

/** Creates a notification for users, in the transaction of what it reports. */
export async function notify(transaction: TenantTransaction, notice: Notice, now: Date): Promise<void> {
  const userIds = [...new Set(notice.userIds)];
  if (userIds.length === 0) return;
  const ids = userIds.map(() => newId('ntf', now.getTime()));
  await sql`
    insert into notifications (id, organization_id, user_id, kind, title, link, created_at)
    select given.id, users.organization_id, users.id, ${notice.kind}, ${notice.title}, ${notice.link}, ${now}
    from unnest(${ids}::text[], ${userIds}::text[]) as given (id, user_id)
    join users on users.organization_id = ${transaction.tenantId} and users.id = given.user_id`.execute(transaction);
}
