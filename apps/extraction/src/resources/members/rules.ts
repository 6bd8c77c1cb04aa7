import type { Mail } from '@millrace/mail';
import type * as z from 'zod';
import { ApiError } from '../../http/errors.ts';
import type { Member } from './contract.ts';
import { isInvitationId, type StoredMember } from './store.ts';

/** How long an invitation's link works. */
export const invitationDays = 7;

/** Limit of users and invitations of an account. */
export const mostMembers = 1_000;

/** A member as the dashboard shows it. */
export function memberAnswer(member: StoredMember, now = new Date()): z.input<typeof Member> {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    state: stateOf(member, now),
    mfa: member.mfa,
    createdAt: member.created_at.toISOString(),
    lastSignInAt: member.last_sign_in_at?.toISOString() ?? null,
    invitedUntil: member.invited_until?.toISOString() ?? null,
  };
}

function stateOf(member: StoredMember, now: Date): z.input<typeof Member>['state'] {
  if (member.invited_until !== null) return member.invited_until > now ? 'invited' : 'invitation_expired';
  return member.disabled_at === null ? 'active' : 'disabled';
}

/**
 * Rejects a change that would leave an account without an administrator, or that users make to themselves.
 *
 * @param change.otherAdministrators who can sign in
 * @throws ApiError `conflict`
 */
export function refuseLockingOut(
  member: StoredMember,
  change: { readonly callerId: string; readonly otherAdministrators: number },
): void {
  if (isInvitationId(member.id)) return;
  if (member.id === change.callerId) {
    throw new ApiError('conflict', { message: 'You can’t do this to yourself. Ask another administrator.' });
  }
  if (member.role === 'administrator' && member.disabled_at === null && change.otherAdministrators === 0) {
    throw new ApiError('conflict', {
      message: 'This is the last administrator. Make another member an administrator first.',
    });
  }
}

/** @param link accepts the invitation, once */
export function invitationMail(
  invitation: { readonly email: string; readonly inviter: string; readonly accountName: string },
  link: string,
): Mail {
  return {
    to: invitation.email,
    subject: `Invitation to ${invitation.accountName}`,
    text: [
      `${invitation.inviter} invites you to the account ${invitation.accountName} on Millrace.`,
      `Open this link within ${invitationDays} days to accept and choose a password:\n${link}`,
      'If you didn’t expect this invitation, ignore this e-mail.',
    ].join('\n\n'),
  };
}
