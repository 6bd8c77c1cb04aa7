import { ApiError } from '../../frame/errors.ts';
import { mostMinor } from './contract.ts';

export function noAccount(): ApiError {
  return new ApiError('conflict', {
    message: 'The subscription has no prepaid plan, so it has no balance. Set a prepaid rate plan first.',
  });
}

/** Rejects a top-up after which a balance would no longer be exact to the millionth of a minor unit. */
export function refuseTooMuch(paidInMinor: number, amountMinor: number): void {
  if (paidInMinor + amountMinor <= mostMinor) return;
  throw new ApiError('conflict', {
    message: `At most ${mostMinor} minor units can be paid in; ${paidInMinor} are already. Top up less.`,
  });
}
