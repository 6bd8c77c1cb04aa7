import { literal, type SnippetRequest } from './request.ts';

/** With `HttpClient`, as top-level statements from C# 9 on. */
export function writeCSharp({ method, url, headers, body }: SnippetRequest): string {
  const ofContent = headers.filter(({ name }) => isOfContent(name));
  const ofRequest = headers.filter(({ name }) => !isOfContent(name));
  return [
    'using System;',
    'using System.IO;',
    'using System.Net.Http;',
    'using System.Text;',
    '',
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${literal(method)}), ${literal(url)});`,
    ...ofRequest.map(
      ({ name, value }) => `request.Headers.TryAddWithoutValidation(${literal(name)}, ${literal(value)});`,
    ),
    ...(body?.kind === 'text'
      ? [`request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(${literal(body.text)}));`]
      : []),
    ...(body?.kind === 'multipart'
      ? [
          'using var form = new MultipartFormDataContent();',
          ...body.parts.map(({ name, value, fileName }) =>
            fileName === null
              ? `form.Add(new StringContent(${literal(value)}), ${literal(name)});`
              : `form.Add(new ByteArrayContent(File.ReadAllBytes(${literal(fileName)})), ${literal(name)}, ${literal(fileName)});`,
          ),
          'request.Content = form;',
        ]
      : []),
    ...(body === null
      ? []
      : ofContent.map(
          ({ name, value }) => `request.Content.Headers.TryAddWithoutValidation(${literal(name)}, ${literal(value)});`,
        )),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ].join('\n');
}

/** Headers that the client keeps with the content and not with the request. */
function isOfContent(name: string): boolean {
  return /^(?:content-.*|allow|expires|last-modified)$/i.test(name);
}
