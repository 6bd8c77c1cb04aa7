import { formatDay, type PageContext, pathTo } from './context.ts';
import type { GuideLink, PortalGuide } from './data.ts';
import { attributes, type Html, html, proseOf } from './html.ts';
import { crumbData, crumbs, type Page } from './layout.ts';

/** All guides. */
export function guidesPage(context: PageContext, guides: readonly GuideLink[]): Page {
  const { texts, portal } = context;
  return {
    title: texts.guides,
    description: texts.guidesDescription(portal.title),
    path: ['guides'],
    section: 'guides',
    structuredData: [crumbData(context, [{ text: texts.guides, path: ['guides'] }])],
    content: html`<div class="wide"><div class="page-head"><h1>${texts.guides}</h1></div>
${
  guides.length > 0
    ? html`<div class="grid">${guides.map((guide) => guideCard(context, guide, 'h2'))}</div>`
    : html`<p class="empty">${texts.noGuides}</p>`
}<div class="section"></div></div>`,
    hasMarkdown: true,
  };
}

export function guideCard(
  context: PageContext,
  { slug, title, summary, language }: GuideLink,
  heading: 'h2' | 'h3',
): Html {
  const link = html`<a href="${pathTo(context, 'guides', slug)}"${langOf(context, language)}>${title}</a>`;
  return html`<article class="card link">${heading === 'h2' ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}${summary !== '' && html`<p class="clamp"${langOf(context, language)}>${summary}</p>`}</article>`;
}

/** The language of text that is not in the page's. */
function langOf(context: PageContext, language: string) {
  return attributes({ lang: language === context.language ? null : language });
}

/** One guide beside the others, with its headings as links. */
export function guidePage(context: PageContext, guide: PortalGuide, guides: readonly GuideLink[]): Page {
  const { texts } = context;
  const path = ['guides', guide.slug];
  const headings = guide.headings.filter(({ level }) => level <= 3);
  return {
    title: guide.title,
    description: guide.summary === '' ? guide.title : guide.summary,
    path,
    section: 'guides',
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'TechArticle',
        headline: guide.title,
        description: guide.summary,
        inLanguage: guide.language,
        datePublished: guide.publishedAt,
        publisher: { '@type': 'Organization', name: context.portal.organizationName },
        about: guide.products.map(({ displayName }) => displayName),
      },
      crumbData(context, [
        { text: texts.guides, path: ['guides'] },
        { text: guide.title, path },
      ]),
    ],
    content: html`<div class="wide"><div class="columns with-side">
<nav class="side sticky" aria-label="${texts.guides}"><p class="heading">${texts.guides}</p><ul class="plain">${guides.map(
      ({ slug, title, language }) =>
        html`<li><a href="${pathTo(context, 'guides', slug)}"${attributes({ 'aria-current': slug === guide.slug ? 'page' : null })}${langOf(context, language)}><span>${title}</span></a></li>`,
    )}</ul></nav>
<div class="content guide"><article class="article"${langOf(context, guide.language)}>
${crumbs(context, [{ text: texts.guides, path: ['guides'] }])}
<h1>${guide.title}</h1>
<div class="prose">${proseOf(guide.html) ?? html`<pre tabindex="0">${guide.source}</pre>`}</div>
<div class="about"><p class="muted small">${texts.updatedAt(formatDay(context, guide.publishedAt))}</p>
${guide.products.length > 0 && html`<p class="tags after">${guide.products.map(({ name, displayName }) => html`<a class="tag" href="${pathTo(context, 'products', name)}">${displayName}</a>`)}</p>`}</div></article>
${headings.length > 1 && html`<nav class="side sticky toc" aria-label="${texts.onThisPage}"><p class="heading">${texts.onThisPage}</p><ul class="plain">${headings.map(({ id, text }) => html`<li><a href="${`#${id}`}"><span>${text}</span></a></li>`)}</ul></nav>`}
</div></div></div>`,
    hasMarkdown: true,
  };
}
