/** Markdown of a page. */
export class Markdown {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type MarkdownValue = Markdown | string | number | null | undefined | false | readonly MarkdownValue[];

/**
 * Markdown of a template literal: texts are escaped, so that they stay text on one line; Markdown is inserted; lists are
 * joined, and null, undefined and false are nothing.
 */
export function markdown(strings: TemplateStringsArray, ...values: readonly MarkdownValue[]): Markdown {
  return new Markdown(strings.reduce((text, literal, index) => `${text}${written(values[index - 1])}${literal}`));
}

/** Code of several lines, in a fence that nothing within can end. */
export function fenced(language: string, code: string): Markdown {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return new Markdown(`${fence}${/^[\w-]*$/.test(language) ? language : ''}\n${code}\n${fence}\n`);
}

/** Code within a line. */
export function code(text: string): Markdown {
  const plain = text.replaceAll(/[\r\n]+/g, ' ');
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return new Markdown(`${fence}${space}${plain}${space}${fence}`);
}

/** Somebody's Markdown as it is. */
export function source(text: string): Markdown {
  return new Markdown(text.trim());
}

function written(value: MarkdownValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markdown) return value.text;
  if (typeof value === 'string') {
    return value.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>|#]/g, (character) => `\\${character}`);
  }
  return typeof value === 'number' ? String(value) : value.map(written).join('');
}

/** The spaces before an item of a nested list. */
export function indent(depth: number): Markdown {
  return new Markdown('  '.repeat(depth));
}
