import * as z from 'zod';

/** A header field name (a token of RFC 9110, section 5.6.2), put into lower case. */
export const HeaderName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'Use a header name such as X-Request-Id.')
  .toLowerCase();

/** A header value: visible ASCII, spaces and tabs, so that it can never end its line. */
export const HeaderValue = z
  .string()
  .max(4_000)
  .regex(/^[\t\x20-\x7e]*$/, 'Use printable ASCII characters without line breaks.');

/** The text without control characters, which could end the header's line; tabs stay. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '');
}

/** Headers that frame the message or belong to one connection: only the gateway sets them. */
const framingHeaders = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A header that a policy may set or remove. */
export const WritableHeaderName = HeaderName.refine(
  // Targets that map headers to variables treat `content_length` as the same.
  (name) => !framingHeaders.has(name.replace(/[^a-z0-9]/g, '-')),
  'Only the gateway sets this header.',
);

/** What happens to a request if the policy can't be evaluated, for example because its store is unavailable. */
export const FailOpen = z
  .boolean()
  .default(false)
  .describe('Let requests pass if this policy can’t be evaluated. Otherwise they are rejected with 503.');
