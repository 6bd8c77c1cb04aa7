import { Text } from '@mantine/core';
import type { Priced, PricedLine } from '@millrace/pricing';
import { RecordTable } from '@millrace/ui/record-table';
import { useAmounts } from '../../frame/amounts.ts';
import classes from './rate-plans.module.css';
import { usePriceTexts } from './texts.ts';

const feeNames: Readonly<Record<PricedLine['kind'], string>> = {
  recurring: 'Recurring fee',
  setup: 'Setup fee',
  usage: 'Usage',
  minimum: 'Up to the minimum spend',
  maximum: 'Down to the maximum spend',
  late: 'Late usage',
};

/** What a usage costs, line by line. */
export function PriceLines({ priced }: { readonly priced: Omit<Priced, 'charges'> }) {
  const { lines, currency, subtotalMinor } = priced;
  const amountOf = useAmounts();
  const { priceOf, quantityOf } = usePriceTexts();
  const nameOf = ({ kind, charge, tier, isFlatFee }: PricedLine) => {
    const name = charge ?? feeNames[kind];
    if (tier === null) return name;
    const range =
      tier.upTo === null ? `above ${quantityOf(tier.from)}` : `${quantityOf(tier.from)} to ${quantityOf(tier.upTo)}`;
    return `${name}, ${range}${isFlatFee ? ', flat fee' : ''}`;
  };
  return (
    <div className={classes.lines}>
      <RecordTable
        label="Lines of the estimate"
        rows={lines.map((line, index) => ({ ...line, id: String(index) }))}
        columns={[
          { title: 'Item', cell: nameOf },
          { title: 'Quantity', align: 'end', cell: ({ quantity }) => quantityOf(quantity) },
          { title: 'Price', align: 'end', cell: ({ unitPrice }) => priceOf(unitPrice, currency) },
          { title: 'Amount', align: 'end', cell: ({ amountMinor }) => amountOf({ amountMinor, currency }) },
        ]}
      />
      <div className={classes.total}>
        <Text size="sm">Total before tax</Text>
        <Text size="lg" fw={600} data-total>
          {amountOf({ amountMinor: subtotalMinor, currency })}
        </Text>
      </div>
    </div>
  );
}
