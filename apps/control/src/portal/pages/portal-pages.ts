import { pageFile, permanent, sendFile } from '@millrace/operations/pages';
import { barePage } from '@millrace/portal-pages/absent-portal';
import type { PageContext } from '@millrace/portal-pages/context';
import { pageFiles, readStaticFiles } from '@millrace/portal-pages/files';
import { renderPage } from '@millrace/portal-pages/layout';
import { errorPage, notFoundPage } from '@millrace/portal-pages/problem';
import { chooseLanguage, isLanguage, type Language, textsByLanguage } from '@millrace/portal-pages/texts';
import { themeCss } from '@millrace/portal-pages/theme';
import { tenantTransaction } from '@millrace/postgres';
import { isUnavailable } from '@millrace/postgres/unavailable';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ControlDatabase } from '../../database/schema.ts';
import type { AuthenticatePortal } from '../../frame/authenticate.ts';
import { portalTokenOf, sessionCookie } from '../../frame/credentials.ts';
import type { FindPortal, PortalHosts } from '../../frame/portals.ts';
import type { Portal } from '../settings/contract.ts';
import { completePortalSettings, palettesOf } from '../settings/rules.ts';
import { findPortalLogo, readPortal } from '../settings/store.ts';
import { type PortalRequest, readAddress } from './addresses.ts';
import { appFolder, followApp } from './app-files.ts';
import { Catalogs } from './catalogs.ts';
import { type Answer, type ChosenTheme, KeptAnswer, KeptAnswers } from './kept-answers.ts';
import { prose, render } from './render.ts';

export interface PortalPageParts {
  readonly database: ControlDatabase;
  readonly findPortal: FindPortal;
  readonly hosts: PortalHosts;
  readonly authenticatePortal: AuthenticatePortal;
  readonly secureCookies: boolean;
  /** Where this service is reached, without a slash at the end. */
  publicUrl(): string;
  /** Folder of the portal app's build, which may appear later. */
  readonly appFolder: string;
}

/** Path that the pages' own files are served below. */
const filesFolder = '/portal-files';
/** Of pages in memory: several thousand of them. */
const mostKeptBytes = 64_000_000;
/** How long a portal is kept before it is read again: what its organization changes is seen after that. */
const portalLifetimeMs = 1_000;
const mostPortals = 1_000;
/** Of pages with something that has no part in the portal's stamp: where the gateway answers, and how it does. */
const serversLifetimeMs = 60_000;
const statusLifetimeMs = 5_000;
const yearSeconds = 31_536_000;

const languageCookie = 'millrace_portal_language';
const themeCookie = 'millrace_portal_theme';

/** Addresses of this service that a portal's own host name has as well. */
const servedAtEveryHost =
  /^\/(?:api|portal-files|portal-app|api-docs)(?:[/?.]|$)|^\/(?:healthz|readyz|favicon\.svg)(?:\?|$)/;

/** A portal as its pages need it. */
interface OpenPortal {
  readonly organizationId: string;
  readonly portal: Portal;
}

/** Where a request stands. */
interface Visit {
  readonly open: OpenPortal;
  /** Path that the portal's addresses begin with here, without a slash at the end. */
  readonly basePath: string;
  /** Below it, encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Serves every portal's pages below `/portal/{organization}`, and at the root of the host names that organizations have
 * verified. They are made on the server and kept, by the portal's stamp, for visitors and for those who have signed in;
 * no page has anything of a single person.
 */
export function addPortalPages(server: FastifyInstance, parts: PortalPageParts): void {
  const files = readStaticFiles();
  const staticFiles = new Map(
    [...files.byName].map(([name, { bytes, mediaType }]) => [name, pageFile(bytes, mediaType)]),
  );
  const neutralTheme = pageFile(
    Buffer.from(themeCss({ theme: palettesOf(completePortalSettings({}).theme) })),
    'text/css; charset=utf-8',
  );
  staticFiles.set('theme.css', neutralTheme);
  const app = followApp(parts.appFolder);
  const kept = new KeptAnswers(mostKeptBytes);
  const catalogs = new Catalogs();
  const portals = createPortals(parts);

  server.get(`${filesFolder}/:version/:name`, async (request, reply) => {
    const { version, name } = request.params as { version: string; name: string };
    const file = staticFiles.get(name);
    if (file === undefined) return reply.callNotFound();
    return sendFile(request, reply, file, version === files.version ? permanent : 'no-cache');
  });
  server.get(`${appFolder}/*`, async (request, reply) => {
    const path = request.url.split('?', 1)[0]!.slice(appFolder.length);
    const file = app.find(path);
    if (file === null) return reply.callNotFound();
    return sendFile(request, reply, file, path.startsWith('/assets/') ? permanent : 'no-cache');
  });

  server.get('/portal', (request, reply) => answerAbsent(request, reply));
  server.get('/portal/*', async (request, reply) => {
    const [pathname = '', search = ''] = splitUrl(request.url);
    const [, , organization = '', ...rest] = pathname.split('/');
    const open = /^[a-z0-9][a-z0-9-]{0,63}$/.test(organization) ? await portals.find({ organization }) : null;
    if (open === null) return answerAbsent(request, reply);
    const path = rest.length === 0 ? '' : `/${rest.join('/')}`;
    return answer(request, reply, {
      open,
      basePath: `/portal/${organization}`,
      path,
      query: new URLSearchParams(search),
    });
  });
  server.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return;
    if (servedAtEveryHost.test(request.url)) return;
    const open = await portals.find({ hostName: request.hostname.toLowerCase() });
    if (open === null) return;
    const [path = '', search = ''] = splitUrl(request.url);
    return answer(request, reply, { open, basePath: '', path, query: new URLSearchParams(search) });
  });

  async function answer(request: FastifyRequest, reply: FastifyReply, visit: Visit): Promise<FastifyReply> {
    reply.headers(pageHeaders);
    const chosen = visit.query.get('theme');
    if (chosen !== null) return answerTheme(reply, visit, chosen);
    const asked = visit.query.get('lang');
    if (isLanguage(asked)) addCookie(reply, languageCookie, asked, yearSeconds);
    const cookies = cookiesOf(request);
    const language = chooseLanguage({
      asked,
      chosen: cookies.get(languageCookie),
      accepted: request.headers['accept-language'],
      fallback: visit.open.portal.defaultLanguage,
    });
    const signedIn = await isSignedIn(request, reply, visit.open.organizationId);
    const context = contextOf(visit, language, signedIn);
    const target = readAddress(visit.path, visit.query);
    const theme = themeOf(cookies.get(themeCookie));
    const send = async (answer: Answer | KeptAnswer, cacheControl: string): Promise<FastifyReply> => {
      const kept = answer instanceof KeptAnswer ? answer : await KeptAnswer.of(answer);
      if (kept.fileName !== null) reply.header('content-disposition', `attachment; filename="${kept.fileName}"`);
      return sendFile(request, reply.code(kept.status), kept.in(theme), cacheControl);
    };
    try {
      if (target === null) return await send(documentOf(404, renderPage(context, notFoundPage(context))), 'no-store');
      if (target.kind === 'logo') return await answerLogo(request, reply, visit, target.variant);
      const page = await pageOf(visit, context, target);
      const isPrivate = signedIn || isLanguage(asked) || target.kind === 'app';
      if (target.kind === 'app') reply.header('content-security-policy', appPolicy);
      return await send(page, page.status === 200 ? cacheControlOf(target, visit, isPrivate) : 'no-store');
    } catch (error) {
      request.log.error({ err: error }, 'a page of the portal failed');
      const status = isUnavailable(error) ? 503 : 500;
      if (status === 503) reply.header('retry-after', '2');
      return send(documentOf(status, renderPage(context, errorPage(context, request.id))), 'no-store');
    }
  }

  /** The page, kept where others may ask for the same. */
  async function pageOf(
    visit: Visit,
    context: PageContext,
    target: Exclude<PortalRequest, { kind: 'logo' }>,
  ): Promise<Answer | KeptAnswer> {
    const { organizationId, portal } = visit.open;
    const make = async (): Promise<Answer> => {
      const rendered = await tenantTransaction(
        parts.database,
        organizationId,
        (transaction) =>
          render(
            context,
            { transaction, viewer: { signedIn: context.signedIn }, catalogs, app, now: new Date() },
            target,
          ),
        { access: 'read only', planned: true },
      );
      return rendered ?? documentOf(404, renderPage(context, notFoundPage(context)));
    };
    if (isAskedOnce(target)) return make();
    const key = JSON.stringify([
      organizationId,
      portal.stamp,
      app.stamp,
      context.basePath,
      context.baseUrl,
      context.language,
      context.signedIn,
      target,
      periodOf(target),
    ]);
    return kept.find(key, make);
  }

  function contextOf({ open: { portal }, basePath }: Visit, language: Language, signedIn: boolean): PageContext {
    return {
      portal,
      language,
      texts: textsByLanguage[language],
      basePath,
      baseUrl: portal.url,
      files: pageFiles(`${filesFolder}`, files, `${basePath}/theme.css?v=${encodeURIComponent(portal.stamp)}`),
      signedIn,
      markdown: prose,
    };
  }

  async function answerLogo(
    request: FastifyRequest,
    reply: FastifyReply,
    { open: { organizationId }, query }: Visit,
    variant: 'light' | 'dark',
  ): Promise<FastifyReply> {
    const file = await tenantTransaction(
      parts.database,
      organizationId,
      (transaction) => findPortalLogo(transaction, variant),
      { access: 'read only' },
    );
    if (file === null) {
      reply.callNotFound();
      return reply;
    }
    return sendFile(request, reply, pageFile(file, 'image/png'), query.has('v') ? permanent : 'no-cache');
  }

  /** Whether the visitor is signed in to this portal. */
  async function isSignedIn(request: FastifyRequest, reply: FastifyReply, organizationId: string): Promise<boolean> {
    const token = portalTokenOf(request, parts.secureCookies);
    if (token === null) return false;
    const found = await parts.authenticatePortal(token);
    if (found?.newToken) addHeader(reply, sessionCookie(found.newToken, parts.secureCookies, 'portal'));
    return found !== null && found.caller.homeOrganizationId === organizationId;
  }

  function addCookie(reply: FastifyReply, name: string, value: string, ageSeconds: number): void {
    const secure = parts.secureCookies ? '; Secure' : '';
    addHeader(reply, `${name}=${value}; Path=/; Max-Age=${ageSeconds}; SameSite=Lax${secure}`);
  }

  /** Keeps the colours that a link of the page chooses, and shows the page again. */
  function answerTheme(reply: FastifyReply, { basePath, path, query }: Visit, chosen: string): FastifyReply {
    const theme = themeOf(chosen);
    addCookie(reply, themeCookie, theme ?? 'system', theme === null ? 0 : yearSeconds);
    query.delete('theme');
    const rest = String(query);
    // A path that begins with two slashes would be another host.
    const place = `${basePath}${path}`.replace(/^[/\\]*/, '/');
    return reply
      .code(303)
      .header('cache-control', 'no-store')
      .header('location', rest === '' ? place : `${place}?${rest}`)
      .send();
  }

  function answerAbsent(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const language = chooseLanguage({
      asked: undefined,
      chosen: cookiesOf(request).get(languageCookie),
      accepted: request.headers['accept-language'],
      fallback: 'en',
    });
    const texts = textsByLanguage[language];
    const document = barePage({
      language,
      files: pageFiles(filesFolder, files, `${filesFolder}/${files.version}/theme.css`),
      title: texts.noPortalTitle,
      text: texts.noPortalText,
    });
    const file = pageFile(Buffer.from(document), 'text/html; charset=utf-8');
    return sendFile(request, reply.code(404).headers(pageHeaders), file, 'no-store');
  }
}

/** Portals by the organization's name or a host name, each kept for a moment; null where none is open. */
function createPortals({ database, findPortal, hosts, publicUrl }: PortalPageParts) {
  const known = new Map<string, { readonly found: Promise<OpenPortal | null>; readonly untilMs: number }>();
  const read = async (place: { organization: string } | { hostName: string }): Promise<OpenPortal | null> => {
    const organizationId =
      'hostName' in place
        ? await hosts.find(place.hostName)
        : await findPortal({ organization: place.organization, hostName: '' });
    if (organizationId === null) return null;
    const portal = await tenantTransaction(
      database,
      organizationId,
      (transaction) => readPortal(transaction, publicUrl()),
      { access: 'read only' },
    );
    return { organizationId, portal };
  };
  return {
    find(place: { organization: string } | { hostName: string }): Promise<OpenPortal | null> {
      const key = 'hostName' in place ? `host ${place.hostName}` : place.organization;
      const nowMs = performance.now();
      const entry = known.get(key);
      if (entry !== undefined && entry.untilMs > nowMs) return entry.found;
      // Requests can name any number of organizations.
      if (known.size >= mostPortals) known.clear();
      const found = read(place);
      known.set(key, { found, untilMs: nowMs + portalLifetimeMs });
      found.catch(() => known.delete(key));
      return found;
    },
  };
}

function documentOf(status: number, text: string): Answer {
  return { status, mediaType: 'text/html; charset=utf-8', text, fileName: null };
}

/** Whether nobody else is likely to ask for the same: to keep it would only push other pages out. */
function isAskedOnce(target: PortalRequest): boolean {
  if (target.kind === 'catalog') return target.search !== null || target.page > 100;
  if (target.kind === 'product') return target.estimate !== null;
  return target.kind === 'app' || target.kind === 'openapi' || target.kind === 'postman';
}

/** The period in which a page stays the same although its stamp may not say so. */
function periodOf(target: PortalRequest): number {
  switch (target.kind) {
    case 'status':
      return Math.floor(Date.now() / statusLifetimeMs);
    case 'home':
    case 'product':
    case 'operation':
      return Math.floor(Date.now() / serversLifetimeMs);
    default:
      return 0;
  }
}

/** Browsers ask each time whether a page is still the same; what stands between may keep it for a minute. */
function cacheControlOf(target: PortalRequest, { query }: Visit, isPrivate: boolean): string {
  if (isPrivate) return 'private, no-cache';
  if (target.kind === 'theme' && query.has('v')) return permanent;
  return target.kind === 'status' ? 'no-cache' : 'public, max-age=0, s-maxage=60, must-revalidate';
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The app's component library writes style elements; scripts still come from this server alone. */
const appPolicy = policy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' blob:");

const pageHeaders = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  vary: 'accept-encoding, accept-language, cookie',
};

function splitUrl(url: string): readonly [string, string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function themeOf(value: string | null | undefined): ChosenTheme {
  return value === 'light' || value === 'dark' ? value : null;
}

/** The request's cookies; of several with one name, the first. */
function cookiesOf(request: FastifyRequest): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.split('=', 2).map((part) => part.trim());
    if (!cookies.has(name)) cookies.set(name, value);
  }
  return cookies;
}

function addHeader(reply: FastifyReply, cookie: string): void {
  const before = reply.getHeader('set-cookie');
  const cookies = before === undefined ? [] : Array.isArray(before) ? before : [String(before)];
  reply.header('set-cookie', [...cookies, cookie]);
}
