import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';

export type Budget = Pick<
  Selectable<Schema['portal_budgets']>,
  'currency' | 'alerted_percent' | 'alerted_period_id' | 'version'
> & { readonly amountMinor: number };

/** The budgets of a developer account. */
export async function listBudgets(transaction: TenantTransaction, developerId: string): Promise<readonly Budget[]> {
  const rows = await transaction
    .selectFrom('portal_budgets')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .orderBy('currency')
    .execute();
  return rows.map(({ amount_minor, ...row }) => ({ ...row, amountMinor: Number(amount_minor) }));
}

/**
 * Sets or removes the budget of a currency. With another amount, levels that were not reached by the old one are alerted
 * again in this period.
 */
export async function putBudget(
  transaction: TenantTransaction,
  developerId: string,
  { currency, amountMinor }: { readonly currency: string; readonly amountMinor: number | null },
): Promise<void> {
  if (amountMinor === null) {
    await transaction
      .deleteFrom('portal_budgets')
      .where('organization_id', '=', transaction.tenantId)
      .where('developer_id', '=', developerId)
      .where('currency', '=', currency)
      .execute();
    return;
  }
  await sql`
    insert into portal_budgets as present (organization_id, developer_id, currency, amount_minor)
    values (${transaction.tenantId}, ${developerId}, ${currency}, ${amountMinor})
    on conflict (organization_id, developer_id, currency) do update set
      amount_minor = excluded.amount_minor, version = present.version + 1, updated_at = now(),
      checked_at = '-infinity',
      alerted_percent = case when excluded.amount_minor > present.amount_minor then null else present.alerted_percent end`.execute(
    transaction,
  );
}

/** A budget, locked until the commit; null: it was removed. */
export async function lockBudget(
  transaction: TenantTransaction,
  developerId: string,
  currency: string,
): Promise<Budget | null> {
  const row = await transaction
    .selectFrom('portal_budgets')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('currency', '=', currency)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { ...row, amountMinor: Number(row.amount_minor) };
}

/** Remembers that an e-mail of a level was sent for a period. */
export async function setAlerted(
  transaction: TenantTransaction,
  developerId: string,
  currency: string,
  alert: { readonly percent: 80 | 100; readonly periodId: string },
): Promise<void> {
  await transaction
    .updateTable('portal_budgets')
    .set({ alerted_percent: alert.percent, alerted_period_id: alert.periodId })
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('currency', '=', currency)
    .execute();
}
