import { Group, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { type Charge, minorUnitOf, type PlanTerms, PricingError, priceUsage } from '@millrace/pricing';
import { useAmounts } from '@millrace/ui/amounts';
import { Chart } from '@millrace/ui/chart';
import { useMemo, useState } from 'react';
import { exampleQuantity, meterNames, usePriceTexts } from './texts.ts';

/** Any whole period: a curve shows a full one. */
const period = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };

/** What a whole period of a plan costs; null where an amount is too large to be exact. */
export function priceOfPeriod(terms: PlanTerms, usage: Readonly<Record<string, string>>) {
  try {
    return priceUsage({ terms, period, timeZone: 'UTC', usage });
  } catch (error) {
    if (error instanceof PricingError) return null;
    throw error;
  }
}

const pointCount = 100;

/** What a plan costs per period as the usage of one of its charges grows, while that of the others stays. */
export function PriceCurve(props: {
  readonly terms: PlanTerms;
  /** Quantity by the name of the charge. */
  readonly usage: Readonly<Record<string, string>>;
}) {
  const { terms, usage } = props;
  const { charges, currency } = terms;
  const [chosen, setChosen] = useState(0);
  const [shows, setShows] = useState<string>('total');
  const [upTo, setUpTo] = useState<number | null>(null);
  const amountOf = useAmounts();
  const { priceOf } = usePriceTexts();
  const charge = charges[Math.min(chosen, charges.length - 1)];
  const points = useMemo(() => (charge ? pointsOf(terms, charge, usage, upTo) : []), [terms, charge, usage, upTo]);
  if (charge === undefined) return null;
  const title = meterNames[charge.meter];
  const average = shows === 'average';
  return (
    <div>
      <Group gap="xs" mb="xs" align="end">
        {charges.length > 1 && (
          <Select
            label="Charge"
            w={130}
            data={charges.map(({ name }, index) => ({ value: String(index), label: name }))}
            value={String(charges.indexOf(charge))}
            onChange={(index) => setChosen(Number(index))}
            allowDeselect={false}
          />
        )}
        <NumberInput
          label="Up to"
          w={104}
          min={1}
          max={1e15}
          thousandSeparator
          hideControls
          value={upTo ?? longestOf(charge)}
          onChange={(value) => setUpTo(Number(value) > 0 ? Number(value) : null)}
        />
        <SegmentedControl
          aria-label="What the curve shows"
          size="xs"
          ml="auto"
          value={shows}
          onChange={setShows}
          data={[
            { value: 'total', label: 'Total' },
            { value: 'average', label: 'Per unit' },
          ]}
        />
      </Group>
      <Chart
        key={shows}
        label={average ? 'Average price per unit' : 'Price per period'}
        kind="lines"
        quantities={points.map(({ quantity }) => quantity)}
        quantityTitle={title}
        series={[
          {
            name: average ? 'Average price per unit' : 'Price per period',
            values: points.map(({ quantity, totalMinor }) =>
              totalMinor === null || (average && quantity === 0)
                ? null
                : average
                  ? (totalMinor * majorPerMinor(currency)) / quantity
                  : totalMinor,
            ),
          },
        ]}
        {...(average && { leastStep: 1e-9 })}
        format={(value) =>
          average
            ? priceOf(decimalText(value), currency)
            : amountOf({ amountMinor: Math.round(value), currency }, { trailingZeroDisplay: 'stripIfInteger' })
        }
        empty="Free at every quantity."
      />
    </div>
  );
}

interface Point {
  readonly quantity: number;
  readonly totalMinor: number | null;
}

function pointsOf(
  terms: PlanTerms,
  charge: Charge,
  usage: Readonly<Record<string, string>>,
  upTo: number | null,
): readonly Point[] {
  const longest = upTo ?? longestOf(charge);
  return quantitiesOf(charge, longest).map((quantity) => ({
    quantity,
    totalMinor: priceOfPeriod(terms, { ...usage, [charge.name]: String(quantity) })?.subtotalMinor ?? null,
  }));
}

function longestOf(charge: Charge): number {
  return exampleQuantity(charge) * 2;
}

/** Even steps, and both sides of where the price may jump. */
function quantitiesOf(charge: Charge, longest: number): readonly number[] {
  const step = longest / pointCount;
  const even = Array.from({ length: pointCount + 1 }, (_empty, index) => Math.round(index * step));
  const allowance = Number(charge.allowance);
  const size = charge.model === 'package' ? Number(charge.package.size) : 0;
  const packages = size > 0 && longest / size <= pointCount ? Math.floor(longest / size) : 0;
  const jumps =
    'tiers' in charge
      ? charge.tiers.flatMap(({ upTo }) => (upTo === null ? [] : [Number(upTo)]))
      : Array.from({ length: packages + 1 }, (_empty, index) => index * size);
  const edges = jumps.flatMap((bound) => [allowance + bound, allowance + bound + 1]);
  return [...new Set([...even, allowance, ...edges])]
    .filter((quantity) => Number.isSafeInteger(quantity) && quantity <= longest)
    .sort((one, other) => one - other);
}

function majorPerMinor(currency: string): number {
  return 10 ** -minorUnitOf(currency);
}

/** With four significant digits, and without an exponent. */
function decimalText(value: number): string {
  const digits = value === 0 ? 0 : Math.min(12, Math.max(2, 3 - Math.floor(Math.log10(value))));
  return value.toFixed(digits).replace(/\.?0+$/, '') || '0';
}
