import { type PageContext, pathTo } from './context.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';

/** A page for an address without one. */
export function notFoundPage(context: PageContext): Page {
  const { texts } = context;
  return problemPage(context, texts.notFoundTitle, texts.notFoundText, null);
}

/** @param requestId by which the error is found in the log */
export function errorPage(context: PageContext, requestId: string): Page {
  const { texts } = context;
  return problemPage(context, texts.errorTitle, texts.errorText, requestId);
}

function problemPage(context: PageContext, title: string, text: string, requestId: string | null): Page {
  const { texts } = context;
  return {
    title,
    description: text,
    path: [],
    section: null,
    structuredData: null,
    content: html`<div class="wide"><div class="page-head"><h1>${title}</h1><p>${text}</p>
${requestId !== null && html`<p class="small">${texts.reportWith(requestId)}</p>`}</div>
<div class="actions"><a class="button primary" href="${pathTo(context, 'catalog')}">${texts.browseApis}</a><a class="button" href="${pathTo(context)}">${texts.toHome}</a></div>
<div class="section"></div></div>`,
  };
}
