import { SimpleGrid } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { useNumbers } from '@millrace/ui/numbers';
import { Fact } from '@millrace/ui/values';
import type { DataOf } from '../../frame/api.ts';

type CurrencyTotals = NonNullable<DataOf<'getBillingPeriod'>['totals']>['currencies'];

/** What a closed period came to, by currency. */
export function Totals({ currencies }: { readonly currencies: CurrencyTotals }) {
  const amountOf = useAmounts();
  const numbers = useNumbers();
  return currencies.map(({ currency, invoices, linesMinor, taxMinor, totalMinor }) => (
    <SimpleGrid key={currency} cols={{ base: 2, md: 4 }}>
      <Fact label={`Total in ${currency}`}>{amountOf({ amountMinor: totalMinor, currency })}</Fact>
      <Fact label="Before tax">{amountOf({ amountMinor: linesMinor, currency })}</Fact>
      <Fact label="Tax">{amountOf({ amountMinor: taxMinor, currency })}</Fact>
      <Fact label="Invoices">{numbers.count(invoices)}</Fact>
    </SimpleGrid>
  ));
}
