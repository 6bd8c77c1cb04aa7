import { type FormPart, indented, literal, type SnippetRequest } from './request.ts';

/** With `net/http`, as a program. */
export function writeGo({ method, url, headers, body }: SnippetRequest): string {
  const isForm = body?.kind === 'multipart';
  const hasFiles = isForm && body.parts.some(({ fileName }) => fileName !== null);
  const imports = [
    ...(isForm ? ['bytes'] : []),
    'fmt',
    'io',
    ...(isForm ? ['mime/multipart'] : []),
    'net/http',
    ...(hasFiles ? ['os'] : []),
    ...(body?.kind === 'text' ? ['strings'] : []),
  ];
  const reader = body === null ? 'nil' : isForm ? '&body' : `strings.NewReader(${literal(body.text)})`;
  const lines = [
    ...(isForm ? formOf(body.parts) : []),
    `request, err := http.NewRequest(${literal(method)}, ${literal(url)}, ${reader})`,
    'check(err)',
    ...headers.map(({ name, value }) => `request.Header.Set(${literal(name)}, ${literal(value)})`),
    ...(isForm ? ['request.Header.Set("content-type", form.FormDataContentType())'] : []),
    'response, err := http.DefaultClient.Do(request)',
    'check(err)',
    'defer response.Body.Close()',
    'answer, err := io.ReadAll(response.Body)',
    'check(err)',
    'fmt.Println(response.StatusCode, string(answer))',
  ];
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...indented(lines, '\t'),
    '}',
    '',
    'func check(err error) {',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '}',
  ].join('\n');
}

function formOf(parts: readonly FormPart[]): readonly string[] {
  return [
    'var body bytes.Buffer',
    'form := multipart.NewWriter(&body)',
    ...parts.flatMap(({ name, value, fileName }) =>
      fileName === null
        ? [`check(form.WriteField(${literal(name)}, ${literal(value)}))`]
        : [
            '{',
            `\tfile, err := os.ReadFile(${literal(fileName)})`,
            '\tcheck(err)',
            `\tpart, err := form.CreateFormFile(${literal(name)}, ${literal(fileName)})`,
            '\tcheck(err)',
            '\t_, err = part.Write(file)',
            '\tcheck(err)',
            '}',
          ],
    ),
    'check(form.Close())',
  ];
}
