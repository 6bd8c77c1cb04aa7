import type { Mail } from '../../frame/handler.ts';
import type { Account } from './store.ts';

interface Recipient {
  readonly email: string;
  readonly organizationId: string;
}

/** @param link is good for one hour and one use */
export function resetMail({ email, organizationId }: Recipient, link: string): Mail {
  return {
    to: email,
    organizationId,
    subject: 'Set a new password',
    text: [
      'Somebody, probably you, asked to set a new password for your Millrace account.',
      `Open this link within one hour to choose it:\n${link}`,
      'If it was not you, there is nothing to do: your password stays as it is.',
    ].join('\n\n'),
  };
}

/** Tells the owner of an account of a change that only they should make. */
export function securityMail({ email, organizationId }: Recipient, happened: string): Mail {
  return {
    to: email,
    organizationId,
    subject: happened,
    text: `${happened}.\n\nIf it was not you, ask your administrator to suspend the account, and set a new password.`,
  };
}

/**
 * Warns the owner of an account that somebody guesses.
 *
 * @param link to ask for a new password
 */
export function failedSignInsMail({ email, organization_id }: Account, ip: string, link: string) {
  return {
    to: email,
    organizationId: organization_id,
    subject: 'Somebody keeps failing to sign in to your account',
    text: [
      `Several attempts to sign in to your Millrace account failed, the last one from the address ${ip}.`,
      'If it was you, there is nothing to do. If not, your password was not guessed: whoever tries has to wait longer and longer. A device that you signed in from before does not have to wait.',
      `Should you have to wait on a new device, or if you use this password elsewhere, set a new one:\n${link}`,
    ].join('\n\n'),
  };
}
