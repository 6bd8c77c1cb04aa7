import type { JsonValue } from '@millrace/document-model';
import type { DocumentType } from '@millrace/engine/types/definition';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { findTypeNamed } from '../document-types/store.ts';
import { uncountDocument } from './counts.ts';
import { isDocumentId } from './store.ts';

/** A list counts up to this many documents. */
const countedDocuments = 10_000;

type DocumentRow = Selectable<Schema['documents']>;

/** A document as lists show it. */
export type ListedRow = Pick<
  DocumentRow,
  | 'id'
  | 'reference'
  | 'file_name'
  | 'doc_type'
  | 'supplier'
  | 'state'
  | 'source'
  | 'page_count'
  | 'lowest_confidence'
  | 'confirmed_at'
  | 'created_at'
  | 'finished_at'
  | 'error_code'
  | 'error_message'
> & {
  readonly doubtful_count: number;
  /** Of the fields that were asked for; null where none were, or it has no result. */
  readonly field_values?: Record<string, JsonValue> | null;
};

const listedColumns = [
  'id',
  'reference',
  'file_name',
  'doc_type',
  'supplier',
  'state',
  'source',
  'page_count',
  'lowest_confidence',
  'confirmed_at',
  'created_at',
  'finished_at',
  'error_code',
  'error_message',
] as const;

const doubtfulCount = (threshold: number) =>
  sql<number>`(select count(*)::int from unnest(confidences) as confidence where confidence < ${threshold}::real)`;

/** Reads results, which are large; only for lists that show values. */
const fieldValues = (names: readonly string[]) =>
  sql<Record<string, JsonValue> | null>`(
    select jsonb_object_agg(key, value) from jsonb_each(result -> 'fields') where key = any(${names}))`;

export interface DocumentFilter {
  /** Only these documents. */
  readonly ids?: readonly string[] | undefined;
  /** In lower case. */
  readonly text?: string | undefined;
  /** Part of the supplier's name, in lower case. */
  readonly supplier?: string | undefined;
  readonly type?: DocumentRow['doc_type'] | undefined;
  readonly state?: DocumentRow['state'] | undefined;
  readonly source?: DocumentRow['source'] | undefined;
  readonly from?: Date | undefined;
  /** Not included. */
  readonly until?: Date | undefined;
  readonly minConfidence?: number | undefined;
  readonly maxConfidence?: number | undefined;
  readonly needsReview?: boolean | undefined;
}

export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Null beyond 10,000. */
  readonly total: number | null;
}

/** Where a list goes on: behind a document, with the number of all that was counted at its beginning. */
export interface ListPosition {
  readonly id: string;
  readonly total: number | null;
}

/** What part of a list is wanted, and below which confidence values are doubtful. */
interface Page {
  readonly limit: number;
  /** Null where the list begins. */
  readonly after: ListPosition | null;
  readonly threshold: number;
  /** Fields whose values are wanted. */
  readonly values?: readonly string[] | undefined;
}

/** The threshold below which the account's values are doubtful. */
export async function findReviewThreshold(transaction: TenantTransaction): Promise<number> {
  const { review_threshold } = await transaction
    .selectFrom('accounts')
    .select('review_threshold')
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return review_threshold;
}

/** A page of documents, the newest first. Filters are decided in indexes; rows are read of the page's documents only. */
export async function listDashboardDocuments(
  transaction: TenantTransaction,
  filter: DocumentFilter,
  page: Page,
): Promise<Listing<ListedRow>> {
  return listPage(transaction, filter, 'desc', page);
}

/** A page of the documents that wait for review, the oldest first. */
export function listReviewQueue(
  transaction: TenantTransaction,
  type: DocumentRow['doc_type'] | undefined,
  page: Page,
): Promise<Listing<ListedRow>> {
  return listPage(transaction, { needsReview: true, type }, 'asc', page);
}

/** How many documents wait for review; at most 10,001. */
export async function countReviewQueue(transaction: TenantTransaction, threshold: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from documents where ${conditionsOf(transaction, { needsReview: true }, threshold)}
      limit ${countedDocuments + 1}) as matching`.execute(transaction);
  return rows[0]?.count ?? 0;
}

async function listPage(
  transaction: TenantTransaction,
  filter: DocumentFilter,
  direction: 'asc' | 'desc',
  page: Page,
): Promise<Listing<ListedRow>> {
  const { after, limit, threshold, values = [] } = page;
  const { count, ids } =
    (await findByText(transaction, filter, direction, page)) ??
    (await findMatching(transaction, filter, direction, page));
  const rows = await transaction
    .selectFrom('documents')
    .select(listedColumns)
    .select(doubtfulCount(threshold).as('doubtful_count'))
    .$if(values.length > 0, (query) => query.select(fieldValues(values).as('field_values')))
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${ids.slice(0, limit)})`)
    .orderBy('id', direction)
    .execute();
  const total = after ? after.total : count > countedDocuments ? null : count;
  return { rows, hasMore: ids.length > limit, total };
}

/** The documents of a page and one more, where there is one; and how many match, counted so far as it was asked for. */
interface Found {
  readonly ids: readonly string[];
  readonly count: number;
}

/** Goes through an index in the page's order until it has the page and, where this is the first, has counted enough. */
async function findMatching(
  transaction: TenantTransaction,
  filter: DocumentFilter,
  direction: 'asc' | 'desc',
  { after, limit, threshold }: Page,
  // The first page counts and finds in one go; those behind it know the count from their cursor.
  taken = after ? limit + 1 : countedDocuments + 1,
): Promise<Found> {
  const { rows } = await sql<Found>`
    with matching as materialized (
      select id from documents
      where ${conditionsOf(transaction, filter, threshold)} ${behind(after, direction)}
      ${inOrder(direction)} limit ${taken})
    select array(select id from matching limit ${limit + 1}) as ids, (select count(*)::int from matching) as count`.execute(
    transaction,
  );
  return rows[0]!;
}

/** A text in more documents than this is searched in those that match the other filters, which may be fewer. */
const soughtDocuments = 2_000;

/**
 * Finds documents by the index of all texts; null if the text has too few letters for that, or if so many documents have
 * it that going through them in order is as fast.
 */
async function findByText(
  transaction: TenantTransaction,
  { text, ...others }: DocumentFilter,
  direction: 'asc' | 'desc',
  page: Page,
): Promise<Found | null> {
  const { after, limit, threshold } = page;
  if (text === undefined || [...text].length < 3 || after?.total === null) return null;
  const isAlone = Object.values(others).every((value) => value === undefined);
  const most = isAlone ? countedDocuments : soughtDocuments;
  const { rows } = await sql<Found & { found_count: number }>`
    with found as materialized (select search_documents(${text}, ${most + 1}) as ids),
    matching as materialized (
      select id from documents
      where ${conditionsOf(transaction, others, threshold)} ${behind(after, direction)}
        and id = any((select ids from found where cardinality(ids) <= ${most})::text[])
      ${inOrder(direction)})
    select array(select id from matching limit ${limit + 1}) as ids, (select count(*)::int from matching) as count,
      (select cardinality(ids) from found) as found_count`.execute(transaction);
  const { found_count, ...found } = rows[0]!;
  if (found_count <= most) return found;
  if (!isAlone) return null;
  const { ids } = await findMatching(transaction, { text }, direction, page, limit + 1);
  return { ids, count: found_count };
}

function behind(after: ListPosition | null, direction: 'asc' | 'desc') {
  if (!after) return sql``;
  return direction === 'desc' ? sql`and id < ${after.id}` : sql`and id > ${after.id}`;
}

function inOrder(direction: 'asc' | 'desc') {
  const order = sql.raw(direction);
  return sql`order by account_id ${order}, id ${order}`;
}

/** Whether a document is there and matches. */
export function conditionsOf({ tenantId }: TenantTransaction, filter: DocumentFilter, threshold: number) {
  const { ids, text, type, state, source, supplier, from, until, minConfidence, maxConfidence, needsReview } = filter;
  const all = [sql`account_id = ${tenantId}`, sql`deleted_at is null`];
  if (ids) all.push(sql`id = any(${ids})`);
  if (supplier) all.push(sql`supplier is not null and strpos(lower(supplier), ${supplier}) > 0`);
  if (text) all.push(sql`strpos(search_text, ${text}) > 0`);
  if (type) all.push(sql`doc_type = ${type}`);
  if (state) all.push(sql`state = ${state}`);
  if (source) all.push(sql`source = ${source}`);
  if (from) all.push(sql`created_at >= ${from}`);
  if (until) all.push(sql`created_at < ${until}`);
  if (minConfidence !== undefined) all.push(sql`lowest_confidence >= ${minConfidence}::real`);
  if (maxConfidence !== undefined) all.push(sql`lowest_confidence <= ${maxConfidence}::real`);
  const waits = sql`state = 'done' and confirmed_at is null and lowest_confidence < ${threshold}::real`;
  if (needsReview === true) all.push(waits);
  if (needsReview === false) all.push(sql`(${waits}) is not true`);
  return sql<boolean>`${sql.join(all, sql` and `)}`;
}

/** A document's whole row; null where there is none, or it was deleted. */
export async function findDocumentRow(
  transaction: TenantTransaction,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<DocumentRow | null> {
  if (!isDocumentId(id)) return null;
  const query = transaction
    .selectFrom('documents')
    .selectAll()
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

/** A document with all that its screen shows. */
export interface LookedAt {
  readonly row: DocumentRow & { readonly doubtful_count: number };
  /** What it was extracted as. */
  readonly type: DocumentType;
  readonly threshold: number;
  readonly corrections: readonly Pick<
    Selectable<Schema['corrections']>,
    'id' | 'user_id' | 'kind' | 'path' | 'before' | 'after' | 'created_at'
  >[];
  /** Those who entered or confirmed something, by id. */
  readonly people: ReadonlyMap<string, { readonly id: string; readonly name: string }>;
  readonly sender: { readonly id: string; readonly name: string; readonly certain: boolean } | null;
  readonly webhooks: { readonly pending: number; readonly delivered: number; readonly failed: number };
}

const shownCorrections = 200;

export async function lookAtDocument(transaction: TenantTransaction, id: string): Promise<LookedAt | null> {
  const row = await findDocumentRow(transaction, id);
  if (!row) return null;
  const threshold = await findReviewThreshold(transaction);
  const corrections = await transaction
    .selectFrom('corrections')
    .select(['id', 'user_id', 'kind', 'path', 'before', 'after', 'created_at'])
    .where('account_id', '=', transaction.tenantId)
    .where('document_id', '=', id)
    .orderBy('id', 'desc')
    .limit(shownCorrections)
    .execute();
  const { entered } = row;
  const userIds = new Set([
    ...corrections.map(({ user_id }) => user_id),
    ...(row.confirmed_by === null ? [] : [row.confirmed_by]),
    ...Object.values(entered?.fields ?? {}).map(({ by }) => by),
    ...(entered?.rows ?? []).flatMap(({ cells }) => Object.values(cells).map(({ by }) => by)),
  ]);
  const doubtful = row.confidences.filter((confidence) => confidence < threshold).length;
  return {
    row: { ...row, doubtful_count: doubtful },
    type: await findTypeNamed(transaction, row.doc_type),
    threshold,
    corrections,
    people: await findPeople(transaction, [...userIds]),
    sender: row.sender_id === null ? null : await findSender(transaction, row.sender_id, row.sender_certain),
    webhooks: await countNotifications(transaction, id),
  };
}

async function findPeople(transaction: TenantTransaction, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { id: string; name: string }>();
  const users = await transaction
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  return new Map(users.map(({ id, name, email }) => [id, { id, name: name === '' ? email : name }]));
}

async function findSender(transaction: TenantTransaction, id: string, certain: boolean) {
  const sender = await transaction
    .selectFrom('senders')
    .select(['id', 'name'])
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return sender ? { ...sender, certain } : null;
}

async function countNotifications(transaction: TenantTransaction, documentId: string) {
  const counts = await transaction
    .selectFrom('notifications')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .where('account_id', '=', transaction.tenantId)
    .where('document_id', '=', documentId)
    .groupBy('state')
    .execute();
  const countOf = (state: (typeof counts)[number]['state']) => counts.find((each) => each.state === state)?.count ?? 0;
  return { pending: countOf('pending'), delivered: countOf('delivered'), failed: countOf('failed') };
}

/**
 * Puts a document back in state `processing`, as the type it is to be extracted as, without the result it had.
 *
 * @returns the options of its last job, null where it had none.
 */
export async function resetDocument(
  transaction: TenantTransaction,
  id: string,
  docType: DocumentRow['doc_type'] | null,
): Promise<Selectable<Schema['jobs']>['options'] | null> {
  await uncountDocument(transaction, id);
  await transaction
    .updateTable('documents')
    .set({
      state: 'processing',
      result: null,
      error_code: null,
      error_message: null,
      finished_at: null,
      restarted_at: new Date(),
      confidences: [],
      lowest_confidence: null,
      sender_id: null,
      supplier: null,
      version: sql<number>`version + 1`,
      ...(docType ? { doc_type: docType } : {}),
    })
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return findJobOptions(transaction, id);
}

/** What was asked for when a document was last queued; null where it never was. */
export async function findJobOptions(
  transaction: TenantTransaction,
  documentId: string,
): Promise<Selectable<Schema['jobs']>['options'] | null> {
  const job = await transaction
    .selectFrom('jobs')
    .select('options')
    .where('account_id', '=', transaction.tenantId)
    .where('document_id', '=', documentId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return job?.options ?? null;
}
