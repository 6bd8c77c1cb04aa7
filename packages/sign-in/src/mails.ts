/** A mail's content, whoever it goes to. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** @param link works once */
export function resetMailText(link: string, minutes: number): MailText {
  return {
    subject: 'Set a new password',
    text: [
      'Someone, probably you, asked to reset the password of your Millrace account.',
      `Open this link within ${minutes} minutes to choose a new one:\n${link}`,
      'If it was not you, you don’t need to do anything: your password has not changed.',
    ].join('\n\n'),
  };
}

/**
 * Warns a user that someone is guessing their password.
 *
 * @param link to request a new password
 */
export function failedSignInsMailText(address: string, link: string): MailText {
  return {
    subject: 'Failed attempts to sign in to your account',
    text: [
      `Several attempts to sign in to your Millrace account failed, the last one from the address ${address}.`,
      'If it was you, you don’t need to do anything. If not, your password was not guessed: each further attempt has to wait longer. Devices that you signed in from before don’t have to wait.',
      `If you have to wait on a new device, or use this password elsewhere, set a new one:\n${link}`,
    ].join('\n\n'),
  };
}

/** Reports a change of a user's account that only they should make, such as `Your password was changed`. */
export function securityMailText(happened: string): MailText {
  return {
    subject: happened,
    text: `${happened}.\n\nIf it was not you, set a new password immediately and ask an administrator to suspend your account.`,
  };
}
