import type { Mail } from '@millrace/mail';
import type { StoredRefusal } from '../database/schema.ts';
import type { MessageHead } from './message.ts';

/** Files that are named one by one. */
const namedFiles = 50;

/** The reply that lists the rejected and the accepted files of a message. */
export function answerTo(
  { from, subject, messageId }: MessageHead,
  taken: readonly { readonly fileName: string }[],
  refusals: readonly StoredRefusal[],
): Mail {
  const lines = [
    taken.length === 0 ? 'No document was accepted from your message.' : 'Some files of your message were rejected.',
    '',
    'Rejected:',
    ...refusals.map(({ fileName, message }) => (fileName === null ? `- ${message}` : `- ${fileName}: ${message}`)),
    '',
  ];
  if (taken.length > 0) {
    lines.push('Accepted:', ...taken.slice(0, namedFiles).map(({ fileName }) => `- ${fileName}`), '');
  }
  return {
    to: from,
    subject: `Re: ${subject || 'your documents'}`,
    text: lines.join('\n'),
    answers: messageId ?? '',
  };
}
