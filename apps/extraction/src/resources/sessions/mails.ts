import type { Mail } from '@millrace/mail';
import { failedSignInsMailText, resetMailText, securityMailText } from '@millrace/sign-in/mails';
import { resetMinutes } from './rules.ts';

/** @param link is good for one use */
export function resetMail(email: string, link: string): Mail {
  return { to: email, ...resetMailText(link, resetMinutes) };
}

/** Reports a change that only the user should make. */
export function passwordChangedMail(email: string): Mail {
  return { to: email, ...securityMailText('Your password was changed') };
}

/**
 * Warns a user that someone is guessing their password.
 *
 * @param link to ask for a new password
 */
export function failedSignInsMail(email: string, address: string, link: string): Mail {
  return { to: email, ...failedSignInsMailText(address, link) };
}
