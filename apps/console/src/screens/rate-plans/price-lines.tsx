import { Text } from '@mantine/core';
import type { Priced } from '@millrace/pricing';
import { useAmounts } from '@millrace/ui/amounts';
import { RecordTable } from '@millrace/ui/record-table';
import classes from './rate-plans.module.css';
import { usePriceTexts } from './texts.ts';

/** What a usage costs, line by line. */
export function PriceLines({ priced }: { readonly priced: Omit<Priced, 'charges'> }) {
  const { lines, currency, subtotalMinor } = priced;
  const amountOf = useAmounts();
  const { priceOf, quantityOf, lineNameOf } = usePriceTexts();
  return (
    <div className={classes.lines}>
      <RecordTable
        label="Lines of the estimate"
        rows={lines.map((line, index) => ({ ...line, id: String(index) }))}
        columns={[
          { title: 'Item', cell: lineNameOf },
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
