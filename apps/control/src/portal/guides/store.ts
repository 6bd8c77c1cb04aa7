import { newId } from '@millrace/identifiers';
import { renderMarkdown } from '@millrace/markdown';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { portalContentChanged } from '../events.ts';
import type { PortalLanguage } from '../settings/contract.ts';
import type { Guide, GuideLink, GuideVersionSummary, PortalGuide } from './contract.ts';
import { type GuideTexts, inLanguage } from './rules.ts';

type Row = Selectable<Schema['portal_guides']> & { readonly title: string; readonly summary: string };
type Fields = Pick<Guide, 'slug' | 'language' | 'position' | 'productIds'>;
type Author = Pick<Caller, 'id' | 'name'>;

const columns = { position: 'position', title: 'title', slug: 'slug', updatedAt: 'updated_at' };

/** Guides with the texts of their latest versions, without the sources. */
function selectGuides(transaction: TenantTransaction) {
  return transaction
    .selectFrom('portal_guides')
    .innerJoin('portal_guide_versions as latest', (join) =>
      join
        .onRef('latest.organization_id', '=', 'portal_guides.organization_id')
        .onRef('latest.guide_id', '=', 'portal_guides.id')
        .onRef('latest.guide_version', '=', 'portal_guides.guide_version'),
    )
    .selectAll('portal_guides')
    .select(['title', 'summary'])
    .where('portal_guides.organization_id', '=', transaction.tenantId);
}

export async function listGuides(
  transaction: TenantTransaction,
  filters: Listing & {
    readonly language?: PortalLanguage | undefined;
    readonly state?: Guide['state'] | undefined;
  },
) {
  let query = selectGuides(transaction).where((builder) =>
    matches(builder, ['slug', 'title', 'summary'], filters.search),
  );
  if (filters.language !== undefined) query = query.where('language', '=', filters.language);
  if (filters.state !== undefined) {
    query = query.where('published_version', filters.state === 'published' ? 'is not' : 'is', null);
  }
  const { rows, total } = await readPage(query, filters, columns, 'portal_guides.id');
  return { guides: rows.map(present), total };
}

export async function findGuide(transaction: TenantTransaction, id: string): Promise<Guide | null> {
  const row = await selectGuides(transaction).where('portal_guides.id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** The guide, locked until the commit. */
export async function lockGuide(transaction: TenantTransaction, id: string): Promise<Guide | null> {
  await transaction
    .selectFrom('portal_guides')
    .select('id')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  return findGuide(transaction, id);
}

export async function countGuides(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('portal_guides')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds a draft with its first version. */
export async function insertGuide(
  transaction: TenantTransaction,
  fields: Fields,
  texts: GuideTexts,
  author: Author,
): Promise<Guide> {
  const id = newId('gde');
  const { slug, language, position, productIds } = fields;
  const insertion = transaction
    .insertInto('portal_guides')
    .values({
      id,
      organization_id: transaction.tenantId,
      slug,
      language,
      position,
      product_ids: [...productIds],
    })
    .execute();
  await conflictsAt(insertion, slugTaken);
  await insertVersion(transaction, id, 1, texts, author);
  emit(transaction, portalContentChanged, {});
  return (await findGuide(transaction, id))!;
}

const slugTaken = {
  portal_guides_slug_key: ['slug', 'Another guide has this address in this language. Choose a different one.'],
} as const;

/** Changes a guide; with texts it gets a new version, which is not published yet. */
export async function updateGuide(
  transaction: TenantTransaction,
  before: Guide,
  {
    fields,
    texts,
    author,
  }: { readonly fields: Partial<Fields>; readonly texts: GuideTexts | null; readonly author: Author },
): Promise<Guide> {
  const { productIds, ...plain } = fields;
  const guideVersion = before.guideVersion + (texts === null ? 0 : 1);
  if (texts !== null) await insertVersion(transaction, before.id, guideVersion, texts, author);
  const update = transaction
    .updateTable('portal_guides')
    .set({
      ...plain,
      ...(productIds === undefined ? {} : { product_ids: [...productIds] }),
      guide_version: guideVersion,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', before.id)
    .execute();
  await conflictsAt(update, slugTaken);
  emit(transaction, portalContentChanged, {});
  return (await findGuide(transaction, before.id))!;
}

/** Shows a version in the portal; null takes the guide back. */
export async function setPublishedVersion(
  transaction: TenantTransaction,
  id: string,
  guideVersion: number | null,
  now: Date,
): Promise<Guide> {
  await transaction
    .updateTable('portal_guides')
    .set({
      published_version: guideVersion,
      published_at: guideVersion === null ? null : now,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  emit(transaction, portalContentChanged, {});
  return (await findGuide(transaction, id))!;
}

export async function deleteGuide(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('portal_guides')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  emit(transaction, portalContentChanged, {});
}

async function insertVersion(
  transaction: TenantTransaction,
  guideId: string,
  guideVersion: number,
  { title, summary, source }: GuideTexts,
  author: Author,
): Promise<void> {
  await transaction
    .insertInto('portal_guide_versions')
    .values({
      organization_id: transaction.tenantId,
      guide_id: guideId,
      guide_version: guideVersion,
      title,
      summary,
      source,
      created_by: author.id,
      created_by_name: author.name,
    })
    .execute();
}

type Version = z.infer<typeof GuideVersionSummary> & { readonly source: string };

function selectVersions(transaction: TenantTransaction, guideId: string) {
  return transaction
    .selectFrom('portal_guide_versions as v')
    .innerJoin('portal_guides as g', (join) =>
      join.onRef('g.organization_id', '=', 'v.organization_id').onRef('g.id', '=', 'v.guide_id'),
    )
    .select([
      'v.guide_version as guideVersion',
      'v.title',
      'v.summary',
      sql<number>`octet_length(v.source)`.as('sizeBytes'),
      'v.created_at',
      'v.created_by_name as createdByName',
      sql<boolean>`v.guide_version is not distinct from g.published_version`.as('published'),
    ])
    .where('v.organization_id', '=', transaction.tenantId)
    .where('v.guide_id', '=', guideId);
}

export async function listGuideVersions(transaction: TenantTransaction, guideId: string, filters: Listing) {
  const query = selectVersions(transaction, guideId).where((builder) =>
    matches(builder, ['v.title', 'v.summary'], filters.search),
  );
  const names = { guideVersion: 'v.guide_version', title: 'v.title' };
  const { rows, total } = await readPage(query, filters, names, 'v.guide_version');
  return { versions: rows.map(({ created_at: at, ...row }) => ({ ...row, createdAt: at.toISOString() })), total };
}

export async function findGuideVersion(
  transaction: TenantTransaction,
  guideId: string,
  guideVersion: number,
): Promise<Version | null> {
  const row = await selectVersions(transaction, guideId)
    .select('v.source')
    .where('v.guide_version', '=', guideVersion)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { created_at: at, ...version } = row;
  return { ...version, createdAt: at.toISOString() };
}

/** Every guide, with the source of its latest version. */
export async function loadGuides(
  transaction: TenantTransaction,
): Promise<readonly (Guide & { readonly source: string })[]> {
  const rows = await selectGuides(transaction).select('latest.source').orderBy('slug').orderBy('language').execute();
  return rows.map((row) => ({ ...present(row), source: row.source }));
}

interface PublishedRow extends GuideLink {
  readonly productIds: readonly string[];
}

/** What the portal lists: each guide in the preferred language, or in the one that it has. */
export async function listPublishedGuides(
  transaction: TenantTransaction,
  preferred: PortalLanguage,
): Promise<GuideLink[]> {
  return onePerSlug(await selectPublished(transaction), preferred);
}

/** Published guides about a product, in every language that they have. */
export async function listGuidesOfProduct(transaction: TenantTransaction, productId: string): Promise<GuideLink[]> {
  const rows = await selectPublished(transaction, productId);
  return rows.map(({ productIds: _, ...link }) => link);
}

async function selectPublished(
  transaction: TenantTransaction,
  productId: string | null = null,
): Promise<readonly PublishedRow[]> {
  const { rows } = await sql<PublishedRow>`
    select g.slug, g.language, v.title, v.summary, g.product_ids as "productIds"
    from portal_guides g
    join portal_guide_versions v on v.organization_id = g.organization_id and v.guide_id = g.id
      and v.guide_version = g.published_version
    where g.organization_id = ${transaction.tenantId}
      and (${productId}::text is null or ${productId} = any(g.product_ids))
    order by g.position, v.title, g.id`.execute(transaction);
  return rows;
}

function onePerSlug(rows: readonly PublishedRow[], preferred: PortalLanguage): GuideLink[] {
  const bySlug = Map.groupBy(rows, ({ slug }) => slug);
  return [...bySlug.values()].flatMap((translations) => {
    const { productIds: _, ...link } = inLanguage(translations, preferred)!;
    return [link];
  });
}

interface GuideRow extends PublishedRow {
  readonly guide_version: number;
  readonly published_at: Date;
  readonly source: string;
}

/** A published guide in the preferred language, or in the one that it has; products are those that the viewer sees. */
export async function readGuide(
  transaction: TenantTransaction,
  { signedIn }: { readonly signedIn: boolean },
  slug: string,
  preferred: PortalLanguage,
): Promise<PortalGuide | null> {
  const { rows } = await sql<GuideRow>`
    select g.slug, g.language, v.title, v.summary, g.product_ids as "productIds", v.guide_version, g.published_at, v.source
    from portal_guides g
    join portal_guide_versions v on v.organization_id = g.organization_id and v.guide_id = g.id
      and v.guide_version = g.published_version
    where g.organization_id = ${transaction.tenantId} and g.slug = ${slug}
    order by g.language desc`.execute(transaction);
  const row = inLanguage(rows, preferred);
  if (row === undefined) return null;
  const products = await transaction
    .selectFrom('products')
    .select(['name', 'display_name as displayName'])
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${row.productIds}::text[])`)
    .where('published', '=', true)
    .where('state', '=', 'active')
    .where((builder) => (signedIn ? builder.lit(true) : builder('public', '=', true)))
    .orderBy('display_name')
    .execute();
  return {
    slug: row.slug,
    language: row.language,
    title: row.title,
    summary: row.summary,
    guideVersion: row.guide_version,
    publishedAt: row.published_at.toISOString(),
    languages: rows.map(({ language }) => language),
    products,
    source: row.source,
    ...renderMarkdown(row.source),
  };
}

function present(row: Row): Guide {
  return {
    id: row.id,
    slug: row.slug,
    language: row.language,
    position: row.position,
    productIds: row.product_ids,
    state: row.published_version === null ? 'draft' : 'published',
    title: row.title,
    summary: row.summary,
    guideVersion: row.guide_version,
    publishedVersion: row.published_version,
    publishedAt: row.published_at?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
