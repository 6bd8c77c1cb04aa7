import type { Mail } from '../../frame/handler.ts';

/** Of the link that a new user sets a password with. */
export const welcomeLifetimeDays = 7;

/** @param link sets a password, once */
export function welcomeMail(to: string, organizationName: string, link: string): Mail {
  return {
    to,
    subject: `Your account at ${organizationName}`,
    text: [
      `An account was created for you at ${organizationName} on Millrace.`,
      `Open this link within ${welcomeLifetimeDays} days to choose its password:\n${link}`,
      'Afterwards you sign in with this e-mail address.',
    ].join('\n\n'),
  };
}
