import { SimpleGrid, Stack } from '@mantine/core';
import { Chart } from '@millrace/ui/chart';
import { useNumbers } from '@millrace/ui/numbers';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import type { DataOf } from './api.ts';

type Usage = Pick<DataOf<'getDeveloperUsage'>, 'from' | 'to' | 'total' | 'days' | 'products'>;

/** Calls of some days: in total, by day, and by product if there are several. */
export function UsageFigures({ usage }: { readonly usage: Usage }) {
  const numbers = useNumbers();
  const { total, days, products } = usage;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, md: 5 }}>
        <Fact label="Calls">{numbers.count(total.requests)}</Fact>
        <Fact label="Failed (4xx and 5xx)">{numbers.count(total.failed)}</Fact>
        <Fact label="Errors (5xx)">{numbers.count(total.errors)}</Fact>
        <Fact label="Rate limited">{numbers.count(total.limited)}</Fact>
        <Fact label="Response bytes">{numbers.bytes(total.responseBytes)}</Fact>
      </SimpleGrid>
      <Chart
        label="Calls by day"
        kind="bars"
        daily
        times={days.map(({ day }) => day)}
        series={[
          { name: 'Succeeded', values: days.map(({ requests, failed }) => requests - failed) },
          { name: 'Failed', values: days.map(({ failed }) => failed), tone: 'bad' },
        ]}
        empty={`No calls from ${usage.from} to ${usage.to}.`}
      />
      {products.length > 1 && (
        <RecordTable
          label="Table of API products"
          rows={products.map((product) => ({ ...product, id: product.productId }))}
          columns={[
            {
              title: 'API product',
              cell: ({ productId, productName }) =>
                productName === null ? (
                  'Deleted API product'
                ) : (
                  <TextLink to="/products/$productId" params={{ productId }}>
                    {productName}
                  </TextLink>
                ),
            },
            { title: 'Calls', align: 'end', cell: ({ requests }) => numbers.count(requests) },
            { title: 'Failed (4xx and 5xx)', align: 'end', cell: ({ failed }) => numbers.count(failed) },
          ]}
        />
      )}
    </Stack>
  );
}
