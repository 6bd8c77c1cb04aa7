import { formatMoney, formatNumber, type PageContext, pathTo, queryOf } from './context.ts';
import type { Catalog, CatalogProduct } from './data.ts';
import { attributes, type Html, html } from './html.ts';
import type { Page } from './layout.ts';

/** What a visitor looks for. */
export interface CatalogQuery {
  readonly search: string | null;
  readonly tag: string | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

const mostTags = 24;

/** All products, or those that match. Search, tags and pages are links and a form, and work without scripts. */
export function catalogPage(context: PageContext, { products, total, tags }: Catalog, query: CatalogQuery): Page {
  const { texts, portal } = context;
  const { search, tag, page, pageSize } = query;
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const at = (change: Partial<CatalogQuery>) => catalogQueryOf({ ...query, page: 1, ...change });
  const tagLink = (name: string | null, text: string) =>
    html`<a class="tag" href="${`${pathTo(context, 'catalog')}${at({ tag: name })}`}"${attributes({ 'aria-current': name === tag ? 'true' : null })}>${text}</a>`;
  const isFiltered = search !== null || tag !== null;
  const content = html`<div class="wide">
<div class="page-head"><h1>${texts.catalogTitle}</h1></div>
<div class="stack">
<form class="search" role="search" action="${pathTo(context, 'catalog')}" method="get">
<label class="sr" for="search">${texts.searchApis}</label>
<input id="search" type="search" name="search" value="${search ?? ''}" placeholder="${texts.searchApis}" maxlength="200" autocomplete="off">
${tag !== null && html`<input type="hidden" name="tag" value="${tag}">`}
<button class="button" type="submit">${texts.search}</button>
</form>
${tags.length > 0 && html`<nav class="tags" aria-label="${texts.tags}">${tagLink(null, texts.all)}${tags.slice(0, mostTags).map(({ tag: name }) => tagLink(name, name))}</nav>`}
<p class="muted small" role="status">${texts.found(formatNumber(context, total), total === 1)}</p>
${
  products.length > 0
    ? html`<div class="grid">${products.map((product) => productCard(context, product, 'h2'))}</div>`
    : html`<p class="empty">${isFiltered ? texts.noneFound : texts.noneYet}</p>`
}
${lastPage > 1 && pages(context, page, lastPage, (number) => `${pathTo(context, 'catalog')}${at({ page: number })}`)}
</div>
<div class="section"></div></div>`;
  return {
    title: texts.catalogTitle,
    description: texts.catalogDescription(portal.title),
    path: ['catalog'],
    query: catalogQueryOf({ ...query, search: null }),
    section: 'catalog',
    structuredData:
      search !== null
        ? null
        : [
            {
              '@context': 'https://schema.org',
              '@type': 'ItemList',
              itemListElement: products.map(({ name, displayName }, index) => ({
                '@type': 'ListItem',
                position: (page - 1) * pageSize + index + 1,
                name: displayName,
                url: `${context.baseUrl}/products/${encodeURIComponent(name)}`,
              })),
            },
          ],
    content,
    hasMarkdown: true,
  };
}

/** The query of a catalog's address, with its question mark. */
function catalogQueryOf({ search, tag, page }: CatalogQuery): string {
  return queryOf({ search, tag, page: page > 1 ? String(page) : null });
}

/** Links to the pages before and after. */
export function pages(context: PageContext, page: number, last: number, href: (page: number) => string): Html {
  const { texts } = context;
  return html`<nav class="pages" aria-label="${texts.pagination}">
${page > 1 ? html`<a class="button" rel="prev" href="${href(page - 1)}">${texts.previousPage}</a>` : html`<span></span>`}
<span class="muted small">${texts.pageOf(formatNumber(context, page), formatNumber(context, last))}</span>
${page < last ? html`<a class="button" rel="next" href="${href(page + 1)}">${texts.nextPage}</a>` : html`<span></span>`}
</nav>`;
}

/** A product among others. */
export function productCard(context: PageContext, product: CatalogProduct, heading: 'h2' | 'h3'): Html {
  const { texts } = context;
  const link = html`<a href="${pathTo(context, 'products', product.name)}">${product.displayName}</a>`;
  return html`<article class="card link">${heading === 'h2' ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
${product.description !== '' && html`<p class="clamp">${plainText(product.description)}</p>`}
<div class="foot"><span>${priceFrom(context, product)}</span>${product.sandbox && html`<span class="tag">${texts.sandbox}</span>`}${product.tags.slice(0, 3).map((tag) => html`<span class="tag">${tag}</span>`)}</div></article>`;
}

/** What using a product begins at, in a few words. */
function priceFrom(context: PageContext, { plans }: CatalogProduct): string {
  const { texts } = context;
  const [first] = plans;
  if (first === undefined) return texts.free;
  const fees = plans.flatMap(({ recurringFee, currency }) =>
    recurringFee === null ? [] : [{ recurringFee, currency }],
  );
  const [cheapest] = fees.sort((a, b) => Number(a.recurringFee) - Number(b.recurringFee));
  if (cheapest === undefined || fees.length < plans.length) return texts.planTypes[first.type];
  return texts.from(formatMoney(context, cheapest.recurringFee, cheapest.currency));
}

/** Markdown without its most common signs, for places that show no prose. */
export function plainText(markdown: string): string {
  return markdown
    .slice(0, 1_000)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[#>\s-]+|[*`]{1,3}|(?<![\p{L}\p{N}])_{1,2}|_{1,2}(?![\p{L}\p{N}])/gmu, (signs) =>
      signs.includes('\n') ? ' ' : '',
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
}
