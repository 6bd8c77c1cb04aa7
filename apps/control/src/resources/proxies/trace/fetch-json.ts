const longestMs = 5_000;
const mostBytes = 262_144;

/** Gets a JSON document, such as the keys of an issuer: bounded in time and size, and from no other address than this. */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(longestMs) });
  if (!response.ok || response.body === null) throw new Error(`The server answered ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`The document is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
