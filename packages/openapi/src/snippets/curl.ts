import { type SnippetRequest, shellWord } from './request.ts';

/** As a command of a POSIX shell. */
export function writeCurl({ method, url, headers, body }: SnippetRequest): string {
  const isPlain = method === (body === null ? 'GET' : 'POST');
  const parts = body?.kind === 'multipart' ? body.parts : [];
  return [
    `curl ${isPlain ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `}${shellWord(url)}`,
    ...headers.map(({ name, value }) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Neither option reads a leading @ as the name of a file.
    ...parts.map(({ name, value, fileName }) =>
      fileName === null ? `--form-string ${shellWord(`${name}=${value}`)}` : `-F ${shellWord(`${name}=@${fileName}`)}`,
    ),
    ...(body?.kind === 'text' ? [`--data-raw ${shellWord(body.text)}`] : []),
  ].join(' \\\n  ');
}
