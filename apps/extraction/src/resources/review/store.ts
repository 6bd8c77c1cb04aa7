import type { DocumentType } from '@millrace/engine/types/definition';
import { sql } from 'kysely';
import type { EnteredByPeople, StoredResult, TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';
import { standingOf } from '../documents/store.ts';
import type { KeptChange } from './rules.ts';

/**
 * Stores what people have entered into a document: the result with their values, which the API returns from then on, and
 * each change with its author. An earlier confirmation is no longer valid.
 *
 * @param version of the document, after it.
 */
export async function storeCorrections(
  transaction: TenantTransaction,
  document: { readonly id: string; readonly version: number },
  corrected: {
    readonly entered: EnteredByPeople;
    readonly result: StoredResult;
    readonly type: DocumentType;
    readonly kept: readonly KeptChange[];
    readonly userId: string;
  },
): Promise<void> {
  const { entered, result, type } = corrected;
  await transaction
    .updateTable('documents')
    .set({
      // The first correction keeps what was extracted.
      extracted_result: sql<string>`coalesce(extracted_result, result)`,
      result: JSON.stringify(result),
      entered: JSON.stringify(entered),
      version: document.version,
      confirmed_at: null,
      confirmed_by: null,
      ...(result.extraction ? standingOf(type, result.extraction) : {}),
    })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', document.id)
    .execute();
  await transaction
    .insertInto('corrections')
    .values(
      corrected.kept.map(({ kind, path, before, after }) => ({
        id: newId('cor'),
        account_id: transaction.tenantId,
        document_id: document.id,
        user_id: corrected.userId,
        version: document.version,
        kind,
        path: path && JSON.stringify(path),
        before: JSON.stringify({ value: before }),
        after: JSON.stringify({ value: after }),
      })),
    )
    .execute();
}

/** Notes that a person has confirmed a document's values. */
export async function storeConfirmation(transaction: TenantTransaction, id: string, userId: string): Promise<void> {
  await transaction
    .updateTable('documents')
    .set({ confirmed_at: new Date(), confirmed_by: userId })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** The results of documents, by id. */
export async function findResults(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredResult>> {
  const rows = await transaction
    .selectFrom('documents')
    .select(['id', 'result'])
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  return new Map(rows.flatMap(({ id, result }) => (result ? [[id, result] as const] : [])));
}
