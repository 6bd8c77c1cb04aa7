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

/** Reports that somebody signed in with a password although the account enforces its identity provider. */
export function breakGlassMail(
  to: string,
  user: { readonly email: string; readonly name: string; readonly address: string },
): Mail {
  return {
    to,
    subject: `${user.email} signed in past the identity provider`,
    text: [
      `${user.name === '' ? user.email : `${user.name} (${user.email})`} signed in to Millrace with a password from the address ${user.address}.`,
      'Your account signs in by its identity provider; this user is the one exception, for emergencies.',
      'If nobody expected this, disable the user under Settings › Members.',
    ].join('\n\n'),
  };
}
