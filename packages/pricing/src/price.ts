import Big from 'big.js';
import * as z from 'zod';
import { exactAmount, minorUnitOf, toMajor, toMinor } from './currencies.ts';
import { digitsBehindPoint, multiplyByRatio, PricingError, packagesBegun, plain, quantityOf } from './decimal.ts';
import { type ProratedSpan, Share, shareOf } from './proration.ts';
import type { Charge, PlanTerms } from './terms.ts';

/** `quantity` × `unitPrice`, rounded half away from zero to the minor unit, is `amountMinor` in every line. */
export const PricedLine = z
  .object({
    kind: z.enum(['recurring', 'setup', 'usage', 'minimum', 'maximum', 'late']),
    charge: z.string().nullable().describe('Name of the charge; null for fees, minimum and maximum.'),
    tier: z
      .object({
        from: z.string().describe('The tier begins above this quantity.'),
        upTo: z.string().nullable().describe('The last quantity in the tier; null where it is open.'),
      })
      .nullable(),
    isFlatFee: z.boolean().describe('The fee of a tier that was reached, rather than its units.'),
    quantity: z.string().describe('Units or packages, as a decimal. Negative where the line reduces the total.'),
    unitPrice: z.string().describe('In major units, as a decimal.'),
    amountMinor: z.int().describe('In minor units of the currency.'),
    share: Share.nullable().describe('The part of the period that the price was prorated to; null where it was not.'),
  })
  .meta({ id: 'PricedLine' });
export type PricedLine = z.infer<typeof PricedLine>;

const PricedCharge = z.object({
  charge: z.string(),
  usage: z.string().describe('All of the usage that the charge applies to.'),
  allowance: z.string().describe('What the period includes, prorated.'),
  billable: z.string().describe('Usage beyond the allowance.'),
});

export const Priced = z
  .object({
    currency: z.string(),
    lines: z.array(PricedLine),
    charges: z.array(PricedCharge),
    subtotalMinor: z.int().describe('Sum of the lines, before tax.'),
  })
  .meta({ id: 'Priced' });
export type Priced = z.infer<typeof Priced>;

export interface FeeToPrice extends ProratedSpan {
  readonly terms: PlanTerms;
}

export interface UsageToPrice extends FeeToPrice {
  /** The setup fee is due. */
  readonly isFirst?: boolean | undefined;
  /** An earlier invoice has the recurring fee of this period: no line, but it counts towards minimum and maximum. */
  readonly isFeeBilled?: boolean | undefined;
  /** Quantity by the name of the charge, without what was used in the trial; a charge that is not named has 0. */
  readonly usage: Readonly<Record<string, string>>;
}

export interface LateUsageToPrice extends Omit<UsageToPrice, 'usage'> {
  /** What earlier invoices priced, by the name of the charge. */
  readonly billed: Readonly<Record<string, string>>;
  /** What came after it. */
  readonly late: Readonly<Record<string, string>>;
}

/**
 * The price of a subscription's usage in one period under one version of a plan. Each line is rounded once, the half
 * away from zero, and the subtotal is the sum of the rounded lines. Fees, allowances, tiers, minimum and maximum belong
 * to a whole period and are prorated to the part that is charged. The first tier is reached at 0.
 *
 * @throws PricingError for a charge that the plan lacks, a quantity that is none, or an amount too large to be exact
 */
export function priceUsage(input: UsageToPrice): Priced {
  const { terms, usage } = input;
  const { currency } = terms;
  requireCharges(terms, usage);
  const share = shareOf(terms.proration, input);
  const fee = priceRecurringFee(input);
  const priced = terms.charges.map((charge) => priceCharge(charge, usage[charge.name] ?? '0', share, currency));
  const spent = [...(fee === null ? [] : [fee]), ...priced.flatMap(({ lines }) => lines)];
  const lines = [
    ...(input.isFirst && terms.setupFee !== null
      ? [feeLine('setup', toMinor(terms.setupFee, currency), currency)]
      : []),
    ...(input.isFeeBilled ? spent.filter((line) => line !== fee) : spent),
    ...spendLimits(terms, sum(spent), share),
  ];
  return { currency, lines, charges: priced.map(({ summary }) => summary), subtotalMinor: sum(lines) };
}

/** The recurring fee of a period, prorated; null where the plan has none or nothing of the period is charged. */
export function priceRecurringFee({ terms, ...span }: FeeToPrice): PricedLine | null {
  const share = shareOf(terms.proration, span);
  if (terms.recurringFee === null || share.part === 0) return null;
  return feeLine('recurring', proratedMinor(terms.recurringFee, share, terms.currency), terms.currency, share);
}

/**
 * What late usage adds to what was billed: the price of all of it less the price of what was billed before, as one line
 * per charge with late usage and one for what changed in minimum and maximum. However usage is split into late parts,
 * the totals add up to the price of all of it. A line is negative where more usage reaches a cheaper tier.
 *
 * @throws PricingError as {@link priceUsage} does
 */
export function priceLateUsage({ billed, late, ...input }: LateUsageToPrice): Priced {
  const { terms } = input;
  const { currency } = terms;
  requireCharges(terms, { ...billed, ...late });
  const all = Object.fromEntries(
    terms.charges.map(({ name }) => {
      const total = quantityOf(billed[name] ?? '0', name).plus(quantityOf(late[name] ?? '0', name));
      return [name, plain(total)];
    }),
  );
  const [before, after] = [priceUsage({ ...input, usage: billed }), priceUsage({ ...input, usage: all })];
  const difference = (has: (line: PricedLine) => boolean) =>
    exactAmount(sum(after.lines.filter(has)) - sum(before.lines.filter(has)));
  const lines: PricedLine[] = [];
  for (const { name } of terms.charges) {
    const amountMinor = difference(({ charge }) => charge === name);
    if (new Big(late[name] ?? '0').eq(0)) continue;
    lines.push({ ...feeLine('late', amountMinor, currency), charge: name });
  }
  const limits = difference(({ kind }) => kind === 'minimum' || kind === 'maximum');
  if (limits !== 0) lines.push(feeLine('late', limits, currency));
  return { currency, lines, charges: after.charges, subtotalMinor: sum(lines) };
}

interface PricedChargeLines {
  readonly lines: readonly PricedLine[];
  readonly summary: z.infer<typeof PricedCharge>;
}

function priceCharge(charge: Charge, used: string, share: Share, currency: string): PricedChargeLines {
  const usage = quantityOf(used, charge.name);
  const allowance = prorated(charge.allowance, share);
  const billable = usage.gt(allowance) ? usage.minus(allowance) : new Big(0);
  return {
    lines: linesOf(charge, billable, share, currency),
    summary: {
      charge: charge.name,
      usage: plain(usage),
      allowance: plain(allowance),
      billable: plain(billable),
    },
  };
}

function linesOf(charge: Charge, billable: Big, share: Share, currency: string): PricedLine[] {
  const line = (quantity: Big, unitPrice: string, tier: PricedLine['tier'] = null): PricedLine => ({
    kind: 'usage',
    charge: charge.name,
    tier,
    isFlatFee: false,
    quantity: plain(quantity),
    unitPrice: plain(new Big(unitPrice)),
    amountMinor: toMinor(quantity.times(unitPrice), currency),
    share: null,
  });
  if (charge.model === 'per_unit') return [line(billable, charge.unitPrice)];
  if (charge.model === 'package') {
    return [line(packagesBegun(billable, new Big(charge.package.size)), charge.package.price)];
  }
  const tiers = tiersReached(charge, billable, share);
  return tiers.flatMap(({ from, upTo, quantity, unitPrice, flatFee }) => {
    const tier = { from: plain(from), upTo: upTo === null ? null : plain(upTo) };
    const units = line(quantity, unitPrice, tier);
    if (new Big(flatFee).eq(0) || share.part === 0) return units;
    const fee = feeLine('usage', proratedMinor(flatFee, share, currency), currency, share);
    return [units, { ...fee, charge: charge.name, tier, isFlatFee: true }];
  });
}

interface TierReached {
  /** The tier's bounds, prorated. */
  readonly from: Big;
  readonly upTo: Big | null;
  /** Units that are priced in the tier. */
  readonly quantity: Big;
  readonly unitPrice: string;
  readonly flatFee: string;
}

/** The tiers that a quantity is priced in: of graduated ones all up to the one it reaches, of volume that one alone. */
function tiersReached(
  { model, tiers }: Extract<Charge, { tiers: unknown }>,
  billable: Big,
  share: Share,
): readonly TierReached[] {
  const reached: TierReached[] = [];
  let from = new Big(0);
  for (const { upTo: bound, unitPrice, flatFee } of tiers) {
    const upTo = bound === null ? null : prorated(bound, share);
    const isLast = upTo === null || billable.lte(upTo);
    const quantity = model === 'volume' ? billable : (isLast ? billable : upTo).minus(from);
    if (model === 'graduated' || isLast) reached.push({ from, upTo, quantity, unitPrice, flatFee });
    if (isLast) break;
    from = upTo;
  }
  return reached;
}

/** The lines that bring what was spent up to the minimum or down to the maximum. */
function spendLimits(terms: PlanTerms, spentMinor: number, share: Share): PricedLine[] {
  const { currency, minimumSpend, maximumSpend } = terms;
  const limit = (spend: string) => proratedMinor(spend, share, currency);
  if (minimumSpend !== null && spentMinor < limit(minimumSpend)) {
    return [feeLine('minimum', limit(minimumSpend) - spentMinor, currency, share)];
  }
  if (maximumSpend !== null && spentMinor > limit(maximumSpend)) {
    return [feeLine('maximum', limit(maximumSpend) - spentMinor, currency, share)];
  }
  return [];
}

/** One of an amount that is rounded already. A reduction is a negative quantity: EN 16931 allows no negative price. */
function feeLine(
  kind: PricedLine['kind'],
  amountMinor: number,
  currency: string,
  share: Share | null = null,
): PricedLine {
  return {
    kind,
    charge: null,
    tier: null,
    isFlatFee: false,
    quantity: amountMinor < 0 ? '-1' : '1',
    unitPrice: toMajor(Math.abs(amountMinor), currency),
    amountMinor: exactAmount(amountMinor),
    share: share === null || share.part === share.whole ? null : share,
  };
}

/** A quantity's share of a period, with as many digits behind the point as it is written with. */
function prorated(quantity: string, { part, whole }: Share): Big {
  return multiplyByRatio(new Big(quantity), part, whole, digitsBehindPoint(quantity));
}

function proratedMinor(fee: string, { part, whole }: Share, currency: string): number {
  const digits = minorUnitOf(currency);
  return toMinor(multiplyByRatio(new Big(fee), part, whole, digits), currency);
}

function sum(lines: readonly PricedLine[]): number {
  return lines.reduce((total, { amountMinor }) => exactAmount(total + amountMinor), 0);
}

function requireCharges({ charges }: PlanTerms, usage: Readonly<Record<string, string>>): void {
  const names = new Set(charges.map(({ name }) => name));
  for (const name of Object.keys(usage)) {
    if (!names.has(name)) throw new PricingError(`The plan has no charge named ${name}.`);
  }
}
