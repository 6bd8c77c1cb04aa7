import { sql } from 'kysely';
import type { TenantTransaction } from '../database/schema.ts';

/**
 * Changes the stamp of the portal, a key for what is kept of its public pages: it is part of what `readPortal` returns, and
 * becomes another one whenever something has changed that they show. Only the addresses that gateway nodes report, and
 * their health, are not part of it.
 */
export async function renewPortalStamp(transaction: TenantTransaction): Promise<void> {
  await sql`
    insert into portal_stamps (organization_id) values (${transaction.tenantId})
    on conflict (organization_id) do update set stamp = portal_stamps.stamp + 1`.execute(transaction);
}
