import type { Buyer } from './contract.ts';
import type { DocumentedLine } from './documents.ts';

interface DocumentTexts {
  lineName(line: DocumentedLine): string;
  lineDescription(line: DocumentedLine): string;
  paymentTerms(dueDate: string): string;
  /** Of a credit note. */
  creditReason(reason: string): string;
}

interface Words {
  readonly kinds: Readonly<Record<DocumentedLine['kind'], string>>;
  /** Null: the name of the charge says what a unit is. */
  readonly meters: Readonly<Record<NonNullable<DocumentedLine['meter']>, string | null>>;
  readonly included: (quantity: string, included: string) => string;
  readonly tierFee: string;
  readonly above: (from: string) => string;
  readonly between: (from: string, upTo: string) => string;
  readonly share: (part: string, whole: string, unit: 'second' | 'day') => string;
  readonly due: (date: string) => string;
  readonly reason: (reason: string) => string;
  readonly locale: string;
}

const words: Readonly<Record<Buyer['language'], Words>> = {
  en: {
    kinds: {
      recurring: 'Recurring fee',
      setup: 'Setup fee',
      usage: 'Usage',
      minimum: 'Difference to the minimum spend',
      maximum: 'Reduction to the maximum spend',
      late: 'Late usage',
    },
    meters: {
      requests: 'calls',
      request_bytes: 'bytes of requests',
      response_bytes: 'bytes of responses',
      units: null,
    },
    included: (quantity, included) => `${quantity}, of which ${included} included`,
    tierFee: 'fee of the tier',
    above: (from) => `above ${from}`,
    between: (from, upTo) => `above ${from} up to ${upTo}`,
    share: (part, whole, unit) => `${part} of ${whole} ${unit === 'day' ? 'days' : 'seconds'} of the period`,
    due: (date) => `Payable by ${date}.`,
    reason: (reason) => `Reason: ${reason}`,
    locale: 'en-GB',
  },
  de: {
    kinds: {
      recurring: 'Grundgebühr',
      setup: 'Einrichtungsgebühr',
      usage: 'Nutzung',
      minimum: 'Differenz zum Mindestumsatz',
      maximum: 'Minderung auf den Höchstbetrag',
      late: 'Nachträglich gemeldete Nutzung',
    },
    meters: {
      requests: 'Aufrufe',
      request_bytes: 'Bytes der Anfragen',
      response_bytes: 'Bytes der Antworten',
      units: null,
    },
    included: (quantity, included) => `${quantity}, davon ${included} enthalten`,
    tierFee: 'Gebühr der Stufe',
    above: (from) => `über ${from}`,
    between: (from, upTo) => `über ${from} bis ${upTo}`,
    share: (part, whole, unit) => `${part} von ${whole} ${unit === 'day' ? 'Tagen' : 'Sekunden'} des Zeitraums`,
    due: (date) => `Zahlbar bis ${date}.`,
    reason: (reason) => `Grund: ${reason}`,
    locale: 'de-DE',
  },
};

function textsOf({
  kinds,
  meters,
  included,
  tierFee,
  above,
  between,
  share,
  due,
  reason,
  locale,
}: Words): DocumentTexts {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 12 });
  // An allowance that was prorated has many digits.
  const rounded = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const decimal = (text: string) => number.format(text as Intl.StringNumericLiteral);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    lineName: ({ kind, charge, meter, usage }) => {
      if (charge === null) return kinds[kind];
      const unit = meter === null ? null : meters[meter];
      const what = `${titleOf(charge)}${unit === null || unit === charge ? '' : ` (${unit})`}`;
      if (kind !== 'usage') return `${kinds[kind]}: ${what}`;
      if (usage === null || usage.included === '0') return what;
      return `${what}: ${included(decimal(usage.quantity), rounded.format(usage.included as Intl.StringNumericLiteral))}`;
    },
    lineDescription: ({ tier, isFlatFee, share: prorated }) => {
      const parts: string[] = [];
      if (tier !== null) {
        const range = tier.upTo === null ? above(decimal(tier.from)) : between(decimal(tier.from), decimal(tier.upTo));
        parts.push(isFlatFee ? `${tierFee} ${range}` : range);
      }
      if (prorated !== null && prorated.unit !== 'none') {
        parts.push(share(decimal(String(prorated.part)), decimal(String(prorated.whole)), prorated.unit));
      }
      return parts.join('; ');
    },
    paymentTerms: (dueDate) => due(date.format(new Date(`${dueDate}T00:00:00Z`))),
    creditReason: reason,
  };
}

/** The name of a charge, which is a slug, as a heading: `late-pages` as `Late pages`. */
function titleOf(charge: string): string {
  return charge.charAt(0).toUpperCase() + charge.slice(1).replaceAll('-', ' ');
}

/** What documents say in each language. */
export const documentTexts: Readonly<Record<Buyer['language'], DocumentTexts>> = {
  en: textsOf(words.en),
  de: textsOf(words.de),
};
