import { sql } from 'kysely';
import type * as z from 'zod';
import type { App } from '../../consumers/apps/contract.ts';
import { findApp } from '../../consumers/apps/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import type { AppCounts } from './rules.ts';

/**
 * An app of a developer account.
 *
 * @throws ApiError `not_found` for an unknown app, and the same for another account's
 */
export async function ownApp(
  transaction: TenantTransaction,
  developerId: string,
  appId: string,
  options: { readonly lock?: boolean } = {},
): Promise<z.infer<typeof App>> {
  const app = await findApp(transaction, appId, options);
  return found(app?.developerId === developerId ? app : null);
}

/** What apps have, by their ids. */
export async function countOfApps(
  transaction: TenantTransaction,
  appIds: readonly string[],
): Promise<(appId: string) => AppCounts> {
  const { rows } = await sql<AppCounts & { id: string }>`
    select given.id,
      (select count(*)::int from credentials c where c.organization_id = ${transaction.tenantId}
        and c.app_id = given.id and c.revoked_at is null) as credentials,
      (select count(*)::int from subscriptions s where s.organization_id = ${transaction.tenantId}
        and s.app_id = given.id and s.state = 'approved') as subscriptions
    from unnest(${[...appIds]}::text[]) as given (id)`.execute(transaction);
  const counts = new Map(rows.map(({ id, credentials, subscriptions }) => [id, { credentials, subscriptions }]));
  return (appId) => counts.get(appId) ?? { credentials: 0, subscriptions: 0 };
}

/** The names of a developer's apps. */
export async function namesOfApps(transaction: TenantTransaction, developerId: string): Promise<ReadonlySet<string>> {
  const rows = await transaction
    .selectFrom('apps')
    .select('name')
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** Whether subscriptions of an app have prepaid money that is not used up. */
export async function hasPrepaidMoney(transaction: TenantTransaction, appId: string): Promise<boolean> {
  const { rows } = await sql`
    select from subscriptions s
    join prepaid_accounts account on account.organization_id = s.organization_id and account.subscription_id = s.id
    where s.organization_id = ${transaction.tenantId} and s.app_id = ${appId}
      and account.credit_micro - account.expired_micro > account.used_micro limit 1`.execute(transaction);
  return rows.length > 0;
}
