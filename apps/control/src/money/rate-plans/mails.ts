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

interface Words {
  readonly locale: string;
  subject(productName: string, day: string): string;
  greeting(name: string): string;
  intro(fields: { day: string; time: string; planName: string; productName: string; apps: string }): string;
  readonly closing: string;
  readonly fees: Readonly<Record<'recurringFee' | 'minimumSpend' | 'maximumSpend', string>>;
  fee(name: string, amount: string): string;
  beyond(allowance: string): string;
  each(price: string): string;
  package(price: string, size: string): string;
  readonly models: Readonly<Record<'graduated' | 'volume', string>>;
  range(upTo: string | null): string;
  flat(price: string): string;
}

const words: Readonly<Record<AffectedDeveloper['language'], Words>> = {
  en: {
    locale: 'en-GB',
    subject: (productName, day) => `New prices of ${productName} from ${day}`,
    greeting: (name) => `Hello ${name},`,
    intro: ({ day, time, planName, productName, apps }) =>
      `From ${day} at ${time}, new prices apply to your plan ${planName} of ${productName}. This concerns your apps: ${apps}.`,
    closing: 'If you don’t agree, choose another plan or end the subscription before then.',
    fees: { recurringFee: 'Recurring fee', minimumSpend: 'Minimum', maximumSpend: 'Maximum' },
    fee: (name, amount) => `${name}: ${amount} per billing period`,
    beyond: (allowance) => `, beyond ${allowance} per billing period`,
    each: (price) => `${price} each`,
    package: (price, size) => `${price} for every ${size}`,
    models: { graduated: 'each tier at its price', volume: 'all at the price of the tier reached' },
    range: (upTo) => (upTo === null ? 'beyond' : `up to ${upTo}`),
    flat: (price) => `, and ${price}`,
  },
  de: {
    locale: 'de-DE',
    subject: (productName, day) => `Neue Preise für ${productName} ab ${day}`,
    greeting: (name) => `Guten Tag ${name},`,
    intro: ({ day, time, planName, productName, apps }) =>
      `ab dem ${day}, ${time}, gelten neue Preise für Ihren Tarif ${planName} von ${productName}. Das betrifft Ihre Apps: ${apps}.`,
    closing:
      'Wenn Sie nicht einverstanden sind, wählen Sie vorher einen anderen Tarif oder beenden Sie das Abonnement.',
    fees: { recurringFee: 'Grundgebühr', minimumSpend: 'Mindestumsatz', maximumSpend: 'Höchstbetrag' },
    fee: (name, amount) => `${name}: ${amount} je Abrechnungszeitraum`,
    beyond: (allowance) => `, über ${allowance} je Abrechnungszeitraum hinaus`,
    each: (price) => `je ${price}`,
    package: (price, size) => `${price} je angefangene ${size}`,
    models: { graduated: 'jede Staffel zu ihrem Preis', volume: 'alles zum Preis der erreichten Staffel' },
    range: (upTo) => (upTo === null ? 'darüber' : `bis ${upTo}`),
    flat: (price) => `, zuzüglich ${price}`,
  },
};

/** Notifies a developer, in the language of their invoices, that subscriptions get another version of their plan. */
export function newVersionMail(developer: AffectedDeveloper, version: NewVersion): Mail {
  const { productName, content, appliesFrom, timeZone } = version;
  const texts = words[developer.language];
  const written = (format: Intl.DateTimeFormatOptions) =>
    appliesFrom.toLocaleString(texts.locale, { ...format, timeZone });
  const day = written({ day: 'numeric', month: 'long', year: 'numeric' });
  const time = written({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  const apps = developer.appNames.join(', ');
  return {
    to: developer.email,
    subject: texts.subject(productName, day),
    text: [
      texts.greeting(developer.name),
      texts.intro({ day, time, planName: content.displayName, productName, apps }),
      priceLines(content.terms, developer.language).join('\n'),
      texts.closing,
    ].join('\n\n'),
  };
}

/** A plan's prices, one in a line. */
function priceLines(terms: PlanTerms, language: AffectedDeveloper['language']): string[] {
  const { currency, charges } = terms;
  const texts = words[language];
  const number = new Intl.NumberFormat(texts.locale, { maximumFractionDigits: 12 });
  const quantity = (decimal: string) => number.format(decimal as Intl.StringNumericLiteral);
  const exact = new Intl.NumberFormat(texts.locale, {
    minimumFractionDigits: minorUnitOf(currency),
    maximumFractionDigits: 12,
  });
  const price = (amount: string) => `${currency} ${exact.format(amount as Intl.StringNumericLiteral)}`;
  const fee = (name: keyof Words['fees']) => {
    const amount = terms[name];
    return amount === null
      ? []
      : [texts.fee(texts.fees[name], formatMinor(toMinor(amount, currency), currency, language))];
  };
  return [
    ...fee('recurringFee'),
    ...charges.flatMap((charge) => {
      const beyond = charge.allowance === '0' ? '' : texts.beyond(quantity(charge.allowance));
      switch (charge.model) {
        case 'per_unit':
          return [`${charge.name}: ${texts.each(price(charge.unitPrice))}${beyond}`];
        case 'package':
          return [
            `${charge.name}: ${texts.package(price(charge.package.price), quantity(charge.package.size))}${beyond}`,
          ];
        default:
          return [
            `${charge.name}, ${texts.models[charge.model]}${beyond}:`,
            ...charge.tiers.map(({ upTo, unitPrice, flatFee }) => {
              const flat = Number(flatFee) === 0 ? '' : texts.flat(price(flatFee));
              return `  ${texts.range(upTo === null ? null : quantity(upTo))}: ${texts.each(price(unitPrice))}${flat}`;
            }),
          ];
      }
    }),
    ...fee('minimumSpend'),
    ...fee('maximumSpend'),
  ];
}
