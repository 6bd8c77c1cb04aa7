import { SimpleGrid, Stack, Table } from '@mantine/core';
import { Chart } from '@millrace/ui/chart';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import type { DataOf } from './api.ts';

type Usage = Pick<DataOf<'getDeveloperUsage'>, 'from' | 'to' | 'total' | 'days' | 'products'>;

/** Calls of some days: in all, by day, and by product where there are several. */
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
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>API product</Table.Th>
              <Table.Th>Calls</Table.Th>
              <Table.Th>Failed (4xx and 5xx)</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {products.map(({ productId, productName, requests, failed }) => (
              <Table.Tr key={productId}>
                <Table.Td>
                  {productName === null ? (
                    'Deleted product'
                  ) : (
                    <TextLink to="/products/$productId" params={{ productId }}>
                      {productName}
                    </TextLink>
                  )}
                </Table.Td>
                <Table.Td>{numbers.count(requests)}</Table.Td>
                <Table.Td>{numbers.count(failed)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
