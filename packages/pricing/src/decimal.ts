import Big from 'big.js';
import * as z from 'zod';

/** Why something cannot be priced: an amount too large to be exact, or input that contradicts itself. */
export class PricingError extends Error {
  override readonly name = 'PricingError';
}

/**
 * A price or fee in major units, exact. What is none ends the parsing, so that a schema's refinements calculate only with
 * decimals.
 */
export const Price = z.string().regex(/^(?:0|[1-9]\d{0,11})(?:\.\d{1,12})?$/, {
  error: 'Enter a decimal such as 0.0005: up to 12 digits before and 12 after the point.',
  abort: true,
});

/** A number of metered units. 18 digits before the point, because bytes of a month exceed 12. */
export const Quantity = z.string().regex(/^(?:0|[1-9]\d{0,17})(?:\.\d{1,12})?$/, {
  error: 'Enter a quantity such as 1000 or 0.5: up to 18 digits before and 12 after the point.',
  abort: true,
});

/** Decimals of {@link Price} and {@link Quantity}; every one times 10^12 is whole. */
const decimals = 12;
const scale = new Big(10).pow(decimals);

/** @throws PricingError where the text is not a {@link Quantity}; `name` is what the message calls it */
export function quantityOf(text: string, name: string): Big {
  const parsed = Quantity.safeParse(text);
  if (!parsed.success) throw new PricingError(`${name} is not a quantity such as 1000 or 0.5.`);
  return new Big(parsed.data);
}

/** The shortest plain notation, such as `0.5`: no exponent, no zeros at the end. */
export function plain(value: Big): string {
  return value.toFixed();
}

/** How many digits a decimal is written with behind the point. */
export function digitsBehindPoint(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

/** Nearest whole number of a fraction; the half away from zero. */
function roundRatio(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -rounded : rounded;
}

/** `value` × `part` ÷ `whole`, rounded once to `digits` behind the point, the half away from zero. */
export function multiplyByRatio(value: Big, part: number, whole: number, digits: number): Big {
  const numerator = scaled(value.times(new Big(10).pow(digits))) * BigInt(part);
  return new Big(String(roundRatio(numerator, scaled(new Big(whole))))).times(new Big(10).pow(-digits));
}

/** The least whole number of packages of `size` that contain `quantity`. */
export function packagesBegun(quantity: Big, size: Big): Big {
  const [top, bottom] = [scaled(quantity), scaled(size)];
  return new Big(String((top + bottom - 1n) / bottom));
}

/** Exact, because no factor has more than 12 digits behind the point. */
function scaled(value: Big): bigint {
  return BigInt(value.times(scale).toFixed(0));
}
