import type { Mail } from '@millrace/mail';
import type { StoredRefusal } from '../database/schema.ts';
import type { MessageHead } from './message.ts';

/** Files that are named one by one. */
const namedFiles = 50;

/** The mail that tells a sender what of a message was refused, and what was taken. */
export function answerTo(
  { from, subject, messageId }: MessageHead,
  taken: readonly { readonly fileName: string }[],
  refusals: readonly StoredRefusal[],
): Mail {
  const lines = [
    taken.length === 0 ? 'Nothing was taken from your message.' : 'Not everything was taken from your message.',
    '',
    'Refused:',
    ...refusals.map(({ fileName, message }) => (fileName === null ? `- ${message}` : `- ${fileName}: ${message}`)),
    '',
  ];
  if (taken.length > 0) {
    lines.push('Taken:', ...taken.slice(0, namedFiles).map(({ fileName }) => `- ${fileName}`), '');
  }
  return {
    to: from,
    subject: `Re: ${subject || 'your documents'}`,
    text: lines.join('\n'),
    answers: messageId ?? '',
  };
}
