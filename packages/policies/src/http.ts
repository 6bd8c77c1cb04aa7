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

/** The text without control characters, by which a header could end its line; a tab may stay. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '');
}

/** Headers that frame the message or belong to one connection: set by the gateway alone. */
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

/** A header that a policy may write or take away. */
export const WritableHeaderName = HeaderName.refine(
  // Targets that read headers as variables take `content_length` for the same.
  (name) => !framingHeaders.has(name.replace(/[^a-z0-9]/g, '-')),
  'The gateway sets this header itself.',
);

/** What is to be done with a request when the policy cannot be evaluated, such as for want of its store. */
export const FailOpen = z
  .boolean()
  .default(false)
  .describe('Let the request pass when this policy cannot be evaluated. Otherwise it is refused with 503.');
