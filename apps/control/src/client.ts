import type { AnyOperation } from '@millrace/operations';
import { type Client, createClient, type ErrorContent } from '@millrace/operations/client';
import * as z from 'zod';

const failure = z.object({
  data: z.object({ message: z.string(), errors: z.record(z.string(), z.string()).optional() }),
});

/**
 * A client of the management API, with a method for each of the operations. A rejected call rejects with a
 * `ResponseError`, with its message and the errors of fields.
 *
 * @param operations all of `contracts.ts`, or a few of them, which load in a fraction of the time
 * @param headers sent with every call, including the credential
 * @param signal ends calls in progress, and every later one
 */
export function createControlClient<const Operations extends readonly AnyOperation[]>(
  operations: Operations,
  {
    baseUrl,
    headers = {},
    signal,
  }: {
    readonly baseUrl: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  },
): Client<Operations> {
  return createClient(operations, {
    baseUrl,
    headers,
    errorOf,
    ...(signal ? { fetch: (input, init) => fetch(input, { ...init, signal }) } : {}),
  });
}

function errorOf(_status: number, body: unknown): ErrorContent | null {
  const { data } = failure.safeParse(body);
  if (data === undefined) return null;
  const { message, errors } = data.data;
  return { code: null, message, ...(errors ? { errors } : {}) };
}

/** The cookies that an answer sets, as they are sent back: `name=value; name=value`. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}
