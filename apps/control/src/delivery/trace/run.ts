import { createMemoryCounters } from '@millrace/counters/memory';
import { createConsumerDirectory } from '@millrace/data-plane/consumers';
import { type Trace, traceRequest } from '@millrace/data-plane/trace';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import { ApiError } from '../../frame/errors.ts';
import type { Outbound } from '../../frame/outbound.ts';
import type { Traced } from './load.ts';

export type TracedRequest = Parameters<typeof traceRequest>[0]['request'];

/** Of the cached responses of a trace, which are only those of its own request. */
const answerCacheBytes = 1_048_576;

/**
 * Sends a request through a gateway created for it. Counts and cached responses are this trace's own, so it doesn't
 * use up anyone's quota.
 *
 * @throws ApiError `conflict` if no gateway could load what is traced
 */
export async function runTrace(
  { addressesOf, fetchJson }: Outbound,
  traced: Traced,
  organizationId: string,
  request: TracedRequest,
): Promise<Trace> {
  const counters = createMemoryCounters();
  const consumers = createConsumerDirectory();
  consumers.apply(traced.consumers);
  try {
    const own = { counters, consumers, answers: createAnswerCache(answerCacheBytes), fetchJson };
    return await traceRequest({ ...traced, organizationId, parts: own, addressesOf, request });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SnapshotError') throw error;
    throw new ApiError('conflict', { message: `A gateway couldn’t load this: ${error.message}`, cause: error });
  } finally {
    await counters.close();
  }
}
