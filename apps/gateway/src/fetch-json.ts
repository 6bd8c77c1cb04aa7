const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/**
 * Gets a JSON document of another server, such as the published keys of an issuer: within five seconds, at most 1 MB, no
 * redirect followed.
 *
 * @throws Error that says what was wrong with the answer
 */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`${new URL(url).host} answered more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
