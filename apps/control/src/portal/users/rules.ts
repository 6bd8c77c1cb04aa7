import type { Counter } from '@millrace/sign-in/throttle';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { PortalRole } from '../../frame/operation.ts';

/** How long an invitation link is valid. */
export const invitationLifetimeDays = 7;

/** Of one developer account at a time. */
const mostPending = 50;

/** Invitations of a developer account, which anybody may have: 20 a day are free, then they have to wait longer and longer. */
export function accountInvitationCounter(organizationId: string, developerId: string): Counter {
  return {
    key: `invitation developer ${organizationId} ${developerId}`,
    free: 20,
    windowHours: 24,
    longestWaitSeconds: 21_600,
  };
}

/** @throws ApiError for the field `email` if the address signs in to the account already */
export function refuseMember(isMember: boolean): void {
  if (isMember) throw fieldError('email', 'This person already signs in to the developer account.');
}

/** @throws ApiError `conflict` */
export function refuseTooManyPending(pending: number): void {
  if (pending < mostPending) return;
  throw new ApiError('conflict', {
    message: `${mostPending} invitations are pending, which is the maximum. Withdraw some first.`,
  });
}

/**
 * A developer account keeps an active owner.
 *
 * @param keptRole the portal user’s role afterwards; null: removed
 */
export function refuseLossOfOwner(
  user: { readonly role: PortalRole },
  keptRole: PortalRole | null,
  otherOwners: number,
): void {
  if (user.role !== 'owner' || keptRole === 'owner' || otherOwners > 0) return;
  throw new ApiError('conflict', {
    message: `The last active owner of a developer account can't be ${keptRole === null ? 'removed' : 'given another role'}. Make someone else an owner first.`,
  });
}

/** The one response to a token that is wrong, used, withdrawn or expired. */
export function uselessLink(): ApiError {
  return fieldError(
    'token',
    `This link was used or withdrawn, or is older than ${invitationLifetimeDays} days. Ask for a new invitation.`,
  );
}
