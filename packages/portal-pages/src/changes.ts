import { pages } from './catalog.ts';
import { formatDay, formatNumber, type PageContext, pathTo, queryOf } from './context.ts';
import type { PortalChange } from './data.ts';
import { type Html, html } from './html.ts';
import { crumbData, type Page } from './layout.ts';

/** What a change log shows: all changes, or one product's, a page of them. */
export interface ChangesQuery {
  /** Name of a product; null: of all. */
  readonly product: string | null;
  readonly page: number;
  readonly pageSize: number;
}

/** What published specifications changed for callers, the latest first. */
export function changesPage(
  context: PageContext,
  { changes, total }: { readonly changes: readonly PortalChange[]; readonly total: number },
  { product, page, pageSize }: ChangesQuery,
): Page {
  const { texts, portal } = context;
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const at = (number: number) => queryOf({ product, page: number > 1 ? String(number) : null });
  return {
    title: texts.changes,
    description: texts.changesDescription(portal.title),
    path: ['changes'],
    query: at(page),
    section: 'changes',
    structuredData: [crumbData(context, [{ text: texts.changes, path: ['changes'] }])],
    content: html`<div class="wide"><div class="page-head"><h1>${texts.changes}</h1><p>${texts.changesDescription(portal.title)}</p></div>
${changes.length > 0 ? changeList(context, changes, 'h2') : html`<p class="empty">${texts.noChanges}</p>`}
${lastPage > 1 && pages(context, page, lastPage, (number) => `${pathTo(context, 'changes')}${at(number)}`)}
<div class="section"></div></div>`,
    hasMarkdown: true,
  };
}

const mostShown = 12;

export function changeList(context: PageContext, changes: readonly PortalChange[], heading: 'h2' | 'h3'): Html {
  const { texts } = context;
  return html`<ol class="plain timeline">${changes.map((change) => {
    const title = html`${change.api.displayName} <span class="muted">${change.apiVersion}</span>`;
    const shown = change.changes.slice(0, mostShown);
    return html`<li><p class="muted small"><time datetime="${change.at}">${formatDay(context, change.at)}</time></p>
${heading === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
${change.kind === 'published' && html`<p>${texts.firstVersion}</p>`}${change.kind === 'withdrawn' && html`<p>${texts.withdrawn}</p>`}
${
  shown.length > 0 &&
  html`<ul class="change-list">${shown.map(
    ({ text, breaking }) =>
      html`<li>${breaking && html`<strong class="breaking">${texts.breaking}</strong> `}${texts.changeText(text) ?? html`<span lang="en">${text}</span>`}</li>`,
  )}</ul>`
}
${change.total > shown.length && html`<p class="muted small">${texts.moreChanges(formatNumber(context, change.total - shown.length))}</p>`}
${change.products.length > 0 && html`<p class="tags">${change.products.map(({ name, displayName }) => html`<a class="tag" href="${pathTo(context, 'products', name)}">${displayName}</a>`)}</p>`}</li>`;
  })}</ol>`;
}
