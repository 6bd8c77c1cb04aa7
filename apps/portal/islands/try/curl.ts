import type { BodyOf, DataOf } from '../api.ts';

type Sent = DataOf<'sendPortalTry'>['request'];

/** A request that was sent as a curl command, with a placeholder for its key. */
export function curlOf(request: Sent, body: BodyOf<'sendPortalTry'>['body'] | null): string {
  const { method, url, headers, keyHeader, keyParameter } = request;
  const address = keyParameter === null ? url : `${url}${url.includes('?') ? '&' : '?'}${keyParameter}=YOUR_API_KEY`;
  // Multipart names its own boundary.
  const shown = headers.filter(({ name }) => !(body?.kind === 'multipart' && name.toLowerCase() === 'content-type'));
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    ...(keyHeader === null ? [] : [`-H ${quoted(`${keyHeader}: YOUR_API_KEY`)}`]),
    ...shown.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    ...bodyOf(body),
  ].join(' \\\n  ');
}

function bodyOf(body: BodyOf<'sendPortalTry'>['body'] | null): readonly string[] {
  if (!body) return [];
  if (body.kind === 'text') return [`--data-raw ${quoted(body.text)}`];
  if (body.kind === 'base64') return ['--data-binary @FILE'];
  return body.parts.map((part) =>
    'text' in part
      ? `--form-string ${quoted(`${part.name}=${part.text}`)}`
      : `-F ${quoted(`${part.name}=@${part.fileName}`)}`,
  );
}

/** A text quoted as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
