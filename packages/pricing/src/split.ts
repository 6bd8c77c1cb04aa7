import { PricingError } from './decimal.ts';

/**
 * Splits an amount by weights so that the parts add up to it: each part is rounded down, then the parts with the
 * largest remainders get one more, the first of equals first. 5 in three equal parts is 2, 2, 1.
 *
 * @param amountMinor whole; may be negative
 * @param weights whole numbers with a sum above 0; a negative one gets a part of the opposite sign
 */
export function splitByLargestRemainder(amountMinor: number, weights: readonly number[]): number[] {
  if (!Number.isSafeInteger(amountMinor) || !weights.every(Number.isSafeInteger)) {
    throw new PricingError('An amount and the weights of its parts must be whole numbers.');
  }
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (sum <= 0n) throw new PricingError('The weights of an amount’s parts must add up to more than 0.');
  const shares = weights.map((weight, index) => {
    const product = BigInt(amountMinor) * BigInt(weight);
    const remainder = ((product % sum) + sum) % sum;
    return { index, part: (product - remainder) / sum, remainder };
  });
  let left = shares.reduce((rest, { part }) => rest - part, BigInt(amountMinor));
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
  );
  for (const share of byRemainder) {
    if (left === 0n) break;
    share.part += 1n;
    left -= 1n;
  }
  return shares.map(({ part }) => Number(part));
}
