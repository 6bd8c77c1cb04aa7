import { productCard } from './catalog.ts';
import { type PageContext, pathTo } from './context.ts';
import type { CatalogProduct, GuideLink } from './data.ts';
import { guideCard } from './guides.ts';
import { codePanel } from './highlight.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';

export interface HomeData {
  readonly featured: readonly CatalogProduct[];
  readonly guides: readonly GuideLink[];
  /** A call to show, with where it is explained; null: none. */
  readonly firstCall: {
    readonly product: string;
    readonly operationId: string;
    readonly title: string;
    readonly code: string;
  } | null;
}

const mostGuides = 6;

/** The portal's first page: what it is for, what it offers, and how to start. */
export function homePage(context: PageContext, { featured, guides, firstCall }: HomeData): Page {
  const { portal, texts } = context;
  const { headline, introduction } = homeTexts(context);
  const content = html`<div class="hero"><div class="wide">
<div><h1>${headline}</h1>
<p>${introduction}</p>
<div class="actions"><a class="button primary" href="${pathTo(context, 'catalog')}">${texts.browseApis}</a>${portal.registration !== 'closed' && html`<a class="button" href="${pathTo(context, 'account', 'start')}">${texts.getStarted}</a>`}</div></div>
${firstCall !== null && html`<div>${codePanel(firstCall.title, firstCall.code)}</div>`}
</div></div>
<div class="wide">
${
  featured.length > 0 &&
  html`<section class="section"><div class="section-head"><h2>${texts.featured}</h2><a href="${pathTo(context, 'catalog')}">${texts.allApis}</a></div>
<div class="grid">${featured.map((product) => productCard(context, product, 'h3'))}</div></section>`
}
<section class="section"><div class="section-head"><h2>${texts.howToStart}</h2></div>
<ol class="plain steps">${texts.steps.map(({ title, text }) => html`<li><h3>${title}</h3><p>${text}</p></li>`)}</ol></section>
${
  guides.length > 0 &&
  html`<section class="section"><div class="section-head"><h2>${texts.guides}</h2><a href="${pathTo(context, 'guides')}">${texts.allGuides}</a></div>
<div class="grid">${guides.slice(0, mostGuides).map((guide) => guideCard(context, guide, 'h3'))}</div></section>`
}
</div>`;
  return {
    title: portal.title,
    description: introduction,
    path: [],
    section: null,
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: portal.title,
        url: `${context.baseUrl}/`,
        inLanguage: context.language,
        publisher: { '@type': 'Organization', name: portal.organizationName },
        potentialAction: {
          '@type': 'SearchAction',
          target: `${context.baseUrl}/catalog?search={search}`,
          'query-input': 'required name=search',
        },
      },
    ],
    content,
    hasMarkdown: true,
  };
}

/** What the organization says first, or else what can be said of any portal. */
export function homeTexts({ portal, texts, language }: PageContext): {
  readonly headline: string;
  readonly introduction: string;
} {
  const own = portal.texts[language];
  return {
    headline: own.headline === '' ? texts.headline(portal.organizationName) : own.headline,
    introduction: own.introduction === '' ? texts.introduction(portal.organizationName) : own.introduction,
  };
}
