/** A header of a request or response. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads headers that are written one per line, such as `accept: application/json`; empty lines are skipped.
 *
 * @returns the headers, or the number of the first line, from 1, that is not a header
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
