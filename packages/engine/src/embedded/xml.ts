import { SaxesParser } from 'saxes';

/** An element without its namespace: e-invoices differ in prefixes and namespaces, not in the local names used here. */
export interface XmlElement {
  /** The local name. */
  readonly name: string;
  /** Local attribute name to value. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The element's own text, white space folded; empty where it was longer than any value of an invoice. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

export interface ParsedXml {
  readonly root: XmlElement;
  /** False where the document broke off or its tags did not match: everything before that point is in the tree. */
  readonly complete: boolean;
}

const limits = {
  sizeBytes: 16 * 1024 * 1024,
  depth: 64,
  elements: 200_000,
  /** Attached documents in Base64 are not kept. */
  textLength: 32 * 1024,
  errors: 100,
};

class Stop extends Error {}

interface OpenElement {
  name: string;
  attributes: Map<string, string>;
  text: string;
  children: XmlElement[];
}

/**
 * Parses the bytes of an XML document, or the sound beginning of a broken one. Slips that leave the structure clear
 * (a bare `&`, an unknown encoding's name, an unbound prefix) are passed over; mismatched tags end the reading.
 *
 * Nothing outside of the bytes is ever read, and no entity is defined: a document with a DOCTYPE is refused.
 *
 * @returns null for a document that has a DOCTYPE, is too large, too deep, or has no root element.
 */
export function parseXml(bytes: Uint8Array): ParsedXml | null {
  if (bytes.length > limits.sizeBytes) return null;
  const text = decodeXml(bytes);
  const parsed = parseText(text);
  if (!parsed || parsed.complete) return parsed;
  // A bare `&` swallows what follows it, up to the next semicolon.
  const escaped = text.replace(/&(?!(#\d{1,7}|#x[\da-f]{1,6}|\w{1,30});)/gi, '&amp;');
  return escaped === text ? parsed : parseText(escaped);
}

function parseText(text: string): ParsedXml | null {
  const parser = new SaxesParser({ position: false });
  const open: OpenElement[] = [];
  let root: OpenElement | null = null;
  let lastClosedIn: OpenElement | null = null;
  let elementCount = 0;
  let errorCount = 0;
  let refused = false;
  let complete = true;

  const appendText = (piece: string) => {
    const element = open.at(-1);
    if (element && element.text.length <= limits.textLength) element.text += piece;
  };
  parser.on('text', appendText);
  parser.on('cdata', appendText);
  parser.on('doctype', () => {
    refused = true;
    throw new Stop();
  });
  parser.on('opentag', (tag) => {
    elementCount += 1;
    if (elementCount > limits.elements || open.length >= limits.depth) {
      refused = true;
      throw new Stop();
    }
    const attributes = new Map(Object.entries(tag.attributes).map(([name, value]) => [localName(name), value]));
    const element: OpenElement = { name: localName(tag.name), attributes, text: '', children: [] };
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (!element) return;
    element.text = element.text.length > limits.textLength ? '' : element.text.replace(/\s+/g, ' ').trim();
    lastClosedIn = open.at(-1) ?? null;
    lastClosedIn?.children.push(element);
  });
  parser.on('error', (error) => {
    errorCount += 1;
    const structural = /close tag|closing tag|unclosed tag|unexpected end/.test(error.message);
    if (structural || errorCount > limits.errors) {
      complete = false;
      // The parser closed this element before it saw that the tags do not match: its content cannot be relied on.
      if (error.message.includes('unexpected close tag')) lastClosedIn?.children.pop();
      throw new Stop();
    }
  });

  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  if (refused || !root) return null;
  for (let element = open.pop(); element; element = open.pop()) {
    element.text = '';
    open.at(-1)?.children.push(element);
  }
  return { root, complete };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/**
 * Decodes XML by what its bytes are rather than by what it says: a byte order mark or zero bytes tell UTF-16, valid
 * UTF-8 is UTF-8 whatever the declaration states (other encodings' text hardly ever is), and only then the declared
 * encoding counts, at last Windows-1252. The declaration itself is left out.
 */
export function decodeXml(bytes: Uint8Array): string {
  return decode(bytes).replace(/^\uFEFF?\s*(<\?xml\s[^>]{0,200}>)?/, '');
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const declaration = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
    const label = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? '';
    return new TextDecoder(singleByteEncodings.test(label) ? label : 'windows-1252').decode(bytes);
  }
}

const singleByteEncodings = /^(iso-?8859-(1[013-6]?|[2-8])|windows-125[0-8]|koi8-[ru]|macintosh)$/i;

/**
 * The first element at a path of child names. Each step is a local name, or several separated by `|`, of which the
 * first that exists is taken.
 */
export function first(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let current = element;
  for (const step of path) {
    if (!current) return undefined;
    const { children } = current;
    const found: readonly (XmlElement | undefined)[] = step
      .split('|')
      .map((name) => children.find((child) => child.name === name));
    current = found.find((child) => child !== undefined);
  }
  return current;
}

/** All children of a name, or of several separated by `|`. */
export function all(element: XmlElement | undefined, names: string): readonly XmlElement[] {
  const wanted = names.split('|');
  return element?.children.filter((child) => wanted.includes(child.name)) ?? [];
}
