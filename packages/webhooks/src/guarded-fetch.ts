import { Agent, fetch as fetchWith } from 'undici';
import type { DestinationPolicy } from './address.ts';
import { guardedConnector } from './connector.ts';
import { type Resolve, resolvePublicly } from './resolve.ts';

export interface GuardedFetch {
  /** Like the platform's `fetch`, with its own connections. Redirects are returned, not followed. */
  readonly fetch: typeof globalThis.fetch;
  /** Closes the connections; requests in progress fail. */
  close(): Promise<void>;
}

export interface GuardedFetchOptions {
  /**
   * `public`: only public addresses are reached, whatever a name resolves to at that moment, as for webhooks.
   * `anywhere`: for addresses chosen by an operator. Or the addresses that a policy allows.
   */
  readonly reach: 'public' | 'anywhere' | DestinationPolicy;
  /** For resolution, connection and TLS handshake together. */
  readonly connectTimeoutMs: number;
  /** Resolves host names unless all addresses are allowed; by default in public DNS. */
  readonly resolve?: Resolve;
}

const responseHeaderBytes = 32 * 1024;

/** Opens a `fetch` restricted to its addresses. Set a request's total time limit with its signal. */
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
