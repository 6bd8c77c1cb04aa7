/** Where the app runs, as the page around it says. */
export interface Place {
  /** Name of the organization whose portal it is. */
  readonly organization: string;
  /** Path that the portal's addresses begin with, without a slash at its end: `/portal/acme`, or empty at its own host. */
  readonly basePath: string;
  readonly language: 'en' | 'de';
}

function placeOf(root: HTMLElement | null): Place {
  const { organization = '', basePath = '', language } = root?.dataset ?? {};
  return { organization, basePath, language: language === 'de' ? 'de' : 'en' };
}

export const place: Place = placeOf(document.getElementById('root'));

/** The address of a page that the server renders, such as `/products/orders`. */
export function pageAt(path: string): string {
  return `${place.basePath}${path}`;
}

/** Opens an address as a new page: the frame around the app then shows who is signed in, and in which language. */
export function openPage(path: string, language?: string | null): void {
  const address = pageAt(path);
  window.location.assign(language ? `${address}${address.includes('?') ? '&' : '?'}lang=${language}` : address);
}
