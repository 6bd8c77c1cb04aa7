import { ProviderFailure } from './failure.ts';

/** No valid response is larger: some thousand line items, or a long error. */
const answerLimitBytes = 4 * 1024 * 1024;

/**
 * A `fetch` that returns only complete responses: an unsuccessful or oversized one is thrown as a ProviderFailure, so
 * that nothing reads further.
 */
export function boundedFetch(send: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const failure = ProviderFailure.ofStatus(response.status, response.headers);
    if (failure) {
      await response.body?.cancel().catch(() => undefined);
      throw failure;
    }
    const body = await readWhole(response);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

async function readWhole({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the stream, which closes the connection.
    if (length > answerLimitBytes) throw new ProviderFailure('answer_too_large');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
