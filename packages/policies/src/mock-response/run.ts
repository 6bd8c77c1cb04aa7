import type { OwnAnswer, PolicyToCompile, RequestPolicy } from '../run.ts';
import { mockResponse } from './config.ts';

/** Returns the same response to every request. */
export function compileMockResponse(policy: PolicyToCompile): RequestPolicy {
  const { status, contentType, headers, body, delayMs } = mockResponse.configuration.parse(policy.configuration);
  const typed = headers.some(({ name }) => name === 'content-type');
  const answer: OwnAnswer = {
    kind: 'answer',
    status,
    headers: [...(typed ? [] : ['content-type', contentType]), ...headers.flatMap(({ name, value }) => [name, value])],
    body: Buffer.from(body),
    delayMs,
  };
  return { onHead: () => answer };
}
