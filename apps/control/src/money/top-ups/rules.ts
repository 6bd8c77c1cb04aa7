import { creditExpiresAt, expiryNoticeAt, formatMinor } from '@millrace/pricing';
import { ApiError } from '../../frame/errors.ts';
import { mostMinor } from '../prepaid/contract.ts';
import type { TopUp } from './contract.ts';

/** Rejects a top-up after which a balance would no longer be exact to the millionth of a minor unit. */
export function refuseTooMuch(
  paidInMinor: number,
  { amountMinor, currency }: Pick<TopUp, 'amountMinor' | 'currency'>,
): void {
  if (paidInMinor + amountMinor <= mostMinor) return;
  const [most, paidIn] = [mostMinor, paidInMinor].map((minor) => formatMinor(minor, currency, 'en'));
  throw new ApiError('conflict', { message: `At most ${most} can be paid in; ${paidIn} is already. Top up less.` });
}

/** When a top-up that is credited now expires, and when that is announced; null: never. */
export function expiryOf(
  { creditExpiry }: Pick<TopUp, 'creditExpiry'>,
  now: Date,
  timeZone: string,
): { readonly expiresAt: string; readonly noticeAt: string } | null {
  if (creditExpiry === null) return null;
  const expiresAt = creditExpiresAt(now.toISOString(), creditExpiry, timeZone);
  return { expiresAt, noticeAt: expiryNoticeAt(now.toISOString(), expiresAt) };
}

/** Rejects assigning more than what is unassigned in that currency. */
export function refuseUnassigned(
  unassigned: readonly { readonly currency: string; readonly amountMinor: number }[],
  { currency, amountMinor }: Pick<TopUp, 'currency' | 'amountMinor'>,
): void {
  const left = unassigned.find((sum) => sum.currency === currency)?.amountMinor ?? 0;
  if (amountMinor <= left) return;
  throw new ApiError('conflict', {
    message: `${formatMinor(left, currency, 'en')} is unassigned. Assign that or less.`,
  });
}

/** Rejects a decision on a top-up that waits for none. */
export function refuseDecision({ state }: Pick<TopUp, 'state'>): void {
  if (state === 'pending') return;
  throw new ApiError('conflict', { message: `The top-up is ${state} already.` });
}

/** The error of approving a top-up whose subscription has been deleted. */
export function subscriptionGone(): ApiError {
  return new ApiError('conflict', { message: 'The subscription has been deleted. Reject the top-up.' });
}
