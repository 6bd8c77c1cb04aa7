import { type Html, html } from './html.ts';

const words =
  'import|from|const|let|var|new|await|using|package|func|defer|if|nil|err|return|print|true|false|null|None|True|False|curl|class|void|static';

/** Strings, numbers and keywords, in any of the languages that pages show. */
const token = new RegExp(
  [
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)/.source,
    /(\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/.source,
    `\\b(?:${words})\\b`,
  ].join('|'),
  'g',
);

/** Longer code stays in one colour: colours cost as many bytes as the text. */
const maxColouredCharacters = 4_000;

/** Code with its strings, numbers and keywords in colours. */
function highlight(code: string): Html {
  if (code.length > maxColouredCharacters) return html`${code}`;
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of code.matchAll(token)) {
    const [text, string, number] = match;
    if (match.index > end) parts.push(code.slice(end, match.index));
    end = match.index + text.length;
    parts.push(html`<span class="${string !== undefined ? 's' : number !== undefined ? 'n' : 'k'}">${text}</span>`);
  }
  parts.push(code.slice(end));
  return html`${parts}`;
}

/** A panel of code with its title. */
export function codePanel(title: string, code: string): Html {
  return html`<div class="code"><div class="code-bar"><span>${title}</span></div>${scrollingCode(title, code)}</div>`;
}

/** Code that scrolls within itself, so that keyboards have to reach it. */
export function scrollingCode(label: string, code: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${highlight(code)}</code></pre>`;
}
