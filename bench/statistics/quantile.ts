/** The value below which this share of them lies; of an even number the upper of the two in the middle. NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The median, and the quartiles around it. */
export function spread(values: readonly number[], digits: number): string {
  const [least, middle, most] = [0.25, 0.5, 0.75].map((share) => quantile(values, share).toFixed(digits));
  return `${middle} (${least}–${most})`;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
