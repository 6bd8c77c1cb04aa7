import { formatMinor } from '@millrace/pricing';
import type { Mail } from '../../frame/handler.ts';

/** What of a balance is about to expire. */
interface Expiry {
  readonly amountMinor: number;
  readonly currency: string;
  /** ISO 8601; the first moment at which it is no longer good. */
  readonly expiresAt: string;
  /** The organization's, in which days are named. */
  readonly timeZone: string;
}

interface Holder {
  readonly name: string;
  readonly email: string;
  readonly language: 'en' | 'de';
  readonly appName: string;
  readonly productName: string;
}

interface Named {
  readonly amount: string;
  readonly day: string;
  readonly appName: string;
  readonly productName: string;
}

const words: Readonly<
  Record<
    Holder['language'],
    { locale: string; subject(named: Named): string; text(named: Named, name: string): string[] }
  >
> = {
  en: {
    locale: 'en-GB',
    subject: ({ amount, day, productName }) => `${amount} of your balance for ${productName} expires after ${day}`,
    text: ({ amount, day, appName, productName }, name) => [
      `Hello ${name},`,
      `${amount} of the prepaid balance of ${appName} for ${productName} can be used until the end of ${day}. What is left of it then expires.`,
      'Calls always use the oldest credit first.',
    ],
  },
  de: {
    locale: 'de-DE',
    subject: ({ amount, day, productName }) => `${amount} Ihres Guthabens für ${productName} verfallen nach dem ${day}`,
    text: ({ amount, day, appName, productName }, name) => [
      `Guten Tag ${name},`,
      `vom Guthaben von ${appName} für ${productName} sind ${amount} bis zum Ende des ${day} nutzbar. Was dann davon übrig ist, verfällt.`,
      'Aufrufe verbrauchen immer das älteste Guthaben zuerst.',
    ],
  },
};

/** Notifies a developer, in the language of their invoices, that credit is about to expire. */
export function expiryMail({ name, email, language, appName, productName }: Holder, expiry: Expiry): Mail {
  const { locale, subject, text } = words[language];
  const amount = formatMinor(expiry.amountMinor, expiry.currency, language);
  const named = { amount, day: lastDay(expiry, locale), appName, productName };
  return { to: email, subject: subject(named), text: text(named, name).join('\n\n') };
}

/** The title of a notice to those who see balances. */
export function expiryTitle({ appName, ...expiry }: Expiry & { readonly appName: string }): string {
  const amount = formatMinor(expiry.amountMinor, expiry.currency, 'en');
  return `${amount} of the prepaid balance of ${appName} expires after ${lastDay(expiry, 'en-GB')}`;
}

/** The last day on which credit is good. */
function lastDay({ expiresAt, timeZone }: Expiry, locale: string): string {
  const last = new Date(Date.parse(expiresAt) - 1);
  return last.toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone });
}
