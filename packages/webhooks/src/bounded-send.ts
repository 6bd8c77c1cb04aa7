import type { DestinationPolicy } from './address.ts';
import { checkDestination } from './destination.ts';
import { openGuardedFetch } from './guarded-fetch.ts';
import type { Resolve } from './resolve.ts';

/** A request as {@link boundedSend} sends it. */
export interface BoundedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Nothing is sent to the URL. The message says why. */
export class SendRefused extends Error {
  override readonly name = 'SendRefused';
}

const longestMs = 5_000;
const mostBytes = 262_144;

/**
 * Sends a request to a server that a tenant names, such as an identity provider: within 5 seconds, with a response of at
 * most 256 KB, and to no other addresses than the policy's. Redirects are returned, not followed.
 *
 * @throws SendRefused for a URL that {@link checkDestination} rejects
 */
export async function boundedSend(
  url: string,
  request: BoundedRequest,
  { policy, resolve }: { readonly policy: DestinationPolicy; readonly resolve?: Resolve },
): Promise<Response> {
  const destination = checkDestination(url, policy);
  if (!destination.ok) throw new SendRefused(destination.reason);
  const guarded = openGuardedFetch({ reach: policy, connectTimeoutMs: longestMs, ...(resolve && { resolve }) });
  try {
    const response = await guarded.fetch(url, { ...request, signal: AbortSignal.timeout(longestMs) });
    const { status, headers, body } = response;
    const bytes = body === null ? null : await readBytes(body);
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty || bytes === null ? null : new Uint8Array(bytes), { status, headers });
  } catch (error) {
    // What the client wraps says why.
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  } finally {
    await guarded.close();
  }
}

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`The document is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
