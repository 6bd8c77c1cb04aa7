import { lookup } from 'node:dns/promises';
import type { Reach } from '@millrace/data-plane/targets/reach';

const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/**
 * Fetches a JSON document from another server, such as an issuer's published keys: only from allowed addresses,
 * within five seconds, at most 1 MB, no redirect followed.
 *
 * @throws Error that says what was wrong with the response
 */
export async function fetchJson(url: string, { problem }: Reach): Promise<unknown> {
  // Most configurations need no such document, so the HTTP client is loaded for the first one.
  const { openGuardedFetch } = await import('@millrace/webhooks');
  const guarded = openGuardedFetch({
    reach: { allowLoopback: false, isAllowed: (address) => problem(address) === null },
    connectTimeoutMs: timeoutMs,
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return await readJson(url, await guarded.fetch(url, { signal, headers: { accept: 'application/json' } }));
  } catch (error) {
    // The wrapped error has the cause.
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  } finally {
    await guarded.close();
  }
}

async function readJson(url: string, response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${new URL(url).host} returned ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`${new URL(url).host} returned more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
