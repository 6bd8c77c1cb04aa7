import './try.css';
import { type DataOf, portalOf } from '../api.ts';
import { ownKeys } from './keys.ts';
import { tryPanel } from './panel.ts';
import { textsOf } from './texts.ts';

/** Draws the panel into the place that the server left for it. */
async function show(place: HTMLElement): Promise<void> {
  const { organization = '', basePath = '', language = 'en', product = '', operation: id = '' } = place.dataset;
  const call = portalOf(organization);
  const catalog = `/catalog/${encodeURIComponent(product)}`;
  const [operation, { apis }, keys] = await Promise.all([
    call<DataOf<'getCatalogOperation'>>(`${catalog}/operations/${encodeURIComponent(id)}`),
    call<DataOf<'getCatalogProduct'>>(catalog),
    // Whom the page's header offers to sign in has no keys; to ask would only be refused.
    place.dataset.signedIn === 'true' ? ownKeys(call) : null,
  ]);
  const here = window.location.pathname.slice(basePath.length);
  place.replaceChildren(
    tryPanel({
      operation,
      basePath: apis.find(({ name }) => name === operation.api)?.basePath ?? '',
      keys,
      signInUrl: `${basePath}/sign-in?${new URLSearchParams({ next: here })}`,
      startUrl: `${basePath}/account/start?${new URLSearchParams({ product })}`,
      call,
      texts: textsOf(language),
      language,
    }),
  );
}

/** Not before it is about to be seen: the page is read without it. */
function showSoon(place: HTMLElement): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void show(place);
    },
    { rootMargin: '400px' },
  );
  observer.observe(place);
}

for (const place of document.querySelectorAll<HTMLElement>('[data-portal-try]')) showSoon(place);
