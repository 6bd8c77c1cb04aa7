import { type EstimateQuery, usagePrefix } from '@millrace/portal-pages/prices';

/** What an address of a portal asks for. */
export type PortalRequest = PortalPage | PortalFile;

/** A page, as HTML or Markdown. */
export type PortalPage = { readonly format: 'html' | 'markdown' } & (
  | { readonly kind: 'home' }
  | { readonly kind: 'catalog'; readonly search: string | null; readonly tag: string | null; readonly page: number }
  | { readonly kind: 'product'; readonly product: string; readonly estimate: EstimateQuery | null }
  | { readonly kind: 'operation'; readonly product: string; readonly operation: string }
  | { readonly kind: 'guides' }
  | { readonly kind: 'guide'; readonly slug: string }
  | { readonly kind: 'changes'; readonly product: string | null; readonly page: number }
  | { readonly kind: 'status' }
  /** A page that the portal's app draws. */
  | { readonly kind: 'app'; readonly path: readonly string[] }
);

/** A file that is no page. */
export type PortalFile = { readonly format: 'file' } & (
  | { readonly kind: 'theme' }
  | { readonly kind: 'logo'; readonly variant: 'light' | 'dark' }
  | { readonly kind: 'sitemap' }
  | { readonly kind: 'pages-sitemap' }
  | { readonly kind: 'product-sitemap'; readonly product: string }
  | { readonly kind: 'robots' }
  | { readonly kind: 'llms' }
  | { readonly kind: 'openapi'; readonly product: string }
  | { readonly kind: 'postman'; readonly product: string }
);

const longestSegment = 300;
const longestSearch = 200;
const longestTag = 50;
const mostUsages = 50;
const largestPage = 100_000;

const appPaths = new Set([
  'account',
  'register',
  'confirm',
  'sign-in',
  'forgot-password',
  'reset-password',
  'accept-invitation',
]);

const files: Readonly<Record<string, PortalFile>> = {
  'theme.css': { format: 'file', kind: 'theme' },
  'logo.png': { format: 'file', kind: 'logo', variant: 'light' },
  'logo-dark.png': { format: 'file', kind: 'logo', variant: 'dark' },
  'sitemap.xml': { format: 'file', kind: 'sitemap' },
  'sitemap-pages.xml': { format: 'file', kind: 'pages-sitemap' },
  'robots.txt': { format: 'file', kind: 'robots' },
  'llms.txt': { format: 'file', kind: 'llms' },
};

/**
 * Reads an address below a portal, such as `/products/orders`; null if there is nothing at such an address.
 *
 * @param path encoded, beginning with a slash; empty for the home page
 */
export function readAddress(path: string, query: URLSearchParams): PortalRequest | null {
  const segments = segmentsOf(path);
  if (segments === null) return null;
  const last = segments.at(-1) ?? '';
  const file = segments.length === 1 && Object.hasOwn(files, last) ? files[last]! : fileOfProduct(segments);
  if (file !== null) return file;
  if (!last.endsWith('.md')) return readPage(segments, query, 'html');
  const named = [...segments.slice(0, -1), last.slice(0, -'.md'.length)];
  return readPage(named.length === 1 && named[0] === 'index' ? [] : named, query, 'markdown');
}

/** The decoded parts of a path; null where they can't be decoded, or one of them is too long to be a name. */
function segmentsOf(path: string): readonly string[] | null {
  const parts = path.replace(/\/$/, '').split('/').slice(1);
  if (parts.length > 8) return null;
  try {
    const segments = parts.map(decodeURIComponent);
    return segments.every((segment) => segment !== '' && segment.length <= longestSegment) ? segments : null;
  } catch {
    return null;
  }
}

function fileOfProduct(segments: readonly string[]): PortalFile | null {
  const [section, product, name, ...rest] = segments;
  if (section !== 'products' || product === undefined || rest.length > 0) return null;
  if (name === 'openapi.json') return { format: 'file', kind: 'openapi', product };
  if (name === 'postman.json') return { format: 'file', kind: 'postman', product };
  return name === 'sitemap.xml' ? { format: 'file', kind: 'product-sitemap', product } : null;
}

function readPage(segments: readonly string[], query: URLSearchParams, format: 'html' | 'markdown'): PortalPage | null {
  const [section, name, part, operation, ...rest] = segments;
  if (section === undefined) return { format, kind: 'home' };
  if (appPaths.has(section)) return format === 'html' ? { format, kind: 'app', path: segments } : null;
  if (name === undefined) {
    switch (section) {
      case 'catalog':
        return {
          format,
          kind: 'catalog',
          search: textOf(query, 'search', longestSearch),
          tag: textOf(query, 'tag', longestTag),
          page: pageOf(query),
        };
      case 'guides':
        return { format, kind: 'guides' };
      case 'changes':
        return { format, kind: 'changes', product: textOf(query, 'product', longestSegment), page: pageOf(query) };
      case 'status':
        return { format, kind: 'status' };
      default:
        return null;
    }
  }
  if (section === 'guides' && part === undefined) return { format, kind: 'guide', slug: name };
  if (section !== 'products') return null;
  if (part === undefined) return { format, kind: 'product', product: name, estimate: estimateOf(query) };
  if (part !== 'operations' || operation === undefined || rest.length > 0) return null;
  return { format, kind: 'operation', product: name, operation };
}

function textOf(query: URLSearchParams, name: string, longest: number): string | null {
  const text = (query.get(name) ?? '').trim().slice(0, longest);
  return text === '' ? null : text;
}

function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? '1');
  return Number.isInteger(page) && page >= 1 && page <= largestPage ? page : 1;
}

/** What the estimator is asked; null if nothing. */
function estimateOf(query: URLSearchParams): EstimateQuery | null {
  const usage = [...query].filter(([name]) => name.startsWith(usagePrefix)).slice(0, mostUsages);
  const plan = textOf(query, 'plan', longestSegment);
  if (plan === null && usage.length === 0) return null;
  return {
    plan,
    usage: Object.fromEntries(usage.map(([name, value]) => [name.slice(usagePrefix.length), value.slice(0, 40)])),
  };
}
