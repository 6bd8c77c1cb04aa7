import { failedSignInsMailText, resetMailText, securityMailText } from '@millrace/sign-in/mails';
import type { Mail } from '../../frame/handler.ts';

interface Recipient {
  readonly email: string;
  readonly organizationId: string;
}

/** How long a link to set a new password is good for. */
export const resetMinutes = 60;

/** @param link is good for one use */
export function resetMail({ email, organizationId }: Recipient, link: string): Mail {
  return { to: email, organizationId, ...resetMailText(link, resetMinutes) };
}

/** Reports to the owner of an account a change that only they should make. */
export function securityMail({ email, organizationId }: Recipient, happened: string): Mail {
  return { to: email, organizationId, ...securityMailText(happened) };
}

/**
 * Warns the owner of an account that someone is guessing the password.
 *
 * @param link to request a new password
 */
export function failedSignInsMail({ email, organizationId }: Recipient, ip: string, link: string) {
  return { to: email, organizationId, ...failedSignInsMailText(ip, link) };
}
