import { Group, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { Chart } from '@millrace/ui/chart';
import { EmptyList } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { useSearchChange } from '@millrace/ui/search-change';
import { Fact } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { type ArgumentsOf, type DataOf, useRead } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';

type Row = DataOf<'getRevenue'>['revenue'][number];
type By = NonNullable<NonNullable<ArgumentsOf<'getRevenue'>['query']>['by']>;

const groups: Readonly<Record<By, string>> = {
  product: 'API product',
  plan: 'Rate plan',
  developer: 'Developer',
  month: 'Month',
};

/** What was billed less what was credited, without tax: by month as a plot, and by what it is from. */
export function Revenue() {
  const search = useSearch({ from: '/shell/revenue' });
  const changeSearch = useSearchChange({ replace: true });
  const change = (changes: ListSearch) => changeSearch((current) => ({ ...current, ...changes }));
  const range = {
    from: String(search.from ?? startOfYearBefore()),
    ...(search.to !== undefined && { to: String(search.to) }),
  };
  const by = (search.by ?? 'product') as By;
  const months = useRead('getRevenue', { query: { by: 'month', ...range } });
  const parts = useRead('getRevenue', { query: { by, ...range } });
  return (
    <Page title="Revenue" description="On issued invoices, less credit notes. Without tax, by the dates of documents.">
      <Stack gap="lg">
        <Group align="end" gap="xs">
          <TextInput
            label="From"
            type="date"
            w={150}
            value={range.from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            label="To"
            type="date"
            w={150}
            value={range.to ?? ''}
            onChange={(event) => change({ to: event.currentTarget.value })}
          />
        </Group>
        <Loaded read={months}>
          {({ revenue }) =>
            revenue.length === 0 ? (
              <EmptyList>No revenue in this time.</EmptyList>
            ) : (
              <Plots rows={revenue} range={range} />
            )
          }
        </Loaded>
        <Section
          title="By source"
          actions={
            <SegmentedControl
              aria-label="Group by"
              size="xs"
              value={by}
              onChange={(next) => change({ by: next })}
              data={Object.entries(groups).map(([value, label]) => ({ value, label }))}
            />
          }
        >
          <Loaded read={parts}>{({ revenue }) => <Parts rows={revenue} by={by} />}</Loaded>
        </Section>
      </Stack>
    </Page>
  );
}

function startOfYearBefore(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1)).toISOString().slice(0, 10);
}

interface Range {
  /** Civil dates, such as `2026-01-31`. */
  readonly from: string;
  /** Without it, today. */
  readonly to?: string;
}

/** Totals and a plot of each currency. */
function Plots({ rows, range }: { readonly rows: readonly Row[]; readonly range: Range }) {
  const amountOf = useAmounts();
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const amount = (amountMinor: number) => amountOf({ amountMinor, currency });
    const sum = (name: 'billedMinor' | 'creditedMinor' | 'netMinor') =>
      ofCurrency.reduce((total, row) => total + row[name], 0);
    const months = monthsOf(range);
    const byMonth = new Map(ofCurrency.map((row) => [row.key, row]));
    return (
      <Stack key={currency} gap="sm">
        <SimpleGrid cols={{ base: 2, sm: 3 }}>
          <Fact label={`Net revenue in ${currency}`}>
            <strong>{amount(sum('netMinor'))}</strong>
          </Fact>
          <Fact label="Billed">{amount(sum('billedMinor'))}</Fact>
          <Fact label="Credited">{amount(sum('creditedMinor'))}</Fact>
        </SimpleGrid>
        <Chart
          label={`Revenue by month in ${currency}`}
          kind="bars"
          monthly
          times={months}
          series={[
            { name: 'Net revenue', values: months.map((month) => byMonth.get(month)?.netMinor ?? 0) },
            { name: 'Credited', values: months.map((month) => byMonth.get(month)?.creditedMinor ?? 0), tone: 'rest' },
          ]}
          format={(amountMinor) =>
            amountOf({ amountMinor: Math.round(amountMinor), currency }, { trailingZeroDisplay: 'stripIfInteger' })
          }
          empty="No revenue in these months."
        />
      </Stack>
    );
  });
}

/** Every month of a range, those without revenue included. */
function monthsOf({ from, to }: Range): readonly string[] {
  const [year, month] = from.split('-').map(Number) as [number, number];
  const last = (to ?? new Date().toISOString()).slice(0, 7);
  const months: string[] = [];
  for (let index = 0; index < mostMonths; index++) {
    const next = new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 7);
    if (next > last) break;
    months.push(next);
  }
  return months;
}

const mostMonths = 600;

function Parts({ rows, by }: { readonly rows: readonly Row[]; readonly by: By }) {
  const amountOf = useAmounts();
  const { monthOf } = useCivilDays();
  return (
    <RecordTable
      label={`Table of revenue by ${groups[by].toLowerCase()}`}
      rows={rows.map((row) => ({ ...row, id: `${row.key} ${row.currency}` }))}
      columns={[
        { title: groups[by], cell: ({ name, key }) => (by === 'month' ? monthOf(key) : name || 'Deleted') },
        {
          title: 'Billed',
          align: 'end',
          cell: ({ billedMinor, currency }) => amountOf({ amountMinor: billedMinor, currency }),
        },
        {
          title: 'Credited',
          align: 'end',
          cell: ({ creditedMinor, currency }) => amountOf({ amountMinor: creditedMinor, currency }),
        },
        {
          title: 'Net revenue',
          align: 'end',
          cell: ({ netMinor, currency }) => amountOf({ amountMinor: netMinor, currency }),
        },
      ]}
    />
  );
}
