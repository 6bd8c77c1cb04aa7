import { renderMarkdown } from '@millrace/markdown';
import { appPage } from '@millrace/portal-pages/app-shell';
import { catalogPage } from '@millrace/portal-pages/catalog';
import { changesPage } from '@millrace/portal-pages/changes';
import type { PageContext } from '@millrace/portal-pages/context';
import type { CatalogProduct, GuideLink, OperationGroup } from '@millrace/portal-pages/data';
import { guidePage, guidesPage } from '@millrace/portal-pages/guides';
import { type HomeData, homePage } from '@millrace/portal-pages/home';
import { type Html, html, proseOf } from '@millrace/portal-pages/html';
import { type Page, renderPage } from '@millrace/portal-pages/layout';
import { llmsText, robots, type SitemapEntry, sitemap, sitemapIndex } from '@millrace/portal-pages/machine-files';
import * as asMarkdown from '@millrace/portal-pages/markdown-pages';
import { operationPage, titleOf } from '@millrace/portal-pages/operation';
import { productPage } from '@millrace/portal-pages/product';
import { statusPage } from '@millrace/portal-pages/status';
import { themeCss } from '@millrace/portal-pages/theme';
import type { TenantTransaction } from '../../database/schema.ts';
import {
  readDocumentFile,
  readOperationPage,
  readPostmanFile,
  readProductPage,
  readReference,
  readSpecification,
} from '../catalog/pages.ts';
import type { CatalogFilters, CatalogPage, Viewer } from '../catalog/store.ts';
import { listChanges } from '../changes/store.ts';
import { listPublishedGuides, readGuide } from '../guides/store.ts';
import { readStatus } from '../status/store.ts';
import type { PortalFile, PortalPage, PortalRequest } from './addresses.ts';
import type { AppBuild } from './app-files.ts';
import type { Catalogs } from './catalogs.ts';
import type { Answer } from './kept-answers.ts';

/** What rendering needs besides the page's context. */
export interface RenderParts {
  readonly transaction: TenantTransaction;
  readonly viewer: Viewer;
  readonly catalogs: Catalogs;
  readonly app: AppBuild;
  readonly now: Date;
}

const pageSize = 24;
const changesPerPage = 25;
const mostFeatured = 6;
/** Products that a list for machines names. */
const mostListed = 1_000;

/** The answer to a request; null if there is no such page that the viewer sees. */
export async function render(
  context: PageContext,
  parts: RenderParts,
  request: Exclude<PortalRequest, { readonly kind: 'logo' }>,
): Promise<Answer | null> {
  if (request.format === 'file') return renderFile(context, parts, request);
  const page = await readPage(context, parts, request);
  if (page === null) return null;
  return request.format === 'markdown'
    ? answerOf('text/markdown; charset=utf-8', page.markdown())
    : answerOf('text/html; charset=utf-8', renderPage(context, page.html()));
}

function answerOf(mediaType: string, text: string): Answer {
  return { status: 200, mediaType, text, fileName: null };
}

/** A page whose data is read, to be written in either form. */
interface ReadPage {
  html(): Page;
  markdown(): string;
}

async function readPage(context: PageContext, parts: RenderParts, request: PortalPage): Promise<ReadPage | null> {
  const { transaction, viewer } = parts;
  const { language } = context;
  switch (request.kind) {
    case 'home': {
      const data = await readHome(context, parts);
      return { html: () => homePage(context, data), markdown: () => asMarkdown.homeMarkdown(context, data) };
    }
    case 'catalog': {
      const query = { search: request.search, tag: request.tag, page: request.page, pageSize };
      const filters = { search: request.search ?? undefined, tag: request.tag ?? undefined };
      const data = await listProducts(context, parts, { ...filters, page: request.page, pageSize });
      return {
        html: () => catalogPage(context, data, query),
        markdown: () => asMarkdown.catalogMarkdown(context, data, query),
      };
    }
    case 'product': {
      const found = await readProductPage(transaction, viewer, request.product);
      // A product is also found by its id, which is no address of its own.
      if (found === null || found.name !== request.product) return null;
      const product = { ...found, guides: inLanguage(found.guides, language) };
      return {
        html: () => productPage(context, product, request.estimate ?? { plan: null, usage: {} }),
        markdown: () => asMarkdown.productMarkdown(context, product),
      };
    }
    case 'operation': {
      const found = await readReference(transaction, viewer, request.product, request.operation);
      if (found === null || found.operation.product.name !== request.product) return null;
      const { operation, groups } = found;
      return {
        html: () => operationPage(context, operation, groups, parts.app.filesOf('try')),
        markdown: () => asMarkdown.operationMarkdown(context, operation),
      };
    }
    case 'guides': {
      const guides = await listPublishedGuides(transaction, language);
      return { html: () => guidesPage(context, guides), markdown: () => asMarkdown.guidesMarkdown(context, guides) };
    }
    case 'guide': {
      const guide = await readGuide(transaction, viewer, request.slug, language);
      if (guide === null) return null;
      const guides = await listPublishedGuides(transaction, language);
      return {
        html: () => guidePage(context, guide, guides),
        markdown: () => asMarkdown.guideMarkdown(context, guide),
      };
    }
    case 'changes': {
      const { product, page } = request;
      const data = await listChanges(transaction, viewer, {
        product: product ?? undefined,
        page,
        pageSize: changesPerPage,
      });
      return {
        html: () => changesPage(context, data, { product, page, pageSize: changesPerPage }),
        markdown: () => asMarkdown.changesMarkdown(context, data),
      };
    }
    case 'status': {
      const status = await readStatus(transaction, viewer, parts.now);
      return { html: () => statusPage(context, status), markdown: () => asMarkdown.statusMarkdown(context, status) };
    }
    case 'app':
      return { html: () => appPage(context, request.path, parts.app.filesOf('app')), markdown: () => '' };
  }
}

async function readHome(context: PageContext, parts: RenderParts): Promise<HomeData> {
  const chosen = await listProducts(context, parts, { featured: true, page: 1, pageSize: mostFeatured });
  const { products: featured } =
    chosen.total > 0 ? chosen : await listProducts(context, parts, { page: 1, pageSize: mostFeatured });
  return {
    featured,
    guides: await listPublishedGuides(parts.transaction, context.language),
    firstCall: await readFirstCall(parts, featured),
  };
}

/** A call of the first product that has a reference: one that needs no body, if there is one. */
async function readFirstCall(parts: RenderParts, products: readonly CatalogProduct[]): Promise<HomeData['firstCall']> {
  for (const { name } of products) {
    const operations = (await readGroups(parts, name)).flatMap((group) => group.operations);
    const first = operations.find(({ deprecated }) => !deprecated);
    if (first === undefined) continue;
    const operation = await readOperationPage(parts.transaction, parts.viewer, name, first.id);
    const [snippet] = operation?.snippets ?? [];
    if (operation === null || snippet === undefined) return null;
    return { product: name, operationId: first.id, title: titleOf(operation), code: snippet.code };
  }
  return null;
}

async function readGroups({ transaction, viewer }: RenderParts, product: string): Promise<readonly OperationGroup[]> {
  return (await readSpecification(transaction, viewer, product))?.operations ?? [];
}

/** Each guide once: in the page's language if it has that. */
function inLanguage(guides: readonly GuideLink[], language: string): readonly GuideLink[] {
  return [...Map.groupBy(guides, ({ slug }) => slug).values()].map(
    (translations) => translations.find((guide) => guide.language === language) ?? translations[0]!,
  );
}

type Renderable = Exclude<PortalFile, { readonly kind: 'logo' }>;

async function renderFile(context: PageContext, parts: RenderParts, file: Renderable): Promise<Answer | null> {
  const { transaction, viewer } = parts;
  const xml = 'application/xml; charset=utf-8';
  switch (file.kind) {
    case 'theme':
      return answerOf('text/css; charset=utf-8', themeCss(context.portal));
    case 'robots':
      return answerOf('text/plain; charset=utf-8', robots(context));
    case 'llms': {
      const guides = await listPublishedGuides(transaction, context.language);
      return answerOf('text/plain; charset=utf-8', llmsText(context, await listAllProducts(context, parts), guides));
    }
    case 'sitemap': {
      const products = await listAllProducts(context, parts);
      return answerOf(
        xml,
        sitemapIndex(
          context,
          products.map(({ name }) => name),
        ),
      );
    }
    case 'pages-sitemap':
      return answerOf(xml, sitemap(context, await listPages(context, parts)));
    case 'product-sitemap': {
      const product = await readSpecification(transaction, viewer, file.product);
      if (product === null) return null;
      const operations = product.operations.flatMap((group) => group.operations);
      const path = ['products', product.product.name, 'operations'];
      return answerOf(
        xml,
        sitemap(
          context,
          operations.map(({ id }) => ({ path: [...path, id], updatedAt: null })),
        ),
      );
    }
    case 'openapi':
    case 'postman': {
      const read = file.kind === 'openapi' ? readDocumentFile : readPostmanFile;
      const document = await read(transaction, viewer, file.product);
      return document === null
        ? null
        : { ...answerOf('application/json; charset=utf-8', document.text), fileName: document.fileName };
    }
  }
}

async function listPages(context: PageContext, parts: RenderParts): Promise<readonly SitemapEntry[]> {
  const products = await listAllProducts(context, parts);
  const guides = await listPublishedGuides(parts.transaction, context.language);
  return [
    ...[[], ['catalog'], ['guides'], ['changes'], ['status']].map((path) => ({ path, updatedAt: null })),
    ...products.map(({ name, updatedAt }) => ({ path: ['products', name], updatedAt })),
    ...guides.map(({ slug }) => ({ path: ['guides', slug], updatedAt: null })),
  ];
}

function listProducts(
  { portal }: PageContext,
  { transaction, viewer, catalogs }: RenderParts,
  filters: CatalogFilters,
): Promise<CatalogPage> {
  return catalogs.list(transaction, viewer, portal.stamp, filters);
}

async function listAllProducts(context: PageContext, parts: RenderParts): Promise<readonly CatalogProduct[]> {
  return (await listProducts(context, parts, { page: 1, pageSize: mostListed })).products;
}

/** Prose of somebody's Markdown; what the renderer should not have made is shown as it was written. */
export function prose(source: string): Html {
  return proseOf(renderMarkdown(source).html) ?? html`<p>${source}</p>`;
}
