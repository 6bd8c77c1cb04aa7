import type { Mail } from '../../frame/handler.ts';

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
