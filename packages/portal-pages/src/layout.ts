import { type PageContext, pathTo } from './context.ts';
import { attributes, dataBlock, type Html, html } from './html.ts';
import { languages, textsByLanguage } from './texts/texts.ts';

/** One page, before its frame. */
export interface Page {
  readonly title: string;
  /** For search engines and previews, as plain text. */
  readonly description: string;
  /** Segments of its path below the portal; empty for the home page. */
  readonly path: readonly string[];
  /** With its question mark, if what is shown depends on it. */
  readonly query?: string;
  readonly section: Section | null;
  /** Null for pages that search engines leave out. */
  readonly structuredData: readonly object[] | null;
  readonly content: Html;
  /** Modules that the page loads besides the portal's own script. */
  readonly modules?: readonly string[];
  readonly styles?: readonly string[];
  /** Whether the page exists as Markdown, too. */
  readonly hasMarkdown?: boolean;
}

export type Section = 'catalog' | 'guides' | 'changes' | 'status' | 'account';

const longestDescription = 160;

/** The document of a page. It begins with `<html lang="…"`, for {@link withTheme}. */
export function renderPage(context: PageContext, page: Page): string {
  const { portal, texts, language, files } = context;
  const title = page.path.length === 0 ? page.title : `${page.title} – ${portal.title}`;
  const description = shortened(page.description);
  const query = page.query ?? '';
  const url = `${context.baseUrl}${pathTo({ basePath: '' }, ...page.path)}`;
  const canonical = `${url}${query}`;
  const alternate = (other: string) => `${canonical}${query === '' ? '?' : '&'}lang=${other}`;
  const indexed = page.structuredData !== null;
  return String(html`<!doctype html><html lang="${language}"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${
  indexed
    ? html`<link rel="canonical" href="${canonical}">
${languages.map((other) => html`<link rel="alternate" hreflang="${other}" href="${alternate(other)}">`)}
<link rel="alternate" hreflang="x-default" href="${canonical}">`
    : html`<meta name="robots" content="noindex">`
}
${page.hasMarkdown === true && html`<link rel="alternate" type="text/markdown" href="${markdownPath(context, page.path)}">`}
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${portal.theme.light.background}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${portal.theme.dark.background}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${portal.title}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${canonical}">
<meta property="og:locale" content="${language}">
${portal.logo.light !== null && html`<meta property="og:image" content="${`${context.baseUrl}/logo.png?v=${portal.logo.light}`}">`}
<link rel="icon" href="${iconPath(context)}">
<link rel="preload" href="${files.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${files.style}">
<link rel="stylesheet" href="${files.theme}">
${(page.styles ?? []).map((style) => html`<link rel="stylesheet" href="${style}">`)}
<script type="module" src="${files.script}"></script>
${(page.modules ?? []).map((module) => html`<script type="module" src="${module}"></script>`)}
${(page.structuredData ?? []).map((data) => dataBlock('application/ld+json', data))}
</head>
<body data-copy="${texts.copy}" data-copied="${texts.copied}">
<a class="skip" href="#content">${texts.skip}</a>
${header(context, page)}
<main id="content" tabindex="-1">${page.content}</main>
${footer(context, page)}
</body></html>
`);
}

/** A document made by {@link renderPage} in the colours that its visitor has chosen. */
export function withTheme(document: string, theme: 'light' | 'dark'): string {
  return document.replace('<html ', `<html data-theme="${theme}" `);
}

/** Where a page is as Markdown. */
export function markdownPath(context: Pick<PageContext, 'basePath'>, path: readonly string[]): string {
  return path.length === 0 ? `${context.basePath}/index.md` : `${pathTo(context, ...path)}.md`;
}

function iconPath(context: PageContext): string {
  const { light } = context.portal.logo;
  return light === null ? '/favicon.svg' : `${context.basePath}/logo.png?v=${light}`;
}

function header(context: PageContext, page: Page): Html {
  const { portal, texts, signedIn } = context;
  const link = (section: Section, text: string) =>
    html`<a href="${pathTo(context, section)}"${attributes({ 'aria-current': page.section === section ? 'true' : null })}>${text}</a>`;
  return html`<header class="site-header"><div class="wide">
<a class="brand" href="${pathTo(context)}">${logo(context)}<span>${portal.title}</span></a>
<nav class="site-nav" aria-label="${texts.mainNavigation}">${link('catalog', texts.catalog)}${link('guides', texts.guides)}${link('changes', texts.changes)}${link('status', texts.status)}</nav>
<div class="tools">
${languages.map((other) => other !== context.language && languageLink(page, other))}
<a class="tool to-dark" href="?theme=dark" rel="nofollow" data-theme-choice="dark" aria-label="${texts.toDark}" title="${texts.toDark}">${moon}</a>
<a class="tool to-light" href="?theme=light" rel="nofollow" data-theme-choice="light" aria-label="${texts.toLight}" title="${texts.toLight}">${sun}</a>
${
  signedIn
    ? html`<a class="button small" href="${pathTo(context, 'account')}">${texts.account}</a>`
    : html`<a class="button small" href="${pathTo(context, 'sign-in')}">${texts.signIn}</a>`
}
${!signedIn && portal.registration !== 'closed' && html`<a class="button primary small" href="${pathTo(context, 'register')}">${texts.getStarted}</a>`}
</div></div></header>`;
}

function languageLink(page: Page, language: (typeof languages)[number]): Html {
  const name = textsByLanguage[language].languageName;
  const query = new URLSearchParams(page.query ?? '');
  query.set('lang', language);
  return html`<a class="tool" href="?${String(query)}" lang="${language}" hreflang="${language}" title="${name}"><span aria-hidden="true">${language.toUpperCase()}</span><span class="sr">${name}</span></a>`;
}

/** The organization's logo, one for each scheme where it has two. */
function logo(context: PageContext): Html | null {
  const { light, dark } = context.portal.logo;
  if (light === null) return null;
  const image = (variant: string, hash: string, name: string) =>
    html`<img class="${name}" src="${`${context.basePath}/logo${variant}.png?v=${hash}`}" alt="" height="28">`;
  return dark === null ? image('', light, '') : html`${image('', light, 'in-light')}${image('-dark', dark, 'in-dark')}`;
}

const moon = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/></svg>`;
const sun = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.500v2M4.500 12h-2M21.500 12h-2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400"/></svg>`;

function footer(context: PageContext, page: Page): Html {
  const { portal, texts } = context;
  const own = portal.texts[context.language].footer;
  const legal = [
    [texts.terms, portal.legal.terms],
    [texts.privacy, portal.legal.privacy],
    [texts.imprint, portal.legal.imprint],
  ] as const;
  return html`<footer class="site-footer"><div class="wide">
<p>${own === '' ? portal.organizationName : own}</p>
<nav aria-label="${texts.footerNavigation}"><ul class="plain">
${legal.map(([text, url]) => url !== null && html`<li><a href="${url}">${text}</a></li>`)}
${page.hasMarkdown === true && html`<li><a href="${markdownPath(context, page.path)}">${texts.asMarkdown}</a></li>`}
<li><a href="${`${context.basePath}/llms.txt`}">llms.txt</a></li>
<li><a href="?theme=system" rel="nofollow" data-theme-choice="system">${texts.systemColours}</a></li>
</ul></nav>
</div></footer>`;
}

/** Where a page stands: links to the pages above it, the home page first. */
export function crumbs(
  context: PageContext,
  above: readonly { readonly text: string; readonly path: readonly string[] }[],
): Html {
  const { texts } = context;
  return html`<nav aria-label="${texts.breadcrumbs}"><ol class="plain crumbs">${above.map(
    ({ text, path }) => html`<li><a href="${pathTo(context, ...path)}">${text}</a></li>`,
  )}</ol></nav>`;
}

/** The same for search engines. */
export function crumbData(
  context: PageContext,
  trail: readonly { readonly text: string; readonly path: readonly string[] }[],
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ text, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: text,
      item: `${context.baseUrl}${pathTo({ basePath: '' }, ...path)}`,
    })),
  };
}

/** Plain text of at most so many characters, ending with a word. */
function shortened(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  if (plain.length <= longestDescription) return plain;
  return `${plain.slice(0, longestDescription - 1).replace(/\s+\S*$/, '')}…`;
}
