import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import type { DataOf } from './api.ts';
import classes from './usage.module.css';

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
        <Fact label="Refused by limits">{numbers.count(total.limited)}</Fact>
        <Fact label="Answered">{numbers.bytes(total.responseBytes)}</Fact>
      </SimpleGrid>
      {total.requests === 0 ? (
        <Text c="dimmed">
          There was no call from {usage.from} to {usage.to}.
        </Text>
      ) : (
        <DayBars days={days} />
      )}
      <Text size="sm" c="dimmed">
        Days begin and end in UTC.
      </Text>
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
                    'A deleted product'
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

const height = 96;
const step = 10;

/** A bar for each day, with the part of it that failed at its foot. */
function DayBars({ days }: { readonly days: Usage['days'] }) {
  const numbers = useNumbers();
  const most = days.reduce((highest, day) => (day.requests > highest.requests ? day : highest), days[0]!);
  const scale = (calls: number) => (calls / Math.max(1, most.requests)) * height;
  return (
    <figure className={classes.figure}>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        className={classes.bars}
        role="img"
        aria-label={`Calls by day; the most on ${most.day}: ${numbers.count(most.requests)}.`}
      >
        {days.map(({ day, requests, failed }, index) => (
          <g key={day}>
            <title>{`${day}: ${numbers.count(requests)} calls, ${numbers.count(failed)} failed`}</title>
            <rect className={classes.ground} x={index * step} y={0} width={step} height={height} />
            <rect
              className={classes.calls}
              x={index * step + 1}
              y={height - scale(requests)}
              width={step - 2}
              height={scale(requests)}
            />
            <rect
              className={classes.failed}
              x={index * step + 1}
              y={height - scale(failed)}
              width={step - 2}
              height={scale(failed)}
            />
          </g>
        ))}
      </svg>
      <figcaption className={classes.caption}>
        <span>{days[0]?.day}</span>
        <span>
          The most on {most.day}: {numbers.count(most.requests)}
        </span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  );
}
