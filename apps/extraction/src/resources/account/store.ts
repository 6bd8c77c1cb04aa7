import type { Selectable } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';

export type StoredAccount = Pick<
  Selectable<Schema['accounts']>,
  'id' | 'name' | 'review_threshold' | 'retention_days' | 'created_at'
>;

const columns = ['id', 'name', 'review_threshold', 'retention_days', 'created_at'] as const;

export function findAccount(transaction: TenantTransaction): Promise<StoredAccount> {
  return transaction
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
}

/** Changes what is given. */
export async function updateAccount(
  transaction: TenantTransaction,
  changes: Partial<Pick<StoredAccount, 'name' | 'review_threshold' | 'retention_days'>>,
): Promise<StoredAccount> {
  if (Object.keys(changes).length === 0) return findAccount(transaction);
  return transaction
    .updateTable('accounts')
    .set(changes)
    .where('id', '=', transaction.tenantId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}
