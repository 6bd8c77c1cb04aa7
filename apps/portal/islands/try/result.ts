import type { BodyOf, DataOf } from '../api.ts';
import { codePanel, element } from '../dom.ts';
import { snippetView } from './snippet.ts';
import type { TryTexts } from './texts.ts';

type Result = DataOf<'sendPortalTry'>;

/** What came back: status, time, limits, headers and body, and the request as a command. */
export function resultView(
  result: Result,
  body: BodyOf<'sendPortalTry'>['body'],
  texts: TryTexts,
  language: string,
): readonly HTMLElement[] {
  const { response, problem, durationMs, limits, units } = result;
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const fact = (name: string, value: string, tone?: string) =>
    element('div', {}, element('dt', {}, name), element('dd', tone ? { class: tone } : {}, value));
  const facts = element(
    'dl',
    { class: 'try-facts' },
    response && fact(texts.status, String(response.status), response.status < 400 ? 'try-good' : 'try-bad'),
    fact(texts.time, `${numbers.format(durationMs)} ms`),
    units === null ? null : fact(texts.units, units),
  );
  return [
    element('h3', {}, texts.response),
    facts,
    ...(problem === null ? [] : [element('p', { class: 'note' }, problem)]),
    ...(limits.length === 0 ? [] : [headerList(texts.limits, limits, true)]),
    ...(response === null ? [] : [bodyView(response, texts), headerList(texts.headers, response.headers, false)]),
    snippetView(result.request, body, texts),
  ];
}

function headerList(
  title: string,
  headers: readonly { readonly name: string; readonly value: string }[],
  open: boolean,
) {
  return element(
    'details',
    { open },
    element('summary', {}, `${title} (${headers.length})`),
    element(
      'dl',
      { class: 'facts' },
      ...headers.map(({ name, value }) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
  );
}

function bodyView(response: NonNullable<Result['response']>, texts: TryTexts): HTMLElement {
  const { text, base64, bodyBytes, mediaType, truncated } = response;
  if (bodyBytes === 0) return element('p', { class: 'muted' }, texts.emptyBody);
  const note = truncated ? element('p', { class: 'muted small' }, texts.truncated) : null;
  if (text !== null) return element('div', {}, codePanel(mediaType ?? texts.response, pretty(text), texts), note);
  const bytes = Uint8Array.from(atob(base64 ?? ''), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  return element(
    'div',
    {},
    element('p', {}, element('a', { href: url, download: 'response' }, `${texts.download} (${mediaType ?? '?'})`)),
    note,
  );
}

/** JSON with a line for each of its values; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
