import { formatMinor, minorUnitOf, type PlanTerms, toMinor } from '@millrace/pricing';
import type { Mail } from '../../frame/handler.ts';
import type { PlanContent } from './rules.ts';
import type { AffectedDeveloper } from './store.ts';

/** What a mail about new prices says. */
interface NewVersion {
  readonly productName: string;
  readonly content: PlanContent;
  readonly appliesFrom: Date;
  /** The organization's, in which the time is written. */
  readonly timeZone: string;
}

/** Notifies a developer that subscriptions get another version of their plan. */
export function newVersionMail(developer: AffectedDeveloper, version: NewVersion): Mail {
  const { productName, content, appliesFrom, timeZone } = version;
  const written = (format: Intl.DateTimeFormatOptions) => appliesFrom.toLocaleString('en-GB', { ...format, timeZone });
  const day = written({ day: 'numeric', month: 'long', year: 'numeric' });
  const time = written({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  return {
    to: developer.email,
    subject: `New prices of ${productName} from ${day}`,
    text: [
      `Hello ${developer.name},`,
      `From ${day} at ${time}, new prices apply to your plan ${content.displayName} of ${productName}. This concerns your apps: ${developer.appNames.join(', ')}.`,
      priceLines(content.terms).join('\n'),
      'If you don’t agree, choose another plan or end the subscription before then.',
    ].join('\n\n'),
  };
}

/** A plan's prices, one in a line. */
function priceLines(terms: PlanTerms): string[] {
  const { currency, recurringFee, minimumSpend, maximumSpend, charges } = terms;
  const fee = (name: string, amount: string | null) =>
    amount === null ? [] : [`${name}: ${formatMinor(toMinor(amount, currency), currency, 'en')} per billing period`];
  return [
    ...fee('Recurring fee', recurringFee),
    ...charges.flatMap((charge) => {
      const beyond = charge.allowance === '0' ? '' : `, beyond ${charge.allowance} per billing period`;
      const price = (amount: string) => `${currency} ${atLeastDigits(amount, currency)}`;
      switch (charge.model) {
        case 'per_unit':
          return [`${charge.name}: ${price(charge.unitPrice)} each${beyond}`];
        case 'package':
          return [`${charge.name}: ${price(charge.package.price)} for every ${charge.package.size}${beyond}`];
        default:
          return [
            `${charge.name}, ${charge.model === 'graduated' ? 'each tier at its price' : 'all at the price of the tier reached'}${beyond}:`,
            ...charge.tiers.map(({ upTo, unitPrice, flatFee }) => {
              const flat = Number(flatFee) === 0 ? '' : `, and ${price(flatFee)}`;
              return `  ${upTo === null ? 'beyond' : `up to ${upTo}`}: ${price(unitPrice)} each${flat}`;
            }),
          ];
      }
    }),
    ...fee('Minimum', minimumSpend),
    ...fee('Maximum', maximumSpend),
  ];
}

/** A price with at least the decimals of its currency: 5 as 5.00. */
function atLeastDigits(price: string, currency: string): string {
  const [whole, digits = ''] = price.split('.');
  const padded = digits.padEnd(minorUnitOf(currency), '0');
  return padded === '' ? whole! : `${whole}.${padded}`;
}
