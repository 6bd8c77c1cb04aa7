import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { PortalLanguage } from '../settings/contract.ts';

/** The largest Markdown source, in bytes of UTF-8. */
const mostGuideBytes = 200_000;

const Slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single inner hyphens.');
const Source = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length <= mostGuideBytes, 'A guide may have at most 200 kB.')
  .describe('Markdown (CommonMark with tables); HTML in it is shown as text.');
const Title = z.string().trim().min(1).max(200);
const Summary = z.string().trim().max(300);
const GuideVersion = z.int().min(1).max(1_000_000);
const ProductIds = z
  .array(Id)
  .max(100)
  .refine((ids) => new Set(ids).size === ids.length, 'List each product once.');

/** A heading of a guide, which a link can point to. */
const Heading = z.object({ id: z.string(), level: z.int(), text: z.string() });
const Rendered = z.object({ html: z.string(), headings: z.array(Heading) });

export const GuideLink = z
  .object({ slug: z.string(), language: PortalLanguage, title: z.string(), summary: z.string() })
  .meta({ id: 'GuideLink' });
export type GuideLink = z.infer<typeof GuideLink>;

export const PortalGuide = z
  .object({
    ...GuideLink.shape,
    guideVersion: GuideVersion,
    publishedAt: Time,
    languages: z.array(PortalLanguage).describe('Languages in which this guide is published.'),
    products: z.array(z.object({ name: z.string(), displayName: z.string() })).describe('What it is about.'),
    source: z.string().describe('Markdown.'),
    ...Rendered.shape,
  })
  .meta({ id: 'PortalGuide' });
export type PortalGuide = z.infer<typeof PortalGuide>;

export const Guide = z
  .object({
    id: Id,
    slug: Slug.describe('In the address of its page; the same in both languages for translations of one another.'),
    language: PortalLanguage,
    position: z.int().min(0).max(10_000).describe('Guides are listed by position, then title.'),
    productIds: ProductIds.describe('Products whose pages link to it.'),
    state: z.enum(['draft', 'published']),
    title: z.string().describe('Of the latest version, as summary and source are.'),
    summary: z.string(),
    guideVersion: GuideVersion.describe('The latest version.'),
    publishedVersion: GuideVersion.nullable().describe('What the portal shows; null: nothing.'),
    publishedAt: Time.nullable(),
    ...versioned,
  })
  .meta({ id: 'Guide' });
export type Guide = z.infer<typeof Guide>;

const GuideWithSource = Guide.extend({ source: z.string() }).meta({ id: 'GuideWithSource' });

export const GuideVersionSummary = z
  .object({
    guideVersion: GuideVersion,
    title: z.string(),
    summary: z.string(),
    sizeBytes: z.int(),
    createdAt: Time,
    createdByName: z.string(),
    published: z.boolean(),
  })
  .meta({ id: 'GuideVersionSummary' });

const params = z.object({ guideId: Id });
const versionParams = z.object({ guideId: Id, guideVersion: z.coerce.number().pipe(GuideVersion) });
const slugParams = z.object({ slug: Slug });
const LanguageQuery = z.strictObject({
  language: PortalLanguage.optional().describe('Preferred language; default: the portal’s.'),
});
const audit = { category: 'configuration', severity: 'low', entityType: 'portal_guide' } as const;
const publishing = { ...audit, severity: 'medium' } as const;
const tag = 'Portal';

const exampleSource = '# Your first call\n\nSend the key in the header `x-api-key`.\n';
const exampleLink = {
  slug: 'first-call',
  language: 'en' as const,
  title: 'Your first call',
  summary: 'From key to answer',
};
const exampleRendered = {
  html: '<h2 id="section-your-first-call">Your first call</h2>\n<p>Send the key in the header <code>x-api-key</code>.</p>\n',
  headings: [{ id: 'section-your-first-call', level: 2, text: 'Your first call' }],
};
const exampleGuide = {
  id: 'gde_00000000000000000000000001',
  ...exampleLink,
  position: 0,
  productIds: ['prd_00000000000000000000000001'],
  state: 'published' as const,
  guideVersion: 1,
  publishedVersion: 1,
  publishedAt: '2026-01-16T09:00:00.000Z',
  version: 2,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-16T09:00:00.000Z',
};
const exampleDraft = { ...exampleGuide, state: 'draft' as const, publishedVersion: null, publishedAt: null };
const exampleParams = { guideId: exampleGuide.id };
const exampleVersion = {
  guideVersion: 1,
  title: exampleGuide.title,
  summary: exampleGuide.summary,
  sizeBytes: 58,
  createdAt: '2026-01-15T09:00:00.000Z',
  createdByName: 'Robin Example',
  published: true,
};

const fields = {
  slug: Slug,
  language: PortalLanguage,
  position: Guide.shape.position,
  productIds: ProductIds,
  title: Title,
  summary: Summary,
  source: Source,
};

export const portalGuideOperations = [
  defineOperation({
    id: 'listPortalGuides',
    method: 'GET',
    path: '/portal/guides',
    tag,
    summary: 'List the portal’s guides',
    description: 'Each in the preferred language, or in the one that it has.',
    access: 'portal_visitor',
    audit: null,
    request: { query: LanguageQuery },
    data: z.object({ guides: z.array(GuideLink) }),
    example: { request: { query: { language: 'en' } }, data: { guides: [exampleLink] } },
  }),
  defineOperation({
    id: 'getPortalGuide',
    method: 'GET',
    path: '/portal/guides/:slug',
    tag,
    summary: 'Show a guide of the portal',
    access: 'portal_visitor',
    audit: null,
    request: { params: slugParams, query: LanguageQuery },
    data: PortalGuide,
    example: {
      request: { params: { slug: exampleLink.slug }, query: { language: 'en' } },
      data: {
        ...exampleLink,
        guideVersion: 1,
        publishedAt: '2026-01-16T09:00:00.000Z',
        languages: ['en'],
        products: [{ name: 'orders', displayName: 'Orders' }],
        source: exampleSource,
        ...exampleRendered,
      },
    },
  }),
  defineOperation({
    id: 'listGuides',
    method: 'GET',
    path: '/portal-guides',
    tag,
    summary: 'List guides',
    access: 'portal.read',
    audit: null,
    request: {
      query: listQuery(['position', 'title', 'slug', '-updatedAt'], {
        language: PortalLanguage.optional(),
        state: Guide.shape.state.optional(),
      }),
    },
    data: listData('guides', Guide),
    example: { request: { query: { state: 'published' } }, data: { guides: [exampleGuide], total: 1 } },
  }),
  defineOperation({
    id: 'createGuide',
    method: 'POST',
    path: '/portal-guides',
    tag,
    summary: 'Write a guide',
    description: 'It is a draft until it is published.',
    access: 'portal.write',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        ...fields,
        language: fields.language.default('en'),
        position: fields.position.default(0),
        productIds: fields.productIds.default([]),
        summary: fields.summary.default(''),
      }),
    },
    data: GuideWithSource,
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { slug: 'paging', title: 'Paging', source: '# Paging\n' } },
      data: {
        ...exampleDraft,
        slug: 'paging',
        title: 'Paging',
        summary: '',
        productIds: [],
        source: '# Paging\n',
        version: 1,
      },
    },
  }),
  defineOperation({
    id: 'previewGuide',
    method: 'POST',
    path: '/portal-guides/preview',
    tag,
    summary: 'Preview a guide',
    description: 'Returns the HTML that the portal would show. Nothing is stored.',
    access: 'portal.read',
    audit: null,
    request: { body: z.strictObject({ source: Source }) },
    data: Rendered,
    example: { request: { body: { source: exampleSource } }, data: exampleRendered },
  }),
  defineOperation({
    id: 'getGuide',
    method: 'GET',
    path: '/portal-guides/:guideId',
    tag,
    summary: 'Show a guide with its latest source',
    access: 'portal.read',
    audit: null,
    request: { params },
    data: GuideWithSource,
    example: { request: { params: exampleParams }, data: { ...exampleGuide, source: exampleSource } },
  }),
  defineOperation({
    id: 'updateGuide',
    method: 'PATCH',
    path: '/portal-guides/:guideId',
    tag,
    summary: 'Change a guide',
    description:
      'Another title, summary or source makes a new version; the portal shows it once it is published. The other fields apply at once.',
    access: 'portal.write',
    audit,
    production: 'never',
    request: { params, body: z.strictObject(fields).partial() },
    data: GuideWithSource,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { title: 'The first call' } },
      data: { ...exampleGuide, title: 'The first call', guideVersion: 2, source: exampleSource, version: 3 },
    },
  }),
  defineOperation({
    id: 'deleteGuide',
    method: 'DELETE',
    path: '/portal-guides/:guideId',
    tag,
    summary: 'Delete a guide with its versions',
    access: 'portal.write',
    audit: publishing,
    production: 'never',
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'publishGuide',
    method: 'POST',
    path: '/portal-guides/:guideId/publish',
    tag,
    summary: 'Publish a guide',
    access: 'portal.write',
    audit: publishing,
    production: 'never',
    request: {
      params,
      body: z
        .strictObject({ guideVersion: GuideVersion.optional().describe('Default: the latest version.') })
        .default({}),
    },
    data: Guide,
    errors: ['conflict'],
    example: { request: { params: exampleParams, body: {} }, data: { ...exampleGuide, version: 3 } },
  }),
  defineOperation({
    id: 'unpublishGuide',
    method: 'POST',
    path: '/portal-guides/:guideId/unpublish',
    tag,
    summary: 'Unpublish a guide',
    access: 'portal.write',
    audit: publishing,
    production: 'never',
    request: { params },
    data: Guide,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleDraft, version: 3 } },
  }),
  defineOperation({
    id: 'listGuideVersions',
    method: 'GET',
    path: '/portal-guides/:guideId/versions',
    tag,
    summary: 'List a guide’s versions',
    access: 'portal.read',
    audit: null,
    request: { params, query: listQuery(['-guideVersion', 'title'], {}) },
    data: listData('versions', GuideVersionSummary),
    example: { request: { params: exampleParams, query: {} }, data: { versions: [exampleVersion], total: 1 } },
  }),
  defineOperation({
    id: 'getGuideVersion',
    method: 'GET',
    path: '/portal-guides/:guideId/versions/:guideVersion',
    tag,
    summary: 'Show a version of a guide',
    access: 'portal.read',
    audit: null,
    request: { params: versionParams },
    data: GuideVersionSummary.extend({ source: z.string() }).meta({ id: 'GuideVersion' }),
    example: {
      request: { params: { ...exampleParams, guideVersion: 1 } },
      data: { ...exampleVersion, source: exampleSource },
    },
  }),
  defineOperation({
    id: 'restoreGuideVersion',
    method: 'POST',
    path: '/portal-guides/:guideId/versions/:guideVersion/restore',
    tag,
    summary: 'Restore a version of a guide',
    description: 'Makes a new version with its title, summary and source.',
    access: 'portal.write',
    audit,
    production: 'never',
    request: { params: versionParams },
    data: GuideWithSource,
    errors: ['conflict'],
    example: {
      request: { params: { ...exampleParams, guideVersion: 1 } },
      data: { ...exampleGuide, guideVersion: 3, source: exampleSource, version: 4 },
    },
  }),
] as const;
