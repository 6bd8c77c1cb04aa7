import { ApiError, fieldError } from '../../frame/errors.ts';
import { type Grant, holdsAll, type Rights } from '../roles/rules.ts';

/** How long an invitation's link is good for. */
export const invitationLifetimeDays = 7;

export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + invitationLifetimeDays * 24 * 3_600_000);
}

/** So many mails to one address in a day, whatever becomes of the invitations. */
const mostMails = 5;
const dayMs = 24 * 3_600_000;

/**
 * Refuses to send an address another mail where an organization's invitations sent it as many as it may get.
 *
 * @param mailedAt when they did, the oldest first
 * @throws ApiError `too_many_requests` that says when the next one may go
 */
export function refuseTooManyMails(email: string, mailedAt: readonly Date[], now: Date): void {
  const lately = mailedAt.filter((at) => at.getTime() > now.getTime() - dayMs);
  const oldest = lately.at(-mostMails);
  if (oldest === undefined) return;
  const seconds = Math.max(1, Math.ceil((oldest.getTime() + dayMs - now.getTime()) / 1_000));
  const hours = Math.ceil(seconds / 3_600);
  throw new ApiError('too_many_requests', {
    message:
      `${email} was sent ${mostMails} invitations within a day, which is the most. ` +
      `Try again in ${hours} ${hours === 1 ? 'hour' : 'hours'}.`,
    headers: { 'retry-after': String(seconds) },
  });
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
