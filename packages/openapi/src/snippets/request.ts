/** A part of a form; a file's content is read from where the snippet runs. */
export interface FormPart {
  readonly name: string;
  readonly value: string;
  /** Of a file; null: the value is sent. */
  readonly fileName: string | null;
}

/** A request that a snippet sends. */
export interface SnippetRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly name: string; readonly value: string }[];
  readonly body:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'multipart'; readonly parts: FormPart[] }
    | null;
}

/** Characters that an editor doesn't show, or shows in another order; in source they are escapes. */
const unseen = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A text as a literal between double quotes, the same in JavaScript, Python, Java, Go and C#: the escapes of JSON are
 * escapes of each. Unpaired surrogates, which not all of them can hold, become U+FFFD.
 */
export function literal(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(
    unseen,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A text as one word for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.toWellFormed().replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

/** The request as clients accept it: header values without line breaks and other controls, no header without a name. */
export function sendable(request: SnippetRequest): SnippetRequest {
  const headers = request.headers
    .filter(({ name }) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    .map(({ name, value }) => ({ name, value: value.replaceAll(/\p{Cc}+/gu, ' ').trim() }));
  return { ...request, method: request.method.replaceAll(/[^A-Z]/g, '') || 'GET', headers };
}

/** The body's value if it is JSON; undefined otherwise, and where a literal of the value would mean something else. */
export function jsonBody({ headers, body }: SnippetRequest): unknown {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  if (body?.kind !== 'text' || !/[/+]json\b/.test(type)) return undefined;
  try {
    // In a literal, __proto__ is the prototype.
    return body.text.includes('__proto__') ? undefined : JSON.parse(body.text);
  } catch {
    return undefined;
  }
}

/** Lines below one another, each indented. */
export function indented(lines: readonly string[], by: string): string[] {
  return lines.flatMap((line) => line.split('\n')).map((line) => (line === '' ? line : `${by}${line}`));
}
