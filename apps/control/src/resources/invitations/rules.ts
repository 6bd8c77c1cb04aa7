import { ApiError, fieldError } from '../../frame/errors.ts';
import { type Grant, holdsAll, type Rights } from '../roles/rules.ts';

/** How long an invitation's link is good for. */
export const invitationLifetimeDays = 7;

export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + invitationLifetimeDays * 24 * 3_600_000);
}

type State = 'pending' | 'expired' | 'accepted' | 'withdrawn';

/** A stored invitation's state at a moment: a pending one expires by itself. */
export function stateAt(
  stored: { readonly state: 'pending' | 'accepted' | 'withdrawn'; readonly expires_at: Date },
  now: Date,
): State {
  return stored.state === 'pending' && stored.expires_at <= now ? 'expired' : stored.state;
}

/** @param change such as `withdrawn` */
export function refuseUnlessOpen(invitation: { readonly state: State }, change: string): void {
  if (invitation.state === 'pending' || invitation.state === 'expired') return;
  throw new ApiError('conflict', {
    message: `The invitation is ${invitation.state}, and cannot be ${change}. Invite anew, should it be needed.`,
  });
}

/** The one answer to a token that is wrong, used up, withdrawn or too old. */
export function uselessLink(): ApiError {
  return fieldError(
    'token',
    `This link was used or withdrawn, or is older than ${invitationLifetimeDays} days. Ask for another invitation.`,
  );
}

/** An invitation gives what the one who sent it may still give: who lost a right leaves no way to it behind. */
export function refuseInviter(inviter: Rights | null, roles: readonly Grant[]): void {
  if (!inviter?.permissions.has('user.write') || !holdsAll(inviter, roles)) throw uselessLink();
}

/** What the owner of an address that signs in a user already is told; nobody else has the link. */
export function addressInUse(): ApiError {
  return new ApiError('conflict', {
    message:
      'This e-mail address has an account already. Sign in with it, or ask for an invitation to another address.',
  });
}
