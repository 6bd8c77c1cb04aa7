import { indented, jsonBody, literal, type SnippetRequest } from './request.ts';

/** With the package `requests`. */
export function writePython(request: SnippetRequest): string {
  const { method, url, headers, body } = request;
  const value = jsonBody(request);
  const given = [
    `${literal(method)},`,
    `${literal(url)},`,
    ...(headers.length === 0
      ? []
      : ['headers={', ...headers.map(({ name, value }) => `    ${literal(name)}: ${literal(value)},`), '},']),
    ...(body?.kind === 'multipart' ? formOf(body.parts) : []),
    ...(body?.kind === 'text'
      ? [value === undefined ? `data=${literal(body.text)}.encode(),` : `json=${writeValue(value)},`]
      : []),
  ];
  return [
    'import requests',
    '',
    'response = requests.request(',
    ...indented(given, '    '),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

/** Fields go with the files: `files` alone makes the body a form of parts. */
function formOf(parts: readonly { readonly name: string; readonly value: string; readonly fileName: string | null }[]) {
  const written = parts.map(({ name, value, fileName }) =>
    fileName === null
      ? `    (${literal(name)}, (None, ${literal(value)})),`
      : `    (${literal(name)}, open(${literal(fileName)}, "rb")),`,
  );
  return ['files=[', ...written, '],'];
}

/** A JSON value as an expression. */
function writeValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return literal(value);
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : [
          '[',
          ...indented(
            value.map((item) => `${writeValue(item)},`),
            '    ',
          ),
          ']',
        ].join('\n');
  }
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${literal(name)}: ${writeValue(member)},`);
  return members.length === 0 ? '{}' : ['{', ...indented(members, '    '), '}'].join('\n');
}
