import { ApiError, fieldError } from '../../frame/errors.ts';
import type { TopUpRequest } from './contract.ts';

/** Rejects declining a request that has an answer, or whose top-up waits for approval. */
export function refuseDecline({ state, topUpId }: Pick<TopUpRequest, 'state' | 'topUpId'>): void {
  const answer = answerOf({ state, topUpId });
  if (answer !== null) throw new ApiError('conflict', { message: answer });
}

/**
 * Rejects a top-up that names a request it can't credit.
 *
 * @param request null: none of that id in the organization
 */
export function requireCreditable(
  request: TopUpRequest | null,
  topUp: Pick<TopUpRequest, 'developerId' | 'subscriptionId' | 'currency'>,
): void {
  const refuse = (message: string) => fieldError('requestId', message);
  if (request === null || request.developerId !== topUp.developerId) {
    throw refuse('The developer has no such top-up request.');
  }
  if (request.subscriptionId !== topUp.subscriptionId) {
    throw refuse('The request is for another subscription. Top up that one.');
  }
  if (request.currency !== topUp.currency) {
    throw refuse(`The request is in ${request.currency}, the balance in ${topUp.currency}. Decline the request.`);
  }
  const answer = answerOf(request);
  if (answer !== null) throw new ApiError('conflict', { message: answer });
}

function answerOf({ state, topUpId }: Pick<TopUpRequest, 'state' | 'topUpId'>): string | null {
  if (state !== 'open') return `The request is ${state} already.`;
  if (topUpId !== null) return 'A top-up for this request waits for approval. Approve or reject that one.';
  return null;
}
