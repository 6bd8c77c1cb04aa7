import { type Selectable, sql } from 'kysely';
import type { Schema, StoredResult, TenantTransaction } from '../../database/schema.ts';
import { conditionsOf, type DocumentFilter } from '../documents/dashboard-store.ts';

/** A document as it is exported. */
export type ExportedDocument = Pick<
  Selectable<Schema['documents']>,
  | 'id'
  | 'reference'
  | 'file_name'
  | 'doc_type'
  | 'state'
  | 'source'
  | 'page_count'
  | 'lowest_confidence'
  | 'confirmed_at'
  | 'created_at'
> & { readonly result: Pick<StoredResult, 'fields' | 'lines'> | null };

/** The documents that match, by type. `anyReference` is that of one of them. */
export async function countByType(
  transaction: TenantTransaction,
  filter: DocumentFilter,
  threshold: number,
): Promise<readonly { readonly doc_type: string; readonly count: number; readonly any_reference: string }[]> {
  const { rows } = await sql<{ doc_type: string; count: number; any_reference: string }>`
    select doc_type, count(*)::int as count, min(reference) as any_reference
    from documents where ${conditionsOf(transaction, filter, threshold)} group by doc_type`.execute(transaction);
  return rows;
}

/** The next documents behind one, the newest first; `after` is null at the beginning. */
export async function listExported(
  transaction: TenantTransaction,
  filter: DocumentFilter,
  { threshold, after, limit }: { readonly threshold: number; readonly after: string | null; readonly limit: number },
): Promise<readonly ExportedDocument[]> {
  const behind = after === null ? sql`` : sql`and id < ${after}`;
  const { rows } = await sql<ExportedDocument>`
    with page as materialized (
      select id from documents where ${conditionsOf(transaction, filter, threshold)} ${behind}
      order by account_id desc, id desc limit ${limit})
    select id, reference, file_name, doc_type, state, source, page_count, lowest_confidence, confirmed_at, created_at,
      result - 'extraction' as result
    from documents where account_id = ${transaction.tenantId} and id = any(array(select id from page))
    order by id desc`.execute(transaction);
  return rows;
}
