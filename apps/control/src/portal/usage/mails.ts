import { formatMinor } from '@millrace/pricing';
import type { Mail } from '../../frame/handler.ts';

/** What an e-mail about a budget says. */
interface Alert {
  readonly percent: 80 | 100;
  readonly currency: string;
  readonly amountMinor: number;
  readonly spentMinor: number;
  readonly name: string;
}

/** The e-mail that a level of a budget is reached, in the language of its reader. */
export function budgetMail(to: string, locale: string | null, alert: Alert): Mail {
  const isGerman = locale?.startsWith('de') ?? false;
  const { percent, currency, name } = alert;
  const [amount, spent] = [alert.amountMinor, alert.spentMinor].map((minor) =>
    formatMinor(minor, currency, isGerman ? 'de' : 'en'),
  );
  if (isGerman) {
    return {
      to,
      subject: `${percent} % Ihres Budgets sind erreicht`,
      text: [
        `Guten Tag ${name},`,
        `in diesem Abrechnungszeitraum sind bisher ${spent} ohne Steuern angefallen. Ihr Budget beträgt ${amount}.`,
        'Aufrufe werden weiter angenommen. Das Budget ändern Sie im Entwicklerportal.',
      ].join('\n\n'),
    };
  }
  return {
    to,
    subject: `${percent} % of your budget is spent`,
    text: [
      `Hello ${name},`,
      `${spent} before tax has been spent in this billing period. Your budget is ${amount}.`,
      'Calls are still accepted. You can change the budget in the developer portal.',
    ].join('\n\n'),
  };
}
