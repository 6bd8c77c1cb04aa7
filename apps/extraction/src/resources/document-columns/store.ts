import type { TenantTransaction } from '../../database/schema.ts';

/** The columns that a user has chosen; null where they have chosen none. */
export async function findColumns(transaction: TenantTransaction, userId: string): Promise<readonly string[] | null> {
  const { document_columns } = await transaction
    .selectFrom('users')
    .select('document_columns')
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return document_columns;
}

/** Keeps a user's choice of columns; null forgets it. */
export async function storeColumns(
  transaction: TenantTransaction,
  userId: string,
  columns: string[] | null,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ document_columns: columns })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', userId)
    .execute();
}
