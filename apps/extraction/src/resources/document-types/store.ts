import { isDocType } from '@millrace/document-model';
import { type OwnType, ownTypeLimits } from '@millrace/document-model/own-type';
import { documentTypeNamed } from '@millrace/engine/types';
import type { DocumentType } from '@millrace/engine/types/definition';
import { type Selectable, sql } from 'kysely';
import type { Schema, StoredResult, TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../http/errors.ts';
import type { ConfirmedValues } from './rules.ts';

/** One of the account's own types. */
export interface StoredType {
  readonly type: OwnType;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Types that an account has had; a name can be taken again, so that few ever reach it. */
const keptTypes = 1_000;

function storedType(row: Selectable<Schema['document_types']>): StoredType {
  const { created_at, definition, name, updated_at, version } = row;
  return { type: { ...definition, name }, version, created_at, updated_at };
}

/** The account's own types, by name. */
export async function listOwnTypes(transaction: TenantTransaction): Promise<readonly StoredType[]> {
  const rows = await transaction
    .selectFrom('document_types')
    .selectAll()
    .where('account_id', '=', transaction.tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute();
  return rows.map(storedType);
}

/** One of the account's own types; null where there is none of the name. */
export async function findOwnType(
  transaction: TenantTransaction,
  name: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<StoredType | null> {
  const query = transaction
    .selectFrom('document_types')
    .selectAll()
    .where('account_id', '=', transaction.tenantId)
    .where('name', '=', name.slice(0, ownTypeLimits.nameCharacters + 1))
    .where('deleted_at', 'is', null);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row ? storedType(row) : null;
}

/** The account's own types that a document may be extracted as: those that stand, and the one of a name if it was deleted. */
export async function findTypesToExtract(transaction: TenantTransaction, docType: string): Promise<readonly OwnType[]> {
  const rows = await transaction
    .selectFrom('document_types')
    .selectAll()
    .where('account_id', '=', transaction.tenantId)
    .where(({ eb, or }) => or([eb('deleted_at', 'is', null), eb('name', '=', docType)]))
    .execute();
  return rows.map((row) => storedType(row).type);
}

/** Document types by their names, whether they still stand or not. */
export async function findTypesNamed(
  transaction: TenantTransaction,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, DocumentType>> {
  const all = [...new Set(names)];
  const own = all.filter((name) => !isDocType(name));
  const rows =
    own.length === 0
      ? []
      : await transaction
          .selectFrom('document_types')
          .selectAll()
          .where('account_id', '=', transaction.tenantId)
          .where('name', '=', sql<string>`any(${own})`)
          .execute();
  const types = rows.map((row) => storedType(row).type);
  return new Map(all.map((name) => [name, documentTypeNamed(name, types)]));
}

/** The document type of a name, whether it still stands or not. */
export async function findTypeNamed(transaction: TenantTransaction, name: string): Promise<DocumentType> {
  return (await findTypesNamed(transaction, [name])).get(name)!;
}

/** Whether a document may be extracted as a type: a built-in one, or one of the account's own that stands. */
export async function isType(transaction: TenantTransaction, name: string): Promise<boolean> {
  return isDocType(name) || (await findOwnType(transaction, name)) !== null;
}

/**
 * Refuses a type that the account doesn't have and never had: of a deleted one there are documents.
 *
 * @throws ApiError `invalid_request`
 */
export async function requireNamedType(transaction: TenantTransaction, name: string): Promise<void> {
  if (isDocType(name)) return;
  const found = await transaction
    .selectFrom('document_types')
    .select('name')
    .where('account_id', '=', transaction.tenantId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!found) throw new ApiError('invalid_request', { message: 'There is no such document type. Choose another one.' });
}

/**
 * Refuses a type that the account doesn't have.
 *
 * @throws ApiError `invalid_request`
 */
export async function requireType(transaction: TenantTransaction, name: string | null | undefined): Promise<void> {
  if (name === null || name === undefined || name === 'detect' || (await isType(transaction, name))) return;
  throw new ApiError('invalid_request', {
    message: 'There is no such document type. Choose another one.',
    errors: { docType: 'There is no such document type.' },
  });
}

/**
 * Stores a new type. A deleted one of the same name is taken up again, with its versions.
 *
 * @throws ApiError `conflict` where the name is taken, `invalid_request` where the account has too many types
 */
export async function insertOwnType(
  transaction: TenantTransaction,
  { name, ...definition }: OwnType,
): Promise<StoredType> {
  // Types of one account are created one after the other, so that they can be counted.
  await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', transaction.tenantId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { all, standing } = await transaction
    .selectFrom('document_types')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`count(*) filter (where deleted_at is null)::int`.as('standing'),
    ])
    .where('account_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  if (await findOwnType(transaction, name)) {
    throw new ApiError('conflict', { message: `There is already a document type "${name}". Choose another name.` });
  }
  if (standing >= ownTypeLimits.types || all >= keptTypes) {
    throw new ApiError('invalid_request', {
      message: `An account has at most ${ownTypeLimits.types} document types. Delete one that is no longer used.`,
    });
  }
  const row = await transaction
    .insertInto('document_types')
    .values({ account_id: transaction.tenantId, name, definition: JSON.stringify(definition) })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'name']).doUpdateSet({
        definition: JSON.stringify(definition),
        version: sql<number>`document_types.version + 1`,
        updated_at: new Date(),
        deleted_at: null,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return storedType(row);
}

/** Replaces a type's definition; the caller has compared its version. */
export async function updateOwnType(
  transaction: TenantTransaction,
  { name, ...definition }: OwnType,
): Promise<StoredType> {
  const row = await transaction
    .updateTable('document_types')
    .set({
      definition: JSON.stringify(definition),
      version: sql<number>`version + 1`,
      updated_at: new Date(),
    })
    .where('account_id', '=', transaction.tenantId)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow();
  return storedType(row);
}

/** Deletes a type with what its documents taught; inboxes detect the type again. False where there is none. */
export async function deleteOwnType(transaction: TenantTransaction, name: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('document_types')
    .set({ deleted_at: new Date() })
    .where('account_id', '=', transaction.tenantId)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await transaction
    .deleteFrom('senders')
    .where('account_id', '=', transaction.tenantId)
    .where('doc_type', '=', name)
    .execute();
  await transaction
    .updateTable('inboxes')
    .set({ doc_type: null })
    .where('account_id', '=', transaction.tenantId)
    .where('doc_type', '=', name)
    .execute();
  return true;
}

/** Confirmed documents that figures are counted over: the newest. */
const countedDocuments = 500;

/** The values of the account's confirmed documents of a type. */
export async function findConfirmedValues(
  transaction: TenantTransaction,
  docType: string,
): Promise<readonly ConfirmedValues[]> {
  const { rows } = await sql<{ extracted: StoredResult; confirmed: StoredResult }>`
    select coalesce(extracted_result, result) as extracted, result as confirmed
    from documents
    where account_id = ${transaction.tenantId} and doc_type = ${docType} and state = 'done'
      and confirmed_at is not null and deleted_at is null
    order by confirmed_at desc limit ${countedDocuments}`.execute(transaction);
  return rows.map(({ confirmed, extracted }) => ({
    extracted: extracted.fields,
    confirmed: confirmed.fields,
    extractedLines: extracted.lines,
    confirmedLines: confirmed.lines,
  }));
}
