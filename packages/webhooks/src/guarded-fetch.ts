import { Agent, fetch as fetchWith } from 'undici';
import type { DestinationPolicy } from './address.ts';
import { guardedConnector } from './connector.ts';
import { type Resolve, resolvePublicly } from './resolve.ts';

export interface GuardedFetch {
  /** As the platform's `fetch`, over this one's own connections. Redirects are answers like any other. */
  readonly fetch: typeof globalThis.fetch;
  /** Ends the connections; requests under way fail. */
  close(): Promise<void>;
}

export interface GuardedFetchOptions {
  /**
   * `public`: only addresses of the public internet are reached, whatever a name resolves to at that moment, as with
   * webhooks. `anywhere`: for addresses that an operator has chosen. Or what a policy lets through.
   */
  readonly reach: 'public' | 'anywhere' | DestinationPolicy;
  /** For resolution, connection and TLS handshake together. */
  readonly connectTimeoutMs: number;
  /** Looks a host's addresses up where not all are reached; by default in the public DNS. */
  readonly resolve?: Resolve;
}

const responseHeaderBytes = 32 * 1024;

/** Opens a `fetch` that keeps to its addresses. What a request may take altogether is its signal's to say. */
export function openGuardedFetch({
  reach,
  connectTimeoutMs,
  resolve = resolvePublicly,
}: GuardedFetchOptions): GuardedFetch {
  const closing = new AbortController();
  const agent = new Agent({
    connect:
      reach === 'anywhere'
        ? { timeout: connectTimeoutMs }
        : guardedConnector({
            ...(reach === 'public' ? { allowLoopback: false } : reach),
            resolve,
            timeoutMs: connectTimeoutMs,
            closing: closing.signal,
          }),
    maxHeaderSize: responseHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    fetch: async (input, init) => {
      const { body, headers, method = 'GET', signal } = init ?? {};
      const response = await fetchWith(input instanceof Request ? input.url : input, {
        method,
        redirect: 'manual',
        dispatcher: agent,
        ...(headers && { headers: [...new Headers(headers)] }),
        ...(typeof body === 'string' && { body }),
        ...(signal && { signal }),
      });
      return new Response(response.body as ReadableStream<Uint8Array> | null, {
        status: response.status,
        headers: [...response.headers],
      });
    },
    close: async () => {
      closing.abort();
      await agent.destroy();
    },
  };
}
