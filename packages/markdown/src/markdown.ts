import MarkdownIt, { type Token } from 'markdown-it';

/** A heading, which a link can point to. */
export interface Heading {
  /** Of its element, unique in the text; all of them begin with `section-`, so that none is the page's own. */
  readonly id: string;
  /** From 2: the page's title is the heading above. */
  readonly level: number;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: Heading[];
}

const base = 'https://base.invalid/';

/** Whether an address stays on the site that the text is on: no scheme, no host. */
function isOwn(address: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return false;
  return URL.parse(address, base)?.origin === 'https://base.invalid';
}

function isLink(address: string): boolean {
  const { protocol } = URL.parse(address, base) ?? { protocol: '' };
  return isOwn(address) || (/^(?:https?|mailto):/i.test(address) && /^(?:https?|mailto):$/.test(protocol));
}

function isImage(address: string): boolean {
  return isOwn(address) || (/^https:/i.test(address) && URL.parse(address)?.protocol === 'https:');
}

const markdown = createRenderer();

/**
 * Markdown (CommonMark with tables and strikethrough, addresses become links) as HTML that is safe in any page: HTML in the
 * source is text; links lead to http, https, mailto or the same site, images come from https or the same site; nothing has
 * a style, a script or an id of the page's own. Headings begin at level 2 and leave out no level.
 */
export function renderMarkdown(source: string): Rendered {
  const environment = {};
  const tokens = markdown.parse(source, environment);
  const headings = numberHeadings(tokens);
  return { html: markdown.renderer.render(tokens, markdown.options, environment), headings };
}

function createRenderer() {
  const renderer = new MarkdownIt({ html: false, linkify: true, typographer: false });
  renderer.validateLink = isLink;
  // A bare word such as `README.md` is no address.
  renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const { rules } = renderer.renderer;
  const { escapeHtml } = renderer.utils;
  rules.link_open = (tokens, index, options, _environment, self) => {
    const token = tokens[index]!;
    if (!isOwn(attribute(token, 'href'))) token.attrSet('rel', 'noopener noreferrer');
    return self.renderToken(tokens, index, options);
  };
  rules.image = (tokens, index, options, environment, self) => {
    const token = tokens[index]!;
    const text = self.renderInlineAsText(token.children ?? [], options, environment);
    const address = attribute(token, 'src');
    if (!isImage(address)) return escapeHtml(text);
    const title = attribute(token, 'title');
    const titled = title === '' ? '' : ` title="${escapeHtml(title)}"`;
    return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}"${titled} loading="lazy" referrerpolicy="no-referrer">`;
  };
  rules.fence = (tokens, index) => codeBlock(tokens[index]!);
  rules.code_block = (tokens, index) => codeBlock(tokens[index]!);
  // The keyboard can scroll what is wider than the page.
  const codeBlock = ({ content, info }: Token) => {
    const language = /^[\w+#.-]{1,30}(?=\s|$)/.exec(info.trim())?.[0];
    const named = language === undefined ? '' : ` class="language-${escapeHtml(language)}"`;
    return `<pre tabindex="0"><code${named}>${escapeHtml(content)}</code></pre>\n`;
  };
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  for (const cell of ['th', 'td'] as const) {
    rules[`${cell}_open`] = (tokens, index) => {
      const align = /^text-align:(left|right|center)$/.exec(attribute(tokens[index]!, 'style'))?.[1];
      return align === undefined ? `<${cell}>` : `<${cell} class="align-${align}">`;
    };
  }
  return renderer;
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

/** Gives the headings their ids and levels. */
function numberHeadings(tokens: readonly Token[]): Heading[] {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  /** The headings that the next one may stand below: their levels in the source and on the page. */
  const above: { readonly written: number; readonly level: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = textOf(tokens[index + 1]?.children ?? []).trim();
    const written = Number(token.tag.slice(1));
    while ((above.at(-1)?.written ?? 0) >= written) above.pop();
    const level = Math.min((above.at(-1)?.level ?? 1) + 1, 6);
    above.push({ written, level });
    const id = freeId(taken, text);
    token.tag = `h${level}`;
    tokens[index + 2]!.tag = token.tag;
    token.attrs = [['id', id]];
    headings.push({ id, level, text });
  }
  return headings;
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'text' || type === 'code_inline' || type === 'text_special') return content;
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return textOf(children ?? []);
    })
    .join('');
}

/** @param taken how often each wanted id was given, and each given id */
function freeId(taken: Map<string, number>, text: string): string {
  const words =
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = `section-${words.join('-').slice(0, 80) || 'untitled'}`;
  let number = taken.get(wanted) ?? 0;
  let id: string;
  do {
    number += 1;
    id = number === 1 ? wanted : `${wanted}-${number}`;
  } while (number > 1 && taken.has(id));
  taken.set(wanted, number);
  taken.set(id, Math.max(1, taken.get(id) ?? 0));
  return id;
}
