import type { Extraction, MediaType } from '@millrace/document-model';
import { ownFieldsOf } from '@millrace/engine/supplier-fields';
import type { DocumentType } from '@millrace/engine/types/definition';
import { sql } from 'kysely';
import type { StoredResult, TenantTransaction } from '../../database/schema.ts';
import { findTypeNamed } from '../document-types/store.ts';
import {
  confidencesOf,
  type FinishedDocument,
  type Outcome,
  type Processing,
  referenceOf,
  storable,
  storedResult,
} from './rules.ts';

/** A file that was accepted for extraction. */
export interface NewDocument {
  readonly id: string;
  readonly fileName: string;
  readonly mediaType: MediaType;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly docType: string;
  readonly blobKey: string;
  readonly apiKeyId: string | null;
  readonly source: FinishedDocument['source'];
  /** When the file had arrived: how long the document took is counted from here. */
  readonly receivedAt: Date;
}

/** Stores a document in state `processing` and gives it the account's next reference, which it returns. */
export async function insertDocument(transaction: TenantTransaction, document: NewDocument): Promise<string> {
  const { next_reference } = await transaction
    .updateTable('accounts')
    .set({ next_reference: sql<number>`next_reference + 1` })
    .where('id', '=', transaction.tenantId)
    .returning(sql<number>`next_reference - 1`.as('next_reference'))
    .executeTakeFirstOrThrow();
  const reference = referenceOf(next_reference);
  await transaction
    .insertInto('documents')
    .values({
      id: document.id,
      account_id: transaction.tenantId,
      reference,
      source: document.source,
      file_name: document.fileName,
      media_type: document.mediaType,
      size_bytes: document.sizeBytes,
      sha256: document.sha256,
      page_count: null,
      doc_type: document.docType,
      state: 'processing',
      result: null,
      error_code: null,
      error_message: null,
      blob_key: document.blobKey,
      api_key_id: document.apiKeyId,
      // Not the row's own time: a document that its caller waits for is stored once it is extracted.
      created_at: document.receivedAt,
    })
    .execute();
  return reference;
}

/**
 * Gives a document in state `processing` its final state and result, and returns it.
 *
 * @returns null where the document has its final state already, which then stays.
 */
export async function finishDocument(
  transaction: TenantTransaction,
  id: string,
  outcome: Outcome,
  processing: Processing,
): Promise<FinishedDocument | null> {
  const { result, text } = storable(storedResult(outcome, processing));
  const standing =
    outcome.state === 'done'
      ? standingOf(await findTypeNamed(transaction, outcome.extraction.docType), outcome.extraction)
      : {};
  const row = await transaction
    .updateTable('documents')
    .set({
      state: outcome.state,
      result: text,
      ...(outcome.state === 'done'
        ? {
            page_count: outcome.extraction.pages.length,
            doc_type: outcome.extraction.docType,
            ...standing,
            sender_id: outcome.extraction.sender?.id ?? null,
            sender_certain: outcome.extraction.sender?.certain ?? false,
          }
        : { error_code: outcome.code, error_message: outcome.message }),
      finished_at: new Date(),
    })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .returning(['reference', 'source', 'doc_type', 'error_code', 'error_message'])
    .executeTakeFirst();
  return row ? { ...row, id, state: outcome.state, result } : null;
}

/** What lists are filtered by of an extraction's values. */
export function standingOf(
  type: DocumentType,
  extraction: Extraction,
): {
  confidences: number[];
  lowest_confidence: number | null;
  supplier: string | null;
} {
  const confidences = confidencesOf(type, extraction);
  return { confidences, lowest_confidence: confidences[0] ?? null, supplier: supplierOf(type, extraction) };
}

/** Characters of a supplier's name that are stored, since the name is indexed. */
const longestSupplier = 200;

/** The document's supplier; null if it has none, or its type has no such field. */
function supplierOf(type: DocumentType, { fields }: Extraction): string | null {
  const own = ownFieldsOf(type);
  const name = own && fields[own.name]?.value;
  return typeof name === 'string' ? name.slice(0, longestSupplier).toWellFormed().replaceAll('\0', '') : null;
}

/** Documents in a final state, by id. With `provenance` their results carry the engine's whole finding. */
export async function findFinishedDocuments(
  transaction: TenantTransaction,
  ids: readonly string[],
  { provenance }: { readonly provenance: boolean },
): Promise<ReadonlyMap<string, FinishedDocument>> {
  const rows = await transaction
    .selectFrom('documents')
    .select(['id', 'reference', 'source', 'doc_type', 'state', 'error_code', 'error_message'])
    .select((provenance ? sql<StoredResult>`result` : sql<StoredResult>`result - 'extraction'`).as('result'))
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${ids.filter(isDocumentId)})`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.flatMap((row) => (row.state === 'processing' ? [] : [[row.id, { ...row, state: row.state }]])));
}

/** A document in a final state, as {@link findFinishedDocuments} finds it. */
export async function findFinishedDocument(
  transaction: TenantTransaction,
  id: string,
  options: { readonly provenance: boolean },
): Promise<FinishedDocument | null> {
  return (await findFinishedDocuments(transaction, [id], options)).get(id) ?? null;
}

/** The newest documents first, finished or not. */
export function listDocuments(transaction: TenantTransaction, limit: number) {
  return transaction
    .selectFrom('documents')
    .select(['id', 'reference', 'file_name', 'doc_type', 'state', 'error_code', 'source', 'page_count', 'created_at'])
    .where('account_id', '=', transaction.tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Whether a text has the form of a document's id; any other text is not worth a question to the database. */
export function isDocumentId(text: string) {
  return /^doc_[0-9a-z]{26}$/.test(text);
}
