import { plainText } from './catalog.ts';
import { type PageContext, pathTo } from './context.ts';
import type { CatalogProduct, GuideLink } from './data.ts';
import { homeTexts } from './home.ts';
import { html } from './html.ts';
import { markdown, source } from './markdown-text.ts';
import { languages } from './texts/texts.ts';

/** An address for search engines, with when it last changed where that is known. */
export interface SitemapEntry {
  readonly path: readonly string[];
  readonly updatedAt: string | null;
}

/** The largest sitemap (sitemaps.org protocol 0.9). */
const mostSitemapEntries = 50_000;

/** The portal's public pages, each in every language. */
export function sitemap({ baseUrl }: Pick<PageContext, 'baseUrl'>, entries: readonly SitemapEntry[]): string {
  const urls = entries.slice(0, mostSitemapEntries).map(({ path, updatedAt }) => {
    const url = `${baseUrl}${pathTo({ basePath: '' }, ...path)}`;
    const alternates = languages.map(
      (language) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${`${url}?lang=${language}`}"/>`,
    );
    return html`<url><loc>${url}</loc>${updatedAt !== null && html`<lastmod>${updatedAt}</lastmod>`}${alternates}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls}</urlset>`}\n`;
}

/** Which pages search engines may read (RFC 9309). The account's are nobody else's. */
export function robots({ baseUrl, basePath }: Pick<PageContext, 'baseUrl' | 'basePath'>): string {
  const closed = [
    'account',
    'sign-in',
    'register',
    'confirm',
    'forgot-password',
    'reset-password',
    'accept-invitation',
  ];
  return [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${basePath}/${path}`),
    `Disallow: ${basePath}/*?*theme=`,
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** What language models read first (llmstxt.org): the portal in brief, and where everything is as Markdown. */
export function llmsText(
  context: PageContext,
  products: readonly CatalogProduct[],
  guides: readonly GuideLink[],
): string {
  const { portal, texts, baseUrl } = context;
  const link = (...path: readonly string[]) => source(`${baseUrl}/${path.map(encodeURIComponent).join('/')}.md`);
  return markdown`# ${portal.title}

> ${homeTexts(context).introduction}

## ${texts.catalog}

${products.map(({ name, displayName, description }) => markdown`- [${displayName}](${link('products', name)}): ${plainText(description)}\n`)}
## ${texts.guides}

${guides.map(({ slug, title, summary }) => markdown`- [${title}](${link('guides', slug)}): ${summary}\n`)}
## Optional

- [${texts.changes}](${link('changes')})
- [${texts.status}](${link('status')})
`.text;
}

/** A sitemap of sitemaps: the portal's pages, and one for the reference of each product. */
export function sitemapIndex({ baseUrl }: Pick<PageContext, 'baseUrl'>, products: readonly string[]): string {
  const urls = [
    `${baseUrl}/sitemap-pages.xml`,
    ...products.map((name) => `${baseUrl}${pathTo({ basePath: '' }, 'products', name, 'sitemap.xml')}`),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.slice(0, mostSitemapEntries).map((url) => html`<sitemap><loc>${url}</loc></sitemap>\n`)}</sitemapindex>`}\n`;
}
