import { type PlanTerms, PlanTerms as Schema } from './terms.ts';

/** Numbers of a linear generator (mulberry32), the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 up to, without, `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** A decimal of up to `digits` behind the point. */
  decimal(end: number, digits: number): string {
    return (this.below(end * 10 ** digits) / 10 ** digits).toFixed(digits);
  }
}

const january = { from: '2024-01-01T00:00:00Z', to: '2024-02-01T00:00:00Z' };

/** A month of UTC without daylight saving: 31 days. */
export const inJanuary = { period: january, timeZone: 'UTC' } as const;

/** Terms in euros of one charge named `calls`, or of the fields given. */
export function termsOf(fields: Partial<Record<keyof PlanTerms, unknown>>): PlanTerms {
  return Schema.parse({ type: 'tiered', currency: 'EUR', ...fields });
}

/** Terms of random fees and charges in a random currency. */
export function randomTerms(random: Random): PlanTerms {
  const price = () => random.decimal(3, random.below(7));
  const charges = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const model = index === 0 ? random.pick(['graduated', 'volume']) : random.pick(['per_unit', 'package', 'volume']);
    let upTo = 0;
    const tiers = Array.from({ length: random.below(4) }, () => {
      upTo += 1 + random.below(60);
      return { upTo: String(upTo), unitPrice: price(), flatFee: price() };
    });
    return {
      name: `charge-${index}`,
      meter: 'units',
      model,
      allowance: random.pick(['0', '7', '2.5']),
      ...(model === 'per_unit' && { unitPrice: price() }),
      ...(model === 'package' && { package: { size: random.pick(['1', '10', '0.5']), price: price() } }),
      ...((model === 'graduated' || model === 'volume') && {
        tiers: [...tiers, { upTo: null, unitPrice: price(), flatFee: price() }],
      }),
    };
  });
  return termsOf({
    currency: random.pick(['EUR', 'JPY', 'KWD']),
    recurringFee: random.pick([null, '0', '20', '99']),
    proration: random.pick(['second', 'day', 'none']),
    minimumSpend: random.pick([null, '30', '150']),
    maximumSpend: random.pick([null, '160', '400']),
    charges,
  });
}
