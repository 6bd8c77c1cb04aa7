import { de } from './de.ts';
import { en } from './en.ts';
import type { MailTexts } from './texts.ts';

/** The texts of a portal user’s e-mails; English if no other language was chosen. */
export function textsIn(locale: string | null): MailTexts {
  return locale === 'de' ? de : en;
}
