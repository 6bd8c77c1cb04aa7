import { randomBytes } from 'node:crypto';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { TryBody, TryRequest } from './contract.ts';

/** Where callers of an API send their key. */
export interface KeyLocation {
  readonly in: 'header' | 'query';
  readonly name: string;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

const mostBodyBytes = 1_048_576;

/**
 * Headers that a request through a gateway gets from the connection, the server or the key, and never from who asks for
 * it: hop by hop, of proxies, and of other identities.
 */
const ownHeaders =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|expect|content-length|content-type|accept-encoding|authorization|cookie2?|forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|http2-settings|max-forwards)$/i;

/** The headers of a request that its sender may choose. */
export function chosenHeaders(headers: readonly Field[], key: KeyLocation | null): readonly Field[] {
  return headers.filter(
    ({ name }) => !ownHeaders.test(name) && !(key?.in === 'header' && name.toLowerCase() === key.name.toLowerCase()),
  );
}

/**
 * The path of an operation: the API's base path and the specification's template with encoded parameters. Nothing else of
 * it comes from the caller, and no parameter becomes another segment.
 *
 * @throws ApiError `invalid_request` for a parameter that is missing, unknown, or a dot segment
 */
export function pathOf(
  basePath: string,
  { path, pathParameters }: Pick<TryRequest, 'path' | 'pathParameters'>,
): string {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const unknown = Object.keys(pathParameters).find((name) => !names.includes(name));
  if (unknown !== undefined) throw fieldError(`pathParameters.${unknown}`, 'The path has no such parameter.');
  for (const name of names) {
    const value = Object.hasOwn(pathParameters, name) ? pathParameters[name]! : '';
    if (value === '') throw fieldError(`pathParameters.${name}`, 'Enter a value.');
    if (/^\.{1,2}$/.test(value)) throw fieldError(`pathParameters.${name}`, 'Enter another value than dots.');
    if (!value.isWellFormed()) throw fieldError(`pathParameters.${name}`, 'Remove characters that aren’t valid.');
  }
  const filled = path.split(/\{([^{}]+)\}/).map((part, index) => {
    if (index % 2 === 1) return encodeURIComponent(pathParameters[part]!);
    return encodeURI(part).replaceAll('?', '%3F').replaceAll('#', '%23');
  });
  const full = `${basePath === '/' ? '' : basePath}${path === '/' ? '' : filled.join('')}` || '/';
  if (!/^\/[\x21-\x7e]*$/.test(full) || full.split('/').some((segment) => /^\.{1,2}$/.test(segment))) {
    throw new ApiError('conflict', { message: 'This operation’s path can’t be called from here.' });
  }
  return full;
}

/** The query, without the parameter of the key. */
export function queryOf(query: readonly Field[], key: KeyLocation | null): URLSearchParams {
  const own = query.filter(({ name }) => !(key?.in === 'query' && name === key.name));
  return new URLSearchParams(own.map(({ name, value }): [string, string] => [name, value]));
}

/** What is sent as the body. */
export interface SentBody {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/**
 * The body as it is sent; null: none.
 *
 * @throws ApiError `invalid_request`, `too_large`
 */
export function bodyOf(body: TryBody | null, method: TryRequest['method']): SentBody | null {
  if (body === null) return null;
  if (method === 'get' || method === 'head') throw fieldError('body', 'This method has no body.');
  const sent = encoded(body);
  if (sent.bytes.length > mostBodyBytes) {
    throw new ApiError('too_large', { message: 'The body is larger than 1 MiB. Send a smaller one.' });
  }
  return sent;
}

function encoded(body: TryBody): SentBody {
  switch (body.kind) {
    case 'text':
      return { bytes: Buffer.from(body.text), mediaType: body.mediaType };
    case 'base64':
      return { bytes: Buffer.from(body.base64, 'base64'), mediaType: body.mediaType };
    case 'multipart':
      return multipart(body.parts);
  }
}

/** RFC 7578; names are quoted as browsers do. */
function multipart(parts: Extract<TryBody, { kind: 'multipart' }>['parts']): SentBody {
  const boundary = `millrace-${randomBytes(16).toString('hex')}`;
  const quoted = (text: string) => `"${text.replaceAll('"', '%22')}"`;
  const chunks = parts.flatMap((part) => {
    const isFile = 'fileName' in part;
    const disposition = `form-data; name=${quoted(part.name)}${isFile ? `; filename=${quoted(part.fileName)}` : ''}`;
    const head = [
      `--${boundary}`,
      `Content-Disposition: ${disposition}`,
      ...(isFile ? [`Content-Type: ${part.mediaType}`] : []),
    ];
    const content = isFile ? Buffer.from(part.base64, 'base64') : Buffer.from(part.text);
    return [Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')];
  });
  return {
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    mediaType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** The API's policies as the gateway serves them. */
interface Policy {
  readonly kind: string;
  readonly enabled: boolean;
  readonly configuration: unknown;
}

/** Where callers send their key, by the policies that are served; null: the API looks at none. */
export function keyLocationIn(policies: readonly Policy[]): KeyLocation | null {
  const policy = policies.find(({ kind, enabled }) => enabled && kind === 'verify-api-key');
  if (policy === undefined) return null;
  const { location, name } = policy.configuration as { readonly location?: unknown; readonly name?: unknown };
  if (typeof name !== 'string') return null;
  return location === 'query' ? { in: 'query', name } : { in: 'header', name: name.toLowerCase() };
}

const placeOfKey = '[key]';

/** Removes a key from a text that a target may have repeated it in. */
export function withoutKey(text: string, key: string | null): string {
  return key === null ? text : text.replaceAll(key, placeOfKey);
}

/** The same of bytes. */
export function bytesWithoutKey(bytes: Buffer, key: string | null): Buffer {
  if (key === null || !bytes.includes(key)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(key, placeOfKey), 'latin1');
}
