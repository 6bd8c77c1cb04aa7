/** An element of an XML document, or text; null and false are left out. */
export type XmlNode = string | null | false | readonly XmlNode[];

/**
 * Writes an element with its children, in their order. An element without content is left out: EN 16931 and XRechnung
 * forbid empty elements.
 */
export function element(name: string, content: XmlNode, attributes: Readonly<Record<string, string>> = {}): XmlNode {
  const inner = flatten(content);
  if (inner === '') return null;
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(value)}"`);
  return `<${name}${written.join('')}>${inner}</${name}>`;
}

/** Text with its markup escaped, without the characters that XML 1.0 doesn't allow, trimmed. */
function text(value: string): string {
  const allowed = value
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
  return allowed
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** An element with text; left out where the text is absent or empty. */
export function leaf(
  name: string,
  value: string | null | undefined,
  attributes: Readonly<Record<string, string>> = {},
): XmlNode {
  return value === null || value === undefined ? null : element(name, text(value), attributes);
}

export function flatten(node: XmlNode): string {
  if (node === null || node === false) return '';
  return typeof node === 'string' ? node : node.map(flatten).join('');
}
