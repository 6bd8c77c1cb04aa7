import type { Mail } from '../../frame/handler.ts';
import type { Account } from './store.ts';

interface Recipient {
  readonly email: string;
  readonly organizationId: string;
}

/** @param link works once, for one hour */
export function resetMail({ email, organizationId }: Recipient, link: string): Mail {
  return {
    to: email,
    organizationId,
    subject: 'Set a new password',
    text: [
      'Someone, probably you, asked to reset the password of your Millrace account.',
      `Open this link within one hour to choose a new one:\n${link}`,
      'If it was not you, you don’t need to do anything: your password has not changed.',
    ].join('\n\n'),
  };
}

/** Notifies the owner of an account about a change that only they should make. */
export function securityMail({ email, organizationId }: Recipient, happened: string): Mail {
  return {
    to: email,
    organizationId,
    subject: happened,
    text: `${happened}.\n\nIf it was not you, ask your administrator to suspend the account, and set a new password.`,
  };
}

/**
 * Warns the owner of an account that someone is guessing the password.
 *
 * @param link to request a new password
 */
export function failedSignInsMail({ email, organization_id }: Account, ip: string, link: string) {
  return {
    to: email,
    organizationId: organization_id,
    subject: 'Failed attempts to sign in to your account',
    text: [
      `Several attempts to sign in to your Millrace account failed, the last one from the address ${ip}.`,
      'If it was you, you don’t need to do anything. If not, your password was not guessed: each further attempt has to wait longer. Devices that you signed in from before don’t have to wait.',
      `If you have to wait on a new device, or use this password elsewhere, set a new one:\n${link}`,
    ].join('\n\n'),
  };
}
