import { indented, jsonBody, literal, type SnippetRequest } from './request.ts';

/** With `fetch`, as a module of Node; a browser only lacks `openAsBlob`. */
export function writeJavaScript(request: SnippetRequest): string {
  const { method, url, headers, body } = request;
  const form = body?.kind === 'multipart' ? formOf(body.parts) : [];
  const hasFiles = body?.kind === 'multipart' && body.parts.some(({ fileName }) => fileName !== null);
  const options = [
    ...(method === 'GET' && body === null ? [] : [`method: ${literal(method)},`]),
    ...(headers.length === 0
      ? []
      : ['headers: {', ...headers.map(({ name, value }) => `  ${literal(name)}: ${literal(value)},`), '},']),
    ...(body === null ? [] : [`body: ${body.kind === 'multipart' ? 'form' : textOf(request, body.text)},`]),
  ];
  return [
    ...(hasFiles ? ["import { openAsBlob } from 'node:fs';", ''] : []),
    ...form,
    ...(options.length === 0
      ? [`const response = await fetch(${literal(url)});`]
      : [`const response = await fetch(${literal(url)}, {`, ...indented(options, '  '), '});']),
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function textOf(request: SnippetRequest, text: string): string {
  const value = jsonBody(request);
  return value === undefined ? literal(text) : `JSON.stringify(${writeValue(value)})`;
}

/** A JSON value as an expression. */
function writeValue(value: unknown): string {
  if (typeof value === 'string') return literal(value);
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : [
          '[',
          ...indented(
            value.map((item) => `${writeValue(item)},`),
            '  ',
          ),
          ']',
        ].join('\n');
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${literal(name)}: ${writeValue(member)},`);
  return members.length === 0 ? '{}' : ['{', ...indented(members, '  '), '}'].join('\n');
}

function formOf(parts: readonly { readonly name: string; readonly value: string; readonly fileName: string | null }[]) {
  return [
    'const form = new FormData();',
    ...parts.map(({ name, value, fileName }) =>
      fileName === null
        ? `form.append(${literal(name)}, ${literal(value)});`
        : `form.append(${literal(name)}, await openAsBlob(${literal(fileName)}), ${literal(fileName)});`,
    ),
  ];
}
