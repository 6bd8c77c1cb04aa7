import { type Selectable, sql } from 'kysely';
import type { Schema, StoredBulkFailure, TenantTransaction } from '../../database/schema.ts';
import { conditionsOf, type DocumentFilter } from '../documents/dashboard-store.ts';
import { listedFailures } from './contract.ts';

type BulkActionRow = Selectable<Schema['bulk_actions']>;

/** A bulk action with counts instead of its documents. */
export type FoundBulkAction = Omit<BulkActionRow, 'document_ids' | 'failures'> & {
  readonly total: number;
  readonly failed_count: number;
  /** The first of them. */
  readonly failures: readonly StoredBulkFailure[];
};

/** The documents that match, the newest first, with one more than `most` where there are more. */
export async function findSelected(
  transaction: TenantTransaction,
  filter: DocumentFilter,
  { most, threshold }: { readonly most: number; readonly threshold: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from documents where ${conditionsOf(transaction, filter, threshold)}
    order by account_id desc, id desc limit ${most + 1}`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Queues a bulk action. A worker claims it once the transaction has committed. */
export async function insertBulkAction(
  transaction: TenantTransaction,
  action: Pick<BulkActionRow, 'id' | 'user_id' | 'action' | 'doc_type' | 'document_ids'>,
): Promise<void> {
  await transaction
    .insertInto('bulk_actions')
    .values({ ...action, account_id: transaction.tenantId })
    .execute();
}

export async function findBulkAction(transaction: TenantTransaction, id: string): Promise<FoundBulkAction | null> {
  const row = await transaction
    .selectFrom('bulk_actions')
    .select(['id', 'account_id', 'user_id', 'action', 'doc_type', 'finished_count', 'state', 'attempts', 'run_at'])
    .select(['created_at', 'finished_at'])
    .select(sql<number>`cardinality(document_ids)`.as('total'))
    .select(sql<number>`jsonb_array_length(failures)`.as('failed_count'))
    .select(
      sql<
        readonly StoredBulkFailure[]
      >`jsonb_path_query_array(failures, ${`$[0 to ${listedFailures - 1}]`}::jsonpath)`.as('failures'),
    )
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The action as its next document finds it, locked; null where this claim on it is no longer valid. */
export async function lockProgress(
  transaction: TenantTransaction,
  { id, attempts }: { readonly id: string; readonly attempts: number },
): Promise<number | null> {
  const row = await transaction
    .selectFrom('bulk_actions')
    .select('finished_count')
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'processing')
    .forUpdate()
    .executeTakeFirst();
  return row?.finished_count ?? null;
}

/** Records the outcome of the next document; `failure` is null where the action was carried out. */
export async function recordOutcome(
  transaction: TenantTransaction,
  id: string,
  failure: StoredBulkFailure | null,
): Promise<void> {
  await transaction
    .updateTable('bulk_actions')
    .set({
      finished_count: sql<number>`finished_count + 1`,
      ...(failure === null ? {} : { failures: sql<string>`failures || ${JSON.stringify([failure])}::jsonb` }),
    })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Ends an action whose documents all have an outcome. */
export async function endBulkAction(
  transaction: TenantTransaction,
  { id, attempts }: { readonly id: string; readonly attempts: number },
): Promise<void> {
  await transaction
    .updateTable('bulk_actions')
    .set({ state: 'done', finished_at: new Date() })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}
