import type { PageContext } from './context.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';

/** What a build of the portal's app has to be loaded: modules and styles, as paths. */
export interface AppFiles {
  readonly modules: readonly string[];
  readonly styles: readonly string[];
}

/**
 * The page that the portal's app draws itself into, within the same frame as all others.
 *
 * @param path that was asked for, below the portal
 * @param files null where the app is not built
 */
export function appPage(context: PageContext, path: readonly string[], files: AppFiles | null): Page {
  const { texts, language, basePath, portal } = context;
  return {
    title: texts.appTitle,
    description: texts.appTitle,
    path,
    section: 'account',
    structuredData: null,
    content: html`<div class="wide app"><div id="root" data-organization="${portal.organization}" data-base-path="${basePath}" data-language="${language}">${
      files === null
        ? absence(texts.appTitle, texts.appNotBuilt)
        : html`<noscript>${absence(texts.appTitle, texts.appNeedsScript)}</noscript>`
    }</div></div>`,
    modules: files?.modules ?? [],
    styles: files?.styles ?? [],
  };
}

/** What stands instead of the app. */
function absence(title: string, text: string): Html {
  return html`<h1>${title}</h1><p class="empty after">${text}</p>`;
}
