import { lookup } from 'node:dns/promises';
import type { Reach } from '@millrace/data-plane/targets/reach';

const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/**
 * Gets a JSON document of another server, such as the published keys of an issuer: from addresses that are reached alone,
 * within five seconds, at most 1 MB, no redirect followed.
 *
 * @throws Error that says what was wrong with the answer
 */
export async function fetchJson(url: string, { problem }: Reach): Promise<unknown> {
  // Most configurations need no such document: the HTTP client is loaded for the first.
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
    // What the client wraps says why.
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
