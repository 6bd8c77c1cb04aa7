/**
 * The one way in which text gets into a page. A template literal tagged `html` knows, for each of its values, where in the
 * markup it stands, and escapes it for that place; a place that no value can be made safe for is refused.
 */

const brand: unique symbol = Symbol('html');

/** Markup that this module made. */
export class Html {
  readonly [brand] = true;
  readonly #text: string;

  /** @param text markup; only this module makes one */
  constructor(text: string, key: typeof brand) {
    if (key !== brand) throw new TypeError('Make markup with the html template.');
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Attributes made by {@link attributes}, for the inside of a tag. */
class Attributes {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template takes: text is escaped, markup is inserted, lists are joined, and null, undefined and false are nothing. */
export type HtmlValue = Html | Attributes | string | number | null | undefined | false | readonly HtmlValue[];

type Place = 'text' | 'attribute' | 'url' | 'tag';

/** Attributes whose value the browser opens, loads or sends to. */
const urlAttributes = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data', 'srcset', 'ping']);

const placesOf = new WeakMap<TemplateStringsArray, readonly Place[]>();

/**
 * Markup of a template literal.
 *
 * @throws TypeError for a value where it cannot be made safe: within a script, style or comment, as the name of a tag or
 * attribute, in an attribute without double quotes, or in an event handler or `style` attribute; and for a template that
 * ends within a tag
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let places = placesOf.get(strings);
  if (places === undefined) {
    places = findPlaces(strings);
    placesOf.set(strings, places);
  }
  let text = strings[0]!;
  for (let index = 0; index < values.length; index++) {
    text += written(values[index], places[index]!) + strings[index + 1]!;
  }
  return new Html(text, brand);
}

/** Markup of a list, with nothing between its items. */
export function join(items: readonly HtmlValue[]): Html {
  return new Html(written(items, 'text'), brand);
}

/**
 * Attributes for the inside of a tag, such as `${attributes({ open: true })}`; a value of true is an attribute without a
 * value, and false, null and undefined are none.
 *
 * @throws TypeError for a name that is not a plain one
 */
export function attributes(values: Readonly<Record<string, string | number | boolean | null | undefined>>): Attributes {
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new TypeError(`${name} is not an attribute.`);
    if (value === false || value === null || value === undefined) continue;
    const place = placeOfAttribute(name);
    text += value === true ? ` ${name}` : ` ${name}="${written(String(value), place)}"`;
  }
  return new Attributes(text);
}

/**
 * JSON for a data block, which browsers don't execute. No text within can end the block or begin a comment.
 *
 * @param type media type such as `application/ld+json`
 */
export function dataBlock(type: `application/${string}`, value: object): Html {
  const json = JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (character) => unicodeEscape(character));
  return new Html(`<script type="${escapeText(type)}">${json}</script>`, brand);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The URL if a page may link to it: http, https, mailto, or without a scheme; otherwise null. */
export function safeUrl(url: string): string | null {
  // Browsers ignore control characters and spaces in front of a scheme, and tabs and line breaks within it.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers ignore
  const seen = url.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\ufeff]/g, '');
  const scheme = /^([^/?#]*?):/.exec(seen)?.[1]?.toLowerCase();
  return scheme === undefined || scheme === 'http' || scheme === 'https' || scheme === 'mailto' ? url.trim() : null;
}

/** What Markdown becomes: elements with the attributes that each may have. */
const proseElements: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['blockquote', 'br', 'em', 'hr', 'li', 'p', 's', 'strong', 'table', 'tbody', 'thead', 'tr', 'ul'].map((name) => [
      name,
      [],
    ]),
  ),
  ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, ['id']])),
  a: ['href', 'title', 'rel'],
  code: ['class'],
  div: ['class', 'tabindex'],
  img: ['src', 'alt', 'title', 'loading', 'referrerpolicy'],
  ol: ['start'],
  pre: ['tabindex'],
  td: ['class'],
  th: ['class'],
};

/**
 * Markup that a renderer made of somebody's Markdown, after a check that it is nothing but prose.
 *
 * @returns null where it has any other element or attribute, a URL that a page must not open, or an unescaped character
 */
export function proseOf(markup: string): Html | null {
  const outside = markup.replaceAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z]+="[^"<>]*")*)\s*\/?>/g,
    (tag, slash: string, name: string, own: string) => (isProseTag(slash === '/', name, own) ? '' : tag),
  );
  return /[<>]/.test(outside) ? null : new Html(markup, brand);
}

function isProseTag(isEnd: boolean, name: string, own: string): boolean {
  const allowed = Object.hasOwn(proseElements, name) ? proseElements[name]! : null;
  if (allowed === null || (isEnd && own !== '')) return false;
  return [...own.matchAll(/([a-z]+)="([^"]*)"/g)].every(([, attribute = '', value = '']) => {
    if (!allowed.includes(attribute)) return false;
    // Any other character reference could hide a scheme.
    return !urlAttributes.has(attribute) || (!/&(?!amp;|quot;|lt;|gt;|#39;)/.test(value) && safeUrl(value) !== null);
  });
}

function written(value: HtmlValue, place: Place): string {
  if (value === null || value === undefined || value === false) return '';
  if (place === 'tag') {
    if (value instanceof Attributes) return value.toString();
    throw new TypeError('Write attributes within a tag by attributes().');
  }
  if (value instanceof Attributes) throw new TypeError('Attributes belong within a tag.');
  if (value instanceof Html) {
    if (place !== 'text') throw new TypeError('Markup cannot be the value of an attribute.');
    return value.toString();
  }
  if (typeof value === 'string') return escapeText(place === 'url' ? (safeUrl(value) ?? '#') : value);
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) throw new TypeError('A page takes text, numbers and markup only.');
  let text = '';
  for (const item of value as readonly HtmlValue[]) text += written(item, place);
  return text;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  // Browsers replace it, so that what is seen is not what was sent.
  '\0': '\ufffd',
};

const escaped = /[&<>"'`\0]/;
const allEscaped = /[&<>"'`\0]/g;

function escapeText(text: string): string {
  return escaped.test(text) ? text.replaceAll(allEscaped, (character) => escapes[character]!) : text;
}

/** Where each value of a template stands. */
function findPlaces(strings: TemplateStringsArray): readonly Place[] {
  const places: Place[] = [];
  const reader = new MarkupReader();
  for (const [index, literal] of strings.entries()) {
    reader.read(literal);
    if (index < strings.length - 1) places.push(reader.place());
  }
  reader.end();
  return places;
}

/** Elements whose content browsers don't read as markup. */
const rawElements = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'xmp', 'noembed', 'noframes']);
/** Of those, the ones in which character references still count, so that escaped text is safe. */
const escapableElements = new Set(['textarea', 'title']);

/** Reads a template's literals, which are ours and well-formed, and knows where it is. */
class MarkupReader {
  #state: 'text' | 'tag' | 'value' | 'comment' = 'text';
  #element = '';
  #attribute = '';
  #rawElement: string | null = null;

  read(literal: string): void {
    let rest = literal;
    while (rest !== '') rest = this.#step(rest);
  }

  place(): Place {
    switch (this.#state) {
      case 'text':
        if (this.#rawElement !== null && !escapableElements.has(this.#rawElement)) throw unsafe(this.#rawElement);
        return 'text';
      case 'value':
        return placeOfAttribute(this.#attribute);
      case 'tag':
        if (this.#attribute !== '') throw unsafe(`the attribute ${this.#attribute} without double quotes`);
        return 'tag';
      case 'comment':
        throw unsafe('a comment');
    }
  }

  end(): void {
    if (this.#state !== 'text' || this.#rawElement !== null)
      throw new TypeError('A template ends where markup may stand.');
  }

  #step(text: string): string {
    switch (this.#state) {
      case 'text':
        return this.#text(text);
      case 'tag':
        return this.#tag(text);
      case 'value': {
        const end = text.indexOf('"');
        if (end < 0) return '';
        this.#state = 'tag';
        this.#attribute = '';
        return text.slice(end + 1);
      }
      case 'comment': {
        const end = text.indexOf('-->');
        if (end < 0) return '';
        this.#state = 'text';
        return text.slice(end + 3);
      }
    }
  }

  #text(text: string): string {
    if (this.#rawElement !== null) {
      const end = text.indexOf(`</${this.#rawElement}`);
      if (end < 0) return '';
      this.#rawElement = null;
      return text.slice(end);
    }
    const start = text.indexOf('<');
    if (start < 0) return '';
    const rest = text.slice(start);
    if (rest.startsWith('<!--')) {
      this.#state = 'comment';
      return rest.slice(4);
    }
    const tag = /^<\/?([a-z][a-z0-9:-]*)|^<!doctype/i.exec(rest);
    if (tag === null) throw unsafe('the name of a tag');
    this.#state = 'tag';
    this.#element = rest.startsWith('</') ? '' : (tag[1] ?? '').toLowerCase();
    return rest.slice(tag[0].length);
  }

  #tag(text: string): string {
    const part = /^\s+|^\/?>|^([a-zA-Z][\w:-]*)(=?)(")?/.exec(text);
    if (part === null) throw unsafe('a tag');
    const [all, attribute, equals, quote] = part;
    if (all.endsWith('>')) {
      this.#state = 'text';
      if (rawElements.has(this.#element)) this.#rawElement = this.#element;
    } else if (attribute !== undefined) {
      this.#attribute = equals === '=' ? attribute.toLowerCase() : '';
      if (quote === '"') this.#state = 'value';
    }
    return text.slice(all.length);
  }
}

function placeOfAttribute(name: string): Place {
  if (name.startsWith('on') || name === 'style' || name === 'srcdoc') throw unsafe(`the attribute ${name}`);
  return urlAttributes.has(name) ? 'url' : 'attribute';
}

function unsafe(place: string): TypeError {
  return new TypeError(`No value is safe in ${place}.`);
}
