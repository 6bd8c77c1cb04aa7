import { HeaderList } from './header-list.ts';
import {
  type AnswerHead,
  type BodyTransform,
  type Decision,
  type Exchange,
  LaterDecision,
  type PolicyParts,
  type PolicyToCompile,
  type ReceivedRequest,
  type RequestPolicy,
} from './run.ts';

/** An exchange as a gateway holds it once a request's head was read. */
export function exchangeOf(
  request: Partial<Omit<ReceivedRequest, 'headers'>> & { readonly headers?: readonly string[] } = {},
  more: Partial<Exchange> = {},
): Exchange {
  const headers = new HeaderList(request.headers ?? []);
  return {
    id: 'request-1',
    startedAtMs: Date.parse('2026-03-01T12:00:00Z'),
    request: {
      method: 'GET',
      path: '/v1/orders',
      query: '',
      contentLength: 0,
      headerBytes: headers.fields.join('').length,
      ...request,
      headers,
    },
    connectionAddress: '192.0.2.1',
    forwardedAddress: '192.0.2.1',
    proxy: { id: 'proxy-1', name: 'orders' },
    route: { id: 'route-1', method: 'ANY', pathPattern: '/' },
    pathParameters: () => ({}),
    caller: null,
    answerHeaders: new HeaderList(),
    reportedLimit: null,
    ...more,
  };
}

export function answerOf(
  status: number,
  headers: readonly string[],
  more: Partial<Omit<AnswerHead, 'headers'>> = {},
): AnswerHead {
  return { status, headers: new HeaderList(headers), contentLength: null, bodiless: false, ...more };
}

export function policyOf(configuration: PolicyToCompile['configuration']): PolicyToCompile {
  return { id: 'policy-1', configuration };
}

/** What a policy decides by the head, at once or later. */
export async function decisionOf(policy: RequestPolicy, exchange: Exchange): Promise<Decision> {
  const decision = policy.onHead?.(exchange) ?? null;
  return decision instanceof LaterDecision ? decision.promise() : decision;
}

/** What a policy decides by the head, where it needs to wait for nothing. */
export function decideNow(policy: RequestPolicy, exchange: Exchange): Decision {
  const decision = policy.onHead?.(exchange) ?? null;
  if (decision instanceof LaterDecision) throw new Error('The policy waits.');
  return decision;
}

/** Parts of which those that are not given fail when they are asked. */
export function partsOf(more: Partial<PolicyParts> = {}): PolicyParts {
  const unasked = () => {
    throw new Error('Not part of this test.');
  };
  return {
    counters: { quota: unasked, rate: unasked, overAdmissionBound: unasked },
    consumers: { findByKey: unasked },
    answers: { get: unasked, set: unasked },
    environment: { id: 'environment-1', name: 'production' },
    proxy: { id: 'proxy-1', name: 'orders' },
    variables: new Map(),
    specification: null,
    routes: [{ id: 'route-1', method: 'ANY', pathPattern: '/' }],
    maskingKey: new Uint8Array(32).fill(7),
    fetchJson: unasked,
    ...more,
  };
}

/** What a transform makes of a body in these chunks. */
export function transformed(transform: BodyTransform, chunks: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const chunk of chunks) {
    // The gateway uses its buffers again: what is kept must be a copy.
    const lent = Uint8Array.from(chunk);
    const written = transform.write(lent);
    if (written) parts.push(Uint8Array.from(written));
    lent.fill(0x58);
  }
  const rest = transform.end();
  if (rest) parts.push(rest);
  return Buffer.concat(parts);
}
