import {
  type Charge,
  type Meter,
  minorUnitOf,
  type PlanTerms,
  type PlanType,
  type PricedLine,
  planTermsFields,
} from '@millrace/pricing';
import { useLocale } from '@millrace/ui/locale';
import type * as z from 'zod';

export const typeNames: Readonly<Record<z.infer<typeof PlanType>, string>> = {
  pay_as_you_go: 'Pay as you go',
  flat: 'Flat',
  tiered: 'Tiered',
  prepaid: 'Prepaid',
};

export const meterNames: Readonly<Record<z.infer<typeof Meter>, string>> = {
  requests: 'Requests',
  request_bytes: 'Request bytes',
  response_bytes: 'Response bytes',
  units: 'Units',
};

const meterNouns: Readonly<Record<z.infer<typeof Meter>, string>> = {
  requests: 'request',
  request_bytes: 'request byte',
  response_bytes: 'response byte',
  units: 'unit',
};

const feeNames: Readonly<Record<PricedLine['kind'], string>> = {
  recurring: 'Recurring fee',
  setup: 'Setup fee',
  usage: 'Usage',
  minimum: 'Up to the minimum spend',
  maximum: 'Down to the maximum spend',
  late: 'Late usage',
};

/** What was used of a charge, and what the plan includes of that. */
interface StatedUsage {
  readonly quantity: string;
  readonly included: string;
}

/** A line of an estimate, or of an invoice. */
type NamedLine = Omit<PricedLine, 'share'> & { readonly usage?: StatedUsage | null };

/** Prices, fees and quantities in the reader's language, from exact decimals. */
export function usePriceTexts() {
  const { language } = useLocale();
  /** Up to 12 decimals are prices that a number would round. */
  const priceOf = (decimal: string, currency: string) =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      minimumFractionDigits: Number(decimal) === 0 ? 0 : minorUnitOf(currency),
      maximumFractionDigits: 12,
    }).format(decimal as Intl.StringNumericLiteral);
  const quantityOf = (decimal: string) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 12 }).format(decimal as Intl.StringNumericLiteral);
  /** Such as `€0.01 per request`, and of tiers what the cheapest costs. */
  const chargePriceOf = (charge: Charge, currency: string) => {
    const noun = meterNouns[charge.meter];
    if (charge.model === 'per_unit') return `${priceOf(charge.unitPrice, currency)} per ${noun}`;
    if (charge.model === 'package') {
      const { size, price } = charge.package;
      return `${priceOf(price, currency)} per ${quantityOf(size)} ${noun}s`;
    }
    const prices = charge.tiers.map(({ unitPrice }) => unitPrice);
    const cheapest = prices.toSorted((one, other) => Number(one) - Number(other))[0]!;
    return `from ${priceOf(cheapest, currency)} per ${noun}`;
  };
  const statedOf = ({ quantity, included }: StatedUsage) => {
    // An allowance that was prorated has many digits.
    const rounded = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
    return `${quantityOf(quantity)}, of which ${rounded.format(included as Intl.StringNumericLiteral)} included`;
  };
  /** What a line is for. */
  const lineNameOf = ({ kind, charge, tier, isFlatFee, usage }: NamedLine) => {
    const included = usage && usage.included !== '0' ? `: ${statedOf(usage)}` : '';
    const name =
      kind === 'late' && charge !== null ? `${charge}, late usage` : `${charge ?? feeNames[kind]}${included}`;
    if (tier === null) return name;
    const range =
      tier.upTo === null ? `above ${quantityOf(tier.from)}` : `${quantityOf(tier.from)} to ${quantityOf(tier.upTo)}`;
    return `${name}, ${range}${isFlatFee ? ', flat fee' : ''}`;
  };
  return {
    priceOf,
    quantityOf,
    chargePriceOf,
    lineNameOf,
    /** What a plan costs, in a line. */
    summaryOf: ({ recurringFee, charges, currency }: Pick<PlanTerms, 'recurringFee' | 'charges' | 'currency'>) => {
      const [first, ...others] = charges;
      const usage =
        first === undefined
          ? null
          : `${chargePriceOf(first, currency)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
      const fee = recurringFee === null ? null : `${priceOf(recurringFee, currency)} per period`;
      return [fee, usage].filter((part) => part !== null).join(' + ');
    },
  };
}

/** The quantity that an estimate of a charge begins with, a round one beyond its allowance. */
export function exampleQuantity(charge: Charge): number {
  const allowance = Number(charge.allowance);
  if (charge.model === 'package') return allowance + 3 * Number(charge.package.size);
  if (charge.model === 'per_unit') return allowance === 0 ? 1_000 : 2 * allowance;
  const bound = Number(charge.tiers.at(-2)?.upTo ?? 1_000);
  return allowance + Math.ceil(bound * 1.2);
}

/** The terms among the fields of a plan. */
export function termsOf<Fields extends { readonly [Field in keyof typeof planTermsFields]?: unknown }>(fields: Fields) {
  return Object.fromEntries(Object.keys(planTermsFields).map((name) => [name, fields[name as keyof Fields]])) as Pick<
    Fields,
    keyof typeof planTermsFields
  >;
}
