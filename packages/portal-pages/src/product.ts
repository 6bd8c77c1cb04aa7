import { plainText } from './catalog.ts';
import { changeList } from './changes.ts';
import { formatNumber, type PageContext, pathTo, queryOf } from './context.ts';
import type { CatalogOperation, OperationGroup, ProductPageData } from './data.ts';
import { guideCard } from './guides.ts';
import { attributes, type Html, html } from './html.ts';
import { crumbData, crumbs, type Page } from './layout.ts';
import { type EstimateQuery, estimator, headlinePrice, pricingCards, quotaInWords } from './prices.ts';

/** Of each tag; a link shows the others. */
const mostOperations = 12;
const mostOperationsOfPage = 200;

/** A product: what it does, what it costs, and how to get a key. */
export function productPage(context: PageContext, product: ProductPageData, query: EstimateQuery): Page {
  const { texts } = context;
  const path = ['products', product.name];
  const start = `${pathTo(context, 'account', 'start')}${queryOf({ product: product.name })}`;
  const hasEstimator = product.plans.some(({ charges }) => charges.length > 0);
  const sections = [
    product.operations.length > 0 && (['reference', texts.reference] as const),
    ['pricing', texts.pricing] as const,
    hasEstimator && (['estimate', texts.estimate] as const),
    product.guides.length > 0 && (['guides', texts.guides] as const),
    product.changes.length > 0 && (['changes', texts.recentChanges] as const),
  ].filter((section) => section !== false);
  const content = html`<div class="wide"><div class="columns with-panel">
<div class="content">
${crumbs(context, [{ text: texts.catalog, path: ['catalog'] }])}
<h1>${product.displayName}</h1>
${product.tags.length > 0 && html`<p class="tags after">${product.tags.map((tag) => html`<a class="tag" href="${`${pathTo(context, 'catalog')}${queryOf({ tag })}`}">${tag}</a>`)}</p>`}
${product.description !== '' && html`<div class="prose lead">${context.markdown(product.description)}</div>`}
<p class="actions narrow"><a class="button primary" href="${start}">${texts.getStarted}</a></p>
${!product.public && html`<p class="note">${texts.privateProduct}</p>`}
<section class="section" id="reference"><div class="section-head"><h2>${texts.reference}</h2>${downloads(context, product)}</div>
${product.operations.length > 0 ? operationLists(context, product) : html`<p class="empty">${texts.noReference}</p>`}</section>
<section class="section" id="pricing"><div class="section-head"><h2>${texts.pricing}</h2></div>${pricingCards(context, product)}</section>
${hasEstimator && html`<section class="section" id="estimate"><div class="section-head"><h2>${texts.estimate}</h2></div>${estimator(context, product, query)}</section>`}
${product.guides.length > 0 && html`<section class="section" id="guides"><div class="section-head"><h2>${texts.guides}</h2></div><div class="grid">${product.guides.map((guide) => guideCard(context, guide, 'h3'))}</div></section>`}
${product.changes.length > 0 && html`<section class="section" id="changes"><div class="section-head"><h2>${texts.recentChanges}</h2><a href="${`${pathTo(context, 'changes')}${queryOf({ product: product.name })}`}">${texts.allChanges}</a></div>${changeList(context, product.changes, 'h3')}</section>`}
</div>
<aside class="sticky panel" aria-label="${texts.overview}"><div class="card"><a class="button primary" href="${start}">${texts.getStarted}</a>
${product.sandbox && html`<p class="small">${texts.sandboxText}</p>`}
${facts(context, product)}</div>
<nav class="side" aria-label="${texts.onThisPage}"><p class="heading">${texts.onThisPage}</p><ul class="plain">${sections.map(([id, text]) => html`<li><a href="${`#${id}`}"><span>${text}</span></a></li>`)}</ul></nav></aside>
</div></div>`;
  return {
    title: product.displayName,
    description: product.description === '' ? product.displayName : plainText(product.description),
    path,
    section: 'catalog',
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'WebAPI',
        name: product.displayName,
        description: plainText(product.description),
        url: `${context.baseUrl}/products/${encodeURIComponent(product.name)}`,
        documentation: `${context.baseUrl}/products/${encodeURIComponent(product.name)}`,
        provider: { '@type': 'Organization', name: context.portal.organizationName },
        keywords: product.tags,
        offers: product.plans.map((plan) => ({
          '@type': 'Offer',
          name: plan.displayName,
          priceCurrency: plan.currency,
          price: plan.recurringFee ?? '0',
        })),
      },
      crumbData(context, [
        { text: texts.catalog, path: ['catalog'] },
        { text: product.displayName, path },
      ]),
    ],
    content,
    hasMarkdown: true,
  };
}

function facts(context: PageContext, product: ProductPageData): Html {
  const { texts } = context;
  const [server] = product.servers;
  const [plan] = product.plans;
  const price = plan === undefined ? null : headlinePrice(context, plan, product.billingPeriod);
  const versions = product.apis.flatMap(({ version }) => (version === null ? [] : [version]));
  const rows: readonly (readonly [string, string | Html])[] = [
    [texts.pricing, price === null ? texts.free : `${price.amount} ${price.unit}`.trim()],
    ...(product.quota === null ? [] : [[texts.quota, quotaInWords(context, product.quota)] as const]),
    [texts.access, product.autoApprove ? texts.accessAtOnce : texts.accessAfterApproval],
    ...(versions.length === 1 ? [[texts.versionLabel, versions[0]!] as const] : []),
    ...(server === undefined ? [] : [[texts.baseUrl, html`<code>${server.url}</code>`] as const]),
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function downloads(context: PageContext, { name, operations }: ProductPageData): Html | null {
  const { texts } = context;
  if (operations.length === 0) return null;
  return html`<span class="small downloads"><a href="${pathTo(context, 'products', name, 'openapi.json')}" download>${texts.openApi}</a><a href="${pathTo(context, 'products', name, 'postman.json')}" download>${texts.postman}</a></span>`;
}

function operationLists(context: PageContext, product: ProductPageData): Html {
  const { texts } = context;
  const total = product.operations.reduce((sum, { operations }) => sum + operations.length, 0);
  let left = mostOperationsOfPage;
  return html`<div class="stack">${product.operations.map((group) => {
    const shown = group.operations.slice(0, Math.min(mostOperations, Math.max(left, 1)));
    left -= shown.length;
    const [next] = group.operations.slice(shown.length);
    return html`<div><h3 class="group">${group.tag === '' ? (product.operations.length > 1 ? texts.withoutTag : texts.operations) : group.tag}</h3>
${group.description !== '' && html`<p class="muted small group">${plainText(group.description)}</p>`}
<ul class="plain operations">${shown.map((operation) => operationRow(context, product.name, operation))}${
      next !== undefined &&
      html`<li><a class="more" href="${pathTo(context, 'products', product.name, 'operations', next.id)}">${texts.showMore(formatNumber(context, group.operations.length - shown.length))}</a></li>`
    }</ul></div>`;
  })}</div>${total > mostOperations && html`<p class="muted small after">${texts.operationCount(formatNumber(context, total), total === 1)}</p>`}`;
}

function operationRow(context: PageContext, product: string, operation: CatalogOperation): Html {
  const { texts } = context;
  return html`<li><a href="${pathTo(context, 'products', product, 'operations', operation.id)}">${methodMark(operation.method)}<span>${operation.summary === '' ? operation.id : operation.summary}${operation.deprecated && html` <span class="tag">${texts.deprecated}</span>`}</span><code class="path">${operation.path}</code></a></li>`;
}

const markedMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** An HTTP method in its colour. */
export function methodMark(method: string): Html {
  return html`<span class="method ${markedMethods.has(method) ? method.toLowerCase() : ''}">${method}</span>`;
}

/** Operations that a list beside an operation shows in full; beyond it, only those of the same tag. */
const mostBeside = 60;
const mostTagsBeside = 60;

/**
 * The operations beside one of them, by tag. A large reference lists those around the current one, so that its page
 * stays light.
 */
export function operationsBeside(
  context: PageContext,
  product: { readonly name: string; readonly displayName: string },
  groups: readonly OperationGroup[],
  currentId: string,
): Html {
  const { texts } = context;
  const total = groups.reduce((sum, { operations }) => sum + operations.length, 0);
  const nameOf = (tag: string) => (tag === '' ? texts.withoutTag : tag);
  const item = (operation: CatalogOperation) =>
    html`<li><a href="${pathTo(context, 'products', product.name, 'operations', operation.id)}"${attributes({ 'aria-current': operation.id === currentId ? 'page' : null })}>${methodMark(operation.method)}<span>${operation.summary === '' ? operation.id : operation.summary}</span></a></li>`;
  const current = groups.findIndex(({ operations }) => operations.some(({ id }) => id === currentId));
  const from = Math.max(0, Math.min(current - mostTagsBeside / 2, groups.length - mostTagsBeside));
  return html`<nav class="side sticky" aria-label="${texts.operationsOf(product.displayName)}"><p class="heading"><a href="${pathTo(context, 'products', product.name)}">${product.displayName}</a></p>${groups
    .slice(from, from + mostTagsBeside)
    .map((group, index) => {
      const isCurrent = from + index === current;
      if (total > mostBeside && !isCurrent) {
        const [first] = group.operations;
        return (
          first !== undefined &&
          html`<p class="other-tag"><a href="${pathTo(context, 'products', product.name, 'operations', first.id)}">${nameOf(group.tag)}</a> <span class="muted">${formatNumber(context, group.operations.length)}</span></p>`
        );
      }
      return html`<details${attributes({ open: isCurrent || total <= 15 })}><summary>${nameOf(group.tag)}</summary><ul class="plain">${around(group.operations, currentId).map(item)}</ul></details>`;
    })}</nav>`;
}

/** Of a long list, the part around the current operation. */
function around(operations: readonly CatalogOperation[], currentId: string): readonly CatalogOperation[] {
  if (operations.length <= mostBeside) return operations;
  const current = Math.max(
    0,
    operations.findIndex(({ id }) => id === currentId),
  );
  const from = Math.max(0, Math.min(current - mostBeside / 2, operations.length - mostBeside));
  return operations.slice(from, from + mostBeside);
}
