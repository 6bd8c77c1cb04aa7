/** An amount to whole cents. */
export const cents = (value: number) => Math.round(value * 100 + 1e-7) / 100;
