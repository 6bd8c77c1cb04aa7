import { ApiError, fieldError } from '../../frame/errors.ts';
import { type Grant, holdsAll, type Rights } from '../roles/rules.ts';

/** How long an invitation link is valid. */
export const invitationLifetimeDays = 7;

export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + invitationLifetimeDays * 24 * 3_600_000);
}

/** Maximum invitation e-mails to one address per day, whatever happens to the invitations. */
const mostMails = 5;
const dayMs = 24 * 3_600_000;

/**
 * Rejects another e-mail to an address that an organization's invitations have already sent the maximum.
 *
 * @param mailedAt when they were sent, oldest first
 * @throws ApiError `too_many_requests` with the time of the next possible one
 */
export function refuseTooManyMails(email: string, mailedAt: readonly Date[], now: Date): void {
  const lately = mailedAt.filter((at) => at.getTime() > now.getTime() - dayMs);
  const oldest = lately.at(-mostMails);
  if (oldest === undefined) return;
  const seconds = Math.max(1, Math.ceil((oldest.getTime() + dayMs - now.getTime()) / 1_000));
  const hours = Math.ceil(seconds / 3_600);
  throw new ApiError('too_many_requests', {
    message:
      `${email} was sent ${mostMails} invitations within a day, which is the maximum. ` +
      `Try again in ${hours} ${hours === 1 ? 'hour' : 'hours'}.`,
    headers: { 'retry-after': String(seconds) },
  });
}

type State = 'pending' | 'expired' | 'accepted' | 'withdrawn';

/** A stored invitation's state at a given time: a pending one expires automatically. */
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
    message: `The invitation is ${invitation.state} and can't be ${change}. Send a new invitation if needed.`,
  });
}

/** The one response to a token that is wrong, used, withdrawn or expired. */
export function uselessLink(): ApiError {
  return fieldError(
    'token',
    `This link was used or withdrawn, or is older than ${invitationLifetimeDays} days. Ask for a new invitation.`,
  );
}

/** An invitation grants only what its sender may still grant: someone who lost a permission can't pass it on. */
export function refuseInviter(inviter: Rights | null, roles: readonly Grant[]): void {
  if (!inviter?.permissions.has('user.write') || !holdsAll(inviter, roles)) throw uselessLink();
}

/** The response to the owner of an address that already has a user; nobody else has the link. */
export function addressInUse(): ApiError {
  return new ApiError('conflict', {
    message:
      'This e-mail address already has an account. Sign in with it, or ask for an invitation to another address.',
  });
}
