import { newId } from '@millrace/identifiers';
import type { OpenApiDocument } from '@millrace/openapi/document';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { found } from '../../frame/errors.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { proxyContentChanged, specificationPublished } from '../events.ts';
import { lockProxy } from '../proxies/content.ts';
import type { Specification } from './contract.ts';
import { contactOf } from './rules.ts';

type Presented = z.infer<typeof Specification>;

interface Filters extends Listing {
  readonly proxyId?: string | undefined;
  readonly state?: Presented['state'] | undefined;
  readonly source?: Presented['source'] | undefined;
}

const columns = {
  updatedAt: 'specifications.updated_at',
  createdAt: 'specifications.created_at',
  title: 'title',
  apiVersion: 'api_version',
  publishedAt: 'published_at',
};

/** Everything but the documents, which may be large. */
function selectSpecifications(transaction: TenantTransaction) {
  return transaction
    .selectFrom('specifications')
    .leftJoin('proxies', (join) =>
      join
        .onRef('proxies.organization_id', '=', 'specifications.organization_id')
        .onRef('proxies.id', '=', 'specifications.proxy_id'),
    )
    .select([
      'specifications.id',
      'proxy_id',
      'title',
      'specifications.description',
      'api_version',
      sql<OpenApiDocument>`jsonb_build_object('info', document -> 'info')`.as('head'),
      'source',
      'state',
      'published_at',
      sql<boolean>`state = 'published' and document::text is distinct from published_document::text`.as(
        'unpublished_changes',
      ),
      sql<boolean | null>`case when specifications.content_hash is not null
        then specifications.content_hash is distinct from proxies.content_hash end`.as('outdated'),
      sql<string>`encode(sha256(convert_to(document::text, 'UTF8')), 'hex')`.as('document_hash'),
      'specifications.version',
      'specifications.created_at',
      'specifications.updated_at',
    ])
    .where('specifications.organization_id', '=', transaction.tenantId);
}

export async function listSpecifications(transaction: TenantTransaction, filters: Filters) {
  let query = selectSpecifications(transaction).where((builder) =>
    matches(builder, ['title', 'specifications.description', 'proxies.name'], filters.search),
  );
  if (filters.proxyId !== undefined) query = query.where('proxy_id', '=', filters.proxyId);
  if (filters.state !== undefined) query = query.where('state', '=', filters.state);
  if (filters.source !== undefined) query = query.where('source', '=', filters.source);
  const { rows, total } = await readPage(query, filters, columns, 'specifications.id');
  return { specifications: rows.map(present), total };
}

export async function findSpecification(transaction: TenantTransaction, id: string): Promise<Presented | null> {
  const row = await selectSpecifications(transaction).where('specifications.id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** The documents of a specification: as it is edited, and as it was published. */
export async function findDocuments(transaction: TenantTransaction, id: string) {
  const row = await transaction
    .selectFrom('specifications')
    .select(['document', 'published_document'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    document: row.document as OpenApiDocument,
    publishedDocument: row.published_document as OpenApiDocument | null,
  };
}

/**
 * The specification and its document, with its proxy and itself locked until the commit. Answers `not_found` where there
 * is none.
 */
export async function lockSpecification(transaction: TenantTransaction, id: string) {
  const seen = found(await findSpecification(transaction, id));
  if (seen.proxyId !== null) await lockProxy(transaction, seen.proxyId);
  await transaction
    .selectFrom('specifications')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  const before = found(await findSpecification(transaction, id));
  const { document } = found(await findDocuments(transaction, id));
  return { before, document };
}

/** Id of the specification that is part of the proxy's working copy; null where it has none. */
export async function newestSpecificationId(transaction: TenantTransaction, proxyId: string): Promise<string | null> {
  const row = await transaction
    .selectFrom('specifications')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

interface Written {
  readonly title: string;
  readonly description: string;
  readonly apiVersion: string;
  readonly document: OpenApiDocument;
}

/** Adds a draft; of a proxy it is the specification of the working copy from now on. */
export async function insertSpecification(
  transaction: TenantTransaction,
  proxyId: string | null,
  source: Presented['source'],
  written: Written,
): Promise<string> {
  const id = newId('spc');
  await transaction
    .insertInto('specifications')
    .values({ id, organization_id: transaction.tenantId, proxy_id: proxyId, source, ...columnsOf(written) })
    .execute();
  if (proxyId !== null) emit(transaction, proxyContentChanged, { proxyId });
  return id;
}

export async function updateSpecification(
  transaction: TenantTransaction,
  id: string,
  written: Written & { readonly source?: Presented['source'] },
): Promise<void> {
  const { proxy_id: proxyId } = await transaction
    .updateTable('specifications')
    .set({
      ...columnsOf(written),
      ...(written.source === undefined ? {} : { source: written.source }),
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returning('proxy_id')
    .executeTakeFirstOrThrow();
  if (proxyId !== null) emit(transaction, proxyContentChanged, { proxyId });
}

function columnsOf({ title, description, apiVersion, document }: Written) {
  return { title, description, api_version: apiVersion, document: JSON.stringify(document) };
}

/** Notes that the specification fits the working copy as it is now. */
export async function markCurrent(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .updateTable('specifications')
    .set((builder) => ({
      content_hash: builder
        .selectFrom('proxies')
        .select('proxies.content_hash')
        .whereRef('proxies.organization_id', '=', 'specifications.organization_id')
        .whereRef('proxies.id', '=', 'specifications.proxy_id'),
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Freezes the document as it is for whoever reads what is published; or takes it back. */
export async function setPublished(
  transaction: TenantTransaction,
  { id, proxyId }: Pick<Presented, 'id' | 'proxyId'>,
  publishedAt: Date | null,
): Promise<void> {
  const before = proxyId === null ? null : await findPublished(transaction, proxyId);
  await transaction
    .updateTable('specifications')
    .set((builder) => ({
      state: publishedAt === null ? 'draft' : 'published',
      published_document: publishedAt === null ? null : sql<string>`${builder.ref('document')}`,
      published_at: publishedAt,
      published_api_version: publishedAt === null ? null : builder.ref('api_version'),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    }))
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  if (proxyId === null) return;
  const after = await findPublished(transaction, proxyId);
  emit(transaction, specificationPublished, { proxyId, before, after });
}

/** The document of a proxy that was published last; null: none is published. */
async function findPublished(transaction: TenantTransaction, proxyId: string): Promise<OpenApiDocument | null> {
  const row = await transaction
    .selectFrom('specifications')
    .select('published_document')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('state', '=', 'published')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.published_document ?? null) as OpenApiDocument | null;
}

export async function deleteSpecification(transaction: TenantTransaction, id: string): Promise<void> {
  const { proxy_id: proxyId } = await transaction
    .deleteFrom('specifications')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returning('proxy_id')
    .executeTakeFirstOrThrow();
  if (proxyId !== null) emit(transaction, proxyContentChanged, { proxyId });
}

type Row = Awaited<ReturnType<ReturnType<typeof selectSpecifications>['executeTakeFirstOrThrow']>>;

function present(row: Row): Presented {
  return {
    id: row.id,
    proxyId: row.proxy_id,
    title: row.title,
    description: row.description,
    apiVersion: row.api_version,
    contact: contactOf(row.head),
    source: row.source,
    state: row.state,
    publishedAt: row.published_at?.toISOString() ?? null,
    unpublishedChanges: row.unpublished_changes,
    outdated: row.outdated,
    documentHash: row.document_hash,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
