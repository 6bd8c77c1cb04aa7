import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { mostAccounts, type PrepaidMovement } from './contract.ts';
import { presentMovement } from './store.ts';

type Kind = (typeof PrepaidMovement.shape.kind.options)[number];

/** The movements of a developer's balances, those of ended subscriptions and unassigned ones included. */
export async function listDeveloperMovements(
  transaction: TenantTransaction,
  developerId: string,
  filters: Listing & { readonly kind?: Kind | undefined },
) {
  let query = transaction
    .selectFrom('prepaid_movements')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where((builder) => matches(builder, ['note', 'created_by_name'], filters.search));
  if (filters.kind !== undefined) query = query.where('kind', '=', filters.kind);
  const { rows, total } = await readPage(query, filters, { createdAt: 'created_at' }, 'id');
  const movements = rows.map((row) => ({
    ...presentMovement(row),
    subscriptionId: row.subscription_id,
    currency: row.currency,
  }));
  return { movements, total };
}

/** The balance of each of a developer's subscriptions, ended ones included, by app and product. */
export async function listAccounts(transaction: TenantTransaction, developerId: string) {
  const { rows } = await sql<{
    subscription_id: string;
    app_name: string;
    product_name: string;
    currency: string;
    balance_minor: string;
    is_low: boolean;
  }>`
    with newest as (
      select distinct on (subscription_id) subscription_id, app_name, product_id from subscription_terms
      where organization_id = ${transaction.tenantId} and developer_id = ${developerId}
      order by subscription_id, starts_at desc)
    select account.subscription_id, newest.app_name, product.display_name as product_name, account.currency, account.is_low,
      trim_scale(round((credit_micro - expired_micro - used_micro) / 1000000, 6))::text as balance_minor
    from newest
    join prepaid_accounts account
      on account.organization_id = ${transaction.tenantId} and account.subscription_id = newest.subscription_id
    join products product on product.organization_id = ${transaction.tenantId} and product.id = newest.product_id
    order by newest.app_name, product.display_name, account.subscription_id
    limit ${mostAccounts}`.execute(transaction);
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    appName: row.app_name,
    productName: row.product_name,
    currency: row.currency,
    balanceMinor: row.balance_minor,
    isLow: row.is_low,
  }));
}

/** What is left in all of a developer's subscriptions and unassigned, by currency. */
export async function sumBalances(transaction: TenantTransaction, developerId: string) {
  const { rows } = await sql<{ currency: string; balance_minor: string; unassigned_minor: string }>`
    select currency, trim_scale(round(sum(left_minor), 6))::text as balance_minor, sum(unassigned_minor) as unassigned_minor
    from (
      select currency, (credit_micro - expired_micro - used_micro) / 1000000 as left_minor, 0 as unassigned_minor from prepaid_accounts
      where organization_id = ${transaction.tenantId} and subscription_id in (
        select subscription_id from subscription_terms
        where organization_id = ${transaction.tenantId} and developer_id = ${developerId})
      union all
      select currency, amount_minor, amount_minor from prepaid_movements
      where organization_id = ${transaction.tenantId} and developer_id = ${developerId} and subscription_id is null
    ) part
    group by currency order by currency`.execute(transaction);
  return rows.map((row) => ({
    currency: row.currency,
    balanceMinor: row.balance_minor,
    unassignedMinor: Number(row.unassigned_minor),
  }));
}
