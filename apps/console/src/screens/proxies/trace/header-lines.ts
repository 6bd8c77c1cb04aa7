/** A header of a request or an answer. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/**
 * Headers that are typed one on each line, as `accept: application/json`; empty lines are passed over.
 *
 * @returns the number of the first line, from 1, that holds no header
 */
export function headersOf(text: string): Header[] | { readonly wrongLine: number } {
  const headers: Header[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { wrongLine: index + 1 };
    headers.push({ name, value });
  }
  return headers;
}
