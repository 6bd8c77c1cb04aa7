import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { listLots } from '../../money/prepaid/expiry.ts';
import { expiringOf } from '../../money/prepaid/rules.ts';
import type { PortalMovement, PortalPrepaidAccount } from './contract.ts';

/** The prepaid balances of a developer's subscriptions; at most 100. */
export async function listAccounts(
  transaction: TenantTransaction,
  developerId: string,
): Promise<PortalPrepaidAccount[]> {
  const { rows } = await sql<Omit<PortalPrepaidAccount, 'expiring'>>`
    select account.subscription_id as "subscriptionId", app.display_name as "appName",
      product.display_name as "productName", plan.display_name as "ratePlanName", account.currency,
      trim_scale(round((account.credit_micro - account.expired_micro - account.used_micro) / 1000000, 6))::text as "balanceMinor",
      (account.credit_micro / 1000000)::float8 as "paidInMinor",
      (account.expired_micro / 1000000)::float8 as "expiredMinor",
      trim_scale(round(account.used_micro / 1000000, 6))::text as "usedMinor", account.is_low as "isLow"
    from apps app
    join subscriptions s on s.organization_id = app.organization_id and s.app_id = app.id
    join prepaid_accounts account on account.organization_id = s.organization_id and account.subscription_id = s.id
    join products product on product.organization_id = s.organization_id and product.id = s.product_id
    left join rate_plans plan on plan.organization_id = s.organization_id and plan.id = s.rate_plan_id
    where app.organization_id = ${transaction.tenantId} and app.developer_id = ${developerId}
    order by s.state = 'approved' desc, s.created_at desc, s.id limit 100`.execute(transaction);
  const accounts: PortalPrepaidAccount[] = [];
  for (const row of rows) {
    accounts.push({ ...row, expiring: expiringOf(await listLots(transaction, row.subscriptionId)) });
  }
  return accounts;
}

/** What was paid in to a developer's balances. */
export async function listMovements(
  transaction: TenantTransaction,
  developerId: string,
  filters: Listing & { readonly subscriptionId?: string | undefined },
): Promise<{ readonly movements: PortalMovement[]; readonly total: number }> {
  let query = transaction
    .selectFrom('prepaid_movements as movement')
    .innerJoin('prepaid_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'movement.organization_id')
        .onRef('account.subscription_id', '=', 'movement.subscription_id'),
    )
    .select(['movement.id', 'account.subscription_id', 'movement.kind', 'movement.amount_minor'])
    .select(['movement.created_at', 'account.currency'])
    .where('movement.organization_id', '=', transaction.tenantId)
    .where('movement.subscription_id', 'in', (builder) =>
      builder
        .selectFrom('subscriptions')
        .innerJoin('apps', (join) =>
          join
            .onRef('apps.organization_id', '=', 'subscriptions.organization_id')
            .onRef('apps.id', '=', 'subscriptions.app_id'),
        )
        .select('subscriptions.id')
        .where('subscriptions.organization_id', '=', transaction.tenantId)
        .where('apps.developer_id', '=', developerId),
    )
    .where((builder) => matches(builder, ['movement.id', 'movement.kind'], filters.search));
  const { subscriptionId } = filters;
  if (subscriptionId !== undefined) query = query.where('movement.subscription_id', '=', subscriptionId);
  const { rows, total } = await readPage(query, filters, { createdAt: 'movement.created_at' }, 'movement.id');
  return {
    movements: rows.map((row) => ({
      id: row.id,
      subscriptionId: row.subscription_id,
      kind: row.kind,
      amountMinor: Number(row.amount_minor),
      currency: row.currency,
      createdAt: row.created_at.toISOString(),
    })),
    total,
  };
}
