import { type SnippetRequest, snippetsOf } from '@millrace/openapi/snippets';
import type { BodyOf, DataOf } from '../api.ts';
import { codePanel, element } from '../dom.ts';
import type { TryTexts } from './texts.ts';

type Sent = DataOf<'sendPortalTry'>['request'];
type SentBody = BodyOf<'sendPortalTry'>['body'];

/** Where the page keeps the language of snippets, too. */
const chosenLanguage = 'millrace.snippet';
const placeholder = 'YOUR_API_KEY';

/** The request as it was sent, in the language of one's choice, with a placeholder for its key. */
export function snippetView(request: Sent, body: SentBody, texts: TryTexts): HTMLElement {
  const snippets = snippetsOf(snippetRequest(request, body));
  const kept = localStorage.getItem(chosenLanguage);
  const select = element(
    'select',
    { 'aria-label': texts.snippetLanguage },
    ...snippets.map(({ language, label }) =>
      element('option', { value: language, selected: language === kept }, label),
    ),
  );
  const panel = element('div', {});
  const show = () => {
    const chosen = snippets.find(({ language }) => language === select.value);
    panel.replaceChildren(codePanel(`${texts.request}: ${chosen?.label}`, chosen?.code ?? '', texts));
  };
  select.addEventListener('change', () => {
    localStorage.setItem(chosenLanguage, select.value);
    show();
  });
  show();
  return element('div', { class: 'try-fields' }, select, panel);
}

function snippetRequest(request: Sent, body: SentBody): SnippetRequest {
  const { method, url, headers, keyHeader, keyParameter } = request;
  const inQuery = keyParameter === null ? '' : `${url.includes('?') ? '&' : '?'}${keyParameter}=${placeholder}`;
  // A client states the boundary of a form itself.
  const shown = headers.filter(({ name }) => body?.kind !== 'multipart' || name.toLowerCase() !== 'content-type');
  return {
    method,
    url: `${url}${inQuery}`,
    headers: [...(keyHeader === null ? [] : [{ name: keyHeader, value: placeholder }]), ...shown],
    body: bodyOf(body),
  };
}

function bodyOf(body: SentBody): SnippetRequest['body'] {
  if (!body || body.kind === 'base64') return null;
  if (body.kind === 'text') return { kind: 'text', text: body.text };
  const parts = body.parts.map((part) =>
    'text' in part
      ? { name: part.name, value: part.text, fileName: null }
      : { name: part.name, value: '', fileName: part.fileName },
  );
  return { kind: 'multipart', parts };
}
