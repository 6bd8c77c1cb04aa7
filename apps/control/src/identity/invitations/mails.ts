import type { Mail } from '../../frame/handler.ts';
import { invitationLifetimeDays } from './rules.ts';

/** @param link accepts the invitation, once */
export function invitationMail(
  invitation: { readonly email: string; readonly inviter: string; readonly organizationName: string },
  link: string,
): Mail {
  return {
    to: invitation.email,
    subject: `Invitation to ${invitation.organizationName}`,
    text: [
      `${invitation.inviter} invites you to ${invitation.organizationName} on Millrace.`,
      `Open this link within ${invitationLifetimeDays} days to accept and choose a password:\n${link}`,
      'If you did not expect this, you can ignore it.',
    ].join('\n\n'),
  };
}
