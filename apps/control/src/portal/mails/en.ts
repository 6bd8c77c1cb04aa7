import type { SecurityEvent } from '../../identity/auth/realm.ts';
import type { MailTexts } from './texts.ts';

const events: Readonly<Record<SecurityEvent, string>> = {
  password_changed: 'Your password was changed',
  codes_on: 'One-time codes were turned on for your account',
  codes_off: 'One-time codes were turned off for your account',
};

const unexpected = 'If this wasn’t you, you can ignore this e-mail.';

export const en: MailTexts = {
  confirmRegistration: (portal, link, hours) => ({
    subject: `Confirm your e-mail address for ${portal}`,
    text: [
      `Someone, probably you, registered at the developer portal of ${portal} with this e-mail address.`,
      `Open this link within ${hours} hours to confirm it:\n${link}`,
      `${unexpected} Without your confirmation no account is created.`,
    ].join('\n\n'),
  }),
  accountExists: (portal, signInLink, resetLink) => ({
    subject: `You already have an account at ${portal}`,
    text: [
      `Someone, probably you, tried to register at the developer portal of ${portal} with this e-mail address, which already has an account.`,
      `Sign in:\n${signInLink}`,
      `Set a new password, if you forgot yours:\n${resetLink}`,
      unexpected,
    ].join('\n\n'),
  }),
  askOwner: (portal) => ({
    subject: `Your e-mail address is in use at ${portal}`,
    text: [
      `Someone, probably you, tried to register at the developer portal of ${portal} with this e-mail address. It belongs to a developer account that other people sign in to.`,
      'Ask an owner of that account for an invitation.',
      unexpected,
    ].join('\n\n'),
  }),
  awaitsApproval: (portal) => ({
    subject: `Your registration at ${portal} awaits approval`,
    text: [
      `You confirmed your registration at the developer portal of ${portal}. It still has to be approved.`,
      'You will get an e-mail once that is decided. There is nothing else to do.',
    ].join('\n\n'),
  }),
  approved: (portal, signInLink) => ({
    subject: `Welcome to the developer portal of ${portal}`,
    text: [
      `Your registration at the developer portal of ${portal} was approved.`,
      `Sign in with your e-mail address and the password that you chose:\n${signInLink}`,
    ].join('\n\n'),
  }),
  rejected: (portal, reason) => ({
    subject: `Your registration at ${portal}`,
    text: [`Your registration at the developer portal of ${portal} was not approved.`, `Reason: ${reason}`].join(
      '\n\n',
    ),
  }),
  invitation: (portal, inviter, link, days) => ({
    subject: `Invitation to the developer portal of ${portal}`,
    text: [
      inviter === null
        ? `${portal} invites you to a developer account in its developer portal.`
        : `${inviter} invites you to their developer account in the developer portal of ${portal}.`,
      `Open this link within ${days} days to accept and choose a password:\n${link}`,
      'If you did not expect this, you can ignore it.',
    ].join('\n\n'),
  }),
  reset: (portal, link, minutes) => ({
    subject: 'Set a new password',
    text: [
      `Someone, probably you, asked to reset the password of your account at the developer portal of ${portal}.`,
      `Open this link within ${minutes} minutes to choose a new one:\n${link}`,
      'If it was not you, you don’t need to do anything: your password has not changed.',
    ].join('\n\n'),
  }),
  failedSignIns: (portal, address, link) => ({
    subject: 'Failed attempts to sign in to your account',
    text: [
      `Several attempts to sign in to your account at the developer portal of ${portal} failed, the last one from the address ${address}.`,
      'If it was you, you don’t need to do anything. If not, your password was not guessed: each further attempt has to wait longer. Devices that you signed in from before don’t have to wait.',
      `If you have to wait on a new device, or use this password elsewhere, set a new one:\n${link}`,
    ].join('\n\n'),
  }),
  security: (portal, event) => ({
    subject: events[event],
    text: [
      `${events[event]} at the developer portal of ${portal}.`,
      `If it was not you, set a new password immediately and ask ${portal} to suspend your account.`,
    ].join('\n\n'),
  }),
};
