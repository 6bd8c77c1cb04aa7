import { formatMinor } from '@millrace/pricing';
import { ApiError } from '../../frame/errors.ts';
import type { Mail } from '../../frame/handler.ts';
import type { TopUpRequest } from '../../money/top-up-requests/contract.ts';
import type { PortalTopUpRequest } from './contract.ts';

/** Requests for top-ups that an account may make in a day: each sends e-mails. */
const mostRequestsADay = 10;

export function refuseTooManyRequests(lastDay: number): void {
  if (lastDay < mostRequestsADay) return;
  throw new ApiError('too_many_requests', {
    message: `You have asked ${lastDay} times in the last 24 hours. Wait for the organization’s answer.`,
    headers: { 'retry-after': '3600' },
  });
}

/** A request as the developer account sees it: without the names of the organization's people. */
export function portalTopUpRequest(request: TopUpRequest): PortalTopUpRequest {
  const { id, state, subscriptionId, amountMinor, currency, note } = request;
  const { requestedByName, creditedMinor, declineReason, answeredAt, createdAt } = request;
  const asked = { id, state, subscriptionId, amountMinor, currency, note, requestedByName, createdAt };
  return { ...asked, creditedMinor, declineReason, answeredAt };
}

/** What a request for a top-up says. */
interface Asked {
  readonly developerName: string;
  readonly requestedByName: string;
  readonly appName: string;
  readonly productName: string;
  readonly subscriptionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly note: string;
  /** Of the requests in the console. */
  readonly url: string;
}

/** The e-mail to the organization that a developer asks for a top-up. */
export function topUpMail(to: string, asked: Asked): Mail {
  const amount = formatMinor(asked.amountMinor, asked.currency, 'en');
  return {
    to,
    subject: `${asked.developerName} asks for a top-up of ${amount}`,
    text: [
      `${asked.requestedByName} of ${asked.developerName} asks to top up the prepaid balance of ${asked.appName} for ${asked.productName} by ${amount}.`,
      ...(asked.note === '' ? [] : [`Their note: ${asked.note}`]),
      `Credit it once you have the payment, or decline: ${asked.url}`,
    ].join('\n\n'),
  };
}
