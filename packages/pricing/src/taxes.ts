import Big from 'big.js';
import * as z from 'zod';
import { exactAmount } from './currencies.ts';
import { PricingError } from './decimal.ts';

/**
 * VAT categories of EN 16931 (codes of UNTDID 5305): S standard, Z zero rated, E exempt, AE reverse charge, G export,
 * O outside the scope of VAT, K supply within the European Union.
 */
export const TaxCategory = z.enum(['S', 'Z', 'E', 'AE', 'G', 'O', 'K']);
export type TaxCategory = z.infer<typeof TaxCategory>;

/** A rate of tax in percent, such as 19 or 7.7. */
export const TaxRate = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,2})(?:\.\d{1,4})?$/, 'Enter a rate in percent, such as 19 or 7.7.');

export interface TaxedAmount {
  readonly amountMinor: number;
  readonly taxCategory: TaxCategory;
  /** In percent, as text; 0 in every category but S. */
  readonly taxRate: string;
}

export interface TaxTotal {
  readonly category: TaxCategory;
  readonly rate: string;
  readonly basisMinor: number;
  readonly taxMinor: number;
}

/**
 * Tax per category and rate on the sum of its lines, rounded once (EN 16931, BR-CO-17), in the order in which they
 * first occur. Rates written differently, such as 19 and 19.0, are one.
 */
export function taxTotals(lines: readonly TaxedAmount[]): TaxTotal[] {
  const totals = new Map<string, { category: TaxCategory; rate: string; basisMinor: number }>();
  for (const { amountMinor, taxCategory: category, taxRate } of lines) {
    const rate = plainRate(category, taxRate);
    const key = `${category} ${rate}`;
    const total = totals.get(key) ?? { category, rate, basisMinor: 0 };
    totals.set(key, { ...total, basisMinor: exactAmount(total.basisMinor + exactAmount(amountMinor)) });
  }
  return [...totals.values()].map((total) => ({ ...total, taxMinor: taxOn(total.basisMinor, total.rate) }));
}

/** Tax on an amount, in minor units, the half away from zero. */
export function taxOn(basisMinor: number, rate: string): number {
  return exactAmount(Number(new Big(basisMinor).times(rate).times('0.01').round(0, Big.roundHalfUp).toFixed()));
}

/** A rate in its shortest form. */
export function plainRate(category: TaxCategory, rate: string): string {
  if (!TaxRate.safeParse(rate).success) throw new PricingError('A tax rate is not a percentage such as 19 or 7.7.');
  const shortest = new Big(rate).toFixed();
  if (category !== 'S' && shortest !== '0') {
    throw new PricingError(`The tax category ${category} has the rate 0. Only S, the standard rate, has another.`);
  }
  return shortest;
}
