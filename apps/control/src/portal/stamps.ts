import { sql } from 'kysely';
import type { TenantTransaction } from '../database/schema.ts';

/**
 * A text that changes whenever something has changed that public pages of the portal show: a key for what is kept of them.
 * Only the addresses that gateway nodes report, and their health, are not part of it.
 */
export async function portalStamp(transaction: TenantTransaction): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select concat_ws('.', coalesce(s.stamp, 0), coalesce(p.version, 0), o.version) as stamp
    from organizations o
    left join portal_stamps s on s.organization_id = o.id
    left join portal_settings p on p.organization_id = o.id
    where o.id = ${transaction.tenantId}`.execute(transaction);
  return rows[0]!.stamp;
}

/** Makes {@link portalStamp} another one. */
export async function renewPortalStamp(transaction: TenantTransaction): Promise<void> {
  await sql`
    insert into portal_stamps (organization_id) values (${transaction.tenantId})
    on conflict (organization_id) do update set stamp = portal_stamps.stamp + 1`.execute(transaction);
}
