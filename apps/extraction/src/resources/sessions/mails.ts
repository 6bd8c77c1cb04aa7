import type { Mail } from '@millrace/mail';
import { resetMinutes } from './rules.ts';

/** @param link is good for one use */
export function resetMail(email: string, link: string): Mail {
  return {
    to: email,
    subject: 'Set a new password',
    text: [
      'Somebody, probably you, asked to set a new password for your Millrace account.',
      `Open this link within ${resetMinutes} minutes to choose it:\n${link}`,
      'If it was not you, there is nothing to do: your password stays as it is.',
    ].join('\n\n'),
  };
}

/** Tells somebody of a change of their password, which only they should make. */
export function passwordChangedMail(email: string): Mail {
  return {
    to: email,
    subject: 'Your password was changed',
    text:
      'The password of your Millrace account was changed.\n\n' +
      'If it was not you, set a new password at once and tell an administrator of your account.',
  };
}

/**
 * Warns a user that somebody guesses their password.
 *
 * @param link to ask for a new password
 */
export function failedSignInsMail(email: string, address: string, link: string): Mail {
  return {
    to: email,
    subject: 'Somebody keeps failing to sign in to your account',
    text: [
      `Several attempts to sign in to your Millrace account failed, the last one from the address ${address}.`,
      'If it was you, there is nothing to do. If not, your password was not guessed: whoever tries has to wait longer and longer. A device that you signed in from before does not have to wait.',
      `Should you have to wait on a new device, or if you use this password elsewhere, set a new one:\n${link}`,
    ].join('\n\n'),
  };
}
